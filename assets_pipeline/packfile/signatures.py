"""Class signatures: the CRC-32 over a class description (havok: How a signature is computed)."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import (
    ClassDescription,
    ClassTable,
    EnumDescription,
    MemberDescription,
)
from assets_pipeline.packfile.layout import MAX_CLASS_DEPTH, known_class
from assets_pipeline.packfile.member_types import ENUM_TYPES, NUMBER_FORMS, MemberFlag, MemberType

# Bounds what a hostile description can make us hash: each level may name a class twice. Real ones stay under
# 16 kB.
MAX_HASHED_BYTES = 1 << 18


def signature(class_name: str, table: ClassTable = BUILT_IN) -> int:
    """Return the signature of a class, computed from its description.

    Args:
        class_name: such as `hkpRigidBody`.
        table: where descriptions are looked up; the built-in 7.1.0-r1 classes unless a file brings its own.

    Raises:
        PackfileError: the class, a parent or an embedded class is unknown, or nests without end.
    """
    key = ("signature", class_name)
    cached = table.cache.get(key)
    if not isinstance(cached, int):
        cached = zlib.crc32(hashed_bytes(class_name, table))
        table.cache[key] = cached
    return cached


def hashed_bytes(class_name: str, table: ClassTable = BUILT_IN) -> bytes:
    """Return the byte string that a signature is the CRC-32 of. Raises as `signature`."""
    return _chain(table, class_name, 0)


def _chain(table: ClassTable, class_name: str, depth: int) -> bytes:
    """Return the description of a class, then of each parent up to the root."""
    key = ("hashed", class_name)
    cached = table.cache.get(key)
    if isinstance(cached, bytes):
        return cached
    if depth > MAX_CLASS_DEPTH:
        raise PackfileError(None, f"class {class_name}", "its description nests without end")
    known_class(table, class_name)
    out, last = bytearray(), class_name
    for description in table.ancestry(class_name):
        _add_class(out, table, description, depth)
        last = description.name
        if len(out) > MAX_HASHED_BYTES:
            raise PackfileError(None, f"class {class_name}", "its description nests without end")
    parent = known_class(table, last).parent
    if parent is not None:
        raise PackfileError(None, f"class {last}", f"its parent {parent} is unknown or its own descendant")
    table.cache[key] = made = bytes(out)
    return made


def _add_class(out: bytearray, table: ClassTable, description: ClassDescription, depth: int) -> None:
    out += struct.pack("<i", description.interfaces)
    for enum in description.enums:
        _add_enum(out, enum)
    out += struct.pack("<i", len(description.enums))
    for member in description.members:
        embedded = MemberType.POINTER not in (member.type, member.subtype)
        if len(out) > MAX_HASHED_BYTES:
            raise PackfileError(None, f"class {description.name}", "its description nests without end")
        if member.class_name is not None and embedded:
            out += _chain(table, member.class_name, depth + 1)
        if member.enum is not None:
            _add_enum(out, member.enum)
        out += member.name.encode("utf-8", "surrogateescape")
        out += b"".join(struct.pack("<H", value & 0xFFFF) for value in _hashed_words(member))
    out += struct.pack("<i", len(description.members))


def _add_enum(out: bytearray, enum: EnumDescription) -> None:
    out += enum.name.encode("utf-8", "surrogateescape")
    for name, value in enum.items:
        out += name.encode("utf-8", "surrogateescape") + struct.pack("<I", value & 0xFFFFFFFF)
    out += struct.pack("<i", len(enum.items))


def _hashed_words(member: MemberDescription) -> Iterator[int]:
    """Yield type, sub-type, the extra word where there is one, C-array size and flags, rewritten as they are hashed."""
    member_type, subtype, flags = member.type, member.subtype, member.flags
    if member_type in ENUM_TYPES:
        form = NUMBER_FORMS.get(subtype)
        flags ^= 8 * (form.size if form else 0)  # the storage size takes the place of the storage type
        subtype = MemberType.VOID
    if not flags & MemberFlag.SERIALIZE_IGNORED:
        yield from (member_type, subtype)
    else:
        flags &= ~MemberFlag.SERIALIZE_IGNORED
        yield from (MemberType.ZERO, member_type)
        if subtype is not MemberType.VOID:
            yield subtype
    yield from (member.array_size, flags)
