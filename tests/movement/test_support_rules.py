"""movement: Ground-support ranking, fallback, misses, the surface updater and its wrapper, forward admission."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import CollisionWorld, Contact, MovementError, Placements, Terrain, TerrainSample
from movement.models import bake_model
from movement.support import (
    NO_SUPPORT,
    SourceKind,
    Support,
    SupportRules,
    SupportState,
    admits_forward_support,
    decayed_history,
    fallback_radius,
    fallback_sphere,
    history_after_query,
    missed_support,
    obstacle_ahead,
    query_support,
    select_fallback,
    select_support,
    stored_classification,
    support_height,
    support_wrapper,
    surface_veto,
    terrain_rank,
    update_surface,
    vertical_segment,
)

LEVEL = TerrainSample(100.0, (0, -256, 0))
UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def contact(rank: int, normal_y: int = -256, height: int = 0, face: int = 0) -> Contact:
    return Contact((0, height, 0), (0, normal_y, 0), rank, 0, face)


# --- ranking ---


def test_the_segment_is_centred_on_the_integer_y_plus_the_positive_extent() -> None:
    # -1 >> 8 is -1, so that the middle is -1 + 62
    assert vertical_segment((2560, -1, 5120), 62, 50) == ((10, 11, 20), (10, 111, 20))


@pytest.mark.parametrize(
    ("height", "rank"),
    [
        (150.0, 65535),  # R = 50: trunc(16777216 / 100) = 167772; 167772 * 100 = 16777200 >> 8
        (150.001, None),  # below the lower end
        (50.0, 0),
        (49.999, 65535),  # above the upper end
        (-5000.0, 65535),
        (100.0, 32767),  # 167772 * 50 >> 8 = 32767.9
        (100.9, 32767),  # truncated first
        (51.0, 655),
    ],
)
def test_terrain_rank(height: float, rank: int | None) -> None:
    assert terrain_rank(height, 50, 50) == rank


def test_terrain_is_ranked_by_its_truncated_height_but_admitted_by_the_untruncated_one() -> None:
    # from -60 to 40: a height of 40.5 lies below the lower end although it truncates to 40
    assert terrain_rank(40.5, -60, 50) is None
    assert terrain_rank(40.0, -60, 50) == 65535
    # -60.5 lies above the upper end although it truncates to -60
    assert terrain_rank(-60.5, -60, 50) == 65535
    # toward zero: -59.5 becomes -59, one unit below the start
    assert terrain_rank(-59.5, -60, 50) == 655


def test_a_search_distance_below_one_is_refused() -> None:
    with pytest.raises(MovementError, match="at least 1"):
        terrain_rank(0.0, 0, 0)


def test_later_equal_ranks_replace_earlier_ones() -> None:
    first, second = contact(5000, face=1), contact(5000, face=2)
    assert select_support([first, second], None, 0, 50) is second
    assert select_support([second, contact(5001)], None, 0, 50) is second


def test_only_ground_and_steep_ground_compete() -> None:
    steep = contact(9000, normal_y=-42)
    side, under = contact(10, normal_y=-41), contact(10, normal_y=200)
    assert select_support([side, steep, under], None, 0, 50) is steep
    assert select_support([side, under], None, 0, 50) is None


def test_terrain_and_models_rank_on_their_own_scales() -> None:
    # quirk: terrain 50 below the start ranks 32767, a model at the same height 16384: the model wins even when it
    # lies lower, up to twice the depth
    assert select_support([contact(32767)], LEVEL, 50, 50) is not LEVEL
    assert select_support([contact(32768)], LEVEL, 50, 50) is LEVEL
    # terrain above the upper end: 65535, which every model contact beats
    high = TerrainSample(-900.0, (0, -256, 0))
    assert select_support([], high, 50, 50) is high
    assert select_support([contact(32768)], high, 50, 50) is not high


@given(ranks=st.lists(st.integers(0, 32768), max_size=30))
def test_the_selection_is_the_last_of_the_lowest_ranks(ranks: list[int]) -> None:
    contacts = [contact(rank, face=k) for k, rank in enumerate(ranks)]
    chosen = select_support(contacts, None, 0, 50)
    if ranks:
        assert chosen.face == max(k for k, rank in enumerate(ranks) if rank == min(ranks))
    else:
        assert chosen is None


def test_support_height() -> None:
    # trunc(-10.9) = -10; (-10 - 62) * 256 - 512
    assert support_height(-10.9, 62, -2) == (-72 - 2) * 256
    assert support_height(10.9, 62, -2) == (-52 - 2) * 256


def test_steep_is_stored_as_ground_only_without_the_collision_bit() -> None:
    assert [stored_classification(c, True) for c in (1, 2, 4, 8)] == [1, 2, 4, 8]
    assert [stored_classification(c, False) for c in (1, 2, 4, 8)] == [1, 4, 4, 8]


# --- fallback and history ---


def test_the_fallback_sphere() -> None:
    assert fallback_radius(0) == 10
    assert fallback_radius(1) == 14
    assert fallback_sphere((1, 2, 3), 62, 0) == (1, 61, 3, 10)


def test_the_first_contact_that_is_no_side_is_taken() -> None:
    side, under, ground = contact(0, 0), contact(0, 161), contact(0, -256)
    assert select_fallback([side, under, ground]) is under
    assert select_fallback([side]) is None


def test_the_history_counter() -> None:
    assert [decayed_history(12, ticks) for ticks in (0, 1, 12, 13)] == [12, 11, 0, 0]
    assert history_after_query(3, 0x04) == 12
    assert history_after_query(3, 0xFB) == 3
    assert history_after_query(0, 0x0C) == 12


def test_a_miss_keeps_normal_texture_and_metadata() -> None:
    before = Support(SourceKind.MODEL, 4, 7, 3, (1, -255, 2), 99, 0x24, 12345)
    after = missed_support(before)
    assert after == Support(SourceKind.NONE, 0, -1, -1, (1, -255, 2), 99, 0x24, NO_SUPPORT)


# --- surfaces ---


def test_the_three_ways_through_the_surface_updater() -> None:
    assert update_surface(5, 7, 0, excluded=True) == (0, 7, 0)
    assert update_surface(5, 7, 0, assigns=False) == (5, 7, 0)
    assert update_surface(5, 7, 0) == (5, 5, 1)
    assert update_surface(7, 5, 1) == (7, 7, 0)
    assert update_surface(0, 5, 1) == (0, 0, 0)


def test_the_veto_belongs_to_lava_and_gloop() -> None:
    assert [surface for surface in range(13) if surface_veto(surface)] == [5, 11]


# --- against a world ---

FLOOR = ([(-100, 0, -100), (100, 0, -100), (100, 0, 100), (-100, 0, 100)], [(0, 1, 2), (0, 2, 3)])
RULES = SupportRules(positive_y=62, search_distance=50, standing_height=-2)


def floor_world(
    height: float = 500, flags: int = 0, surface: int = 7, terrain: float | None = None
) -> CollisionWorld:
    field = None
    if terrain is not None:
        field = Terrain(np.full((256, 256), terrain, np.float32), np.full((256, 256), 9, np.uint8))
    table = np.zeros((512, 128), np.uint8)
    table[302, 9] = 6
    return CollisionWorld(
        [bake_model(*FLOOR, surface, textures=5 << 7 | 3)],
        Placements([0], [(1000, height, 1000)], [np.eye(3)], [flags]),
        field,
        table,
    )


def at(y: int, x: int = 1000, z: int = 1000) -> tuple[int, int, int]:
    return x * 256, y * 256, z * 256


def test_standing_on_a_model() -> None:
    # feet at 438 + 62 = 500: the floor is the segment's middle
    found = query_support(floor_world(flags=0x84), at(438), RULES, Support(), 0)
    assert found == Support(SourceKind.MODEL, 4, 0, 0, (0, -256, 0), 5 << 7 | 3, 0x84, (500 - 62 - 2) * 256)


def test_standing_on_terrain() -> None:
    world = CollisionWorld(
        terrain=Terrain(np.full((256, 256), 500, np.float32), np.full((256, 256), 9 | 2 << 6, np.uint8))
    )
    before = Support(metadata=0x04)
    found = query_support(world, at(438), RULES, before, 0)
    assert found == Support(SourceKind.TERRAIN, 4, -1, -1, (0, -256, 0), 302 << 7 | 9, 0, 436 * 256)


def test_fractions_do_not_reach_the_terrain() -> None:
    # a slope of 256 down per cell toward +X: at x = 1000 and 1000 + 255/256 the height is the same
    heights = np.tile(np.arange(256, dtype=np.float32) * 256, (256, 1))
    world = CollisionWorld(terrain=Terrain(heights, np.full((256, 256), 9, np.uint8)))
    y = (1000 - 62) * 256
    assert query_support(world, (256000, y, 256000), RULES, Support(), 0) == query_support(
        world, (256255, y + 255, 256255), RULES, Support(), 0
    )


def test_a_miss_reaches_out_with_the_players_fallback_sphere() -> None:
    # beside the floor's edge at x = 1100: the segment misses; the sphere at y + 59, radius 10 or 14
    world = floor_world(flags=0x04)
    # feet at 500 - 1: centre of the sphere 3 above them, 4 above the floor; 9 beside: sqrt(81 + 16) < 10
    position = at(437, x=1109)
    found = query_support(world, position, RULES, Support(), 0)
    assert (found.kind, found.height, found.metadata) == (SourceKind.MODEL, position[1], 0x04)
    # 13 beside: sqrt(169 + 16) = 13.6: only with history
    beside = at(437, x=1113)
    assert query_support(world, beside, RULES, Support(), 0).kind == SourceKind.NONE
    assert query_support(world, beside, RULES, Support(), 1).kind == SourceKind.MODEL
    # and only for the designated player
    other = RULES._replace(designated=False)
    assert query_support(world, position, other, Support(), 0).kind == SourceKind.NONE


def test_the_collision_centre_moves_the_fallback_sphere() -> None:
    world = floor_world()
    beside = at(437, x=1130)
    assert query_support(world, beside, RULES, Support(), 0).kind == SourceKind.NONE
    shifted = RULES._replace(center_offset=(-25, 0, 0))
    assert query_support(world, beside, shifted, Support(), 0).kind == SourceKind.MODEL


def test_the_wrapper_commits_history_and_then_the_surface() -> None:
    world = floor_world(flags=0x04, surface=5)
    result = support_wrapper(world, at(438), RULES, SupportState(surface=7))
    assert result.state.history == 12
    assert (result.state.surface, result.state.veto) == (5, 1)
    assert (result.previous_surface, result.returned_surface) == (7, 5)


def test_the_wrapper_updates_the_surface_on_a_miss_too() -> None:
    # a retained metadata byte with mask 0x04 resets the counter, and the cleared kind assigns surface zero
    before = SupportState(Support(SourceKind.MODEL, 4, 0, 0, (0, -256, 0), 1, 0x04, 0), 0, 5, 1)
    result = support_wrapper(CollisionWorld(), at(0), RULES, before)
    assert result.state.support.kind == SourceKind.NONE
    assert result.state.history == 12
    assert (result.state.surface, result.state.veto, result.returned_surface) == (0, 0, 0)


def test_without_the_collision_bit_surface_and_veto_stay() -> None:
    rules = RULES._replace(collision_bit=False)
    result = support_wrapper(floor_world(surface=5), at(438), rules, SupportState(surface=11, veto=1))
    assert (result.state.surface, result.state.veto, result.returned_surface) == (11, 1, None)


def test_other_actors_have_no_history() -> None:
    rules = RULES._replace(designated=False)
    assert support_wrapper(floor_world(flags=4), at(438), rules, SupportState(history=3)).state.history == 3


def test_terrain_surfaces_come_from_the_map_position() -> None:
    world = floor_world(height=5000, terrain=500.0)
    result = support_wrapper(world, at(438), RULES, SupportState())
    assert result.returned_surface == 6


def test_forward_admission() -> None:
    steep, ground = Support(SourceKind.MODEL, 2), Support(SourceKind.TERRAIN, 4)
    assert admits_forward_support(ground, 0, True)
    assert not admits_forward_support(ground, 1, True)
    assert not admits_forward_support(ground, 1, False)
    assert not admits_forward_support(steep, 0, True)
    assert admits_forward_support(steep, 0, False)
    assert not admits_forward_support(Support(), 0, False)
    assert admits_forward_support(Support(SourceKind.MODEL, 8), 0, True)  # a fallback underside carries


def test_obstacles_ahead_are_face_models_only() -> None:
    spheres = [(0, -42, 0, 24), (0, -12, 0, 24)]
    position = at(500 - 12)  # the lower sphere reaches 500 exactly
    assert obstacle_ahead(floor_world(), position, UPRIGHT, spheres, 200)
    assert not obstacle_ahead(floor_world(flags=1), position, UPRIGHT, spheres, 200)
    assert not obstacle_ahead(floor_world(flags=2), position, UPRIGHT, spheres, 200)
    assert not obstacle_ahead(
        floor_world(), at(438), UPRIGHT, spheres, 200
    )  # the ground under the feet is none
