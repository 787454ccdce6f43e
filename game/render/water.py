"""The waves of terrain water: how far a grid point moves, and the numbers that the vertex shader needs for
the same.

Source: facts of the terrain format. phase = (dist2 F + T S) & 2047, height = base + wave[phase] A - A / 2,
with dist2 the squared distance from the middle of the grid in cells, T the BIOS tick count and wave[p] the
rotation table's sample p + 512.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

GRID_MIDDLE = 128
TURN = 2048


def _wave_table() -> npt.NDArray[np.float32]:
    """Return wave[0..2047]: the shared rotation table's cosine half, its angle rounded to float32 first."""
    angles = (np.arange(512, 512 + TURN, dtype=np.float64) * 6.2831852 / 2048).astype(np.float32)
    return np.array([math.sin(float(angle)) for angle in angles], np.float32)


WAVE = _wave_table()


@dataclass(frozen=True, slots=True)
class Waves:
    """Amplitude A in map units, frequency F a squared cell, speed S a BIOS tick."""

    amplitude: float = 10.0
    frequency: int = 14
    speed: int = 36

    def phase(self, column: npt.ArrayLike, row: npt.ArrayLike, ticks: int) -> npt.NDArray[np.int64]:
        """Return the phase 0..2047 of grid points at a BIOS tick count."""
        across = np.asarray(column, np.int64) - GRID_MIDDLE
        along = np.asarray(row, np.int64) - GRID_MIDDLE
        return ((across * across + along * along) * self.frequency + int(ticks) * self.speed) & (TURN - 1)

    def height(
        self, base: npt.ArrayLike, column: npt.ArrayLike, row: npt.ArrayLike, ticks: int
    ) -> npt.NDArray[np.float64]:
        """Return the map heights (Y down, map units) of water points whose still height is `base`."""
        wave = WAVE[self.phase(column, row, ticks)].astype(np.float64)
        return np.asarray(base, np.float64) + wave * self.amplitude - self.amplitude / 2.0
