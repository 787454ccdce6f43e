"""Where a frame's time comes from: the wall clock, or so many frames a second exactly."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

# The PC timer behind "BIOS ticks": counted whole since the start, never rounded a frame at a time.
TICK_NUMERATOR, TICK_DENOMINATOR = 1_193_182, 65_536


@dataclass(frozen=True)
class Sample:
    """One frame's time: the absolute BIOS tick count, and milliseconds since the last frame."""

    tick: int
    milliseconds: float


class ClockSource(Protocol):
    """The only thing that the loop asks the time."""

    def sample(self) -> Sample:
        """Return the time of a new frame."""

    def skip(self) -> None:
        """Leave out the time since the last sample: the game was paused or loading."""


class WallClock:
    """Real time; more than `longest` seconds at once (a suspended machine) count as one frame of
    `longest`."""

    def __init__(self, longest: float = 0.25) -> None:
        self._longest = longest
        self._last = time.perf_counter()
        self._elapsed = 0.0

    def sample(self) -> Sample:
        """Return the time of a new frame."""
        now = time.perf_counter()
        passed = min(now - self._last, self._longest)
        self._last = now
        self._elapsed += passed
        return Sample(int(self._elapsed * TICK_NUMERATOR / TICK_DENOMINATOR), passed * 1000.0)

    def skip(self) -> None:
        """Leave out the time since the last sample: the game was paused or loading."""
        self._last = time.perf_counter()


class FixedClock:
    """Exactly `rate` frames a second: headless runs are the same on every machine."""

    def __init__(self, rate: int = 60) -> None:
        if rate < 1:
            raise ValueError(f"rate: found {rate}, expected at least one frame a second")
        self._rate = rate
        self._frame = 0

    def sample(self) -> Sample:
        """Return the time of a new frame."""
        self._frame += 1
        tick = self._frame * TICK_NUMERATOR // (TICK_DENOMINATOR * self._rate)
        return Sample(tick, 1000.0 / self._rate)

    def skip(self) -> None:
        """Do nothing: no time passes but in frames."""
