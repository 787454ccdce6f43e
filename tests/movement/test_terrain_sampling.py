"""movement: Terrain support sampling: cells, triangles, normals, the row mapping, near and far heights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import CollisionWorld, Terrain, Waves
from movement.angles import ROTATION_TABLE
from movement.terrain import (
    HEIGHT_TABLE,
    cell_is_valid,
    decode_height,
    is_water_vertex,
    plane_normal,
    sample_cell,
    sample_terrain,
    second_triangle,
    select_cell,
    source_row,
    uses_vertex_cache,
    wave_height,
    wave_phase,
)

NO_TEXTURE = np.full((256, 256), 1, np.uint8)


@pytest.mark.parametrize(
    ("x", "z", "cell"),
    [
        (128, 128, (0, 1)),  # 0.5 - 0.5 = 0; 0.5 + 0.5 = 1
        (1, 1, (0, 1)),  # -0.496 and 0.504
        (0, 0, (0, 0)),  # -0.5 ties to 0, 0.5 ties to 0
        (256, 256, (0, 2)),  # 0.5 ties to 0, 1.5 ties to 2
        (512, 512, (2, 2)),  # 1.5 ties to 2, 2.5 ties to 2
        (768, 768, (2, 4)),  # 2.5 ties to 2, 3.5 ties to 4
        (-1, -1, (-1, 0)),  # -0.504 and 0.496
        (-256, -256, (-2, 0)),  # -1.5 ties to -2, -0.5 ties to 0
        (65535, 65535, (255, 256)),
    ],
)
def test_cells_round_to_nearest_even(x: int, z: int, cell: tuple[int, int]) -> None:
    assert select_cell(x, z) == cell


@given(x=st.integers(-(2**23), 2**23), z=st.integers(-(2**23), 2**23))
def test_cell_selection_is_the_same_at_single_precision(x: int, z: int) -> None:
    i = np.rint(np.float32(np.float32(x) * np.float32(1 / 256)) - np.float32(0.5))
    j = np.rint(np.float32(np.float32(z) * np.float32(1 / 256)) + np.float32(0.5))
    assert select_cell(x, z) == (int(i), int(j))


def test_valid_cells_are_columns_0_to_254_and_rows_1_to_255() -> None:
    assert [cell_is_valid(i, 5) for i in (-1, 0, 254, 255)] == [False, True, True, False]
    assert [cell_is_valid(5, j) for j in (0, 1, 255, 256)] == [False, True, True, False]


def test_runtime_rows_read_source_rows_backwards() -> None:
    assert [source_row(j) for j in (1, 2, 128, 255)] == [255, 254, 128, 1]
    assert source_row(0) == 255  # reading: row 256 is not there


def test_heights_decode_their_low_seven_bits() -> None:
    assert len(HEIGHT_TABLE) == 128
    assert decode_height(0) == 0
    assert decode_height(1) == -40
    assert decode_height(127) == -7760
    assert decode_height(0x80 | 12, water_level=100) == -60  # table[12] = 160
    assert HEIGHT_TABLE[95] == 2200


def test_the_triangle_is_strict_about_the_diagonal() -> None:
    # cell (2, 4): x from 512, z down from 1024; x - 512 > 1024 - z picks the second corner's triangle
    assert not second_triangle(612, 924, 2, 4)  # 100 > 100 is false
    assert second_triangle(613, 924, 2, 4)
    assert not second_triangle(612, 923, 2, 4)


def test_the_plane_of_each_triangle() -> None:
    # corners of cell (0, 1): first (0, 256) = 0, second (256, 256) = -40, third (0, 0) = -80, last (256, 0) = 0
    corners = (0.0, -40.0, -80.0, 0.0)
    # second's triangle: y = 0 - 40 dx/256 + 40 dz/256 with dx = 128, dz = 256 - 192 = 64: -20 + 10 = -10
    assert sample_cell(128, 192, 0, 1, *corners).height == -10.0
    # third's triangle: y = 0 + 80 dx/256 - 80 dz/256 with dx = 64, dz = 128: 20 - 40 = -20
    assert sample_cell(64, 128, 0, 1, *corners).height == -20.0
    # the corners themselves
    assert sample_cell(0, 256, 0, 1, *corners).height == 0.0
    assert sample_cell(256, 256, 0, 1, *corners).height == -40.0
    assert sample_cell(0, 0, 0, 1, *corners).height == -80.0
    assert sample_cell(256, 0, 0, 1, *corners).height == 0.0


def test_normals_point_up_and_round_to_nearest_even() -> None:
    assert plane_normal(0, 0) == (0, -256, 0)
    # a rise of 256 over 256 toward +X: (-1, -1, 0) / sqrt 2 * 256 = 181.02 each
    assert plane_normal(-256, 0) == (-181, -181, 0)
    # a drop of 40 toward +X, a rise of 80 toward -Z: (40, -256, 80) / 271.20 * 256
    length = math.sqrt(40 * 40 + 256 * 256 + 80 * 80)
    assert plane_normal(40, -80) == (
        round(40 * 256 / length),
        round(-65536 / length),
        round(80 * 256 / length),
    )
    assert plane_normal(40, -80) == (38, -242, 76)


@given(
    heights=st.tuples(*[st.integers(-7760, 0)] * 4),
    dx=st.integers(0, 256),
    dz=st.integers(0, 256),
    i=st.integers(0, 254),
    j=st.integers(1, 255),
)
def test_heights_lie_between_their_triangles_corners(
    heights: tuple[int, int, int, int], dx: int, dz: int, i: int, j: int
) -> None:
    first, second, third, last = (float(h) for h in heights)
    height = sample_cell(256 * i + dx, 256 * j - dz, i, j, first, second, third, last).height
    corners = (first, second, last) if dx > dz else (first, third, last)
    assert min(corners) <= height <= max(corners)


def terrain(heights: np.ndarray, **options: object) -> CollisionWorld:
    return CollisionWorld(terrain=Terrain(heights, NO_TEXTURE, **options))


def test_a_sample_reads_the_right_corners() -> None:
    # byte 1 (40 up) at source row 200, column 10: the vertex at x = 2560, z = (256 - 200) * 256 = 14336
    heights = np.zeros((256, 256), np.uint8)
    heights[200, 10] = 1
    world = terrain(heights)
    assert world.terrain_sample(2560, 14336).height == -40.0
    assert world.terrain_sample(2560 + 64, 14336).height == -30.0
    assert world.terrain_sample(2560 - 128, 14336).height == -20.0
    assert world.terrain_sample(2560, 14336 + 256).height == 0.0
    assert world.terrain_sample(2560, 14336 - 64).height == -30.0


def test_a_slope_gives_its_classification() -> None:
    # source rows 0, 1, 2, ... of heights table[0], table[1] = 0, 40: between z rows 40 a cell: nearly level
    heights = np.zeros((256, 256), np.uint8)
    heights[:, 11:] = 22  # 320 up from column 11 on: a slope of 320 / 256 across cells of column 10
    sample = terrain(heights).terrain_sample(2560 + 128, 14336 + 128)
    assert sample.height == -160.0
    # (-320, -256, 0) / 409.8 * 256 = (-199.9, -159.9, 0): steep ground, one unit from ordinary
    assert sample.normal == (-200, -160, 0)


def test_no_terrain_outside_the_cells_or_when_disabled() -> None:
    world = terrain(np.zeros((256, 256), np.uint8))
    assert world.terrain_sample(-1, 1000) is None
    assert world.terrain_sample(1, 1).height == 0.0
    assert world.terrain_sample(65281, 1000) is None  # column 255
    assert world.terrain_sample(65279, 1000) is not None
    assert world.terrain_sample(1000, 65281) is None  # row 256
    assert terrain(np.zeros((256, 256), np.uint8), enabled=False).terrain_sample(1000, 1000) is None


def test_float_heights_are_taken_as_they_are() -> None:
    heights = np.full((256, 256), -12.5, np.float32)
    assert terrain(heights).terrain_sample(5000, 5000).height == -12.5


def test_the_water_level_is_added() -> None:
    heights = np.full((256, 256), 1, np.uint8)
    assert terrain(heights, water_level=25).terrain_sample(5000, 5000).height == -15.0


def test_the_camera_cell_chooses_between_vertices_and_decoded_heights() -> None:
    decoded, cache = ([[height] * 256 for _ in range(256)] for height in (-40.0, -44.0))
    x, z = 40 * 256 + 128, 40 * 256 + 128  # cell (40, 41)
    for camera, height in (
        ((40, 41), -44),
        ((25, 56), -44),
        ((24, 41), -40),
        ((40, 57), -40),
        ((55, 26), -44),
    ):
        assert sample_terrain(x, z, decoded, cache, camera).height == height
    assert sample_terrain(x, z, decoded).height == -40.0
    assert sample_terrain(-1, z, decoded) is None


# --- waves near the camera ---


def test_the_vertex_cache_reaches_fifteen_cells() -> None:
    assert uses_vertex_cache(25, 5, 10, 5)
    assert not uses_vertex_cache(26, 5, 10, 5)
    assert uses_vertex_cache(10, 5, 25, 20)
    assert not uses_vertex_cache(10, 5, 10, 21)


def test_wave_phase_and_height() -> None:
    # vertex (130, 127): 4 + 1 = 5 squared cells; F = 100, S = 7, T = 250: 500 + 1750 = 2250 & 2047 = 202
    assert wave_phase(130, 127, Waves(20, 100, 7), 250) == 202
    assert wave_height(-40.0, 1.0, 20) == -30.0  # base + A - A / 2
    assert wave_height(-40.0, -1.0, 20) == -70.0


def test_water_vertices_need_water_all_around() -> None:
    assert is_water_vertex(0, 5, 30, 31)
    assert is_water_vertex(31, 0, 0, 0)
    assert not is_water_vertex(5, 0, 0, 0)  # the vertex's own image may not be 5
    for around in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        assert not is_water_vertex(0, *around)


def test_waves_move_only_what_the_camera_is_near() -> None:
    waves = Waves(amplitude=32, frequency=0, speed=64)
    world = CollisionWorld(
        terrain=Terrain(np.zeros((256, 256), np.uint8), np.zeros((256, 256), np.uint8), waves=waves)
    )
    x, z = 40 * 256 + 128, 40 * 256 + 128  # cell (40, 41)
    assert select_cell(x, z) == (40, 41)
    for tick in (0, 5, 16):
        world.look_from(x + 15 * 256, z, tick)
        sample = ROTATION_TABLE[(tick * 64 & 2047) + 512]
        assert world.terrain_sample(x, z).height == sample * 32 - 16
        world.look_from(x + 16 * 256, z, tick)
        assert world.terrain_sample(x, z).height == 0.0
    # tick 16: phase 1024, the sample at 1536 is -1: 16 up less 32
    assert ROTATION_TABLE[1536] == -1.0


def test_the_wave_map_follows_the_rule_vertex_by_vertex() -> None:
    random = np.random.default_rng(5)
    textures = random.choice(
        np.array([0, 5, 30, 31, 12, 64 + 30], np.uint8), (256, 256), p=[0.4, 0.2, 0.2, 0.1, 0.05, 0.05]
    )
    waves = Waves(amplitude=10, frequency=3, speed=1)
    world = CollisionWorld(terrain=Terrain(np.zeros((256, 256), np.uint8), textures, waves=waves))
    image = textures & 63
    for i, j in ((10, 200), *random.integers(2, 254, (60, 2)).tolist()):
        x, z = 256 * i, 256 * j
        world.look_from(x, z, 77)
        water = is_water_vertex(
            image[256 - j, i], image[256 - j, i - 1], image[255 - j, i], image[255 - j, i - 1]
        )
        phase = wave_phase(i, j, waves, 77)
        expected = wave_height(0.0, ROTATION_TABLE[phase + 512], 10) if water else 0.0
        assert world.terrain_sample(x, z).height == pytest.approx(expected, abs=1e-12)
