"""The waves of terrain water: how far a grid point moves. The vertex shader solid.vert.glsl computes the
same.

Source: facts of the terrain format. phase = (dist2 F + T S) & 2047, height = base + wave[phase] A - A / 2,
with dist2 the squared distance from the middle of the grid in cells, T the BIOS tick count and wave[p] the
rotation table's sample p + 512. For dust, splashes and tests; what movement stands on is movement's own
sampling.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from assets_pipeline.level_ground import Waves

GRID_MIDDLE = 128
TURN = 2048


def _wave_table() -> npt.NDArray[np.float32]:
    """Return wave[0..2047]: samples 512 to 2559 of the shared rotation table, its angle rounded to float32
    first."""
    angles = (np.arange(512, 512 + TURN, dtype=np.float64) * 6.2831852 / 2048).astype(np.float32)
    return np.array([math.sin(float(angle)) for angle in angles], np.float32)


WAVE = _wave_table()


def wave_phase(waves: Waves, column: npt.ArrayLike, row: npt.ArrayLike, ticks: int) -> npt.NDArray[np.int64]:
    """Return the phase 0..2047 of grid points (row and column of the level's field) at a BIOS tick count."""
    across = np.asarray(column, np.int64) - GRID_MIDDLE
    along = np.asarray(row, np.int64) - GRID_MIDDLE
    return ((across * across + along * along) * waves.frequency + int(ticks) * waves.speed) & (TURN - 1)


def wave_height(
    waves: Waves, base: npt.ArrayLike, column: npt.ArrayLike, row: npt.ArrayLike, ticks: int
) -> npt.NDArray[np.float64]:
    """Return the map heights (Y down, map units) of water points whose still height is `base`."""
    wave = WAVE[wave_phase(waves, column, row, ticks)].astype(np.float64)
    return np.asarray(base, np.float64) + wave * waves.amplitude - waves.amplitude / 2.0
