"""The member types of Havok class descriptions: their numbers, sizes and numpy forms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag


class MemberType(IntEnum):
    """Havok's member type numbers (havok: How a signature is computed, Class metadata)."""

    VOID = 0
    BOOL = 1
    CHAR = 2
    INT8 = 3
    UINT8 = 4
    INT16 = 5
    UINT16 = 6
    INT32 = 7
    UINT32 = 8
    INT64 = 9
    UINT64 = 10
    REAL = 11
    VECTOR4 = 12
    QUATERNION = 13
    MATRIX3 = 14
    ROTATION = 15
    QSTRANSFORM = 16
    MATRIX4 = 17
    TRANSFORM = 18
    ZERO = 19
    POINTER = 20
    FUNCTIONPOINTER = 21
    ARRAY = 22
    INPLACEARRAY = 23
    ENUM = 24
    STRUCT = 25
    SIMPLEARRAY = 26
    HOMOGENEOUSARRAY = 27
    VARIANT = 28
    CSTRING = 29
    ULONG = 30
    FLAGS = 31
    HALF = 32
    STRINGPTR = 33


class MemberFlag(IntFlag):
    """The flag bits of a member."""

    ALIGN_8 = 128
    ALIGN_16 = 256
    NOT_OWNED = 512
    SERIALIZE_IGNORED = 1024


@dataclass(frozen=True)
class NumberForm:
    """How one value of a number type lies in memory: numpy code, shape, size and alignment in bytes."""

    code: str
    shape: tuple[int, ...]
    size: int
    alignment: int


def _number(code: str, size: int, alignment: int | None = None) -> NumberForm:
    return NumberForm(code, (), size, size if alignment is None else alignment)


# A half is the top 16 bits of an f32, so it is kept as its 16 bits.
# Matrices are columns of four lanes: the fourth lane belongs to the value and is kept.
NUMBER_FORMS: dict[MemberType, NumberForm] = {
    MemberType.BOOL: _number("u1", 1),
    MemberType.CHAR: _number("u1", 1),
    MemberType.INT8: _number("i1", 1),
    MemberType.UINT8: _number("u1", 1),
    MemberType.INT16: _number("i2", 2),
    MemberType.UINT16: _number("u2", 2),
    MemberType.INT32: _number("i4", 4),
    MemberType.UINT32: _number("u4", 4),
    MemberType.INT64: _number("i8", 8),
    MemberType.UINT64: _number("u8", 8),
    MemberType.REAL: _number("f4", 4),
    MemberType.HALF: _number("u2", 2),
    MemberType.VECTOR4: NumberForm("f4", (4,), 16, 16),
    MemberType.QUATERNION: NumberForm("f4", (4,), 16, 16),
    MemberType.MATRIX3: NumberForm("f4", (3, 4), 48, 16),
    MemberType.ROTATION: NumberForm("f4", (3, 4), 48, 16),
    MemberType.QSTRANSFORM: NumberForm("f4", (3, 4), 48, 16),
    MemberType.MATRIX4: NumberForm("f4", (4, 4), 64, 16),
    MemberType.TRANSFORM: NumberForm("f4", (4, 4), 64, 16),
}

ENUM_STORAGE = frozenset(
    (
        MemberType.INT8,
        MemberType.UINT8,
        MemberType.INT16,
        MemberType.UINT16,
        MemberType.INT32,
        MemberType.UINT32,
        MemberType.INT64,
        MemberType.UINT64,
    )
)
STRING_TYPES = frozenset((MemberType.CSTRING, MemberType.STRINGPTR))
ENUM_TYPES = frozenset((MemberType.ENUM, MemberType.FLAGS))
ARRAY_TYPES = frozenset((MemberType.ARRAY, MemberType.SIMPLEARRAY))


def number_form(member_type: MemberType, subtype: MemberType, pointer_size: int) -> NumberForm | None:
    """Return the form of a number member or element in a layout, or None when the type is no number.

    Args:
        member_type: the type of the member, or the subtype of an array.
        subtype: the storage type of an enum or flags member.
        pointer_size: bytes of a pointer, 4 or 8: `ulong` is as wide.
    """
    if member_type is MemberType.ULONG:
        return _number(f"u{pointer_size}", pointer_size)
    if member_type in ENUM_TYPES:
        return NUMBER_FORMS[subtype] if subtype in ENUM_STORAGE else None
    return NUMBER_FORMS.get(member_type)
