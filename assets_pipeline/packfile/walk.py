"""The walk: objects depth-first from the root, the order in which a packfile holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.plan import Link, LinkKind


def walk(roots: Iterable[HavokObject]) -> list[HavokObject]:
    """Return every object that can be reached from `roots`, each once, depth-first.

    Pointers are taken in the order of their members, and an array's elements before the members after it
    (havok: Fixups, arrays and padding). Cycles end at the first visit.
    """
    order: list[HavokObject] = []
    seen: set[int] = set()
    stack: list[Iterator[HavokObject]] = [iter(roots)]
    while stack:
        for found in stack[-1]:
            if id(found) not in seen:
                seen.add(id(found))
                order.append(found)
                stack.append(iter(pointers(found._plan.links, found._links)))
                break
        else:
            stack.pop()
    return order


def pointers(links: tuple[Link, ...], values: list[Any]) -> list[HavokObject]:
    """Return the objects that an object's links name, in walk order; nulls are left out."""
    out: list[HavokObject] = []
    stack = [(links, values, 0)]  # an explicit stack: structs nest as deep as a file likes
    while stack:
        links, values, first = stack.pop()
        for k in range(first, len(values)):
            value = values[k]
            if value is None:
                continue
            kind = links[k].kind
            if kind is LinkKind.POINTER or kind is LinkKind.CLASS:
                out.append(value)
            elif kind is LinkKind.POINTERS:
                out += [one for one in value if one is not None]
            elif kind is LinkKind.STRUCTS and value._plan.links:
                stack.append((links, values, k + 1))
                inner = value._plan.links
                stack += [(inner, element, 0) for element in reversed(value._links)]
                break
    return out
