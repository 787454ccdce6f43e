"""movement: collection, facing admission, horizontal response, facing adjustment, residual separation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import CollisionWorld, Contact, Placements, Terrain
from movement.angles import heading_from_displacement
from movement.models import bake_model
from movement.response import (
    adjusted_heading,
    body_contacts,
    collect_body_contacts,
    faces_movement,
    movement_heading,
    normalized,
    project_movement,
    residual_contacts,
    respond_to_contacts,
    separate,
    separation_direction,
    separation_distance,
    terrain_body_contact,
    wall_dot,
    wall_response,
)

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SOUTH = (0, 0, -256)  # the normal of a wall that stands ahead at heading 0 (+Z)
SLIDE = -60000


def contact(normal: tuple[int, int, int], face: int = 0) -> Contact:
    return Contact((0, 0, 0), normal, 0, 0, face)


# --- collection ---


def test_terrain_follows_fewer_than_sixteen_model_contacts() -> None:
    models = [contact(SOUTH, face) for face in range(20)]
    terrain = contact((0, -256, 0), -1)
    assert collect_body_contacts(models[:15], terrain) == [*models[:15], terrain]
    assert collect_body_contacts(models[:16], terrain) == models[:16]
    assert collect_body_contacts(models, terrain) == models[:16]
    assert collect_body_contacts(models[:3]) == models[:3]


def test_collection_reads_no_contact_after_the_sixteenth() -> None:
    read = []

    def source():
        for face in range(20):
            read.append(face)
            yield contact(SOUTH, face)

    collect_body_contacts(source())
    assert read == list(range(16))


# --- facing ---


def test_the_movement_heading() -> None:
    assert movement_heading((0, 0, 0), (0, 99, 0), 77) == 77  # only Y changed
    assert movement_heading((0, 0, 0), (0, 0, 256), 77) == 0
    assert movement_heading((0, 0, 0), (-1, 0, 0), 77) == heading_from_displacement(-1, 0) == 512


def test_a_wall_ahead_faces_the_movement() -> None:
    assert faces_movement(SOUTH, 0)
    assert not faces_movement((0, 0, 256), 0)


def test_the_2047_correction_makes_quarter_turns_asymmetric() -> None:
    # walls whose opposing heading less the movement heading is d, before correction
    # movement 0, opposing 512: a normal toward +X has heading 1536, + 1024 = 512
    assert heading_from_displacement(256, 0) == 1536
    assert not faces_movement((256, 0, 0), 0)  # 512 stays 512
    # opposing 1536 (a normal toward -X): 1536 - 2047 = -511 passes
    assert faces_movement((-256, 0, 0), 0)
    # seen from movement 1536: opposing 512 gives -1024, not below -1024: stays and fails; from 1537: -1025 + 2047
    assert not faces_movement((256, 0, 0), 1536)
    assert not faces_movement((256, 0, 0), 1537)
    # opposing 0 from movement 1536: -1536 + 2047 = 511 passes; from 1535: 512 fails
    assert faces_movement(SOUTH, 1536)
    assert not faces_movement(SOUTH, 1535)
    # opposing 0 from movement 512: -512 fails; from 511 passes
    assert not faces_movement(SOUTH, 512)
    assert faces_movement(SOUTH, 511)


# --- horizontal response ---


def test_normalising_gives_length_65536() -> None:
    assert normalized(0, 0, 0) == (0, 0, 0)
    assert normalized(0, 0, 7) == (0, 0, 65536)
    assert normalized(-5, 0, 0) == (-65536, 0, 0)
    # (3, 0, 4): scale 5 / 65536; 3 / scale = 39321.6, 4 / scale = 52428.8
    assert normalized(3, 0, 4) == (39322, 0, 52429)


def test_normalising_stores_scale_and_quotients_at_single_precision() -> None:
    for vector in ((123, -45, 678), (1, 1, 1), (-700, 3, 51234), (16777217, 2, 3)):
        stored = [np.float32(component) for component in vector]
        length = math.sqrt(sum(float(component) ** 2 for component in stored))
        scale = np.float32(length / 65536)
        expected = tuple(int(np.rint(np.float32(component / scale))) for component in stored)
        assert normalized(*vector) == expected


@given(vector=st.tuples(*[st.integers(-(2**20), 2**20)] * 3))
def test_normalised_vectors_keep_their_direction(vector: tuple[int, int, int]) -> None:
    length = math.hypot(*vector)
    for before, after in zip(vector, normalized(*vector), strict=True):
        assert after == pytest.approx(before * 65536 / length if length else 0, abs=1)


def test_the_dot_product_shifts_arithmetically() -> None:
    # 46341 * -181 = -8387721 >> 8 = -32765 (-32764.5 floored)
    assert wall_dot((46341, 0, 46341), (-181, 0, 0)) == -32765
    assert wall_dot((1, 0, 0), (-1, 0, 0)) == -1
    assert wall_dot((5, 999, 7), (0, 256, 256)) == 7  # Y takes no part


def test_the_projection_removes_the_component_along_the_normal() -> None:
    # into a wall along X at 45 degrees: dot = 46341 * -256 >> 8 = -46341; -46341 * -256 >> 8 = 46341 is taken off Z
    movement = normalized(100, 0, 100)
    assert movement == (46341, 0, 46341)
    assert project_movement(movement, SOUTH, wall_dot(movement, SOUTH)) == (46341, 0)


def test_a_slanting_walk_slides_along_the_wall() -> None:
    movement = normalized(100, 0, 100)
    # 46341 >> 4 = 2896 runtime units along the wall, whatever the attempted length was (quirk)
    assert wall_response((1000, 5, 2000), (1100, 9, 2100), movement, SOUTH, SLIDE) == ((3896, 9, 2000), True)


def test_a_head_on_walk_is_put_back_but_not_a_slide() -> None:
    movement = normalized(0, 0, 100)
    # dot = 65536 * -256 >> 8 = -65536, not above -60000
    assert wall_response((1000, 5, 2000), (1000, 9, 2100), movement, SOUTH, SLIDE) == ((1000, 9, 2000), False)
    assert wall_response((1000, 5, 2000), (1000, 9, 2100), movement, SOUTH, SLIDE, sliding=True) == (
        (1000, 9, 2100),
        False,
    )


def test_the_threshold_is_strict() -> None:
    # the dot product of this movement is -65536 * 240 >> 8 = -61440
    movement, normal = (0, 0, 65536), (0, 0, -240)
    assert not wall_response((0, 0, 0), (0, 0, 9), movement, normal, -61440)[1]
    assert wall_response((0, 0, 0), (0, 0, 9), movement, normal, -61441)[1]


def test_negative_components_shift_arithmetically() -> None:
    # -1 >> 4 = -1
    position, _ = wall_response((100, 0, 100), (0, 0, 0), (-1, 0, 0), (0, 0, 256), SLIDE)
    assert position == (99, 0, 100)


# --- facing adjustment ---


def test_the_heading_turns_away_from_the_wall_by_at_most_32() -> None:
    # the wall ahead faces heading 0. Moving at 100: difference -100, add 32; at 20: add 20
    assert adjusted_heading(100, SOUTH, 100) == 132
    assert adjusted_heading(20, SOUTH, 20) == 40
    assert adjusted_heading(0, SOUTH, 0) == 0
    # moving at 2000: 0 - 2000 = -2000 + 2047 = 47 (not 48: quirk): subtract 32
    assert adjusted_heading(2000, SOUTH, 2000) == 1968
    # at 2030: difference 17 by 2047
    assert adjusted_heading(2030, SOUTH, 2030) == 2013


def test_the_adjusted_heading_stays_in_range() -> None:
    # a wall that faces 39: moving at 10, difference 29, 10 - 29 = -19
    normal = (round(256 * math.sin(math.pi * 40 / 1024)), 0, -round(256 * math.cos(math.pi * 40 / 1024)))
    assert heading_from_displacement(normal[0], normal[2]) + 1024 & 2047 == 39
    assert adjusted_heading(10, normal, 10) == 2029


def test_walking_backwards_turns_the_result_by_half_a_turn() -> None:
    # the actor looks 513 away from the movement: more than a quarter turn
    assert adjusted_heading(100, SOUTH, 100 + 512) == 132
    assert adjusted_heading(100, SOUTH, 100 + 513) == 132 + 1024
    # that difference wraps by 2048: 100 - 512 = 1636 (masked) is 512 away
    assert adjusted_heading(100, SOUTH, 1636) == 132
    assert adjusted_heading(100, SOUTH, 1635) == 132 + 1024


@given(
    movement=st.integers(0, 2047),
    normal=st.tuples(st.integers(-256, 256), st.integers(-256, 256), st.integers(-256, 256)),
    heading=st.integers(-5000, 5000),
)
def test_adjusted_headings_are_in_range(movement: int, normal: tuple[int, int, int], heading: int) -> None:
    adjusted = adjusted_heading(movement, normal, heading)
    assert 0 <= adjusted <= 2047
    turned = (adjusted - movement) % 1024
    assert min(turned, 1024 - turned) <= 32


# --- the loop ---


def test_ordinary_ground_never_enters_the_wall_response() -> None:
    ground = contact((0, -161, -200))
    result = respond_to_contacts((0, 0, 0), (100, 0, 100), 0, [ground], SLIDE)
    assert result == ((100, 0, 100), 0, (), False)
    steep = contact((0, -160, -200))
    assert respond_to_contacts((0, 0, 0), (100, 0, 100), 0, [steep], SLIDE).contacts == (steep,)


def test_the_last_facing_contact_wins_and_each_starts_from_the_previous_position() -> None:
    wall, corner = contact(SOUTH), contact((-256, 0, 0))
    # toward (+X, +Z), heading 1792: SOUTH leaves X, the wall toward -X leaves Z
    one = respond_to_contacts((0, 3, 0), (100, 3, 100), 1792, [wall], SLIDE)
    assert one.position == (2896, 3, 0)
    two = respond_to_contacts((0, 3, 0), (100, 3, 100), 1792, [wall, corner], SLIDE)
    assert two.position == (0, 3, 2896)
    assert two.contacts == (wall, corner)


def test_the_vertical_part_of_the_displacement_counts_for_the_length() -> None:
    # (3, 0, 4) against (3, 12, 4): 5 of 13: 3 / 13 * 65536 = 15123.7 -> 15124 >> 4 = 945
    result = respond_to_contacts((0, 0, 0), (3, 12, 4), 0, [contact(SOUTH)], SLIDE)
    assert result.position == (945, 12, 0)


def test_the_movement_heading_is_kept_over_the_loop() -> None:
    # after the first contact put the actor back, the second still faces the original heading
    head_on, side = contact(SOUTH), contact((-110, 0, -231))
    result = respond_to_contacts((0, 0, 0), (0, 0, 100), 0, [head_on, side], SLIDE)
    assert result.contacts == (head_on, side)
    assert result.projected


def test_facing_changes_only_for_grounded_projections_that_moved() -> None:
    wall = contact(SOUTH)
    moving = ((0, 0, 0), (100, 0, 100), 1792)
    # movement 1792, opposing 0: 0 - 1792 + 2047 = 255 > 0: 1792 - 32
    assert respond_to_contacts(*moving, [wall], SLIDE).heading == 1760
    assert respond_to_contacts(*moving, [wall], SLIDE, adjusts_facing=False).heading == 1792
    assert respond_to_contacts(*moving, [wall], SLIDE, sliding=True).heading == 1792
    # head on: not projected, the heading stays
    assert respond_to_contacts((0, 0, 0), (0, 0, 100), 5, [wall], SLIDE).heading == 5
    # no displacement at all: normalised to zero, the projection leaves the actor where it was
    assert respond_to_contacts((0, 0, 0), (0, 0, 0), 5, [wall], SLIDE).heading == 5


# --- separation ---


def test_the_separation_distance() -> None:
    assert separation_distance(0, 0, 16) == 16
    assert separation_distance(3 * 1024, 4 * 1024, 16) == 20  # 5120 >> 8
    assert separation_distance(0, 4351, 16) == 16  # 16.99
    assert separation_distance(0, 4352, 16) == 17
    # nearest-even before the shift: 4351.5 is not an integer component; (4351, 93): 4351.99 rounds to 4352
    assert math.hypot(4351, 93) == pytest.approx(4351.994, abs=1e-3)
    assert separation_distance(4351, 93, 16) == 17


def test_the_separation_direction_truncates_toward_zero() -> None:
    # sums (-3, -512, -509) over 2: (-1, -256, -254): normalised (-181.., ...) >> 8
    x, y, z = normalized(-1, -256, -254)
    assert separation_direction([(-1, -256, -254), (-2, -256, -255)]) == (x >> 8, y >> 8, z >> 8)
    assert separation_direction([SOUTH]) == (0, 0, -256)
    # a remainder of one in three: 256 / 3 truncates, then normalises back to a unit
    assert separation_direction([(256, 0, 0), (0, 0, 0), (0, 0, 0)]) == (256, 0, 0)
    assert separation_direction([(256, 0, 0), (-256, 0, 0)]) == (0, 0, 0)


def test_separation_moves_along_the_averaged_normal() -> None:
    assert separate((0, 0, 0), (100, 7, 100), [SOUTH], 16) == ((100, 7, 100 - 256 * 16), True)
    # no contacts: nothing is marked
    assert separate((0, 0, 0), (100, 7, 100), [], 16) == ((100, 7, 100), False)
    # a level floor has no horizontal part, but marks the result
    assert separate((0, 0, 0), (100, 7, 100), [(0, -256, 0)], 16) == ((100, 7, 100), True)


# --- against a world ---

WALL = ([(-100, -200, 0), (-100, 200, 0), (100, 200, 0), (100, -200, 0)], [(0, 1, 2), (0, 2, 3)])
SPHERES = [(0, -42, 0, 24), (0, -12, 0, 24)]


def wall_world(copies: int = 1, terrain: Terrain | None = None) -> CollisionWorld:
    """Walls in the plane z = 1000 that face -Z."""
    return CollisionWorld(
        [bake_model(*WALL, 0)],
        Placements([0] * copies, [(1000, 0, 1000)] * copies, [np.eye(3)] * copies, [0] * copies),
        terrain,
    )


def test_body_contacts_of_a_wall() -> None:
    assert body_contacts(wall_world(), (256000, 0, 975 * 256), UPRIGHT, SPHERES, 200) == []
    (found,) = body_contacts(wall_world(), (256000, 0, 976 * 256), UPRIGHT, SPHERES, 200)
    assert found == Contact((1000, -42, 1000), SOUTH, 0, 0, 0)


def test_body_contacts_stop_at_sixteen_and_residual_ones_do_not() -> None:
    steep = Terrain(np.full((256, 256), -2000.0, np.float32), np.full((256, 256), 9, np.uint8))
    for copies, models, terrain in ((15, 15, 1), (16, 16, 0), (20, 16, 0)):
        found = body_contacts(wall_world(copies, steep), (256000, 0, 990 * 256), UPRIGHT, SPHERES, 200)
        assert sum(c.placement >= 0 for c in found) == models
        assert sum(c.placement < 0 for c in found) == terrain
    assert len(residual_contacts(wall_world(20), (256000, 0, 990 * 256), UPRIGHT, SPHERES, 200)) == 20


def test_terrain_touches_when_a_sphere_reaches_its_plane() -> None:
    # ours. Level ground: the lowest sphere ends at y + 12
    flat = wall_world(terrain=Terrain(np.full((256, 256), 100, np.float32), np.full((256, 256), 9, np.uint8)))
    assert terrain_body_contact(flat, (5000, 87, 5000), UPRIGHT, SPHERES) is None
    found = terrain_body_contact(flat, (5000, 88, 5000), UPRIGHT, SPHERES)
    assert (found.position, found.normal, found.placement) == ((5000, 100, 5000), (0, -256, 0), -1)


@given(depth=st.integers(1, 20), side=st.integers(-60, 60))
def test_separation_clears_a_wall_in_one_update(depth: int, side: int) -> None:
    # any penetration of up to 16 map units by a walk of less than 16 is undone by one separation
    world = wall_world()
    previous = ((1000 + side) * 256, 0, 970 * 256)
    position = (previous[0], 0, (976 + min(depth, 16)) * 256)
    normals = [c.normal for c in residual_contacts(world, position, UPRIGHT, SPHERES, 200)]
    moved, separated = separate(previous, position, normals, 16)
    assert separated
    assert moved[2] <= 976 * 256
