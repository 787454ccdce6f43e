"""Slots: how one member of an object is read and set, by the kind of value that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assets_pipeline.packfile.descriptions import ClassTable, EnumDescription, MemberDescription
from assets_pipeline.packfile.layout import known_class
from assets_pipeline.packfile.member_types import ARRAY_TYPES, ENUM_TYPES, MemberType
from assets_pipeline.packfile.plan import Link, LinkKind, RecordPlan, is_link, record_plan

if TYPE_CHECKING:
    from assets_pipeline.packfile.objects import HavokStruct


class EnumValue(int):
    """The number of an enumeration member, with the `name` of its item (None when no item has it)."""

    name: str | None

    def __new__(cls, value: int, enum: EnumDescription | None = None) -> EnumValue:
        """Make the value; its name comes from `enum`."""
        made = super().__new__(cls, value)
        made.name = enum.name_of(value) if enum is not None else None
        return made

    def __getnewargs__(self) -> tuple[int]:
        return (int(self),)


@dataclass(frozen=True)
class NumberSlot:
    """A number or an array of numbers in the record: int, float, or a numpy view."""

    field: str

    def get(self, owner: HavokStruct) -> Any:
        """Return the value: a Python number, or a view that writes through."""
        value = owner._record[self.field]
        return value if isinstance(value, np.ndarray) else value.item()

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Store a value; numpy raises for one that doesn't fit."""
        owner._record[self.field] = value


@dataclass(frozen=True)
class BoolSlot(NumberSlot):
    """A bool: any byte but 0 is true; the byte itself is kept until it is set."""

    def get(self, owner: HavokStruct) -> bool:
        """Return whether the byte is not 0."""
        return bool(owner._record[self.field])

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Store 0 or 1."""
        owner._record[self.field] = bool(value)


@dataclass(frozen=True)
class HalfSlot(NumberSlot):
    """A 16-bit float that is the top half of an f32 (havok: Triangle meshes, material records)."""

    def get(self, owner: HavokStruct) -> float:
        """Return the number."""
        return half_to_float(owner._record[self.field])

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Store the nearest 16-bit float."""
        owner._record[self.field] = float_to_half(value)


@dataclass(frozen=True)
class EnumSlot(NumberSlot):
    """An enumeration or flags member: an int that knows its item's name; set by number or by name."""

    enum: EnumDescription | None

    def get(self, owner: HavokStruct) -> EnumValue:
        """Return the number with its name."""
        return EnumValue(owner._record[self.field].item(), self.enum)

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Store a number, or the number of the item called `value`; raise ValueError for an unknown name."""
        if isinstance(value, str):
            try:
                if self.enum is None:
                    raise KeyError(value)
                value = self.enum.value_of(value)
            except KeyError:
                raise ValueError(
                    f"{self.field}: no item {value!r} in {self.enum and self.enum.name}"
                ) from None
        owner._record[self.field] = value


@dataclass(frozen=True)
class IgnoredSlot:
    """A member that is not serialised: always zero, null or empty."""

    name: str
    value: Any

    def get(self, owner: HavokStruct) -> Any:
        """Return zero, None or an empty tuple."""
        return self.value

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Refuse."""
        raise AttributeError(f"{self.name} is not serialised: it can't be set")


@dataclass(frozen=True)
class StructSlot:
    """An embedded struct: a view into the same object."""

    view: ViewClass

    def get(self, owner: HavokStruct) -> HavokStruct:
        """Return a view that writes through."""
        return owner._inner(self.view)

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Copy the members of a struct, or set those that a mapping names."""
        assign_struct(self.get(owner), value)


@dataclass(frozen=True)
class StructsSlot:
    """A C array of embedded structs."""

    slots: tuple[StructSlot, ...]

    def get(self, owner: HavokStruct) -> tuple[HavokStruct, ...]:
        """Return views that write through."""
        return tuple(slot.get(owner) for slot in self.slots)

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Set each struct from a sequence of the same length."""
        values = list(value)
        if len(values) != len(self.slots):
            raise ValueError(f"{len(self.slots)} structs are needed, got {len(values)}")
        for slot, one in zip(self.slots, values, strict=True):
            slot.set(owner, one)


@dataclass(frozen=True)
class LinkSlot:
    """A pointer, string or array: a value in the object's links."""

    link: Link
    index: int
    table: ClassTable

    def get(self, owner: HavokStruct) -> Any:
        """Return the value; an empty array is made on first use, so that it can be filled."""
        value = owner._links[self.index]
        if value is None and self.link.kind not in (LinkKind.POINTER, LinkKind.CLASS, LinkKind.STRING):
            value = owner._links[self.index] = empty_array(self.link, self.table)
        return value

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Store a value; raise TypeError or ValueError for one of another kind."""
        owner._links[self.index] = link_value(self.link, self.table, value)


@dataclass(frozen=True)
class LinksSlot:
    """A C array of pointers or strings, or the two words of a variant: a tuple."""

    slots: tuple[LinkSlot, ...]

    def get(self, owner: HavokStruct) -> tuple[Any, ...]:
        """Return the values."""
        return tuple(slot.get(owner) for slot in self.slots)

    def set(self, owner: HavokStruct, value: Any) -> None:
        """Set all from a sequence of the same length."""
        values = list(value)
        if len(values) != len(self.slots):
            raise ValueError(f"{len(self.slots)} values are needed, got {len(values)}")
        for slot, one in zip(self.slots, values, strict=True):
            slot.set(owner, one)


Slot = NumberSlot | IgnoredSlot | StructSlot | StructsSlot | LinkSlot | LinksSlot


@dataclass(frozen=True, eq=False)
class ViewClass:
    """A class as it lies in the record of a plan: the plan's own class, or one embedded in it.

    `fast` is how structs.pyx reads each member: an access code, what it needs, and the slot.
    """

    plan: RecordPlan
    class_name: str
    slots: dict[str, Slot]
    fast: dict[str, tuple[int, Any, Slot]]


def view_class(plan: RecordPlan) -> ViewClass:
    """Return the view of a plan's own class: slots by member name, parents' first, in declared order."""
    cached = plan.table.cache.get(("view", plan.class_name))
    if isinstance(cached, ViewClass):
        return cached
    index_of = {link.path: i for i, link in enumerate(plan.links)}
    made = _view_class(plan, plan.class_name, "", index_of)
    plan.table.cache[("view", plan.class_name)] = made
    return made


def _view_class(plan: RecordPlan, class_name: str, prefix: str, index_of: dict[str, int]) -> ViewClass:
    slots: dict[str, Slot] = {}
    known_class(plan.table, class_name)
    for description in reversed(list(plan.table.ancestry(class_name))):
        for member in description.members:
            slots[member.name] = _slot(plan, member, prefix + member.name, index_of)
    return ViewClass(
        plan, class_name, slots, {name: (*_access(plan, slot), slot) for name, slot in slots.items()}
    )


def _access(plan: RecordPlan, slot: Slot) -> tuple[int, Any]:
    """Return the access code of a slot and what it needs; structs.pyx has the codes, 9 is the slot's own way."""
    if isinstance(slot, LinkSlot):
        single = slot.link.kind in (LinkKind.POINTER, LinkKind.CLASS, LinkKind.STRING)
        return (3 if single else 4), slot.index
    if isinstance(slot, StructSlot):
        return 2, slot.view
    if isinstance(slot, BoolSlot):
        return 5, slot.field
    if type(slot) is NumberSlot and plan.dtype is not None:
        return (1 if plan.dtype[slot.field].shape else 0), slot.field
    return 9, None


def _slot(plan: RecordPlan, member: MemberDescription, path: str, index_of: dict[str, int]) -> Slot:
    if member.ignored:
        return IgnoredSlot(member.name, _ignored_value(member))
    if member.type is MemberType.STRUCT:
        inner = member.class_name
        assert inner is not None  # record_plan has refused it
        if not member.array_size:
            return StructSlot(_view_class(plan, inner, path + ".", index_of))
        return StructsSlot(
            tuple(
                StructSlot(_view_class(plan, inner, f"{path}.{i}.", index_of))
                for i in range(member.array_size)
            )
        )
    if is_link(member):
        start = index_of[path + ".0" if member.array_size else path]
        count = max(1, member.array_size) * (2 if member.type is MemberType.VARIANT else 1)
        links = tuple(LinkSlot(plan.links[i], i, plan.table) for i in range(start, start + count))
        return links[0] if not member.array_size and count == 1 else LinksSlot(links)
    if member.array_size:
        return NumberSlot(path)
    if member.type in ENUM_TYPES:
        return EnumSlot(path, member.enum)
    if member.type is MemberType.BOOL:
        return BoolSlot(path)
    if member.type is MemberType.HALF:
        return HalfSlot(path)
    return NumberSlot(path)


def _ignored_value(member: MemberDescription) -> Any:
    if member.type in ARRAY_TYPES or member.array_size:
        return ()
    return None if is_link(member) or member.type is MemberType.STRUCT else 0


def empty_array(link: Link, table: ClassTable) -> Any:
    """Return an empty value of an array link."""
    from assets_pipeline.packfile.objects import HavokStructArray

    if link.kind is LinkKind.NUMBERS:
        return np.zeros((0, *link.shape), link.code)
    if link.kind is LinkKind.STRUCTS:
        assert link.class_name is not None
        return HavokStructArray(record_plan(table, link.class_name), 0)
    return []


def link_value(link: Link, table: ClassTable, value: Any) -> Any:
    """Return `value` in the form that a link of this kind holds; raise TypeError or ValueError when it can't be."""
    from assets_pipeline.packfile.objects import HavokStructArray

    match link.kind:
        case LinkKind.POINTER | LinkKind.CLASS:
            return _checked_pointer(link, table, value)
        case LinkKind.STRING:
            return _checked_string(link, value)
        case LinkKind.NUMBERS:
            return _checked_numbers(link, value)
        case LinkKind.POINTERS:
            return [_checked_pointer(link, table, one) for one in _elements(link, value)]
        case LinkKind.STRINGS:
            return [_checked_string(link, one) for one in _elements(link, value)]
        case LinkKind.STRUCTS:
            assert link.class_name is not None
            if isinstance(value, HavokStructArray) and value.class_name == link.class_name:
                return value
            made = HavokStructArray(record_plan(table, link.class_name), 0)
            for one in _elements(link, value):
                made.append(one)
            return made


def _checked_numbers(link: Link, value: Any) -> np.ndarray[Any, Any]:
    given = np.asarray(value)
    lanes = int(np.prod(link.shape, dtype=np.int64))
    # Numbers in a row may stand for vectors, and rows of numbers for a row; (4, 3) are not three vectors of four.
    fits = not given.size or given.shape[1:] == link.shape or not link.shape
    if not fits and (given.ndim != 1 or given.size % lanes):
        raise ValueError(
            f"{link.path}: needs an array (n, {', '.join(map(str, link.shape))}), got {given.shape}"
        )
    if given.size and given.dtype.kind in "iuf" and np.dtype(link.code).kind in "iu":
        with np.errstate(invalid="ignore"):
            if given.dtype.kind == "f" and not (given % 1 == 0).all():  # also refuses what is not finite
                raise ValueError(f"{link.path}: needs whole numbers")
        limits = np.iinfo(link.code)
        low, high = int(given.min()), int(given.max())
        if low < limits.min or high > limits.max:  # numpy would wrap them round
            raise ValueError(f"{link.path}: holds {low} to {high}, {limits.min} to {limits.max} fit")
    return np.ascontiguousarray(given, link.code).reshape(-1, *link.shape)


def _elements(link: Link, value: Any) -> Iterable[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | Iterable):
        raise TypeError(f"{link.path}: needs a sequence, got {type(value).__name__}")
    return value


def _checked_string(link: Link, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{link.path}: needs text or None, got {type(value).__name__}")
    if value is not None and "\0" in value:
        raise ValueError(f"{link.path}: text with a NUL can't be written")
    return value


def _checked_pointer(link: Link, table: ClassTable, value: Any) -> Any:
    from assets_pipeline.packfile.objects import HavokObject

    if value is None:
        return None
    if not isinstance(value, HavokObject):
        raise TypeError(f"{link.path}: needs an object or None, got {type(value).__name__}")
    if not points_to(link, table, value):
        raise TypeError(f"{link.path}: needs a {link.class_name}, got a {value.class_name}")
    return value


def points_to(link: Link, table: ClassTable, target: HavokStruct) -> bool:
    """Return whether an object is of the class that a link points to, or descends from it."""
    wanted = link.class_name
    if wanted is None or wanted not in table or target.class_name not in target._plan.table:
        return True
    return target._plan.table.is_derived(target.class_name, wanted)


def assign_struct(target: HavokStruct, value: Any) -> None:
    """Set the members of a struct from another of the same class, or from a mapping by name."""
    from assets_pipeline.packfile.objects import HavokStruct

    if isinstance(value, Mapping):
        for name, one in value.items():
            target[name] = one
        return
    if not isinstance(value, HavokStruct) or value.class_name != target.class_name:
        raise TypeError(f"needs a {target.class_name} or a mapping, got {value!r}")
    for name, slot in target._class.slots.items():
        if not isinstance(slot, IgnoredSlot):
            target[name] = value[name]


def half_to_float(bits: Any) -> float:
    """Return the f32 whose top 16 bits are `bits`."""
    return np.array([int(bits) << 16], np.uint32).view(np.float32)[0].item()  # type: ignore[no-any-return]


def float_to_half(value: float) -> int:
    """Return the top 16 bits of `value` as an f32, rounded to nearest, ties to even."""
    bits = int(np.array([value], np.float32).view(np.uint32)[0])
    if bits & 0x7F800000 == 0x7F800000:  # infinities and NaNs are cut, never rounded up
        return bits >> 16
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
