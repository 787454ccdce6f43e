"""What the terrain is made of at a map position: its texture byte, the blend with water, the surface."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from movement.surfaces import DEEP_WATER, ROCK, SAND, SCAPE_DEEP_WATER, SCAPE_WATER, UNKNOWN, WATER
from movement.terrain import cell_is_valid, select_cell, source_row

TEXTURE_SET = 302
NO_MATERIAL = -1
FULL_COVERAGE = 256
MASKED_IMAGES = (5, 7, 30)  # coverage straight from the generated mask


def terrain_material(textures: NDArray[np.uint8], map_x: int, map_z: int) -> int:
    """Return the texture byte under an integer map position, or -1 outside the valid cells.

    Args:
        textures: (256, 256) uint8 in WLD source row order.
        map_x: integer map X.
        map_z: integer map Z.

    Source: movement: Terrain material lookup.
    """
    i, j = select_cell(map_x, map_z)
    return int(textures[source_row(j), i]) if cell_is_valid(i, j) else NO_MATERIAL


def terrain_image(material: int) -> int:
    """Return the texture image of a texture byte: its low six bits."""
    return material & 0x3F


def terrain_rotation(material: int) -> int:
    """Return the quarter turns of a texture byte: its high two bits."""
    return material >> 6 & 3


def mask_coordinates(map_x: int, map_z: int, rotation: int) -> tuple[int, int]:
    """Return the tile's rotated mask coordinates (a, b), 0 to 127, of an integer map position.

    Source: movement: Terrain material blend coverage.
    """
    u = map_x >> 1 & 127
    v = 127 - (map_z >> 1 & 127)
    return ((u, v), (127 - v, u), (127 - u, 127 - v), (v, 127 - u))[rotation & 3]


def mask_value(x: int, y: int) -> int:
    """Return the generated 256 x 256 mask at (x, y): `clamp(2 (x + y - 254), 0, 255)`.

    Source: movement: Terrain material blend coverage.
    """
    return min(max(2 * (x + y - 254), 0), 255)


def image_coverage(image: int, a: int, b: int) -> int:
    """Return how much water covers image `image` at mask coordinates (a, b): 0 to 256.

    Source: movement: Terrain material blend coverage.
    """
    match image:
        case 0:
            return FULL_COVERAGE
        case 5:
            return mask_value(a + 109, b + 109)
        case 6 | 52:
            if a <= 28:
                return 0
            return (a - 28) * 455 >> 7 if a < 100 else FULL_COVERAGE
        case 7:
            return mask_value(a + 32, b + 32)
        case 30:
            return mask_value(a + 128, b + 128)
        case 31:
            return 0 if a < 5 else FULL_COVERAGE
        case 32:
            return 0 if mask_value(a + 64, b + 64) == 0 else FULL_COVERAGE
    return 0


def blend_coverage(material: int, map_x: int, map_z: int) -> int:
    """Return the water coverage of a texture byte at an integer map position: 0 to 256.

    Source: movement: Terrain material blend coverage.
    """
    a, b = mask_coordinates(map_x, map_z, terrain_rotation(material))
    return image_coverage(terrain_image(material), a, b)


def blended_surface(image: int, coverage: int, assigned: int) -> int:
    """Return the surface value of a terrain pixel.

    Args:
        image: terrain image index.
        coverage: of water, 0 to 256.
        assigned: surface that SURFACE.INI gives texture set 302 and this image.

    Source: movement: Terrain material blend coverage.
    """
    if coverage == FULL_COVERAGE:
        return SCAPE_DEEP_WATER
    if coverage:
        return SCAPE_WATER
    if image in (6, 52):
        return SAND
    if image in (31, 32):
        return ROCK
    if image in MASKED_IMAGES and assigned in (WATER, DEEP_WATER):
        return SAND
    return assigned


def terrain_surface(
    material: int, map_x: int, map_z: int, surfaces: NDArray[Any] | Sequence[Sequence[int]]
) -> int:
    """Return the surface value of a texture byte at an integer map position.

    Args:
        material: from `terrain_material`; -1 has no surface (reading): 0.
        map_x: integer map X.
        map_z: integer map Z.
        surfaces: surface value by texture set and image.

    Source: movement: Terrain material lookup, Terrain material blend coverage.
    """
    if material == NO_MATERIAL:
        return UNKNOWN
    image = terrain_image(material)
    return blended_surface(image, blend_coverage(material, map_x, map_z), int(surfaces[TEXTURE_SET][image]))
