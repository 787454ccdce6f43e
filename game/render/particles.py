"""Dust and splashes: small sprites born of events, moved by frame counts; for the eye only, nothing asks
for them.

The same events at the same frames make the same particles (a generator of integers of its own), so pictures
of a replay agree.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from game.render.scene import Particles, Vector

CAPACITY = 512  # the oldest give way
FRAME_SECONDS = 1.0 / 60.0
GRAVITY = 9.81
DUST_COLOURS: dict[str, tuple[int, int, int]] = {
    "stone": (205, 192, 168),
    "wood": (190, 160, 120),
    "grass": (150, 158, 104),
    "sand": (222, 200, 150),
    "metal": (196, 200, 206),
    "paper": (236, 232, 222),
}
WATER_COLOUR = (226, 240, 246)
# Columns of the state: position, velocity, size, growth a second, age, life, gravity share, drag a second.
_P, _V, _SIZE, _GROW, _AGE, _LIFE, _WEIGHT, _DRAG = slice(0, 3), slice(3, 6), 6, 7, 8, 9, 10, 11

FloatArray = npt.NDArray[np.float64]


class ParticleSystem:
    """All particles of a level. Emit on events, `update` once a frame, hand `particles()` to the scene."""

    def __init__(self) -> None:
        self._state: FloatArray = np.zeros((0, 12))
        self._colours: FloatArray = np.zeros((0, 4))
        self._seed = 0x2545F491

    def clear(self) -> None:
        """Remove all particles (a new start, a rewind)."""
        self._state, self._colours = self._state[:0], self._colours[:0]

    def _random(self, count: int) -> FloatArray:
        """Return `count` numbers 0..1 of a xorshift generator."""
        out = np.empty(count)
        value = self._seed
        for index in range(count):
            value ^= value << 13 & 0xFFFFFFFF
            value ^= value >> 17
            value ^= value << 5 & 0xFFFFFFFF
            out[index] = value / 4294967296.0
        self._seed = value
        return out

    def _add(self, state: FloatArray, colour: tuple[int, int, int], opacity: float) -> None:
        colours = np.tile(np.array([*colour, opacity], np.float64), (len(state), 1))
        self._state = np.concatenate((self._state, state))[-CAPACITY:]
        self._colours = np.concatenate((self._colours, colours))[-CAPACITY:]

    def dust(self, position: Vector, strength: float = 1.0, surface: str = "stone") -> None:
        """Raise dust at a place: a step is 0.4, a landing 1.0, a crash up to 3.0. `surface` is a family of
        sounds."""
        strength = min(max(strength, 0.0), 3.0)
        count = 2 + round(5 * strength)
        r = self._random(4 * count).reshape(count, 4)
        turn = 2.0 * math.pi * r[:, 0]
        out = (0.25 + 0.75 * r[:, 1]) * (0.45 + 0.75 * strength)
        state = np.zeros((count, 12))
        state[:, _P] = position
        state[:, 1] += 0.06
        state[:, 3], state[:, 5] = np.cos(turn) * out, np.sin(turn) * out
        state[:, 4] = (0.25 + 0.5 * r[:, 2]) * (0.5 + 0.4 * strength)
        state[:, _SIZE] = 0.10 + 0.10 * r[:, 3]
        state[:, _GROW] = 0.30 + 0.22 * strength
        state[:, _LIFE] = 0.45 + 0.35 * r[:, 1] + 0.12 * strength
        state[:, _WEIGHT], state[:, _DRAG] = 0.02, 3.2
        self._add(state, DUST_COLOURS.get(surface, DUST_COLOURS["stone"]), 0.34)

    def splash(self, position: Vector, strength: float = 1.0) -> None:
        """Throw up drops and a ring of spray: a step in shallow water is 0.3, a jump 1.0, a crate 3.0."""
        strength = min(max(strength, 0.0), 3.0)
        count = 6 + round(12 * strength)
        r = self._random(4 * count).reshape(count, 4)
        turn = 2.0 * math.pi * r[:, 0]
        out = (0.2 + 0.8 * r[:, 1]) * (0.7 + 0.7 * strength)
        state = np.zeros((count, 12))
        state[:, _P] = position
        state[:, 3], state[:, 5] = np.cos(turn) * out, np.sin(turn) * out
        state[:, 4] = (0.5 + 0.5 * r[:, 2]) * (1.4 + 1.3 * strength)
        state[:, _SIZE] = 0.05 + 0.07 * r[:, 3]
        state[:, _LIFE] = 0.5 + 0.3 * r[:, 2]
        state[:, _WEIGHT], state[:, _DRAG] = 1.0, 0.4
        self._add(state, WATER_COLOUR, 0.85)
        ring = 8
        turn = 2.0 * math.pi * (np.arange(ring) + r[0, 0]) / ring
        spray = np.zeros((ring, 12))
        spray[:, _P] = position
        spray[:, 3], spray[:, 5] = (
            np.cos(turn) * (0.6 + 0.5 * strength),
            np.sin(turn) * (0.6 + 0.5 * strength),
        )
        spray[:, 1] += 0.05
        spray[:, _SIZE], spray[:, _GROW], spray[:, _LIFE], spray[:, _DRAG] = 0.22, 0.7, 0.6, 1.6
        self._add(spray, WATER_COLOUR, 0.30)

    def spark(self, position: Vector, colour: tuple[int, int, int] = (255, 206, 96), count: int = 24) -> None:
        """Throw a handful of bright confetti: an objective is done, a checkpoint reached."""
        count = min(max(count, 0), 200)
        r = self._random(5 * count).reshape(count, 5)
        turn = 2.0 * math.pi * r[:, 0]
        out = 0.5 + 2.0 * r[:, 1]
        state = np.zeros((count, 12))
        state[:, _P] = position
        state[:, 3], state[:, 5] = np.cos(turn) * out, np.sin(turn) * out
        state[:, 4] = 2.2 + 2.6 * r[:, 2]
        state[:, _SIZE] = 0.07 + 0.08 * r[:, 3]
        state[:, _LIFE] = 0.9 + 0.6 * r[:, 4]
        state[:, _WEIGHT], state[:, _DRAG] = 0.55, 0.8
        self._add(state, colour, 0.95)

    def update(self, frames: float = 1.0) -> None:
        """Move everything by a number of frames of 1/60 s (0 while paused)."""
        if frames <= 0.0 or not len(self._state):
            return
        seconds = frames * FRAME_SECONDS
        state = self._state
        state[:, _AGE] += seconds
        slowing = 1.0 / (1.0 + state[:, _DRAG] * seconds)
        state[:, _V] *= slowing[:, None]
        state[:, 4] -= GRAVITY * state[:, _WEIGHT] * seconds
        state[:, _P] += state[:, _V] * seconds
        state[:, _SIZE] += state[:, _GROW] * seconds
        alive = state[:, _AGE] < state[:, _LIFE]
        self._state, self._colours = state[alive], self._colours[alive]

    def __len__(self) -> int:
        return len(self._state)

    def particles(self) -> Particles | None:
        """Return what to draw, or None when there is nothing."""
        if not len(self._state):
            return None
        share = self._state[:, _AGE] / self._state[:, _LIFE]
        colours = self._colours.copy()
        colours[:, 3] *= 255.0 * np.clip((1.0 - share) * 1.6, 0.0, 1.0)
        return Particles(
            self._state[:, _P].astype(np.float32),
            self._state[:, _SIZE].astype(np.float32),
            np.rint(colours).astype(np.uint8),
        )
