"""Record plans: a class flattened into number fields and links, the form that objects hold in memory.

Numbers of an object lie in one row of a numpy structured array, packed and in native byte order whatever the
file's layout (`RecordPlan.dtype`); pointers, strings and arrays are Python values in a list
(`RecordPlan.links`). Both are in walk order: parents first, members as declared, embedded structs in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.descriptions import ClassTable, MemberDescription
from assets_pipeline.packfile.layout import MAX_CLASS_DEPTH, Layout, class_layout, known_class, member_extent
from assets_pipeline.packfile.member_types import ARRAY_TYPES, STRING_TYPES, MemberType, number_form

MAX_FIELDS = 1 << 11  # and structs; the largest real class has 124, a hostile description asks for millions
MAX_PATH_CHARACTERS = 1 << 20  # of all fields together; the largest real class has 1 380
NATIVE_POINTER = 8  # `ulong` members are kept in 64 bits


class LinkKind(Enum):
    """What a link member leads to; placing.pyx knows the numbers."""

    POINTER = 1  # an object
    CLASS = 2  # the second word of a variant: the hkClass of what the first points to
    STRING = 3
    NUMBERS = 4  # an array of numbers
    POINTERS = 5  # an array of pointers to objects
    STRINGS = 6
    STRUCTS = 7  # an array of embedded structs


ARRAYS = frozenset((LinkKind.NUMBERS, LinkKind.POINTERS, LinkKind.STRINGS, LinkKind.STRUCTS))
LEADING = frozenset((LinkKind.POINTER, LinkKind.CLASS, LinkKind.POINTERS, LinkKind.STRUCTS))


@dataclass(frozen=True)
class Link:
    """A pointer, string or array member: its path in the object, kind and element.

    `class_name` is the class pointed to or embedded, None for any; `code` and `shape` are the numpy form of
    the elements of a number array (native ulong); `wide` marks ulong elements; `capacity` a third word after
    the size.
    """

    path: str
    kind: LinkKind
    class_name: str | None = None
    code: str = ""
    shape: tuple[int, ...] = ()
    wide: bool = False
    capacity: bool = True


@dataclass(frozen=True)
class FlatMember:
    """A member, or one element of a C array of structs, at its place in the flattened object."""

    path: str
    owner: str
    member: MemberDescription
    offset: int


@dataclass(frozen=True, eq=False)
class RecordPlan:
    """A class flattened: the dtype of its number fields (None without any) and its links in walk order.

    `kinds` are the links' kinds as bytes; `leads` are the numbers and kinds of those that may lead to
    objects.
    """

    table: ClassTable
    class_name: str
    dtype: np.dtype[Any] | None
    links: tuple[Link, ...]
    kinds: bytes
    leads: tuple[tuple[int, int], ...]

    def new_record(self) -> Any:
        """Return a fresh row of zeros, or None when the class holds no number."""
        return None if self.dtype is None else np.zeros(1, self.dtype)[0]


def record_plan(table: ClassTable, class_name: str) -> RecordPlan:
    """Return the plan of a class; raise PackfileError when a class in it is unknown or has no layout rule."""
    key = ("plan", class_name)
    cached = table.cache.get(key)
    if isinstance(cached, RecordPlan):
        return cached
    fields: list[tuple[str, str, tuple[int, ...]]] = []
    links: list[Link] = []
    characters = 0
    for flat in flat_members(table, class_name, Layout(), stated=False):
        if flat.member.ignored:
            continue
        characters += len(flat.path) * (max(1, flat.member.array_size) if is_link(flat.member) else 1)
        if characters > MAX_PATH_CHARACTERS:
            raise PackfileError(None, f"class {class_name}", "its members' paths have no end")
        if is_link(flat.member):
            links += _links(flat)
        else:
            fields.append(_field(flat))
        if len(fields) + len(links) > MAX_FIELDS:
            raise PackfileError(None, f"class {class_name}", f"more than {MAX_FIELDS} members")
    kinds = bytes(link.kind.value for link in links)
    leads = tuple((k, link.kind.value) for k, link in enumerate(links) if link.kind in LEADING)
    plan = RecordPlan(table, class_name, np.dtype(fields) if fields else None, tuple(links), kinds, leads)
    table.cache[key] = plan
    return plan


def flat_members(
    table: ClassTable, class_name: str, layout: Layout, stated: bool = True
) -> Iterator[FlatMember]:
    """Yield the members of a class in walk order with their offsets, embedded structs opened, ignored ones
    whole.

    Raises:
        PackfileError: as `class_layout`.
    """
    yield from _flat(table, class_name, layout, stated, 0, "", 0, [0])


def _flat(
    table: ClassTable,
    class_name: str,
    layout: Layout,
    stated: bool,
    base: int,
    prefix: str,
    depth: int,
    opened: list[int],
) -> Iterator[FlatMember]:
    opened[0] += 1  # of all structs so far: empty ones yield nothing that could be counted
    if opened[0] > MAX_FIELDS:
        raise PackfileError(None, f"class {class_name}", f"more than {MAX_FIELDS} structs in one class")
    if depth > MAX_CLASS_DEPTH:
        raise PackfileError(None, f"class {class_name}", f"nested deeper than {MAX_CLASS_DEPTH} classes")
    class_layout(table, class_name, layout, stated)  # refuses classes that are unknown or hold themselves
    for description in reversed(list(table.ancestry(class_name))):
        offsets = class_layout(table, description.name, layout, stated).offsets
        for member, offset in zip(description.members, offsets, strict=True):
            path = prefix + member.name
            if member.type is not MemberType.STRUCT or member.ignored:
                yield FlatMember(path, description.name, member, base + offset)
                continue
            inner = member.class_name
            if inner is None:
                raise PackfileError(None, f"{description.name}.{member.name}", "a struct without a class")
            if not member.array_size:
                yield from _flat(table, inner, layout, stated, base + offset, path + ".", depth + 1, opened)
                continue
            stride = class_layout(table, inner, layout, stated).size
            for index in range(member.array_size):
                start = base + offset + index * stride
                yield from _flat(table, inner, layout, stated, start, f"{path}.{index}.", depth + 1, opened)


def is_link(member: MemberDescription) -> bool:
    """Return whether a member is a pointer, string, array or variant: a slot that fixups fill."""
    link_types = (MemberType.POINTER, MemberType.FUNCTIONPOINTER, MemberType.VARIANT)
    return member.type in link_types or member.type in STRING_TYPES or member.type in ARRAY_TYPES


def link_stride(member: MemberDescription, table: ClassTable, owner: str, layout: Layout) -> int:
    """Return the bytes from one element of a C array of links to the next."""
    size, _ = member_extent(table, known_class(table, owner), member, layout)
    return size // max(1, member.array_size)


def _field(flat: FlatMember) -> tuple[str, str, tuple[int, ...]]:
    member = flat.member
    form = number_form(member.type, member.subtype, NATIVE_POINTER)
    if form is None:
        raise PackfileError(None, f"{flat.owner}.{member.name}", f"type {member.type.name} can't be read")
    shape = (member.array_size, *form.shape) if member.array_size else form.shape
    return flat.path, "=" + form.code, shape


def _links(flat: FlatMember) -> list[Link]:
    """Return the links of a member: one, or one for each element of a C array; a variant is two."""
    member = flat.member
    paths = [flat.path] if not member.array_size else [f"{flat.path}.{i}" for i in range(member.array_size)]
    if member.type is MemberType.VARIANT:
        return [
            link
            for path in paths
            for link in (Link(path, LinkKind.POINTER), Link(path + ".class", LinkKind.CLASS, "hkClass"))
        ]
    if member.type in STRING_TYPES:
        return [Link(path, LinkKind.STRING) for path in paths]
    if member.type in ARRAY_TYPES:
        return [_array_link(path, flat) for path in paths]
    target = member.class_name if member.type is MemberType.POINTER else None
    return [Link(path, LinkKind.POINTER, target) for path in paths]


def _array_link(path: str, flat: FlatMember) -> Link:
    member = flat.member
    capacity = member.type is MemberType.ARRAY
    if member.subtype is MemberType.STRUCT and member.class_name is not None:
        return Link(path, LinkKind.STRUCTS, member.class_name, capacity=capacity)
    if member.subtype is MemberType.POINTER:
        return Link(path, LinkKind.POINTERS, member.class_name, capacity=capacity)
    if member.subtype in STRING_TYPES:
        return Link(path, LinkKind.STRINGS, capacity=capacity)
    form = number_form(member.subtype, MemberType.VOID, NATIVE_POINTER)
    if form is None:
        raise PackfileError(
            None, f"{flat.owner}.{member.name}", f"an array of {member.subtype.name} can't be read"
        )
    wide = member.subtype is MemberType.ULONG
    return Link(path, LinkKind.NUMBERS, None, form.code, form.shape, wide, capacity)
