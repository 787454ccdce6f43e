"""movement: Terrain material lookup and Terrain material blend coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import CollisionWorld, Terrain
from movement.terrain_material import (
    blend_coverage,
    blended_surface,
    image_coverage,
    mask_coordinates,
    mask_value,
    terrain_image,
    terrain_material,
    terrain_rotation,
    terrain_surface,
)

WATER, DEEP, SCAPE, SCAPE_DEEP, SAND, WOOD, ROCK = 1, 2, 3, 4, 6, 7, 10


def test_lookup_reads_source_row_256_less_j() -> None:
    textures = np.zeros((256, 256), np.uint8)
    textures[200, 10] = 0xC7
    # cell (10, 56): x from 2560, z from 55 * 256 to 56 * 256
    assert terrain_material(textures, 2560 + 128, 14336 - 128) == 0xC7
    assert terrain_material(textures, 2560 + 128, 14336 + 128) == 0
    assert terrain_image(0xC7) == 7
    assert terrain_rotation(0xC7) == 3


def test_lookup_outside_the_valid_cells_is_minus_one() -> None:
    textures = np.ones((256, 256), np.uint8)
    assert terrain_material(textures, 65279, 1000) == 1  # column 254
    assert terrain_material(textures, 65281, 1000) == -1  # 255
    assert terrain_material(textures, -1, 1000) == -1
    assert terrain_material(textures, 1000, 65279) == 1  # row 255
    assert terrain_material(textures, 1000, 65281) == -1
    assert terrain_material(textures, 1000, -1) == -1  # row 0
    assert terrain_surface(-1, 1000, -1, np.ones((512, 128), int)) == 0


def test_mask_coordinates_by_rotation() -> None:
    # X = 300: 150 & 127 = 22; Z = 77: 38 -> 127 - 38 = 89
    assert mask_coordinates(300, 77, 0) == (22, 89)
    assert mask_coordinates(300, 77, 1) == (127 - 89, 22)
    assert mask_coordinates(300, 77, 2) == (127 - 22, 127 - 89)
    assert mask_coordinates(300, 77, 3) == (89, 127 - 22)
    # arithmetic shifts of negatives: -1 >> 1 = -1, & 127 = 127
    assert mask_coordinates(-1, -1, 0) == (127, 0)


@given(x=st.integers(-(2**20), 2**20), z=st.integers(-(2**20), 2**20), rotation=st.integers(0, 3))
def test_mask_coordinates_stay_in_the_tile(x: int, z: int, rotation: int) -> None:
    a, b = mask_coordinates(x, z, rotation)
    assert 0 <= a <= 127
    assert 0 <= b <= 127


def test_the_generated_mask() -> None:
    assert [mask_value(100, y) for y in (153, 154, 155, 156, 281, 282)] == [0, 0, 2, 4, 254, 255]
    assert mask_value(255, 255) == 255


@pytest.mark.parametrize(
    ("image", "a", "b", "coverage"),
    [
        (0, 0, 0, 256),
        (5, 18, 18, 0),  # 127 + 127 - 254 = 0
        (5, 18, 19, 2),
        (5, 127, 127, 255),  # 2 * 218 clamps
        (6, 28, 0, 0),
        (6, 29, 0, 3),  # 455 >> 7
        (6, 99, 0, 252),  # 71 * 455 = 32305 >> 7
        (6, 100, 0, 256),
        (52, 64, 90, 127),  # 36 * 455 = 16380 >> 7
        (7, 95, 95, 0),  # 127 + 127 - 254
        (7, 96, 95, 2),
        (7, 127, 127, 128),  # 2 * (159 + 159 - 254)
        (30, 0, 0, 4),  # 128 + 128 - 254 = 2
        (30, 127, 127, 255),
        (31, 4, 99, 0),
        (31, 5, 0, 256),
        (32, 63, 63, 0),  # 127 + 127 - 254
        (32, 64, 63, 256),
        (1, 127, 127, 0),
        (63, 127, 127, 0),
    ],
)
def test_coverage_of_each_image(image: int, a: int, b: int, coverage: int) -> None:
    assert image_coverage(image, a, b) == coverage


def test_coverage_uses_the_tiles_rotation() -> None:
    # image 31 is dry where a < 5; X = 8 gives u = 4, Z = 0 gives v = 127
    assert blend_coverage(31, 8, 0) == 0
    assert blend_coverage(31, 10, 0) == 256  # u = 5
    assert blend_coverage(31 | 1 << 6, 8, 0) == 0  # a = 127 - 127 = 0
    assert blend_coverage(31 | 2 << 6, 8, 0) == 256  # a = 123
    assert blend_coverage(31 | 3 << 6, 8, 0) == 256  # a = 127


@pytest.mark.parametrize(
    ("image", "coverage", "assigned", "surface"),
    [
        (5, 255, SAND, SCAPE),  # 255 is distinct from full coverage
        (5, 256, SAND, SCAPE_DEEP),
        (5, 1, ROCK, SCAPE),
        (0, 256, WATER, SCAPE_DEEP),
        (6, 0, WATER, SAND),
        (52, 0, ROCK, SAND),
        (31, 0, WATER, ROCK),
        (32, 0, SAND, ROCK),
        (5, 0, WATER, SAND),
        (7, 0, DEEP, SAND),
        (30, 0, DEEP, SAND),
        (5, 0, WOOD, WOOD),  # only water assignments change
        (7, 0, SCAPE, SCAPE),
        (9, 0, WATER, WATER),  # other images keep their base assignment
        (9, 0, DEEP, DEEP),
    ],
)
def test_surfaces_after_the_blend(image: int, coverage: int, assigned: int, surface: int) -> None:
    assert blended_surface(image, coverage, assigned) == surface


def test_a_world_looks_its_surfaces_up_in_set_302() -> None:
    textures = np.full((256, 256), 9, np.uint8)
    table = np.zeros((512, 128), np.uint8)
    table[302, 9] = WOOD
    world = CollisionWorld(terrain=Terrain(np.zeros((256, 256), np.uint8), textures), surfaces=table)
    assert world.terrain_surface(5000, 5000) == WOOD
    assert world.terrain_surface(5000, 65281) == 0
    deep = CollisionWorld(terrain=Terrain(np.zeros((256, 256), np.uint8), np.zeros((256, 256), np.uint8)))
    assert deep.terrain_surface(5000, 5000) == SCAPE_DEEP
