"""The height field under the map: cells, triangle planes, and which heights a query reads."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from movement.collision_arrays import TERRAIN_SIZE, Terrain, Waves

CELL_SIZE = 256  # map units
LAST_COLUMN = TERRAIN_SIZE - 2  # cells 0..254
FIRST_ROW, LAST_ROW = 1, TERRAIN_SIZE - 1  # cells 1..255
NEAR_CELLS = 15  # up to this far from the camera's cell, on both axes, the vertex cache is current

# Heights in map units above the water level, indexed by the low seven bits of a height byte.
HEIGHT_TABLE = (
    0, 40, 40, 40, 80, 80, 80, 120, 120, 120, 160, 160, 160, 200, 200, 200, 240, 240, 240, 280, 280, 320, 320, 320,
    360, 360, 400, 400, 400, 440, 440, 480, 480, 480, 520, 520, 560, 560, 600, 600, 600, 640, 640, 680, 680, 720,
    720, 760, 760, 800, 800, 840, 840, 880, 880, 920, 920, 960, 1000, 1000, 1040, 1040, 1080, 1120, 1120, 1160, 1160,
    1200, 1240, 1240, 1280, 1320, 1320, 1360, 1400, 1440, 1440, 1480, 1520, 1560, 1600, 1600, 1640, 1680, 1720, 1760,
    1800, 1840, 1880, 1920, 1960, 2000, 2040, 2080, 2120, 2200, 2240, 2280, 2320, 2400, 2440, 2520, 2560, 2640, 2680,
    2760, 2840, 2920, 3000, 3080, 3160, 3240, 3360, 3440, 3560, 3680, 3800, 3960, 4080, 4280, 4440, 4680, 4920, 5200,
    5560, 6040, 6680, 7760,
)  # fmt: skip


Heights = Sequence[Sequence[float]]


class TerrainSample(NamedTuple):
    """The terrain under one map position.

    Attributes:
        height: of the triangle's plane, untruncated [map units, +Y down].
        normal: of the triangle, upward, times 256 and rounded to nearest-even.
    """

    height: float
    normal: tuple[int, int, int]


def select_cell(map_x: int, map_z: int) -> tuple[int, int]:
    """Return the cell (i, j) of an integer map position: `x/256 - 0.5` and `z/256 + 0.5` to nearest-even.

    Source: movement: Terrain support sampling.
    """
    # Map coordinates fit 24 bits, so that the quotients are exact at single precision too.
    return round(map_x / CELL_SIZE - 0.5), round(map_z / CELL_SIZE + 0.5)


def cell_is_valid(i: int, j: int) -> bool:
    """Return whether cell (i, j) holds terrain: columns 0 to 254, rows 1 to 255 (movement: Terrain material lookup)."""
    return 0 <= i <= LAST_COLUMN and FIRST_ROW <= j <= LAST_ROW


def source_row(j: int) -> int:
    """Return the WLD source row of runtime grid row j.

    Reading: row 0, of which the text says nothing, would be source row 256; it takes the last one, 255.
    """
    return min(TERRAIN_SIZE - j, TERRAIN_SIZE - 1)


def decode_height(byte: int, water_level: float = 0.0) -> float:
    """Return the map height of a height byte: `-table[low seven bits] + water_level` (redguard formats: WLD)."""
    return -HEIGHT_TABLE[byte & 0x7F] + water_level


def second_triangle(map_x: int, map_z: int, i: int, j: int) -> bool:
    """Return whether a position lies in the triangle of the cell's second corner: `x - 256 i > 256 j - z`, strictly."""
    return map_x - CELL_SIZE * i > CELL_SIZE * j - map_z


def sample_cell(
    map_x: int, map_z: int, i: int, j: int, first: float, second: float, third: float, last: float
) -> TerrainSample:
    """Return height and normal at a map position inside cell (i, j).

    Args:
        map_x: integer map X.
        map_z: integer map Z.
        i: cell column.
        j: cell row.
        first: height of corner (256 i, 256 j).
        second: of (256 (i + 1), 256 j).
        third: of (256 i, 256 (j - 1)).
        last: of (256 (i + 1), 256 (j - 1)); the diagonal joins first and last.

    Source: movement: Terrain support sampling.
    """
    if second_triangle(map_x, map_z, i, j):
        along_x, along_z = second - first, last - second
    else:
        along_x, along_z = last - third, third - first
    # The plane through three corners, at offsets of whole map units: exact where the corners are whole numbers.
    right, back = map_x - CELL_SIZE * i, CELL_SIZE * j - map_z
    height = first + (along_x * right + along_z * back) / CELL_SIZE
    return TerrainSample(height, plane_normal(along_x, along_z))


def plane_normal(along_x: float, along_z: float) -> tuple[int, int, int]:
    """Return the upward unit normal times 256, to nearest-even, of a plane that gains these heights over a cell.

    `along_x` is the gain toward +X, `along_z` the gain toward -Z, both over 256 map units.
    """
    length = math.sqrt(along_x * along_x + CELL_SIZE * CELL_SIZE + along_z * along_z)
    return round(along_x * 256 / length), round(-CELL_SIZE * 256 / length), round(-along_z * 256 / length)


def uses_vertex_cache(i: int, j: int, camera_i: int, camera_j: int) -> bool:
    """Return whether a query in cell (i, j) reads the current vertices: not more than 15 cells away on either axis.

    Source: movement: Terrain support sampling.
    """
    return abs(i - camera_i) <= NEAR_CELLS and abs(j - camera_j) <= NEAR_CELLS


def cell_heights(heights: Heights, i: int, j: int) -> tuple[float, float, float, float]:
    """Return the heights of the first, second, third and last corner of cell (i, j), from rows by runtime row."""
    near, far = heights[j], heights[j - 1]
    return near[i], near[i + 1], far[i], far[i + 1]


def sample_terrain(
    map_x: int,
    map_z: int,
    decoded: Heights,
    cache: Heights | None = None,
    camera_cell: tuple[int, int] = (0, 0),
) -> TerrainSample | None:
    """Return the terrain under an integer map position, or None where no cell holds terrain.

    Args:
        map_x: integer map X.
        map_z: integer map Z.
        decoded: decoded heights, `decoded[j][i]` by runtime row and column [map units].
        cache: the current vertices, read up to 15 cells from the camera's cell; None: the decoded heights.
        camera_cell: (i, j) of the camera.

    Source: movement: Terrain support sampling. Reading: the cells that hold terrain are those of the material lookup.
    """
    i, j = select_cell(map_x, map_z)
    if not cell_is_valid(i, j):
        return None
    heights = decoded
    if cache is not None and uses_vertex_cache(i, j, *camera_cell):
        heights = cache
    return sample_cell(map_x, map_z, i, j, *cell_heights(heights, i, j))


def wave_phase(i: int, j: int, waves: Waves, bios_tick: int) -> int:
    """Return the wave phase of grid vertex (i, j): squared distance from (128, 128) times F, plus T S, modulo 2048."""
    squared = (i - TERRAIN_SIZE // 2) ** 2 + (j - TERRAIN_SIZE // 2) ** 2
    return (squared * waves.frequency + bios_tick * waves.speed) & 2047


def wave_height(base: float, sample: float, amplitude: int) -> float:
    """Return a water vertex's height: `base + sample * A - A / 2`, `sample` from the rotation table at phase + 512."""
    return base + sample * amplitude - amplitude / 2


def is_water_vertex(own: int, left: int, ahead: int, left_ahead: int) -> bool:
    """Return whether a grid vertex moves with the waves, from the images of the four cells around it.

    Args:
        own: image of cell (i, j).
        left: of the cell toward -X.
        ahead: of the cell toward +Z.
        left_ahead: of the cell toward both.
    """
    return own in (0, 30, 31) and all(image in (0, 5, 30, 31) for image in (left, ahead, left_ahead))


class HeightField:
    """A terrain prepared for queries: decoded heights, and the vertices near the camera as they are now."""

    def __init__(self, terrain: Terrain, wave_table: tuple[float, ...]) -> None:
        """Decode `terrain`; `wave_table` is the shared rotation table of 2560 samples."""
        self.terrain = terrain
        self.camera_cell = (0, 0)
        self.bios_tick = 0
        self._wave_table = wave_table
        decoded = decoded_heights(terrain)
        # Row j of this list is runtime row j.
        self._heights: list[list[float]] = decoded[[source_row(j) for j in range(TERRAIN_SIZE)]].tolist()
        self._water = water_vertices(terrain) if terrain.waves.amplitude else None

    def look_from(self, map_x: int, map_z: int, bios_tick: int) -> None:
        """Place the camera that decides which vertices are current, at a clock tick."""
        self.camera_cell = select_cell(map_x, map_z)
        self.bios_tick = bios_tick

    def sample(self, map_x: int, map_z: int) -> TerrainSample | None:
        """Return the terrain under an integer map position, or None where there is none (`sample_terrain`)."""
        if not self.terrain.enabled:
            return None
        if self._water is None:  # the vertices near the camera are the decoded heights
            return sample_terrain(map_x, map_z, self._heights)
        i, j = select_cell(map_x, map_z)
        if not cell_is_valid(i, j):
            return None
        corners = cell_heights(self._heights, i, j)
        if uses_vertex_cache(i, j, *self.camera_cell):
            grid = ((i, j), (i + 1, j), (i, j - 1), (i + 1, j - 1))
            first, second, third, last = map(self._current, grid, corners)
            corners = (first, second, third, last)
        return sample_cell(map_x, map_z, i, j, *corners)

    def _current(self, vertex: tuple[int, int], base: float) -> float:
        """Return the height of a vertex in the camera's cache."""
        i, j = vertex
        if self._water is None or not self._water[j, i]:
            return base
        waves = self.terrain.waves
        sample = self._wave_table[wave_phase(i, j, waves, self.bios_tick) + 512]
        return wave_height(base, sample, waves.amplitude)


def decoded_heights(terrain: Terrain) -> NDArray[np.float32]:
    """Return the map heights of a terrain, (256, 256) in source row order; float maps are returned as they are."""
    if terrain.heights.dtype != np.uint8:
        return np.asarray(terrain.heights, np.float32)
    table = np.array([decode_height(byte, terrain.water_level) for byte in range(128)], np.float32)
    return np.asarray(table[terrain.heights & 0x7F], np.float32)


def water_vertices(terrain: Terrain) -> NDArray[np.bool_]:
    """Return (256, 256) bool by runtime row and column: which grid vertices move with the waves.

    Reading: vertices whose neighbours toward -X or +Z lie off the map do not.
    """
    images = (terrain.textures & 0x3F)[[source_row(j) for j in range(TERRAIN_SIZE)]]
    own, around = np.isin(images, (0, 30, 31)), np.isin(images, (0, 5, 30, 31))
    water = np.zeros((TERRAIN_SIZE, TERRAIN_SIZE), np.bool_)
    water[:-1, 1:] = own[:-1, 1:] & around[:-1, :-1] & around[1:, 1:] & around[1:, :-1]
    water[0] = False  # no source row of its own
    return water
