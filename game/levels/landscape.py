"""Terrain by code: noise, smooth shapes, and metres into the height indices of a terrain file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.scene.wld import CELL, HEIGHT_TABLE, SIZE

Array = NDArray[np.float64]
MAP_UNITS = 64.0  # a metre


def grid(origin: tuple[int, int, int]) -> tuple[Array, Array]:
    """Return X and Z in metres, world axes, of the (256, 256) grid points of a terrain file."""
    columns = (np.arange(SIZE) * CELL - origin[0]) / MAP_UNITS
    rows = -((SIZE - np.arange(SIZE)) * CELL - origin[2]) / MAP_UNITS
    x, z = np.meshgrid(columns, rows)
    return x, z


def smooth(low: float, high: float, value: Array) -> Array:
    """Return 0 below `low`, 1 above `high`, and a smooth rise between."""
    t = np.clip((value - low) / (high - low), 0.0, 1.0)
    return np.asarray(t * t * (3.0 - 2.0 * t))


def _lattice(i: NDArray[np.int64], j: NDArray[np.int64], seed: int) -> Array:
    """Return a number from 0 to 1 for each lattice point, the same on every machine."""
    mixed = (i * 374761393 + j * 668265263 + seed * 2246822519) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    return np.asarray((mixed ^ (mixed >> 16)) & 0xFFFF, np.float64) / 65535.0


def noise(x: Array, z: Array, size: float, seed: int) -> Array:
    """Return smooth noise from 0 to 1 whose hills are about `size` metres wide."""
    u, v = x / size, z / size
    i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    s, t = smooth(0.0, 1.0, u - i), smooth(0.0, 1.0, v - j)
    low = _lattice(i, j, seed) * (1 - s) + _lattice(i + 1, j, seed) * s
    high = _lattice(i, j + 1, seed) * (1 - s) + _lattice(i + 1, j + 1, seed) * s
    return np.asarray(low * (1 - t) + high * t)


def height_indices(metres: Array) -> NDArray[np.uint8]:
    """Return the indices whose heights above the water are nearest to `metres`."""
    wanted = np.asarray(metres, np.float64) * MAP_UNITS
    at = np.clip(np.searchsorted(HEIGHT_TABLE, wanted), 1, len(HEIGHT_TABLE) - 1)
    lower = wanted - HEIGHT_TABLE[at - 1] < HEIGHT_TABLE[at] - wanted
    return np.asarray(np.where(lower, at - 1, at), np.uint8)


def heights_of(indices: NDArray[np.uint8]) -> Array:
    """Return the metres above the water that height indices stand for."""
    return np.asarray(HEIGHT_TABLE[indices] / MAP_UNITS, np.float64)
