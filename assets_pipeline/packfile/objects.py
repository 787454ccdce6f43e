"""The objects of a packfile: typed by the class table, with their members by name.

    box = HavokObject("hkpBoxShape", radius=0.05, halfExtents=(1, 2, 3, 0))
    box.halfExtents[0], box["halfExtents"]

Numbers are Python numbers, vectors and matrices numpy views, strings `str` or None, pointers objects or None,
arrays numpy arrays, lists, or a `HavokStructArray`. Members whose names are no Python names (`2dAng`,
`class`) are reached by [].
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.plan import RecordPlan, record_plan
from assets_pipeline.packfile.slots import Slot, assign_struct, member_slots


class HavokStruct:
    """A view of a class instance: an object, a struct inside one, or an element of an array."""

    __slots__ = ("_links", "_plan", "_record", "_slots", "class_name")

    class_name: str
    _plan: RecordPlan
    _record: Any
    _links: list[Any]
    _slots: dict[str, Slot]

    @classmethod
    def _view(
        cls, plan: RecordPlan, class_name: str, prefix: str, record: Any, links: list[Any]
    ) -> HavokStruct:
        made = HavokStruct.__new__(HavokStruct)
        fill = object.__setattr__
        fill(made, "_plan", plan)
        fill(made, "class_name", class_name)
        fill(made, "_record", record)
        fill(made, "_links", links)
        fill(made, "_slots", member_slots(plan, class_name, prefix))
        return made

    def _inner(self, class_name: str, prefix: str) -> HavokStruct:
        return self._view(self._plan, class_name, prefix, self._record, self._links)

    def __getattr__(self, name: str) -> Any:
        slot = self._slots.get(name)
        if slot is None:
            raise AttributeError(f"{self.class_name} has no member {name!r}")
        return slot.get(self)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getitem__(self, name: str) -> Any:
        slot = self._slots.get(name)
        if slot is None:
            raise KeyError(name)
        return slot.get(self)

    def __setitem__(self, name: str, value: Any) -> None:
        slot = self._slots.get(name)
        if slot is None:
            raise AttributeError(f"{self.class_name} has no member {name!r}")
        slot.set(self, value)

    def __contains__(self, name: str) -> bool:
        return name in self._slots

    def __iter__(self) -> Iterator[str]:
        """Iterate over the member names, parents' first, in declared order."""
        return iter(self._slots)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._slots]

    def is_a(self, class_name: str) -> bool:
        """Return whether the class is `class_name` or descends from it."""
        return self._plan.table.is_derived(self.class_name, class_name)

    def __repr__(self) -> str:
        return f"<{self.class_name}>"


class HavokObject(HavokStruct):
    """An object of its own, that pointers can name. Two are equal only when they are the same."""

    __slots__ = ("__weakref__",)

    def __init__(self, class_name: str, table: ClassTable = BUILT_IN, /, **members: Any) -> None:
        """Make an object of zeros, nulls and empty arrays, then set `members`.

        Raises:
            PackfileError: the class is unknown.
            AttributeError: it has no such member; TypeError or ValueError: a value doesn't fit the member.
        """
        plan = record_plan(table, class_name)
        self._fill(plan, plan.new_record(), [None] * len(plan.links))
        for name, value in members.items():
            self[name] = value

    def _fill(self, plan: RecordPlan, record: Any, links: list[Any]) -> None:
        fill = object.__setattr__
        fill(self, "_plan", plan)
        fill(self, "class_name", plan.class_name)
        fill(self, "_record", record)
        fill(self, "_links", links)
        fill(self, "_slots", member_slots(plan, plan.class_name, ""))

    def __repr__(self) -> str:
        name = self["name"] if "name" in self._slots else None
        return f"<{self.class_name} {name!r}>" if isinstance(name, str) else f"<{self.class_name}>"


class HavokStructArray:
    """An array of structs: a sequence of `HavokStruct` views, with `column` for one member of all."""

    __slots__ = ("_links", "_plan", "_records")

    def __init__(self, plan: RecordPlan, count: int) -> None:
        """Make an array of `count` structs of zeros."""
        self._plan = plan
        self._records = np.zeros(count, plan.dtype) if plan.dtype is not None else None
        self._links: list[list[Any]] = [[None] * len(plan.links) for _ in range(count)]

    @property
    def class_name(self) -> str:
        """The class of the elements."""
        return self._plan.class_name

    def __len__(self) -> int:
        return len(self._links)

    def __getitem__(self, index: int) -> HavokStruct:
        links = self._links[index]
        record = None if self._records is None else self._records[index]
        return HavokStruct._view(self._plan, self._plan.class_name, "", record, links)

    def __iter__(self) -> Iterator[HavokStruct]:
        return (self[i] for i in range(len(self)))

    def column(self, path: str) -> np.ndarray[Any, Any]:
        """Return one number member of all elements as an array that writes through; `path` joins structs by
        dots.

        Halves come as their 16 bits. Raises KeyError when the class has no such number.
        """
        if self._records is None or path not in (self._records.dtype.names or ()):
            raise KeyError(path)
        return self._records[path]

    def append(self, value: Any = None, /, **members: Any) -> HavokStruct:
        """Add a struct with the members of `value` (a struct of the class or a mapping) and `members`; return
        it.
        """
        if self._records is not None:
            self._records = np.append(self._records, np.zeros(1, self._records.dtype))
        self._links.append([None] * len(self._plan.links))
        made = self[len(self) - 1]
        if value is not None:
            assign_struct(made, value)
        for name, one in members.items():
            made[name] = one
        return made

    def __repr__(self) -> str:
        return f"<{len(self)} x {self.class_name}>"
