"""Class descriptions: what a class, its members and its enumerations are called and made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assets_pipeline.packfile.member_types import MemberFlag, MemberType

UNKNOWN_VERSION = -1  # the runtime dump gives no described version for the class


@dataclass(frozen=True)
class EnumDescription:
    """An enumeration: its name and its items in declared order. `bits` are the storage-independent flags word."""

    name: str
    items: tuple[tuple[str, int], ...]
    bits: int = 0

    def name_of(self, value: int) -> str | None:
        """Return the first item's name that has `value`, or None."""
        return next((name for name, item in self.items if item == value), None)

    def value_of(self, name: str) -> int:
        """Return the value of the item called `name`; raise KeyError when there is none."""
        for item, value in self.items:
            if item == name:
                return value
        raise KeyError(name)


@dataclass(frozen=True)
class MemberDescription:
    """A declared member, its flags un-rewritten, as runtime metadata holds them.

    `class_name` is the struct, or what a pointer or array element points to. `offset` is the one that a
    file's metadata states, None where only the layout rules give it.
    """

    name: str
    type: MemberType
    subtype: MemberType = MemberType.VOID
    class_name: str | None = None
    enum: EnumDescription | None = None
    array_size: int = 0
    flags: int = 0
    offset: int | None = None

    @property
    def ignored(self) -> bool:
        """Whether the member is not serialised."""
        return bool(self.flags & MemberFlag.SERIALIZE_IGNORED)


@dataclass(frozen=True)
class ClassDescription:
    """A class: parent, implemented-interface count, declared enumerations and members.

    `size` is the object size that a file's metadata states, None where only the layout rules give it.
    """

    name: str
    parent: str | None = None
    interfaces: int = 0
    enums: tuple[EnumDescription, ...] = ()
    members: tuple[MemberDescription, ...] = ()
    version: int = UNKNOWN_VERSION
    bits: int = 0
    size: int | None = None


@dataclass
class ClassTable:
    """Class descriptions by name, with a fallback table for names that this one lacks.

    `stated_for` is the layout (`assets_pipeline.packfile.layout.Layout`) that stated offsets and sizes hold
    for.
    """

    classes: dict[str, ClassDescription] = field(default_factory=dict)
    fallback: ClassTable | None = None
    stated_for: object = None

    def __post_init__(self) -> None:
        self.cache: dict[object, object] = {}  # plans, layouts and signatures derived from the descriptions

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def get(self, name: str) -> ClassDescription | None:
        """Return the description of `name`, or None."""
        found = self.classes.get(name)
        if found is None and self.fallback is not None:
            return self.fallback.get(name)
        return found

    def __getitem__(self, name: str) -> ClassDescription:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def names(self) -> list[str]:
        """Return all names, the table's own first."""
        own = list(self.classes)
        if self.fallback is not None:
            own += [name for name in self.fallback.names() if name not in self.classes]
        return own

    def ancestry(self, name: str) -> Iterator[ClassDescription]:
        """Yield the class called `name`, its parent, and so on to the root or an unknown name."""
        seen: set[str] = set()
        current: str | None = name
        while current is not None and current not in seen:
            seen.add(current)
            found = self.get(current)
            if found is None:
                return
            yield found
            current = found.parent

    def is_derived(self, name: str, ancestor: str) -> bool:
        """Return whether the class called `name` is `ancestor` or descends from it."""
        key = ("derived", name, ancestor)
        cached = self.cache.get(key)
        if cached is None:
            cached = any(description.name == ancestor for description in self.ancestry(name))
            self.cache[key] = cached
        return bool(cached)
