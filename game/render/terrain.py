"""The terrain on the GPU: chunks of 8 x 8 cells that are made when they first come near, water included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from game.render.mesh import VertexArray, flat_vertices
from game.render.props import tuft_vertices
from game.render.solids import STANDING, Batch
from game.render.terrain_paint import TerrainPaint

if TYPE_CHECKING:
    from assets_pipeline.level_ground import Terrain
    from game.render.scene import DrawnLevel

CHUNK = 8  # cells a side
GRASS_SEEN = 34.0  # metres: beyond, blades are thinner than a pixel
WAVES_SEEN = 110.0  # metres: beyond, open water lies still
# A corner in the water program: the land's colour with the point's wetness in its fourth byte; the water's
# colour, with
# 255 there where it moves with the waves.
WATER_VERTEX: np.dtype[np.void] = np.dtype([("position", "<f4", 3), ("shore", "u1", 4), ("water", "u1", 4)])

IntArray = npt.NDArray[np.int64]


def chunk_vertices(
    terrain: Terrain, paint: TerrainPaint, patterns: npt.NDArray[np.uint8], row: int, column: int
) -> tuple[VertexArray, VertexArray]:
    """Return the dry triangles (VERTEX) and the wet ones (WATER_VERTEX) of the chunk whose first cell is
    [row, column].

    Two triangles a cell, diagonal [r, c] - [r + 1, c + 1]. A triangle with a wet corner belongs to the
    water: shore and land beside it are drawn there too. A dry facet has the mean colour of what lies around
    its corners, so that grass goes over into sand facet by facet.
    """
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
    wetness, land, water = paint.wetness[r, c], paint.land[r, c], paint.water[r, c]
    wet = (wetness[triangles] > 0.0).any(axis=1)
    colours = np.rint(land[triangles[~wet]].mean(axis=1))
    cell_patterns = np.repeat(patterns[terrain.cell_surfaces[row + i, column + j]], 2)[~wet]
    dry = flat_vertices(points, triangles[~wet], colours, cell_patterns)
    some = triangles[wet].ravel()
    out = np.zeros(len(some), WATER_VERTEX)
    out["position"] = points[some]
    out["shore"][:, :3] = np.rint(land[some])
    out["shore"][:, 3] = np.rint(wetness[some] * 255.0)
    out["water"][:, :3] = np.rint(water[some])
    out["water"][:, 3] = np.where(terrain.water[r, c][some] != 0, 255, 0)
    return dry, out


class _Chunk:
    """One chunk on the GPU: its dry part and its grass for the solid program, its wet part for the water
    program."""

    def __init__(
        self,
        context: Any,
        programs: tuple[Any, Any],
        water: Any,
        dry: VertexArray,
        wet: VertexArray,
        grass: VertexArray,
    ) -> None:
        self.dry = Batch(context, programs, dry) if len(dry) else None
        self.grass = Batch(context, programs, grass) if len(grass) else None
        for batch in (self.dry, self.grass):
            if batch is not None:
                batch.place(STANDING)
        self._buffer = context.buffer(wet.tobytes()) if len(wet) else None
        self.wet = water_array(context, water, self._buffer) if self._buffer is not None else None

    def release(self) -> None:
        for thing in (self.dry, self.grass, self.wet, self._buffer):
            if thing is not None:
                thing.release()


def water_array(context: Any, program: Any, buffer: Any) -> Any:
    """Return the vertex array that draws a buffer of WATER_VERTEX."""
    return context.vertex_array(program, [(buffer, "3f4 4f1 4f1", "in_position", "in_shore", "in_water")])


class ChunkGrid:
    """What the terrain's chunks are, without the GPU.

    Attributes:
        starts: (k, 2) first row and column of each chunk.
        middles: (k, 3) middle of its box, metres.
        radii: (k,) from there to its corners.
        open: (k,) whether it is nothing but level water.
        sheets: (k, 6) WATER_VERTEX: its square as two triangles at rest, for open water seen from afar.
    """

    def __init__(self, terrain: Terrain, paint: TerrainPaint) -> None:
        size, corner = terrain.cell_size, np.array(terrain.field_corner)
        rows, columns = terrain.cell_surfaces.shape if terrain.static else (0, 0)
        first_rows, first_columns = np.arange(0, rows, CHUNK), np.arange(0, columns, CHUNK)
        self.starts: IntArray = np.stack(
            np.meshgrid(first_rows, first_columns, indexing="ij"), axis=-1
        ).reshape(-1, 2)
        points = terrain.field_heights
        cells = np.stack((points[:-1, :-1], points[1:, :-1], points[:-1, 1:], points[1:, 1:]))
        low = _by_chunk(np.minimum, cells.min(axis=0), first_rows, first_columns)
        high = _by_chunk(np.maximum, cells.max(axis=0), first_rows, first_columns)
        self.open = _by_chunk(np.logical_and, paint.water_cells, first_rows, first_columns) & (
            high - low < 1e-6
        )
        ends = np.minimum(self.starts + CHUNK, (rows, columns))
        near = np.stack((corner[0] + self.starts[:, 1] * size, corner[2] + self.starts[:, 0] * size), axis=1)
        far = np.stack((corner[0] + ends[:, 1] * size, corner[2] + ends[:, 0] * size), axis=1)
        self.middles = np.stack(
            ((near[:, 0] + far[:, 0]) / 2, corner[1] + (low + high) / 2, (near[:, 1] + far[:, 1]) / 2), axis=1
        )
        # A metre more for the waves.
        self.radii = np.sqrt(((far - near) ** 2).sum(axis=1) + (high - low) ** 2) / 2 + 1.0
        self.sheets = np.zeros((len(self.starts), 6), WATER_VERTEX)
        self.sheets["shore"][..., :3] = self.sheets["water"][..., :3] = np.rint(paint.open_colour)
        self.sheets["shore"][..., 3] = 255
        for number, (x, z) in enumerate(
            ((near, near), (near, far), (far, far), (near, near), (far, far), (far, near))
        ):
            self.sheets["position"][:, number] = np.stack((x[:, 0], self.middles[:, 1], z[:, 1]), axis=1)


def _by_chunk(
    function: np.ufunc, cells: npt.NDArray[Any], first_rows: IntArray, first_columns: IntArray
) -> npt.NDArray[Any]:
    """Return a value for each chunk from the values of its cells."""
    if not len(first_rows):
        return np.zeros(0, cells.dtype)
    return np.asarray(function.reduceat(function.reduceat(cells, first_rows, 0), first_columns, 1)).reshape(
        -1
    )


class TerrainChunks:
    """The chunks near the eye, each made when it is first seen; a level without terrain has none.

    `begin` chooses the chunks of a picture, nearest first; `draw` and `draw_water` draw their dry and wet
    parts. Open water beyond WAVES_SEEN is one draw of large squares.
    """

    def __init__(
        self,
        context: Any,
        programs: tuple[Any, Any],
        water_program: Any,
        level: DrawnLevel,
        patterns: npt.NDArray[np.uint8],
    ) -> None:
        terrain = level.terrain
        self._context, self._programs, self._water_program = context, programs, water_program
        self._terrain, self._patterns = terrain, patterns
        self._paint = TerrainPaint(level)
        self._tufted = 0  # how many of the chosen chunks are so near that their grass is drawn
        self._grid = ChunkGrid(terrain, self._paint)
        self._made: dict[int, _Chunk] = {}
        self._seen: list[_Chunk] = []
        self._far = 0  # vertices of open water far away
        size = max(len(self._grid.starts), 1) * 6 * WATER_VERTEX.itemsize
        self._far_buffer = context.buffer(reserve=size, dynamic=True)
        self._far_array = water_array(context, water_program, self._far_buffer)
        corner, cell = terrain.field_corner, terrain.cell_size
        self.wave_grid = (float(corner[0]), float(corner[2]), 1.0 / cell if cell else 1.0)

    def begin(self, eye: npt.ArrayLike, planes: npt.NDArray[np.float64], reach: float) -> int:
        """Choose the chunks within `reach` metres of `eye` and inside `planes` (see `frustum_planes`);
        return how many."""
        grid = self._grid
        offset = grid.middles - np.asarray(eye, np.float64)
        distance = np.einsum("ij,ij->i", offset, offset)
        seen = distance < (reach + grid.radii) ** 2
        seen &= (grid.middles @ planes[:, :3].T + planes[:, 3] > -grid.radii[:, None]).all(axis=1)
        far = seen & grid.open & (distance > WAVES_SEEN**2)
        sheets = grid.sheets[far].reshape(-1)
        self._far = len(sheets)
        if self._far:
            self._far_buffer.write(sheets.tobytes())
        rows = np.flatnonzero(seen & ~far)
        rows = rows[np.argsort(distance[rows], kind="stable")]
        self._seen = [self._chunk(int(row)) for row in rows]
        self._tufted = int((np.sqrt(distance[rows]) < GRASS_SEEN + grid.radii[rows]).sum())
        return int(seen.sum())

    def _chunk(self, number: int) -> _Chunk:
        chunk = self._made.get(number)
        if chunk is None:
            row, column = self._grid.starts[number].tolist()
            parts = chunk_vertices(self._terrain, self._paint, self._patterns, row, column)
            cells = np.argwhere(self._paint.grassy[row : row + CHUNK, column : column + CHUNK])
            cells += np.array([row, column])
            grass = tuft_vertices(self._terrain, cells)
            chunk = self._made[number] = _Chunk(
                self._context, self._programs, self._water_program, *parts, grass
            )
        return chunk

    def draw(self) -> None:
        """Draw the dry parts of the chosen chunks."""
        for chunk in self._seen:
            if chunk.dry is not None:
                chunk.dry.draw()

    def draw_grass(self) -> None:
        """Draw the tufts of the nearest chunks; their blades are seen from both sides."""
        for chunk in self._seen[: self._tufted]:
            if chunk.grass is not None:
                chunk.grass.draw()

    def draw_water(self) -> None:
        """Draw the wet parts of the chosen chunks."""
        for chunk in self._seen:
            if chunk.wet is not None:
                chunk.wet.render()
        if self._far:
            self._far_array.render(vertices=self._far)

    @property
    def has_water(self) -> bool:
        """Whether a chosen chunk has a wet part."""
        return self._far > 0 or any(chunk.wet is not None for chunk in self._seen)

    def release(self) -> None:
        """Give the buffers back."""
        for thing in (*self._made.values(), self._far_array, self._far_buffer):
            thing.release()
        self._made.clear()
        self._seen.clear()
