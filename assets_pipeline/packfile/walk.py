"""The walk: objects depth-first from the root, the order in which a packfile holds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.plan import LinkKind, RecordPlan


def walk(roots: Iterable[HavokObject]) -> list[HavokObject]:
    """Return every object that can be reached from `roots`, each once, depth-first.

    Pointers are taken in the order of their members, and an array's elements before the members after it
    (havok: Fixups, arrays and padding). Cycles end at the first visit.
    """
    order: list[HavokObject] = []
    seen: set[int] = set()
    stack = list(roots)
    stack.reverse()
    while stack:
        found = stack.pop()
        if id(found) not in seen:
            seen.add(id(found))
            order.append(found)
            targets = pointers(found._class.plan, found._links)
            if targets:
                targets.reverse()
                stack += targets
    return order


def pointers(plan: RecordPlan, values: list[Any]) -> list[HavokObject]:
    """Return the objects that an object's links name, in walk order; nulls are left out."""
    out: list[HavokObject] = []
    stack = [(plan.leads, values)] if plan.leads else []
    while stack:  # an explicit stack: structs nest as deep as a file likes
        leads, values = stack.pop()
        for at, (k, kind) in enumerate(leads):
            value = values[k]
            if value is None:
                continue
            if kind is LinkKind.POINTERS:
                out += [one for one in value if one is not None]
            elif kind is not LinkKind.STRUCTS:
                out.append(value)
            elif value._plan.leads:
                stack.append((leads[at + 1 :], values))
                inner = value._plan.leads
                stack += [(inner, element) for element in reversed(value._links)]
                break
    return out
