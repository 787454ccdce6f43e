"""Words that pack several values: the collision filter of a body and the surface word of a triangle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SURFACE_SHIFT = 3
SURFACE_MASK = 0x3F
SURFACE_BITS = SURFACE_MASK << SURFACE_SHIFT
# Flag bits that real meshes carry. Their meaning is not established: what follows is where they were seen.
SEEN_FLAG_BITS = {
    0x1: "unknown",
    0x4: "never on triangles that face down",
    0x800: "mostly on triangles that face up",
    0x1000: "unknown",
    0x2000: "mostly on vertical triangles",
    0x4000: "unknown",
    0x80000000: "unknown",
}


@dataclass(frozen=True)
class CollisionFilter:
    """A body's collision filter word, split as the group filter splits it (havok: Enumerated members)."""

    layer: int = 0
    subsystem: int = 0
    subsystem_not_to_collide: int = 0
    system_group: int = 0

    @classmethod
    def from_word(cls, word: int) -> CollisionFilter:
        """Split a 32-bit word; bit 15 belongs to no field."""
        return cls(word & 0x1F, word >> 5 & 0x1F, word >> 10 & 0x1F, word >> 16 & 0xFFFF)

    def word(self) -> int:
        """Return the 32-bit word."""
        return (
            self.layer & 0x1F
            | (self.subsystem & 0x1F) << 5
            | (self.subsystem_not_to_collide & 0x1F) << 10
            | (self.system_group & 0xFFFF) << 16
        )


def surface_ids(words: Any) -> NDArray[np.int64]:
    """Return the surface ids 0..63 of triangle words (havok: Surface id)."""
    return np.asarray(words, np.int64) >> SURFACE_SHIFT & SURFACE_MASK


def flag_bits(words: Any) -> NDArray[np.int64]:
    """Return what a triangle word holds besides the surface id."""
    return np.asarray(words, np.int64) & (0xFFFFFFFF & ~SURFACE_BITS)


def surface_word(surface: int, flags: int = 0) -> int:
    """Return the word of a surface id and flag bits; raise ValueError when they overlap or don't fit."""
    if not 0 <= surface <= SURFACE_MASK:
        raise ValueError(f"surface id: expected 0 to {SURFACE_MASK}, got {surface}")
    if flags & SURFACE_BITS or not 0 <= flags <= 0xFFFFFFFF:
        raise ValueError(f"flag bits 0x{flags:x}: expected 32 bits outside 0x{SURFACE_BITS:x}")
    return surface << SURFACE_SHIFT | flags
