"""The objects of a packfile: typed by the class table, with their members by name.

    box = HavokObject("hkpBoxShape", radius=0.05, halfExtents=(1, 2, 3, 0))
    box.halfExtents[0], box["halfExtents"]

Numbers are Python numbers, vectors and matrices numpy views, strings `str` or None, pointers objects or None,
arrays numpy arrays, lists, or a `HavokStructArray`. Members whose names are no Python names (`2dAng`,
`class`) are reached by [].
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.plan import RecordPlan, record_plan
from assets_pipeline.packfile.slots import ViewClass, assign_struct, view_class
from assets_pipeline.packfile.structs import HavokStruct, element, fill

__all__ = ["NO_LINKS", "HavokObject", "HavokStruct", "HavokStructArray"]

NO_LINKS: list[Any] = []  # shared by all instances of classes without links; nothing is ever put in


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
        fill(self, view_class(plan), plan.new_record(), [None] * len(plan.links))
        for name, value in members.items():
            self[name] = value

    def __repr__(self) -> str:
        name = self["name"] if "name" in self else None  # noqa: SIM401
        return f"<{self.class_name} {name!r}>" if isinstance(name, str) else f"<{self.class_name}>"


class HavokStructArray:
    """An array of structs: a sequence of `HavokStruct` views, with `column` for one member of all."""

    __slots__ = ("_links", "_plan", "_records", "_room")

    def __init__(self, plan: RecordPlan, count: int) -> None:
        """Make an array of `count` structs of zeros."""
        self._plan = plan
        self._records = np.zeros(count, plan.dtype) if plan.dtype is not None else None
        self._room: np.ndarray[Any, Any] | None = (
            None  # what `_records` are the first rows of, once it has grown
        )
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

    @classmethod
    def _of(cls, plan: RecordPlan, records: Any, links: list[list[Any]]) -> HavokStructArray:
        made = cls.__new__(cls)
        made._plan, made._records, made._links, made._room = plan, records, links, None
        return made

    def __len__(self) -> int:
        return len(self._links)

    def __getitem__(self, index: int) -> HavokStruct:
        if not -len(self) <= index < len(self):
            raise IndexError(f"{index} of {len(self)} structs")
        return element(self._view_class, self, index % len(self))

    def __iter__(self) -> Iterator[HavokStruct]:
        view = self._view_class
        return (element(view, self, i) for i in range(len(self)))

    def column(self, path: str) -> np.ndarray[Any, Any]:
        """Return one number member of all elements as an array that writes through; `path` joins structs by
        dots.

        Halves come as their 16 bits. Raises KeyError when the class has no such number.
        """
        if self._records is None or path not in (self._records.dtype.names or ()):
            raise KeyError(path)
        return self._records[path]

    def append(self, value: Any = None, /, **members: Any) -> HavokStruct:
        """Add a struct with the members of `value` (a struct of the class or a mapping) and `members`; return it.

        Views stay good; a column taken before is one of the shorter array.
        """
        if self._records is not None:
            count = len(self)
            if self._room is None or len(self._room) == count:
                self._room = np.zeros(max(4, 2 * count), self._records.dtype)
                self._room[:count] = self._records
            self._records = self._room[: count + 1]
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
