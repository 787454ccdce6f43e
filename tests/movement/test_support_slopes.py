"""movement: Forward slope surface selection and Startup ground settling."""

import numpy as np
import pytest

from movement import CollisionWorld, Contact, Placements, Terrain, TerrainSample
from movement.models import bake_model
from movement.settling import select_settling_height, settle, settled_y, settling_terrain_rank
from movement.slopes import SlopeSurface, select_slope, slope_rejects, steep_ahead


def contact(rank: int, height: int, normal_y: int = -256, face: int = 0) -> Contact:
    return Contact((0, height, 0), (0, normal_y, 0), rank, 0, face)


# --- slopes ---


def test_the_contact_nearest_the_middle_rank_wins_and_the_first_of_equals_stays() -> None:
    first, second = contact(16000, 98, -250), contact(16768, 102, -251)  # both 384 from 16384
    assert select_slope([first, second], None, 100, 50) == SlopeSurface(98, first.normal, False)
    assert select_slope([second, first], None, 100, 50) == SlopeSurface(102, second.normal, False)
    nearer = contact(16767, 102, -249)
    assert select_slope([first, nearer], None, 100, 50).normal == nearer.normal


def test_sides_do_not_compete() -> None:
    assert select_slope([contact(16384, 100, -41), contact(16384, 100, 200)], None, 100, 50) is None


def test_terrain_competes_with_the_selected_height() -> None:
    model = contact(16384, 95)  # 5 from the centre at 100
    near, equal, far = (TerrainSample(height, (0, -100, 0)) for height in (104.9, 105.0, 106.0))
    # 4.9 truncates to 4, less than 5; 5 is not strictly less
    assert select_slope([model], near, 100, 50).terrain
    assert not select_slope([model], equal, 100, 50).terrain
    assert not select_slope([model], far, 100, 50).terrain
    assert select_slope([], far, 100, 50) == SlopeSurface(106.0, (0, -100, 0), True)


def test_terrain_below_the_segment_takes_no_part_but_above_it_does() -> None:
    assert select_slope([], TerrainSample(150.0, (0, -1, 0)), 100, 50).terrain  # no lower than the lower end
    assert select_slope([], TerrainSample(150.5, (0, -1, 0)), 100, 50) is None
    assert select_slope([], TerrainSample(-5000.0, (0, -1, 0)), 100, 50).terrain
    # against the initial model height of 9999999, which is 9999899 from the centre
    assert select_slope([], TerrainSample(-9999798.0, (0, -1, 0)), 100, 50).terrain
    assert select_slope([], TerrainSample(-9999799.0, (0, -1, 0)), 100, 50) is None


def test_only_steep_ground_rejects() -> None:
    assert not slope_rejects(None)
    for normal_y, rejected in ((-161, False), (-160, True), (-42, True), (-41, False), (200, False)):
        assert slope_rejects(SlopeSurface(0, (0, normal_y, 0), True)) is rejected


def slope_world() -> CollisionWorld:
    # 320 down over a cell: normal Y -160 (see the sampling tests): steep
    heights = np.tile(np.arange(256, dtype=np.float32) * 320, (256, 1))
    return CollisionWorld(terrain=Terrain(heights, np.full((256, 256), 9, np.uint8)))


def test_a_steep_slope_rejects_unless_the_check_is_bypassed() -> None:
    # x = 1000: 3 * 320 + 232 * 1.25 = 1250; the feet stand there
    position = (256000, (1250 - 62) * 256, 256000)
    assert steep_ahead(slope_world(), position, 62, 50, 200)
    assert not steep_ahead(slope_world(), position, 62, 50, 200, collision_bit=False)
    assert not steep_ahead(slope_world(), position, 62, 50, 200, alternate_mode=True)
    # 51 above the slope: the terrain is below the lower end
    assert not steep_ahead(slope_world(), (256000, (1250 - 62 - 51) * 256, 256000), 62, 50, 200)


# --- settling ---


def test_terrain_rank_of_settling() -> None:
    # 500 below the start: 500 * 8388 >> 8 = 16382; 16384 - 16382
    assert settling_terrain_rank(500, 0) == 2
    assert settling_terrain_rank(0, 0) == 16384
    assert settling_terrain_rank(1000, 0) == 16381  # 32765 - 16384
    assert settling_terrain_rank(-500, -1000) == 2


def test_terrain_is_eligible_strictly_between_the_ends() -> None:
    for height, selected in (
        (0.9, None),
        (1.0, 1),
        (999.9, 999),
        (1000.0, None),
        (1000.9, None),
        (-0.9, None),
    ):
        assert select_settling_height([], height, 0, 1000) == selected
    # truncation is toward zero: from -1000 to 0, -0.5 becomes 0, the end itself
    assert select_settling_height([], -0.5, -1000, 0) is None
    assert select_settling_height([], -999.5, -1000, 0) == -999


def test_models_replace_only_when_strictly_nearer_the_middle() -> None:
    # terrain at 500 ranks 2; a model at rank 16382 or 16386 is 2 away as well and loses, 16383 wins
    assert select_settling_height([contact(16382, 499)], 500.0, 0, 1000) == 500
    assert select_settling_height([contact(16386, 501)], 500.0, 0, 1000) == 500
    assert select_settling_height([contact(16383, 498)], 500.0, 0, 1000) == 498
    assert (
        select_settling_height([contact(16000, 1), contact(16768, 2)], None, 0, 1000) == 1
    )  # the first of equals
    assert select_settling_height([contact(16384, 1, -41), contact(16384, 2, 161)], None, 0, 1000) is None
    assert select_settling_height([contact(0, 7)], None, 0, 1000) == 7  # 16384 < 65536


def test_settled_y() -> None:
    assert settled_y(-640, 62, -2) == -704 * 256


FLOOR = ([(-100, 0, -100), (100, 0, -100), (100, 0, 100), (-100, 0, 100)], [(0, 1, 2), (0, 2, 3)])


@pytest.mark.parametrize(
    ("above", "found"), [(0, True), (499, True), (-499, True), (501, False), (-501, False)]
)
def test_settling_reaches_500_up_and_down(above: int, found: bool) -> None:
    world = CollisionWorld([bake_model(*FLOOR, 0)], Placements([0], [(1000, 700, 1000)], [np.eye(3)], [0]))
    # the middle of the segment is the feet, `above` over the floor at 700
    y = (700 - 62 - above) * 256 + 77
    assert settle(world, (256000, y, 256000), 62, -2) == ((700 - 64) * 256 if found else y)


def test_settling_leaves_out_the_own_model_and_far_ones() -> None:
    # the floor's model radius is sqrt(141.4^2 + 2 * 141.4 * 64) * 1.001 + 1 = 196.3: found from 1196 away, not 1197
    world = CollisionWorld([bake_model(*FLOOR, 0)], Placements([0], [(1000, 700, 1000)], [np.eye(3)], [0]))
    position = (256000, (700 - 62) * 256 + 77, 256000)
    assert settle(world, position, 62, -2, own=0) == position[1]
    assert settle(world, position, 62, -2) == (700 - 64) * 256


def test_settling_takes_terrain_where_there_is_no_model() -> None:
    world = CollisionWorld(
        terrain=Terrain(np.full((256, 256), -640.5, np.float32), np.full((256, 256), 9, np.uint8))
    )
    # the marker of the facts: y = -699 over terrain at -640.5, truncated to -640
    assert settle(world, (40816 * 256, -699 * 256, 41024 * 256), 62, -2) == (-640 - 62 - 2) * 256
