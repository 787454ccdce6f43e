"""Lays out one section: places for objects, arrays and strings, then the numbers in bulk, class by class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.layout import Layout
from assets_pipeline.packfile.objects import HavokObject, HavokStructArray
from assets_pipeline.packfile.placement import Placement, placement
from assets_pipeline.packfile.plan import ARRAYS, Link, LinkKind
from assets_pipeline.packfile.sections import Words
from assets_pipeline.packfile.slots import ViewClass

BLOCK = 16  # objects, arrays and strings start on it
TEXT_STEP = 2  # strings that an array's elements own start on it
CAPACITY_FLAG = 0x80000000  # the array doesn't own its memory
Places = dict[int, tuple[int, int]]  # id of an object -> section, offset


@dataclass
class _Group:
    """The objects of one class: their offsets and records."""

    offsets: list[int] = field(default_factory=list)
    records: list[Any] = field(default_factory=list)


class SectionWriter:
    """Collects where everything goes (`place`), then makes the bytes (`data`) and the fixup tables
    (`tables`).
    """

    def __init__(self, layout: Layout, index: int) -> None:
        self.layout = layout
        self.index = index
        self.end = 0
        self._local: list[tuple[int, int]] = []
        self._pointers: list[tuple[int, HavokObject]] = []
        self._objects: list[tuple[int, str]] = []
        self._groups: dict[Placement, _Group] = {}
        self._structs: list[tuple[Placement, int, HavokStructArray]] = []
        self._numbers: list[tuple[Link, int, NDArray[Any]]] = []
        self._texts: list[tuple[int, bytes]] = []
        self._sizes: list[
            tuple[int, int, bool]
        ] = []  # place of the size word, size, whether a capacity follows

    def place(self, objects: list[HavokObject], places: Places) -> None:
        """Give every object, array and string its offset; note the objects' in `places`."""
        known: dict[ViewClass, tuple[Placement, _Group]] = {}
        for found in objects:
            view = found._class
            pair = known.get(view)
            if pair is None:
                place = placement(view.plan.table, view.class_name, self.layout)
                pair = known[view] = place, self._groups.setdefault(place, _Group())
            place, group = pair
            offset = self.end
            places[id(found)] = (self.index, offset)
            self._objects.append((offset, view.class_name))
            group.offsets.append(offset)
            group.records.append(found._record)
            self.end = _round_up(offset + place.size, BLOCK)
            if any(value is not None for value in found._links):
                self._place_links(place, offset, found._links)

    def _place_links(self, place: Placement, offset: int, values: list[Any]) -> None:
        """Place what an object's links own, in walk order: an array's elements own theirs right after it."""
        stack = [_links_of(place, offset, values)]
        while stack:
            for link, source, value in stack[-1]:
                if link.kind is LinkKind.POINTER or link.kind is LinkKind.CLASS:
                    self._pointers.append((source, value))
                elif link.kind is LinkKind.STRING:
                    self._place_text(source, value, BLOCK if len(stack) == 1 else TEXT_STEP)
                    self.end = _round_up(self.end, BLOCK)
                elif len(value):
                    inner = self._place_array(link, source, value)
                    if inner is not None:
                        stack.append(inner)
                        break
            else:
                stack.pop()
                self.end = _round_up(self.end, BLOCK)

    def _place_array(self, link: Link, source: int, value: Any) -> Iterator[tuple[Link, int, Any]] | None:
        """Place an array that has elements; return the links of its structs, for the walk to go on with."""
        pointer = self.layout.pointer_size
        start = self.end = _round_up(self.end, BLOCK)
        self._local.append((source, start))
        self._sizes.append((source + pointer, len(value), link.capacity))
        match link.kind:
            case LinkKind.NUMBERS:
                self._numbers.append((link, start, value))
                wide = link.wide and pointer == 4
                self.end = _round_up(start + value.nbytes // (2 if wide else 1), BLOCK)
            case LinkKind.POINTERS:
                self._pointers += [
                    (start + i * pointer, one) for i, one in enumerate(value) if one is not None
                ]
                self.end = _round_up(start + len(value) * pointer, BLOCK)
            case LinkKind.STRINGS:
                self.end = start + len(value) * pointer
                for i, text in enumerate(value):
                    if text is not None:
                        self._place_text(start + i * pointer, text, TEXT_STEP)
                self.end = _round_up(self.end, BLOCK)
            case LinkKind.STRUCTS:
                place = placement(value._plan.table, value.class_name, self.layout)
                self._structs.append((place, start, value))
                self.end = start + len(value) * place.size
                if place.link_offsets:
                    return (
                        one
                        for i, links in enumerate(value._links)
                        for one in _links_of(place, start + i * place.size, links)
                    )
                self.end = _round_up(self.end, BLOCK)
        return None

    def _place_text(self, source: int, text: str, step: int) -> None:
        start = _round_up(self.end, step)
        encoded = text.encode("utf-8", "surrogateescape") + b"\0"
        self._local.append((source, start))
        self._texts.append((start, encoded))
        self.end = start + len(encoded)

    def tables(self, places: Places, name_offsets: dict[str, int]) -> tuple[Words, Words, Words]:
        """Return the rows of the local, global and virtual fixups; all objects must have been placed."""
        far = [(source, *places[id(target)]) for source, target in self._pointers]
        # Class names are in section 0; a metadata object is listed under its reflection class.
        virtual = [(offset, 0, name_offsets[name]) for offset, name in self._objects]
        return _rows(self._local, 2), _rows(far, 3), _rows(virtual, 3)

    def data(self) -> bytearray:
        """Return the section's data."""
        out = bytearray(self.end)
        view = np.frombuffer(out, np.uint8)
        for place, group in self._groups.items():
            self._write_records(view, place, group)
        for place, start, structs in self._structs:
            self._write_structs(out, view, place, start, structs)
        for link, start, values in self._numbers:
            self._write_numbers(out, link, start, values)
        for start, text in self._texts:
            out[start : start + len(text)] = text
        self._write_sizes(view)
        return out

    def _write_records(self, view: NDArray[np.uint8], place: Placement, group: _Group) -> None:
        offsets = np.array(group.offsets, np.int64)
        plan = place.plan
        if place.dtype is not None and plan.dtype is not None:
            records = np.frombuffer(b"".join([record.tobytes() for record in group.records]), plan.dtype)
            _check_wide(place, records)
            rows = np.zeros((len(offsets), place.size), np.uint8)
            rows.reshape(-1).view(place.dtype)[...] = records
            windows = np.lib.stride_tricks.sliding_window_view(view, place.size, writeable=True)
            windows[offsets] = rows
        self._write_capacities(view, place, offsets)  # after the rows, which are zero there

    def _write_structs(
        self, out: bytearray, view: NDArray[np.uint8], place: Placement, start: int, structs: HavokStructArray
    ) -> None:
        self._write_capacities(view, place, start + place.size * np.arange(len(structs), dtype=np.int64))
        if place.dtype is not None and structs._records is not None:
            _check_wide(place, structs._records)
            np.frombuffer(out, place.dtype, len(structs), start)[...] = structs._records

    def _write_capacities(self, view: NDArray[np.uint8], place: Placement, offsets: Words) -> None:
        """Set the flag in the capacity word of every array, also of those that aren't serialised."""
        pointer = self.layout.pointer_size
        arrays = [
            offset
            for link, offset in zip(place.plan.links, place.link_offsets, strict=True)
            if link.kind in ARRAYS and link.capacity
        ]
        words = np.array([*arrays, *place.ignored_arrays], np.int64) + pointer + 4
        if len(words):
            at = (offsets[:, None] + words).reshape(-1)
            _set_words(view, at, np.full(len(at), CAPACITY_FLAG, np.int64), self.layout)

    def _write_sizes(self, view: NDArray[np.uint8]) -> None:
        if not self._sizes:
            return
        places, sizes, capacity = np.array(self._sizes, np.int64).T
        _set_words(view, places, sizes, self.layout)
        flagged = capacity == 1
        _set_words(view, places[flagged] + 4, sizes[flagged] | CAPACITY_FLAG, self.layout)

    def _write_numbers(self, out: bytearray, link: Link, start: int, values: NDArray[Any]) -> None:
        code = f"u{self.layout.pointer_size}" if link.wide else link.code
        if link.wide and self.layout.pointer_size == 4 and (values >> 32).any():
            raise PackfileError(None, link.path, "holds a number that doesn't fit the 4 bytes of this layout")
        target = np.frombuffer(out, self.layout.byte_order + code, values.size, start)
        target[...] = values.reshape(-1)


def _links_of(place: Placement, offset: int, values: list[Any]) -> Iterator[tuple[Link, int, Any]]:
    """Yield the links that aren't null of an object or struct at `offset`, with the places of their words."""
    links, offsets = place.plan.links, place.link_offsets
    for k, value in enumerate(values):
        if value is not None:
            yield links[k], offset + offsets[k], value


def _check_wide(place: Placement, records: NDArray[Any]) -> None:
    """Refuse numbers that a 4-byte `ulong` would cut."""
    if place.layout.pointer_size == 8:
        return
    for name in place.wide_fields:
        if (records[name] >> 32).any():
            raise PackfileError(
                None,
                f"{place.plan.class_name}.{name}",
                "holds a number that doesn't fit the 4 bytes of this layout",
            )


def _rows(rows: list[Any], width: int) -> Words:
    return np.array(rows, np.int64).reshape(-1, width)


def _set_words(view: NDArray[np.uint8], places: Words, values: Words, layout: Layout) -> None:
    words = values.astype(layout.byte_order + "u4").view(np.uint8).reshape(-1, 4)
    np.lib.stride_tricks.sliding_window_view(view, 4, writeable=True)[places] = words


def _round_up(value: int, step: int) -> int:
    return (value + step - 1) // step * step
