"""The objects of a packfile: typed by the class table, with their members by name.

    box = HavokObject("hkpBoxShape", radius=0.05, halfExtents=(1, 2, 3, 0))
    box.halfExtents[0], box["halfExtents"]

Numbers are Python numbers, vectors and matrices numpy views, strings `str` or None, pointers objects or None,
arrays numpy arrays, lists, or a `HavokStructArray`. Members whose names are no Python names (`2dAng`,
`class`) are reached by [].
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.plan import RecordPlan, record_plan
from assets_pipeline.packfile.slots import ViewClass, assign_struct, view_class

NO_LINKS: list[Any] = []  # shared by all instances of classes without links; nothing is ever put in


class HavokStruct:
    """A view of a class instance: an object, a struct inside one, or an element of an array."""

    __slots__ = ("_class", "_links", "_record")

    _class: ViewClass
    _record: Any
    _links: list[Any]

    @staticmethod
    def _view(view: ViewClass, record: Any, links: list[Any]) -> HavokStruct:
        made = HavokStruct.__new__(HavokStruct)
        _set_class(made, view)
        _set_record(made, record)
        _set_links(made, links)
        return made

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return self._class.class_name

    @property
    def _plan(self) -> RecordPlan:
        return self._class.plan

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what the copy module asks for before the slots are filled
            raise AttributeError(name)
        slot = self._class.slots.get(name)
        if slot is None:
            raise AttributeError(f"{self.class_name} has no member {name!r}")
        return slot.get(self)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getitem__(self, name: str) -> Any:
        slot = self._class.slots.get(name)
        if slot is None:
            raise KeyError(name)
        return slot.get(self)

    def __setitem__(self, name: str, value: Any) -> None:
        slot = self._class.slots.get(name)
        if slot is None:
            raise AttributeError(f"{self.class_name} has no member {name!r}")
        slot.set(self, value)

    def __contains__(self, name: str) -> bool:
        return name in self._class.slots

    def __iter__(self) -> Iterator[str]:
        """Iterate over the member names, parents' first, in declared order."""
        return iter(self._class.slots)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._class.slots]

    def __deepcopy__(self, memo: dict[int, Any]) -> HavokStruct:
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        _set_class(made, self._class)
        _set_record(made, _copied(self._record))
        _set_links(made, copy.deepcopy(self._links, memo))
        return made

    def is_a(self, class_name: str) -> bool:
        """Return whether the class is `class_name` or descends from it."""
        return self._plan.table.is_derived(self.class_name, class_name)

    def __repr__(self) -> str:
        return f"<{self.class_name}>"


# `__setattr__` sets members: these set the three slots themselves.
_set_class: Callable[[HavokStruct, ViewClass], None] = HavokStruct.__dict__["_class"].__set__
_set_record: Callable[[HavokStruct, Any], None] = HavokStruct.__dict__["_record"].__set__
_set_links: Callable[[HavokStruct, list[Any]], None] = HavokStruct.__dict__["_links"].__set__


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
        _set_class(self, view_class(plan))
        _set_record(self, plan.new_record())
        _set_links(self, [None] * len(plan.links))
        for name, value in members.items():
            self[name] = value

    @staticmethod
    def _made(view: ViewClass, record: Any, links: list[Any]) -> HavokObject:
        made = HavokObject.__new__(HavokObject)
        _set_class(made, view)
        _set_record(made, record)
        _set_links(made, links)
        return made

    def __repr__(self) -> str:
        name = self["name"] if "name" in self._class.slots else None
        return f"<{self.class_name} {name!r}>" if isinstance(name, str) else f"<{self.class_name}>"


class HavokStructArray:
    """An array of structs: a sequence of `HavokStruct` views, with `column` for one member of all."""

    __slots__ = ("_links", "_plan", "_records")

    def __init__(self, plan: RecordPlan, count: int) -> None:
        """Make an array of `count` structs of zeros."""
        self._plan = plan
        self._records = np.zeros(count, plan.dtype) if plan.dtype is not None else None
        self._links: list[list[Any]] = [
            [None] * len(plan.links) if plan.links else NO_LINKS for _ in range(count)
        ]

    @property
    def class_name(self) -> str:
        """The class of the elements."""
        return self._plan.class_name

    @property
    def _view_class(self) -> ViewClass:
        return view_class(self._plan)

    def __len__(self) -> int:
        return len(self._links)

    def __getitem__(self, index: int) -> HavokStruct:
        links = self._links[index]
        record = None if self._records is None else self._records[index]
        return HavokStruct._view(view_class(self._plan), record, links)

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
        """Add a struct with the members of `value` (a struct of the class or a mapping) and `members`; return it."""
        if self._records is not None:
            self._records = np.append(self._records, np.zeros(1, self._records.dtype))
        self._links.append([None] * len(self._plan.links))
        made = self[len(self) - 1]
        if value is not None:
            assign_struct(made, value)
        for name, one in members.items():
            made[name] = one
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> HavokStructArray:
        made = HavokStructArray(self._plan, 0)
        memo[id(self)] = made
        made._records = None if self._records is None else self._records.copy()
        made._links = copy.deepcopy(self._links, memo)
        return made

    def __repr__(self) -> str:
        return f"<{len(self)} x {self.class_name}>"


def _copied(record: Any) -> Any:
    """Return a row of its own with the numbers of `record`."""
    if record is None:
        return None
    row = np.zeros(1, record.dtype)
    row[0] = record
    return row[0]
