"""movement: admission of models and sub-objects, face tests, traversal order and limits, integer conversions."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import CollisionWorld, Contact, Model, MovementError, Placements
from movement.contacts import (
    classify_normal,
    integer_normal,
    integer_position,
    point_inside_face,
    segment_face_contact,
    segment_meets_model,
    segment_meets_sub_object,
    segment_rank,
    sphere_face_contact,
    sphere_meets_model,
    sphere_meets_sub_object,
)
from movement.model_queries import segment_model_contacts, sphere_model_contacts
from movement.orientation import upright_matrix

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
UP = (0.0, -1.0, 0.0)
SQUARE = ((-10, 0, -10), (10, 0, -10), (10, 0, 10), (-10, 0, 10))  # faces up: counter-clockwise seen from -Y
BALL = (1.0, 1.0, 1.0)


# --- classification and integers ---


@pytest.mark.parametrize(
    ("normal_y", "classification"),
    [(-256, 4), (-161, 4), (-160, 2), (-42, 2), (-41, 1), (0, 1), (160, 1), (161, 8), (256, 8)],
)
def test_classification_thresholds(normal_y: int, classification: int) -> None:
    assert classify_normal(normal_y) == classification


def test_integers_round_to_nearest_even() -> None:
    assert integer_position((0.5, 1.5, -2.5)) == (0, 2, -2)
    assert integer_position((0.501, 1.499, -2.501)) == (1, 1, -3)
    # 0.001953125 * 256 = 0.5 ties to 0; 0.005859375 * 256 = 1.5 ties to 2
    assert integer_normal((0.001953125, 0.005859375, -1.0)) == (0, 2, -256)


def test_normals_are_not_made_unit_again() -> None:
    assert integer_normal((0.0, -2.0, 0.5)) == (0, -512, 128)


def test_ranks_round_to_nearest_even() -> None:
    assert segment_rank(0.5) == 16384
    assert segment_rank(1.5 / 32768) == 2
    assert segment_rank(2.5 / 32768) == 2
    assert segment_rank(1.0) == 32768


# --- sphere admission ---


def test_sphere_model_admission_adds_squares() -> None:
    # radii 3 and 4: the limit is 5, not 7
    assert sphere_meets_model((0, 0, 0), 3, (0, 0, 0), IDENTITY, (5, 0, 0), 4)
    assert not sphere_meets_model((0, 0, 0), 3, (0, 0, 0), IDENTITY, (5.01, 0, 0), 4)
    assert not sphere_meets_model((0, 0, 0), 3, (0, 0, 0), IDENTITY, (7, 0, 0), 4)


def test_sphere_model_admission_works_in_actor_axes() -> None:
    # heading 512 is a quarter turn: local forward (0, 0, 1) maps onto (s, 0, c) with s = sin(-512) = -1
    quarter = upright_matrix(512)
    ahead = (0, 0, 10)
    # world displacement to the model (-13, 0, 0): in actor axes (0, 0, 13), 3 from the sphere
    assert sphere_meets_model(ahead, 3, (100, 0, 100), quarter, (87, 0, 100), 0.01)
    assert not sphere_meets_model(ahead, 3, (100, 0, 100), quarter, (113, 0, 100), 0.01)


def test_sphere_sub_object_admission_uses_the_extent_factors() -> None:
    # R = 10, extents (1, 0.5, 1), r = 3. Along y the reach is 5: squared limit 25 + 9 = 34
    for y, admitted in ((5.8, True), (5.9, False)):  # 33.64 and 34.81
        assert sphere_meets_sub_object((0, y, 0), 3, (0, 0, 0), 10, (1, 0.5, 1)) is admitted
    # diagonal (1, 1, 0) / sqrt 2: components 7.07 and 3.54: squared reach 50 + 12.5 = 62.5, limit 71.5
    for side, admitted in ((5.97, True), (5.99, False)):  # 71.28 and 71.76
        assert sphere_meets_sub_object((side, side, 0), 3, (0, 0, 0), 10, (1, 0.5, 1)) is admitted


def test_a_sphere_at_the_sub_objects_centre_is_admitted() -> None:
    assert sphere_meets_sub_object((1, 2, 3), 0, (1, 2, 3), 0, BALL)


def test_sphere_sub_object_boundary_is_inside() -> None:
    # d = (5, 0, 0), R = 4, r = 3: 25 <= 16 + 9
    assert sphere_meets_sub_object((5, 0, 0), 3, (0, 0, 0), 4, BALL)
    assert not sphere_meets_sub_object((5.0001, 0, 0), 3, (0, 0, 0), 4, BALL)


# --- segment admission ---


def test_a_segment_end_inside_or_on_the_radius_passes() -> None:
    assert segment_meets_model((5, 0, 0), (100, 0, 0), 5)
    assert segment_meets_model((100, 0, 0), (0, 0, -5), 5)
    assert not segment_meets_model((5.001, 0, 0), (100, 0, 0), 5)


def test_a_segment_through_the_radius_passes() -> None:
    # from (-10, 5, 0) to (10, 5, 0): a = (-10, 5, 0), d = (-20, 0, 0), L = 400, P = 200, 125 * 400 - 200^2 = 10000
    assert segment_meets_model((-10, 5, 0), (10, 5, 0), 5)  # 10000 <= 25 * 400: equality
    assert not segment_meets_model((-10, 5.01, 0), (10, 5.01, 0), 5)


def test_a_start_at_the_closest_point_decides_by_its_own_distance() -> None:
    # P = a . (a - b) = 0. Models admit a zero projection and sub-objects refuse it, which no segment can show: with
    # P = 0 the last test is |a| <= r, and then the end itself has passed.
    assert segment_meets_model((0, 5, 0), (10, 5, 0), 5)
    assert segment_meets_sub_object((0, 5, 0), (10, 5, 0), (0, 0, 0), 5, BALL)
    assert not segment_meets_model((0, 5.001, 0), (10, 5.001, 0), 5)
    assert not segment_meets_sub_object((0, 5.001, 0), (10, 5.001, 0), (0, 0, 0), 5, BALL)


def test_projections_beyond_the_segment_fail() -> None:
    # the line passes through the ball, the segment ends before it: a = (-20, 0, 0), b = (-10, 0, 0): P = 200 > L = 100
    assert not segment_meets_model((-20, 0, 0), (-10, 0, 0), 5)
    assert not segment_meets_sub_object((-20, 0, 0), (-10, 0, 0), (0, 0, 0), 5, BALL)
    # and behind the start: P = -100
    assert not segment_meets_model((10, 0, 0), (20, 0, 0), 5)


def test_the_least_squared_length_is_the_single_precision_tenth() -> None:
    # a short segment that straddles a tiny ball: a = (-h, 0, 0), b = (h, 0, 0), radius 0.01; L = 4 h^2
    tenth = float(np.float32(0.1))
    for length, passes in (
        (float(np.sqrt(tenth)) * 1.000001, True),
        (float(np.sqrt(tenth)) * 0.999999, False),
    ):
        half = length / 2
        assert segment_meets_model((-half, 0, 0), (half, 0, 0), 0.01) is passes
        assert segment_meets_sub_object((-half, 0, 0), (half, 0, 0), (0, 0, 0), 0.01, BALL) is passes


def test_sub_objects_scale_the_segment_by_reciprocal_extents() -> None:
    # extents (2, 1, 1): the ellipsoid of R = 5 reaches 10 along x
    assert segment_meets_sub_object((10, 0, 0), (50, 0, 0), (0, 0, 0), 5, (2, 1, 1))
    assert not segment_meets_sub_object((10.01, 0, 0), (50, 0, 0), (0, 0, 0), 5, (2, 1, 1))
    # extent 0.5 along y: passing at y = 2.5 touches, at 2.6 does not
    assert segment_meets_sub_object((-9, 2.5, 0), (9, 2.5, 0), (0, 0, 0), 5, (1, 0.5, 1))
    assert not segment_meets_sub_object((-9, 2.6, 0), (9, 2.6, 0), (0, 0, 0), 5, (1, 0.5, 1))
    # about the sub-object's centre
    assert segment_meets_sub_object((91, 2.5, 0), (109, 2.5, 0), (100, 0, 0), 5, (1, 0.5, 1))


def test_extents_of_zero_admit_nothing() -> None:
    assert not segment_meets_sub_object((0, -9, 0), (0, 9, 0), (0, 0, 0), 5, (0, 1, 1))


# --- a sphere and a face ---


def test_a_sphere_touches_at_equality() -> None:
    assert sphere_face_contact((0, -5, 0), 5, SQUARE, UP) == (0, 0, 0)
    assert sphere_face_contact((0, -5.001, 0), 5, SQUARE, UP) is None


def test_a_sphere_behind_the_face_is_refused_beyond_four_units() -> None:
    # (V - C) . N for C = (0, 4, 0) below an upward face: (0, -4, 0) . (0, -1, 0) = 4
    assert sphere_face_contact((0, 4, 0), 10, SQUARE, UP) == (0, 0, 0)
    assert sphere_face_contact((0, 4.001, 0), 10, SQUARE, UP) is None
    assert sphere_face_contact((0, 9, 0), 10, SQUARE, UP, sided=False) == (0, 0, 0)
    assert sphere_face_contact((0, 10.5, 0), 10, SQUARE, UP, sided=False) is None  # the radius still counts


def test_the_contact_is_the_plane_projection_even_at_an_edge() -> None:
    # centre 3 outside the edge x = 10 and 4 above: 5 from the edge
    assert sphere_face_contact((13, -4, 0), 5, SQUARE, UP) == (13, 0, 0)
    assert sphere_face_contact((13.01, -4, 0), 5, SQUARE, UP) is None


def test_a_vertex_within_the_sphere_counts() -> None:
    # centre (12, 0 - 1, 12): the corner (10, 0, 10) is 3 away; the edges end there
    assert sphere_face_contact((12, -1, 12), 3, SQUARE, UP) == (12, 0, 12)
    assert sphere_face_contact((12, -1, 12), 2.99, SQUARE, UP) is None


def test_an_edge_between_far_vertices_counts() -> None:
    long = ((-100, 0, -100), (100, 0, -100), (100, 0, 100), (-100, 0, 100))
    assert sphere_face_contact((103, 0, 0), 3, long, UP) == (103, 0, 0)
    assert sphere_face_contact((103.5, 0, 0), 3, long, UP) is None


def test_points_on_an_edge_are_inside() -> None:
    assert point_inside_face((10, 0, 3), SQUARE, UP)
    assert point_inside_face((10, 0, 10), SQUARE, UP)
    assert not point_inside_face((10.001, 0, 3), SQUARE, UP)
    # the other orientation has no inside
    assert not point_inside_face((0, 0, 0), SQUARE[::-1], UP)


def test_a_zero_normal_touches_whatever_is_admitted() -> None:
    # the rule's own arithmetic: distance 0, projection = centre, every cross product times N is 0 >= 0
    assert sphere_face_contact((500, 500, 500), 1, SQUARE, (0, 0, 0)) == (500, 500, 500)
    assert segment_face_contact((0, -5, 0), (0, 5, 0), SQUARE, (0, 0, 0)) is None


@pytest.mark.parametrize("count", [2, 11])
def test_faces_have_3_to_10_vertices(count: int) -> None:
    with pytest.raises(MovementError, match=f"3 to 10 vertices, got {count}"):
        sphere_face_contact((0, 0, 0), 1, [(k, 0, k * k) for k in range(count)], UP)


@given(
    center=st.tuples(*[st.integers(-30, 30)] * 3),
    radius=st.integers(1, 20),
    scale=st.integers(1, 30),
)
def test_a_sphere_touches_a_square_as_geometry_says(
    center: tuple[int, int, int], radius: int, scale: int
) -> None:
    square = [(x * scale / 10, 0, z * scale / 10) for x, _, z in SQUARE]
    x, y, z = center
    outside = [max(abs(value) - scale, 0) for value in (x, z)]
    near = outside[0] ** 2 + outside[1] ** 2 + y * y <= radius * radius
    assert (sphere_face_contact(center, radius, square, UP, sided=False) is not None) == near


# --- a segment and a face ---


def test_a_segment_crosses_at_its_fraction() -> None:
    assert segment_face_contact((1, -30, 2), (1, 10, 2), SQUARE, UP) == ((1, 0, 2), 0.75)


def test_a_segment_needs_one_negative_and_one_nonnegative_end() -> None:
    # distances are (V - A) . N: negative above the face, positive below it
    assert segment_face_contact((0, -5, 0), (0, 0, 0), SQUARE, UP) == ((0, 0, 0), 1.0)  # -5 and 0
    assert segment_face_contact((0, 0, 0), (0, -5, 0), SQUARE, UP) == ((0, 0, 0), 0.0)  # 0 and -5
    assert segment_face_contact((0, 0, 0), (0, 5, 0), SQUARE, UP) is None  # 0 and 5: both nonnegative
    assert segment_face_contact((-5, 0, 0), (5, 0, 0), SQUARE, UP) is None  # in the plane
    assert segment_face_contact((0, -5, 0), (0, -1, 0), SQUARE, UP) is None


def test_a_start_behind_the_face_is_refused_beyond_four_units() -> None:
    assert segment_face_contact((0, 4, 0), (0, -4, 0), SQUARE, UP) == ((0, 0, 0), 0.5)
    assert segment_face_contact((0, 4.5, 0), (0, -4.5, 0), SQUARE, UP) is None
    assert segment_face_contact((0, 4.5, 0), (0, -4.5, 0), SQUARE, UP, sided=False) == ((0, 0, 0), 0.5)


def test_a_segment_outside_the_edges_misses() -> None:
    assert segment_face_contact((10, -5, 0), (10, 5, 0), SQUARE, UP) is not None
    assert segment_face_contact((11, -5, 0), (11, 5, 0), SQUARE, UP) is None


# --- traversal ---


def quad(y: float, half: float = 50.0) -> list[tuple[float, float, float]]:
    return [(-half, y, -half), (half, y, -half), (half, y, half), (-half, y, half)]


def stack(
    heights: list[float], references: list[list[int]], centers: list[tuple[float, float, float]] | None = None
) -> Model:
    """Squares that face up at the given heights; each list of face references is a sub-object."""
    vertices = [corner for y in heights for corner in quad(y)]
    return Model(
        np.array(vertices),
        [4] * len(heights),
        list(range(4 * len(heights))),
        [UP] * len(heights),
        [0] * len(heights),
        1000.0,
        centers or [(0, 0, 0)] * len(references),
        [1000.0] * len(references),
        [BALL] * len(references),
        [len(faces) for faces in references],
        list(itertools.chain(*references)),
    )


def placed(model: Model, position: tuple[float, float, float] = (1000, 0, 1000)) -> CollisionWorld:
    return CollisionWorld([model], Placements([0], [position], [np.eye(3)], [0]))


def faces(contacts: list[Contact]) -> list[int]:
    return [contact.face for contact in contacts]


def test_sub_objects_and_references_keep_their_order() -> None:
    world = placed(stack([0, 1, 2, 3], [[3, 1], [0, 2]]))
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, [(0, 0, 0, 9)])) == [3, 1, 0, 2]
    assert faces(world.segment_contacts([0], (1000, -50, 1000), (1000, 50, 1000))) == [3, 1, 0, 2]


def test_unlisted_faces_take_no_part() -> None:
    world = placed(stack([0, 1, 2], [[2]]))
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, [(0, 0, 0, 9)])) == [2]


def test_spheres_skip_accepted_faces_for_the_rest_of_the_model_query() -> None:
    world = placed(stack([0, 20], [[0, 1, 0], [1, 0]]))
    # the first sphere reaches only face 0 (radius 9 at height 0), the second only face 1; repeats are skipped
    spheres = [(0, 0, 0, 9), (0, 20, 0, 9), (0, 10, 0, 30)]
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, spheres, sided=False)) == [0, 1]


def test_a_failed_test_does_not_mark_the_face() -> None:
    world = placed(stack([0], [[0, 0]]))
    # the first sphere is too far, the second touches
    spheres = [(0, -30, 0, 9), (0, -5, 0, 9)]
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, spheres)) == [0]


def test_segments_keep_repeated_references() -> None:
    world = placed(stack([0], [[0, 0], [0]]))
    assert faces(world.segment_contacts([0], (1000, -50, 1000), (1000, 50, 1000))) == [0, 0, 0]


def test_each_model_query_forgets_the_accepted_faces_of_the_last() -> None:
    model = stack([0], [[0]])
    world = CollisionWorld([model], Placements([0, 0], [(1000, 0, 1000)] * 2, [np.eye(3)] * 2, [0, 0]))
    found = world.sphere_contacts([1, 0], (1000, 0, 1000), IDENTITY, [(0, 0, 0, 9)])
    assert [contact.placement for contact in found] == [1, 0]


@pytest.mark.parametrize(("count", "expected"), [(31, 31), (32, 32), (33, 32), (40, 32)])
def test_a_model_query_stops_after_32_contacts(count: int, expected: int) -> None:
    world = placed(stack([0.0] * count, [list(range(count))]))
    assert len(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, [(0, 0, 0, 9)])) == expected
    repeated = placed(stack([0.0], [[0] * count]))
    assert len(repeated.segment_contacts([0], (1000, -9, 1000), (1000, 9, 1000))) == expected


@pytest.mark.parametrize("limit", [1, 5, 31, 32, 33, 50])
def test_a_limit_over_all_models_cuts_the_same_list(limit: int) -> None:
    model = stack([0.0] * 20, [list(range(20))])
    world = CollisionWorld([model], Placements([0] * 3, [(1000, 0, 1000)] * 3, [np.eye(3)] * 3, [0] * 3))
    sphere = [(0, 0, 0, 9)]
    whole = world.sphere_contacts([0, 1, 2], (1000, 0, 1000), IDENTITY, sphere)
    assert len(whole) == 60
    assert world.sphere_contacts([0, 1, 2], (1000, 0, 1000), IDENTITY, sphere, limit=limit) == whole[:limit]


def test_more_spheres_than_a_stack_buffer_holds() -> None:
    world = placed(stack([0, 600], [[0, 1]]))
    # 101 spheres from y = -1000 upward in steps of 16: the last is at 600
    spheres = [(0, -1000 + 16 * k, 0, 7) for k in range(101)]
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, spheres)) == [1]


def test_a_sub_object_that_is_not_admitted_hides_its_faces() -> None:
    model = stack([0, 0], [[0], [1]])
    object.__setattr__(model, "sub_radii", np.array([1000, 1], np.float32))
    object.__setattr__(model, "sub_centers", np.array([(0, 0, 0), (0, 400, 0)], np.float32))
    world = placed(model)
    assert faces(world.sphere_contacts([0], (1000, 0, 1000), IDENTITY, [(0, 0, 0, 9)])) == [0]
    assert faces(world.segment_contacts([0], (1000, -50, 1000), (1000, 50, 1000))) == [0]


def test_one_model_can_be_queried_without_a_world() -> None:
    model = stack([0, 20], [[1, 0, 1]])
    spheres = [(0, 10, 0, 30)]
    alone = sphere_model_contacts(model, spheres, (1000, 0, 1000), IDENTITY, (1000, 0, 1000), sided=False)
    assert alone == placed(model).sphere_contacts([0], (1000, 0, 1000), IDENTITY, spheres, sided=False)
    assert faces(alone) == [1, 0]
    assert faces(segment_model_contacts(model, (0, -50, 0), (0, 50, 0))) == [1, 0, 1]


# --- to the world and back ---


def test_contacts_come_back_to_the_world() -> None:
    # a wall: the square turned by a quarter about Z: local up (0, -1, 0) becomes (1, 0, 0)
    turn = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    model = stack([0], [[0]])
    world = CollisionWorld([model], Placements([0], [(2000, 300, 4000)], [turn], [0]))
    (contact,) = world.sphere_contacts([0], (2010, 310, 4005), IDENTITY, [(0, 0, 0, 24)])
    assert contact.normal == (256, 0, 0)
    assert contact.classification == 1  # by the world normal, not the model's
    assert contact.position == (2000, 310, 4005)
    (crossing,) = world.segment_contacts([0], (2030, 310, 4005), (1970, 310, 4005))
    assert (crossing.position, crossing.rank) == ((2000, 310, 4005), 16384)


def test_actor_rotation_turns_the_sphere_centres() -> None:
    world = placed(stack([0], [[0]]), (1000, 0, 1000))
    # 80 ahead of the square's middle is off it by 30; a quarter turn at heading 512 swings forward onto -X
    sphere = [(0, 0, 80, 9)]
    assert world.sphere_contacts([0], (1000, -5, 1000), upright_matrix(0), sphere) == []
    (found,) = world.sphere_contacts([0], (1080, -5, 1000), upright_matrix(512), sphere)
    assert found.position == (1000, 0, 1000)


@given(
    x=st.integers(-45, 45),
    z=st.integers(-45, 45),
    up=st.integers(1, 200),
    down=st.integers(1, 200),
    at=st.integers(-3000, 3000),
)
def test_vertical_segments_rank_by_their_height(x: int, z: int, up: int, down: int, at: int) -> None:
    world = placed(stack([0], [[0]]), (1000, at, 1000))
    (contact,) = world.segment_contacts([0], (1000 + x, at - up, 1000 + z), (1000 + x, at + down, 1000 + z))
    assert contact.position == (1000 + x, at, 1000 + z)
    assert contact.rank == round(up / (up + down) * 32768)
