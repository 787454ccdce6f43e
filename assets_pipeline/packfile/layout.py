"""Layout rules: where the members of a class lie for a pointer size, byte order and padding rule."""

from __future__ import annotations

from dataclasses import dataclass

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.descriptions import ClassDescription, ClassTable, MemberDescription
from assets_pipeline.packfile.member_types import MemberFlag, MemberType, number_form

# Descriptions come from files too: these bound what a hostile one can ask for.
MAX_CLASS_SIZE = 1 << 16  # the largest real class has 704 bytes
MAX_CLASS_DEPTH = 64


@dataclass(frozen=True)
class Layout:
    """The layout rules of a file, the four bytes at 0x10 of its header."""

    pointer_size: int = 4
    little_endian: bool = False
    reuse_padding: bool = True
    empty_base: bool = True

    @property
    def byte_order(self) -> str:
        """The numpy and struct prefix of the byte order."""
        return "<" if self.little_endian else ">"

    @property
    def rules(self) -> tuple[int, int, int, int]:
        """The four header bytes."""
        return (self.pointer_size, int(self.little_endian), int(self.reuse_padding), int(self.empty_base))

    def __str__(self) -> str:
        return "{} {} {} {}".format(*self.rules)


@dataclass(frozen=True)
class ClassLayout:
    """Where a class's own members lie: offsets, end of the last one, size and alignment in bytes."""

    offsets: tuple[int, ...]
    start: int
    end: int
    size: int
    alignment: int


def class_layout(table: ClassTable, name: str, layout: Layout, stated: bool = True) -> ClassLayout:
    """Return the layout of the class called `name` (havok: Class metadata, the offset rule).

    Args:
        table: descriptions to look classes up in.
        name: the class.
        layout: the file's layout rules.
        stated: take the offsets and sizes that a file's metadata states for this layout, instead of the
        rules.

    Raises:
        PackfileError: a class is unknown, holds itself, or is larger than any real one.
    """
    return _class_layout(table, name, layout, stated, ())


def _class_layout(
    table: ClassTable, name: str, layout: Layout, stated: bool, inside: tuple[str, ...]
) -> ClassLayout:
    stated = stated and table.stated_for == layout
    key = ("layout", name, layout, stated)
    cached = table.cache.get(key)
    if isinstance(cached, ClassLayout):
        return cached
    description = known_class(table, name)
    if name in inside:
        raise PackfileError(None, f"class {name}", "holds or inherits itself")
    if len(inside) >= MAX_CLASS_DEPTH:
        raise PackfileError(None, f"class {name}", f"nested deeper than {MAX_CLASS_DEPTH} classes")
    made = _lay_out(table, description, layout, stated, (*inside, name))
    table.cache[key] = made
    return made


def known_class(table: ClassTable, name: str) -> ClassDescription:
    """Return the description of a class; raise PackfileError when the table has none."""
    description = table.get(name)
    if description is None:
        raise PackfileError(None, f"class {name}", "not in the built-in table nor described by the file")
    return description


def _lay_out(
    table: ClassTable, description: ClassDescription, layout: Layout, stated: bool, inside: tuple[str, ...]
) -> ClassLayout:
    pointer = layout.pointer_size
    position, alignment = 0, 1
    if description.parent is not None:
        parent = _class_layout(table, description.parent, layout, stated, inside)
        alignment = parent.alignment
        position = parent.end if layout.reuse_padding else parent.size
        if parent.end == 0:  # an empty base takes no room, or the one byte of an empty class
            position = 0 if layout.empty_base else 1
    if description.interfaces:
        if not 0 <= description.interfaces <= MAX_CLASS_SIZE // pointer:
            raise PackfileError(None, f"class {description.name}", f"{description.interfaces} interfaces")
        alignment = max(alignment, pointer)
        position = _round_up(position, pointer) + description.interfaces * pointer
    start, offsets = position, []
    for member in description.members:
        size, member_alignment = member_extent(table, description, member, layout, stated, inside)
        alignment = max(alignment, member_alignment)
        offset = _round_up(position, member_alignment)
        if stated and member.offset is not None:
            offset = member.offset
            if offset < position:
                field = f"{description.name}.{member.name}"
                raise PackfileError(None, field, f"stated at {offset}, the member before ends at {position}")
        offsets.append(offset)
        position = offset + size
        if position > MAX_CLASS_SIZE:
            raise PackfileError(None, f"class {description.name}", f"larger than {MAX_CLASS_SIZE} bytes")
    size = max(1, _round_up(position, alignment))
    if stated and description.size is not None:
        if not position <= description.size <= MAX_CLASS_SIZE:
            raise PackfileError(
                None,
                f"class {description.name}",
                f"states {description.size} bytes, its members end at {position}",
            )
        size = max(1, description.size)
    return ClassLayout(tuple(offsets), start, position, size, alignment)


def member_extent(
    table: ClassTable,
    owner: ClassDescription,
    member: MemberDescription,
    layout: Layout,
    stated: bool = True,
    inside: tuple[str, ...] = (),
) -> tuple[int, int]:
    """Return size and alignment of a member; raise PackfileError for a type without a layout rule."""
    size, alignment = _single_extent(table, owner, member, layout, stated, inside)
    if not 0 <= member.array_size <= MAX_CLASS_SIZE:
        raise PackfileError(None, f"{owner.name}.{member.name}", f"a C array of {member.array_size}")
    if member.flags & MemberFlag.ALIGN_16:
        alignment = max(alignment, 16)
    elif member.flags & MemberFlag.ALIGN_8:
        alignment = max(alignment, 8)
    return size * max(1, member.array_size), alignment


def _single_extent(
    table: ClassTable,
    owner: ClassDescription,
    member: MemberDescription,
    layout: Layout,
    stated: bool,
    inside: tuple[str, ...],
) -> tuple[int, int]:
    pointer = layout.pointer_size
    match member.type:
        case MemberType.POINTER | MemberType.FUNCTIONPOINTER | MemberType.CSTRING | MemberType.STRINGPTR:
            return pointer, pointer
        case MemberType.ARRAY:
            return pointer + 8, pointer
        case MemberType.SIMPLEARRAY:
            return _round_up(pointer + 4, pointer), pointer
        case MemberType.VARIANT:
            return 2 * pointer, pointer
        case MemberType.STRUCT if member.class_name is not None:
            inner = _class_layout(table, member.class_name, layout, stated, inside)
            return inner.size, inner.alignment
    form = number_form(member.type, member.subtype, pointer)
    if form is None:
        raise PackfileError(
            None,
            f"{owner.name}.{member.name}",
            f"type {member.type.name} of {member.subtype.name} has no layout rule",
        )
    return form.size, form.alignment


def _round_up(value: int, step: int) -> int:
    return (value + step - 1) // step * step
