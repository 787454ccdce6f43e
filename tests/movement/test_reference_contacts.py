"""Spheres, candidates, admission and faces: the package against rules written a second time."""

import math

from hypothesis import given
from hypothesis import strategies as st

from movement.candidates import passes_distance_test, separate_lists, window_cells, window_start
from movement.contacts import (
    point_inside_face,
    segment_face_contact,
    segment_meets_model,
    segment_meets_sub_object,
    sphere_face_contact,
    sphere_meets_sub_object,
)
from movement.spheres import upright_spheres
from tests.movement import reference_rules as rules

# Whole numbers and halves keep every sum exact, so that equality is met on purpose.
HALVES = st.integers(-40, 40).map(lambda n: n / 2)
POINTS = st.tuples(HALVES, HALVES, HALVES)
EXTENTS = st.tuples(*[st.sampled_from((0.25, 0.5, 1.0, 2.0))] * 3)
SQUARE = [(-8.0, 0.0, -8.0), (-8.0, 0.0, 8.0), (8.0, 0.0, 8.0), (8.0, 0.0, -8.0)]
UP = (0.0, -1.0, 0.0)
TRIANGLE = [(-6.0, 3.0, 0.0), (6.0, 3.0, 4.0), (6.0, 3.0, -4.0)]


def test_the_square_is_wound_for_its_normal() -> None:
    assert rules.inside((0.0, 0.0, 0.0), SQUARE, UP) != rules.inside((0.0, 0.0, 0.0), SQUARE[::-1], UP)


@given(
    total=st.tuples(st.integers(0, 300), st.integers(0, 900), st.integers(0, 300)),
    positive_y=st.integers(0, 200),
    negative_y=st.integers(0, 200),
    post=st.integers(1, 120),
    scale=st.one_of(st.integers(-300, 700), st.sampled_from((-1, 0, 1, 255, 256, 257))),
)
def test_upright_spheres(
    total: tuple[int, int, int], positive_y: int, negative_y: int, post: int, scale: int
) -> None:
    found = upright_spheres(total, positive_y, negative_y, post, scale)
    assert [(s.y, s.radius) for s in found] == rules.upright_spheres(
        total, positive_y, negative_y, post, scale
    )


def test_windows_around_every_boundary() -> None:
    for center in (0, 1, 511, 4607, 4608, 4609, 5119, 5120, 30000, 60926, 60927, 60928, 65535):
        assert window_start(center) // 512 == rules.first_cell(center)
        assert window_cells(center, 65535 - center) == rules.window(center, 65535 - center)


@given(
    origin=st.tuples(*[st.integers(0, 65535)] * 3),
    reach=st.integers(0, 1000),
    offset=st.tuples(*[st.floats(-900, 900, width=32)] * 3),
    radius=st.floats(0, 1000, width=32),
)
def test_distance(
    origin: tuple[int, int, int], reach: int, offset: tuple[float, float, float], radius: float
) -> None:
    position = tuple(rules.f32(origin[axis] + offset[axis]) for axis in range(3))
    expected = rules.within_distance(origin, reach, position, radius)
    assert passes_distance_test(origin, reach, position, radius) == expected


def test_distance_at_equality() -> None:
    # 300, 400, 0 are 500 apart: equal to 200 + 300, and one ulp of the radius decides
    below = rules.f32(math.nextafter(300.0, 0.0) - 0.00002)
    assert passes_distance_test((1000, 0, 1000), 200, (1300.0, 0.0, 1400.0), 300.0)
    assert rules.within_distance((1000, 0, 1000), 200, (1300.0, 0.0, 1400.0), 300.0)
    found = passes_distance_test((1000, 0, 1000), 200, (1300.0, 0.0, 1400.0), below)
    assert found == rules.within_distance((1000, 0, 1000), 200, (1300.0, 0.0, 1400.0), below)


@given(
    st.lists(st.tuples(st.sampled_from((0, 0, 0, 1, 1, 2, 3, 4, 5, 255)), st.booleans()), max_size=150),
    st.integers(0, 70),
    st.integers(0, 70),
)
def test_lists_and_their_limits(entries: list[tuple[int, bool]], faces: int, actors: int) -> None:
    flags = [1] * actors + [0] * faces + [flag for flag, _ in entries]
    near = [True] * (actors + faces) + [passed for _, passed in entries]
    found = separate_lists(flags, near)
    expected = rules.two_lists(flags, near)
    assert (list(found.face_models), list(found.actor_models)) == expected


@given(center=POINTS, radius=st.integers(1, 20), middle=POINTS, size=st.integers(1, 30), extents=EXTENTS)
def test_spheres_and_sub_objects(
    center: tuple[float, float, float],
    radius: int,
    middle: tuple[float, float, float],
    size: int,
    extents: tuple[float, float, float],
) -> None:
    expected = rules.sphere_near_sub_object(center, radius, middle, size, extents)
    assert sphere_meets_sub_object(center, radius, middle, size, extents) == expected


@given(start=POINTS, end=POINTS, middle=POINTS, size=st.integers(1, 30), extents=EXTENTS)
def test_segments_models_and_sub_objects(
    start: tuple[float, float, float],
    end: tuple[float, float, float],
    middle: tuple[float, float, float],
    size: int,
    extents: tuple[float, float, float],
) -> None:
    assert segment_meets_model(start, end, size) == rules.segment_near(start, end, size, True)
    expected = rules.segment_near_sub_object(start, end, middle, size, extents)
    assert segment_meets_sub_object(start, end, middle, size, extents) == expected


@given(center=POINTS, radius=st.integers(1, 12), sided=st.booleans(), turned=st.booleans())
def test_spheres_and_faces(
    center: tuple[float, float, float], radius: int, sided: bool, turned: bool
) -> None:
    for corners in (SQUARE, TRIANGLE):
        normal = (0.0, 1.0, 0.0) if turned else UP
        ordered = corners[::-1] if turned else corners
        found = sphere_face_contact(center, radius, ordered, normal, sided)
        assert found == rules.sphere_face(center, radius, ordered, normal, sided)


@given(start=POINTS, end=POINTS, sided=st.booleans())
def test_segments_and_faces(
    start: tuple[float, float, float], end: tuple[float, float, float], sided: bool
) -> None:
    for corners in (SQUARE, TRIANGLE, SQUARE[::-1]):
        found = segment_face_contact(start, end, corners, UP, sided)
        expected = rules.segment_face(start, end, corners, UP, sided)
        assert (None if found is None else found[1]) == expected


@given(POINTS)
def test_points_and_edges(point: tuple[float, float, float]) -> None:
    for corners in (SQUARE, SQUARE[::-1], TRIANGLE):
        assert point_inside_face(point, corners, UP) == rules.inside(point, corners, UP)
