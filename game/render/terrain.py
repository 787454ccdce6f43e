"""The terrain on the GPU: chunks of 8 x 8 cells that are made when they first come near, water included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from game.render.mesh import PATTERNS, VertexArray, flat_vertices
from game.render.solids import STANDING, Batch

if TYPE_CHECKING:
    from assets_pipeline.level_ground import Terrain

CHUNK = 8  # cells a side
WAVES_SEEN = 110.0  # metres: beyond, open water lies still
MOVES = 255  # fourth byte of the normal: this vertex moves with the waves

# A corner in the water program: the ground's colour with 255 in its fourth byte where it moves, the water's
# colour.
WATER_VERTEX: np.dtype[np.void] = np.dtype([("position", "<f4", 3), ("shore", "u1", 4), ("water", "u1", 4)])

IntArray = npt.NDArray[np.int64]


def chunk_vertices(terrain: Terrain, patterns: npt.NDArray[np.uint8], row: int, column: int) -> VertexArray:
    """Return the triangles of the chunk whose first cell is [row, column], two a cell, diagonal [r, c] -
    [r+1, c+1]."""
    rows, columns = terrain.cell_surfaces.shape
    last_row, last_column = min(row + CHUNK, rows), min(column + CHUNK, columns)
    r, c = (grid.ravel() for grid in np.mgrid[row : last_row + 1, column : last_column + 1])
    points = np.stack(
        (
            terrain.field_corner[0] + c * terrain.cell_size,
            terrain.field_corner[1] + terrain.field_heights[r, c],
            terrain.field_corner[2] + r * terrain.cell_size,
        ),
        axis=1,
    )
    wide = last_column - column + 1
    i, j = (grid.ravel() for grid in np.mgrid[0 : last_row - row, 0 : last_column - column])
    near = i * wide + j
    corners = np.stack((near, near + wide, near + wide + 1, near, near + wide + 1, near + 1), axis=1)
    triangles = corners.reshape(-1, 3)
    cells = (row + i, column + j)
    colours = _facet_colours(terrain, row, column, cells, triangles)
    cell_patterns = patterns[terrain.cell_surfaces[cells]]
    water = terrain.water[r, c] != 0
    wet = water[corners].all(axis=1)
    cell_patterns = np.where(wet, PATTERNS["water"], cell_patterns)
    out = flat_vertices(points, triangles, colours, np.repeat(cell_patterns, 2))
    out["normal"][:, 3] = np.where(water[triangles.ravel()], MOVES, 0)
    return out


def _facet_colours(
    terrain: Terrain, row: int, column: int, cells: tuple[IntArray, IntArray], triangles: IntArray
) -> npt.NDArray[np.uint8]:
    """Return a colour for each triangle: of dry land the mean of what lies around its corners, so that
    grass goes over into sand facet by facet; of water its own cell's.
    """
    rows, columns = terrain.cell_surfaces.shape
    last_row, last_column = min(row + CHUNK, rows), min(column + CHUNK, columns)
    # The cells of the chunk and one more all round; at the edge of the grid the last ones again.
    r = np.clip(np.arange(row - 1, last_row + 1), 0, rows - 1)
    c = np.clip(np.arange(column - 1, last_column + 1), 0, columns - 1)
    around = terrain.cell_colours[np.ix_(r, c)].astype(np.float64)
    land = (~_open_water(terrain)[np.ix_(r, c)])[..., None].astype(np.float64)
    around *= land
    total = around[:-1, :-1] + around[1:, :-1] + around[:-1, 1:] + around[1:, 1:]
    count = land[:-1, :-1] + land[1:, :-1] + land[:-1, 1:] + land[1:, 1:]
    points = (total / np.maximum(count, 1.0)).reshape(-1, 3)
    mixed = points[triangles].mean(axis=1)
    own = np.repeat(terrain.cell_colours[cells], 2, axis=0)
    wet = np.repeat(_open_water(terrain)[cells], 2)[:, None]
    return np.asarray(np.rint(np.where(wet, own, mixed)), np.uint8)


def _open_water(terrain: Terrain) -> npt.NDArray[np.bool_]:
    """Return which cells have all four points in the waves."""
    water = terrain.water != 0
    return np.asarray(water[:-1, :-1] & water[1:, :-1] & water[:-1, 1:] & water[1:, 1:], np.bool_)


def dry_and_wet(vertices: VertexArray, water_colour: npt.ArrayLike) -> tuple[VertexArray, VertexArray]:
    """Return the triangles that stand still, and those that have a corner in the waves as WATER_VERTEX.

    A triangle of the latter that is no water itself is a shore: it has the water's colour below its own.
    """
    triangles = vertices.reshape(-1, 3)
    in_waves = triangles["normal"][..., 3] != 0
    moves = in_waves.any(axis=1)
    some = triangles[moves]
    wet = np.zeros(some.shape, WATER_VERTEX)
    wet["position"] = some["position"]
    wet["shore"][..., :3] = some["colour"][..., :3]
    wet["shore"][..., 3] = some["normal"][..., 3]
    shore = some["colour"][..., 3] != PATTERNS["water"]
    wet["water"][..., :3] = np.where(
        shore[..., None], np.asarray(water_colour, np.uint8), some["colour"][..., :3]
    )
    return triangles[~moves].reshape(-1), wet.reshape(-1)


def open_sheet(wet: VertexArray) -> VertexArray:
    """Return open water seen from afar: its square as two triangles at rest, far cheaper and free of
    shimmer."""
    low, high = wet["position"].min(axis=0), wet["position"].max(axis=0)
    out = wet[:6].copy()
    for corner, (x, z) in enumerate(((0, 0), (0, 1), (1, 1), (0, 0), (1, 1), (1, 0))):
        out["position"][corner] = (high[0] if x else low[0], low[1], high[2] if z else low[2])
    out["shore"][:, 3] = 0
    out["shore"][:, :3] = out["water"][:, :3] = np.rint(wet["water"][:, :3].mean(axis=0))
    return out


def is_open(wet: VertexArray) -> bool:
    """Return whether a chunk's wet part is a level square of nothing but open water."""
    level = float(np.ptp(wet["position"][:, 1])) if len(wet) else 1.0
    return len(wet) == CHUNK * CHUNK * 6 and level < 1e-6 and bool((wet["shore"][:, 3] == 255).all())


class _Chunk:
    """One chunk on the GPU: its dry part for the solid program, its wet part near and far for the water
    program."""

    def __init__(
        self, context: Any, programs: tuple[Any, Any], water: Any, dry: VertexArray, wet: VertexArray
    ) -> None:
        self.dry = Batch(context, programs, dry) if len(dry) else None
        if self.dry is not None:
            self.dry.place(STANDING)
        self._buffers: list[Any] = []
        self.wet = self._array(context, water, wet) if len(wet) else None
        self.far_wet = self._array(context, water, open_sheet(wet)) if is_open(wet) else self.wet

    def _array(self, context: Any, water: Any, vertices: VertexArray) -> Any:
        buffer = context.buffer(vertices.tobytes())
        self._buffers.append(buffer)
        return context.vertex_array(water, [(buffer, "3f4 4f1 4f1", "in_position", "in_shore", "in_water")])

    def release(self) -> None:
        for thing in {
            id(thing): thing for thing in (self.dry, self.wet, self.far_wet, *self._buffers)
        }.values():
            if thing is not None:
                thing.release()


class TerrainChunks:
    """The chunks near the eye, each made when it is first seen; a level without terrain has none.

    `begin` chooses the chunks of a picture, nearest first; `draw` and `draw_water` draw their dry and wet
    parts.
    """

    def __init__(
        self,
        context: Any,
        programs: tuple[Any, Any],
        water_program: Any,
        terrain: Terrain,
        patterns: npt.NDArray[np.uint8],
    ) -> None:
        self._context, self._programs, self._water_program = context, programs, water_program
        self._terrain, self._patterns = terrain, patterns
        self._made: dict[tuple[int, int], _Chunk] = {}
        self._seen: list[_Chunk] = []
        self._near = 0  # how many of them are so near that waves are drawn
        self._water_colour = _water_colour(terrain)
        corner, size = np.array(terrain.field_corner), terrain.cell_size
        self.wave_grid = (float(corner[0]), float(corner[2]), 1.0 / size if size else 1.0)
        rows, columns = terrain.cell_surfaces.shape
        grid: list[tuple[int, int]] = []
        if terrain.static:
            grid = [(r, c) for r in range(0, rows, CHUNK) for c in range(0, columns, CHUNK)]
        self._starts: IntArray = np.array(grid, np.int64).reshape(-1, 2)
        spans = [_span(terrain, r, c) for r, c in grid]
        low, high = np.array(spans).reshape(-1, 2).T
        half = CHUNK / 2 * size
        self._middles = np.zeros((len(grid), 3))
        self._middles[:, 0] = corner[0] + self._starts[:, 1] * size + half
        self._middles[:, 1] = corner[1] + (low + high) / 2
        self._middles[:, 2] = corner[2] + self._starts[:, 0] * size + half
        self._radii = np.sqrt(2.0 * half**2 + ((high - low) / 2) ** 2) + 1.0  # a metre for the waves

    def begin(self, eye: npt.ArrayLike, planes: npt.NDArray[np.float64], reach: float) -> int:
        """Choose the chunks within `reach` metres of `eye` and inside `planes` (see `frustum_planes`);
        return how many."""
        offset = self._middles - np.asarray(eye, np.float64)
        distance = np.einsum("ij,ij->i", offset, offset)
        near = distance < (reach + self._radii) ** 2
        near &= (self._middles @ planes[:, :3].T + planes[:, 3] > -self._radii[:, None]).all(axis=1)
        rows = np.flatnonzero(near)
        rows = rows[np.argsort(distance[rows], kind="stable")]
        self._seen = [self._chunk(int(row)) for row in rows]
        self._near = int(np.searchsorted(distance[rows], WAVES_SEEN**2))
        return len(self._seen)

    def _chunk(self, row: int) -> _Chunk:
        key = (int(self._starts[row, 0]), int(self._starts[row, 1]))
        chunk = self._made.get(key)
        if chunk is None:
            vertices = chunk_vertices(self._terrain, self._patterns, *key)
            parts = dry_and_wet(vertices, self._water_colour)
            chunk = self._made[key] = _Chunk(self._context, self._programs, self._water_program, *parts)
        return chunk

    def draw(self) -> None:
        """Draw the dry parts of the chosen chunks."""
        for chunk in self._seen:
            if chunk.dry is not None:
                chunk.dry.draw()

    def draw_water(self) -> None:
        """Draw the wet parts of the chosen chunks."""
        for number, chunk in enumerate(self._seen):
            wet = chunk.wet if number < self._near else chunk.far_wet
            if wet is not None:
                wet.render()

    @property
    def has_water(self) -> bool:
        """Whether a chosen chunk has a wet part."""
        return any(chunk.wet is not None for chunk in self._seen)

    def release(self) -> None:
        """Give the buffers back."""
        for chunk in self._made.values():
            chunk.release()
        self._made.clear()
        self._seen.clear()


def _span(terrain: Terrain, row: int, column: int) -> tuple[float, float]:
    """Return the lowest and the highest point of a chunk."""
    part = terrain.field_heights[row : row + CHUNK + 1, column : column + CHUNK + 1]
    return float(part.min()), float(part.max())


def _water_colour(terrain: Terrain) -> npt.NDArray[np.uint8]:
    """Return the mean colour of the cells whose four points are in the waves."""
    wet = _open_water(terrain)
    if not wet.any():
        return np.array([56, 128, 148], np.uint8)
    return np.asarray(np.rint(terrain.cell_colours[wet].mean(axis=0)), np.uint8)
