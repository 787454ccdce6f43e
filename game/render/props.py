"""Dressing that no rule knows: boxes of wood as crates with frames and boards, tufts of grass on the
terrain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from game.render.mesh import PATTERNS, VERTEX, VertexArray, flat_vertices

if TYPE_CHECKING:
    from assets_pipeline.level_ground import Terrain
    from game.render.scene import DrawnLevel

FRAME = 0.16  # width of a crate's frame, as a share of its shortest side
INSET = 0.035  # metres from the frame back to the boards
LONGEST_CRATE = 2.2  # sides more unlike than this are planks or doors, not crates
TUFTS_A_CELL = 9
BLADE_HEIGHT = (0.16, 0.34)  # metres
CLEARANCE = 0.5  # metres about what stands, where nothing grows

FloatArray = npt.NDArray[np.float64]
# The twelve edges of a box: the axis along it, and the sides of the two other axes.
_EDGES = [(axis, a, b) for axis in range(3) for a in (-1, 1) for b in (-1, 1)]
_BOX_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
_BOX_QUADS = ((4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4))
_BOX_TRIANGLES = np.array([t for a, b, c, d in _BOX_QUADS for t in ((a, b, c), (a, c, d))])


def is_crate(half_extents: tuple[float, float, float]) -> bool:
    """Return whether a box is chunky enough to be drawn as a crate."""
    return max(half_extents) <= LONGEST_CRATE * min(half_extents)


def _box(low: FloatArray, high: FloatArray, colour: npt.ArrayLike, pattern: str) -> VertexArray:
    vertices = (low + high) / 2.0 + _BOX_CORNERS * (high - low) / 2.0
    return flat_vertices(vertices, _BOX_TRIANGLES, colour, PATTERNS[pattern])


def crate_vertices(half_extents: tuple[float, float, float], colour: npt.ArrayLike) -> VertexArray:
    """Return a crate that fills a box exactly: boards set back a little behind a lighter frame along all
    edges.

    `colour` is the wood's, sRGB 0..255. Nothing reaches beyond the box, so what is seen is what is touched.
    """
    half = np.array(half_extents, np.float64)
    width = 2.0 * half.min() * FRAME
    wood = np.asarray(colour, np.float64)
    frame = np.clip(wood * 1.16 + 6.0, 0, 255)
    parts = [_box(-half + INSET, half - INSET, np.clip(wood * 0.86, 0, 255), "planks")]
    for axis, a, b in _EDGES:
        first, second = (k for k in range(3) if k != axis)
        low, high = -half.copy(), half.copy()
        for k, side in ((first, a), (second, b)):
            if side < 0:
                high[k] = -half[k] + width
            else:
                low[k] = half[k] - width
        # The edges along Y run through; those along X and Z end between them, so that no two faces coincide.
        if axis != 1:
            low[axis], high[axis] = -half[axis] + width, half[axis] - width
        parts.append(_box(low, high, frame, "plain"))
    return np.concatenate(parts)


def covered_cells(level: DrawnLevel) -> npt.NDArray[np.bool_]:
    """Return which terrain cells lie under something that stands: nothing grows there."""
    terrain = level.terrain
    rows, columns = terrain.cell_surfaces.shape
    covered = np.zeros((rows, columns), np.bool_)
    size, (x0, _, z0) = terrain.cell_size, terrain.field_corner
    for static in level.statics:
        if static.mesh < 0 or size <= 0:
            continue
        points = level.meshes[static.mesh].positions.astype(np.float64)
        x, y, z, w = static.rotation
        around = np.array([x, y, z])
        points = points + 2.0 * np.cross(around, np.cross(around, points) + w * points) + static.position
        triangles = points.reshape(-1, 3, 3)
        low = triangles.min(axis=1) - CLEARANCE
        high = triangles.max(axis=1) + CLEARANCE
        first = np.floor((low[:, [2, 0]] - (z0, x0)) / size).astype(int)
        last = np.floor((high[:, [2, 0]] - (z0, x0)) / size).astype(int)
        for (r0, c0), (r1, c1) in zip(first.tolist(), last.tolist(), strict=True):
            covered[max(r0, 0) : max(r1 + 1, 0), max(c0, 0) : max(c1 + 1, 0)] = True
    return covered


def tuft_vertices(terrain: Terrain, cells: npt.NDArray[np.int64]) -> VertexArray:
    """Return tufts of three blades on terrain cells (k, 2) of row and column; the same cells get the same
    tufts."""
    if not len(cells):
        return np.zeros(0, VERTEX)
    count = len(cells) * TUFTS_A_CELL
    # A hash of row, column and number: no generator, so the order in which chunks come near doesn't matter.
    rows, columns = np.repeat(cells, TUFTS_A_CELL, axis=0).T
    number = np.tile(np.arange(TUFTS_A_CELL), len(cells))
    seed = (rows * 73856093) ^ (columns * 19349663) ^ (number * 83492791)
    u, v, tall, turn = (_hashed(seed, k) for k in range(4))
    place = _on_terrain(terrain, rows + v, columns + u)
    height = BLADE_HEIGHT[0] + (BLADE_HEIGHT[1] - BLADE_HEIGHT[0]) * tall
    base = terrain.cell_colours[rows, columns].astype(np.float64)
    corners = np.zeros((count, 3, 3, 3))
    colours = np.zeros((count, 3, 3))
    for blade in range(3):
        angle = 2.0 * math.pi * (turn + blade / 3.0)
        out = np.stack((np.cos(angle), np.zeros(count), np.sin(angle)), axis=1)
        side = np.stack((-np.sin(angle), np.zeros(count), np.cos(angle)), axis=1) * 0.05
        foot = place + out * 0.03
        tip = place + out * (0.10 + 0.06 * tall)[:, None]
        tip[:, 1] += height
        corners[:, blade] = np.stack((foot - side, tip, foot + side), axis=1)
        colours[:, blade] = base * (0.80 + 0.10 * blade + 0.14 * tall[:, None])
    vertices = corners.reshape(-1, 3)
    triangles = np.arange(len(vertices)).reshape(-1, 3)
    out_vertices = flat_vertices(
        vertices, triangles, np.clip(colours.reshape(-1, 3), 0, 255), PATTERNS["plain"]
    )
    # Blades are lit like the ground they stand on, whichever way they lean.
    out_vertices["normal"][:, :3] = (128, 255, 128)
    return out_vertices


def _hashed(seed: npt.NDArray[np.int64], step: int) -> FloatArray:
    """Return numbers 0..1 from whole ones."""
    value = (seed * 2654435761 + step * 40503 * 65537) & 0xFFFFFFFF
    value = (value ^ value >> 15) * 2246822519 & 0xFFFFFFFF
    value = (value ^ value >> 13) * 3266489917 & 0xFFFFFFFF
    return np.asarray((value ^ value >> 16) / 4294967296.0, np.float64)


def _on_terrain(terrain: Terrain, row: FloatArray, column: FloatArray) -> FloatArray:
    """Return the points (n, 3) of the ground at fractional rows and columns, on the triangles as drawn."""
    r, c = np.floor(row).astype(int), np.floor(column).astype(int)
    v, u = row - r, column - c
    heights = terrain.field_heights
    a, b, d, e = heights[r, c], heights[r, c + 1], heights[r + 1, c + 1], heights[r + 1, c]
    # The diagonal joins [r, c] and [r + 1, c + 1].
    y = np.where(v > u, a + (e - a) * v + (d - e) * u, a + (b - a) * u + (d - b) * v)
    x0, y0, z0 = terrain.field_corner
    return np.stack((x0 + column * terrain.cell_size, y0 + y, z0 + row * terrain.cell_size), axis=1)
