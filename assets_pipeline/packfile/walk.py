"""The walk: objects depth-first from the root, the order in which a packfile holds them."""

from __future__ import annotations

from collections.abc import Iterable

from assets_pipeline.packfile import placing
from assets_pipeline.packfile.objects import HavokObject


def walk(roots: Iterable[HavokObject]) -> list[HavokObject]:
    """Return every object that can be reached from `roots`, each once, depth-first.

    Pointers are taken in the order of their members, and an array's elements before the members after it
    (havok: Fixups, arrays and padding). Cycles end at the first visit.
    """
    return placing.walk(roots)
