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
MOVES = 255  # fourth byte of the normal: this vertex moves with the waves

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
    colours = np.repeat(terrain.cell_colours[cells], 2, axis=0)
    cell_patterns = patterns[terrain.cell_surfaces[cells]]
    water = terrain.water[r, c] != 0
    wet = water[corners].all(axis=1)
    cell_patterns = np.where(wet, PATTERNS["water"], cell_patterns)
    out = flat_vertices(points, triangles, colours, np.repeat(cell_patterns, 2))
    out["normal"][:, 3] = np.where(water[triangles.ravel()], MOVES, 0)
    return out


class TerrainChunks:
    """The chunks near the eye, each one draw; a level without terrain has none."""

    def __init__(
        self, context: Any, programs: tuple[Any, Any], terrain: Terrain, patterns: npt.NDArray[np.uint8]
    ) -> None:
        self._context, self._programs = context, programs
        self._terrain, self._patterns = terrain, patterns
        rows, columns = terrain.cell_surfaces.shape
        self._made: dict[tuple[int, int], Batch] = {}
        grid = (
            [(r, c) for r in range(0, rows, CHUNK) for c in range(0, columns, CHUNK)]
            if terrain.static
            else []
        )
        self._starts: IntArray = np.array(grid, np.int64).reshape(-1, 2)
        heights, size = terrain.field_heights, terrain.cell_size
        low = np.array([heights[r : r + CHUNK + 1, c : c + CHUNK + 1].min() for r, c in grid])
        high = np.array([heights[r : r + CHUNK + 1, c : c + CHUNK + 1].max() for r, c in grid])
        corner = np.array(terrain.field_corner)
        middle = np.zeros((len(grid), 3))
        if grid:
            middle[:, 0] = corner[0] + (self._starts[:, 1] + CHUNK / 2) * size
            middle[:, 1] = corner[1] + (low + high) / 2
            middle[:, 2] = corner[2] + (self._starts[:, 0] + CHUNK / 2) * size
        self._middles = middle
        self._radii = (
            np.sqrt(2.0 * (CHUNK / 2 * size) ** 2 + ((high - low) / 2) ** 2) + 1.0 if grid else np.zeros(0)
        )
        self.wave_grid = (float(corner[0]), float(corner[2]), 1.0 / size if size else 1.0)
        self.drawn = 0

    def draw(self, eye: npt.ArrayLike, forward: npt.ArrayLike, reach: float, shadow: bool = False) -> None:
        """Draw the chunks within `reach` metres of `eye` that are not behind it."""
        offset = self._middles - np.asarray(eye, np.float64)
        near = np.einsum("ij,ij->i", offset, offset) < (reach + self._radii) ** 2
        if not shadow:
            near &= offset @ np.asarray(forward, np.float64) > -self._radii
        self.drawn = int(near.sum())
        for row, column in self._starts[near]:
            key = (int(row), int(column))
            batch = self._made.get(key)
            if batch is None:
                vertices = chunk_vertices(self._terrain, self._patterns, *key)
                batch = self._made[key] = Batch(self._context, self._programs, vertices)
                batch.place(STANDING)
            batch.draw(shadow)

    def release(self) -> None:
        """Give the buffers back."""
        for batch in self._made.values():
            batch.release()
        self._made.clear()
