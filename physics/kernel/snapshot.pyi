"""Snapshot, restore and digest: the state is its arrays, copied in one order (see `state.pxd`)."""

from collections.abc import Sequence
from typing import Any

from physics.kernel.world import WorldCore

def save(world: WorldCore) -> bytes:
    """Return the state as bytes."""

def load(world: WorldCore, saved: bytes, handles: Sequence[Any]) -> None:
    """Put the state back; `handles`: the bodies of its slots, None in a free one."""

def digest(world: WorldCore) -> str:
    """Return a hash of the state, as hex text."""
