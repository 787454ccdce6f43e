"""How loud a sound is from where one listens: the original's integer rule."""

from __future__ import annotations

import math

FULL_VOLUME = 127
RANGE_UNITS = 36  # map units of range for each unit of sound_distance


def sound_range(sound_distance: int) -> int:
    """Return how far sounds carry in map units (facts: Positional sound)."""
    return sound_distance * RANGE_UNITS


def sound_divisor(sound_distance: int) -> int:
    """Return the factor of the falling volume: floor(65536 / floor(range / 128)) (facts: Positional sound)."""
    return 65536 // max(sound_range(sound_distance) // 128, 1)


def map_distance(emitter: tuple[int, int, int], listener: tuple[int, int, int]) -> int:
    """Return the distance of two runtime positions in whole map units (facts: Positional sound)."""
    return round(math.dist(emitter, listener)) // 256


def volume_at(distance: int, sound_distance: int = 64, offset: int = 0) -> int:
    """Return the volume, 0 to 127, of a sound `distance` map units away (facts: Positional sound)."""
    if distance > sound_range(sound_distance):
        return 0
    lost = min(max((distance * sound_divisor(sound_distance)) >> 16, 0), FULL_VOLUME)
    return min(max(FULL_VOLUME - lost + offset, 0), FULL_VOLUME)
