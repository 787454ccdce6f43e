"""Lays out one section: places for objects, arrays and strings, then the numbers in bulk, class by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.layout import Layout
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.placement import Placement, placement
from assets_pipeline.packfile.placing import Group, Placing, scatter
from assets_pipeline.packfile.plan import ARRAYS, Link
from assets_pipeline.packfile.sections import Words
from assets_pipeline.packfile.slots import ViewClass, points_to

CAPACITY_FLAG = 0x80000000  # the array doesn't own its memory
Places = dict[int, tuple[int, int]]  # id of an object -> section, offset


class SectionWriter:
    """Collects where everything goes (`place`), then makes the bytes (`data`) and fixup tables (`tables`)."""

    def __init__(self, layout: Layout, index: int) -> None:
        self.layout = layout
        self.index = index
        self._placing = Placing(layout.pointer_size, self._placement_of)

    def _placement_of(self, view: ViewClass) -> Placement:
        return placement(view.plan.table, view.class_name, self.layout)

    def place(self, objects: list[HavokObject], places: Places) -> None:
        """Give every object, array and string its offset; note the objects' in `places`.

        Raises:
            PackfileError: an array holds what its class doesn't allow, or a text that can't be written.
        """
        self._placing.place(objects, places, self.index)
        # A list takes anything: what a pointer array leads to hasn't been looked at before.
        for link, classes in self._placing.pointed.values():
            for found in classes.values():
                if not points_to(link, found._plan.table, found):
                    raise PackfileError(
                        None,
                        f"array {link.path}",
                        f"holds a {found.class_name}, expected a {link.class_name}",
                    )

    @property
    def end(self) -> int:
        """Bytes of data so far."""
        return self._placing.end

    def local_rows(self) -> Words:
        """Return the rows of the local fixups: source, destination."""
        return self._placing.local.array().reshape(-1, 2)

    def tables(self, places: Places, name_offsets: dict[str, int]) -> tuple[Words, Words, Words]:
        """Return the rows of the local, global and virtual fixups; all objects must have been placed."""
        placing = self._placing
        targets = np.array([places[id(target)] for target in placing.targets], np.int64).reshape(-1, 2)
        far = np.column_stack((placing.sources.array(), targets))
        # Class names are in section 0; a metadata object is listed under its reflection class.
        names = np.array([name_offsets[view.class_name] for view in placing.classes], np.int64)
        virtual = np.column_stack((placing.object_offsets.array(), np.zeros_like(names), names))
        return self.local_rows(), far, virtual

    def data(self) -> bytearray:
        """Return the section's data."""
        out = bytearray(self.end)
        view = np.frombuffer(out, np.uint8)
        for place, group in self._placing.groups.items():
            self._write_records(view, place, group)
        for link, (starts, values) in self._placing.numbers.items():
            self._write_numbers(view, link, starts.array(), values)
        texts = self._placing.texts
        if texts:
            lengths = np.array([len(text) for text in texts], np.int64)
            scatter(view, b"".join(texts), self._placing.text_starts.array(), lengths)
        self._write_sizes(view)
        return out

    def _write_records(self, view: NDArray[np.uint8], place: Placement, group: Group) -> None:
        """Write the numbers of all instances of a class: objects and structs of arrays."""
        offsets = group.offsets.array()
        plan = place.plan
        if place.dtype is not None and plan.dtype is not None:
            records = np.frombuffer(b"".join([record.tobytes() for record in group.records]), plan.dtype)
            _check_wide(place, records)
            rows = np.zeros((len(offsets), place.size), np.uint8)
            rows.reshape(-1).view(place.dtype)[...] = records
            windows = np.lib.stride_tricks.sliding_window_view(view, place.size, writeable=True)
            windows[offsets] = rows
        self._write_capacities(view, place, offsets)  # after the rows, which are zero there

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
        places, sizes, capacity = self._placing.sizes.array().reshape(-1, 3).T
        if not len(places):
            return
        _set_words(view, places, sizes, self.layout)
        flagged = capacity == 1
        _set_words(view, places[flagged] + 4, sizes[flagged] | CAPACITY_FLAG, self.layout)

    def _write_numbers(
        self, view: NDArray[np.uint8], link: Link, starts: Words, arrays: list[NDArray[Any]]
    ) -> None:
        """Write all number arrays of a member at once, in the file's byte order."""
        values = np.concatenate(arrays) if len(arrays) > 1 else arrays[0]
        code = f"u{self.layout.pointer_size}" if link.wide else link.code
        if link.wide and self.layout.pointer_size == 4 and (values >> 32).any():
            raise PackfileError(None, link.path, "holds a number that doesn't fit the 4 bytes of this layout")
        stored = np.ascontiguousarray(values, self.layout.byte_order + code)
        step = stored.nbytes // len(stored)
        lengths = np.array([len(array) for array in arrays], np.int64) * step
        scatter(view, stored.reshape(-1).view(np.uint8), starts, lengths)


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


def _set_words(view: NDArray[np.uint8], places: Words, values: Words, layout: Layout) -> None:
    words = values.astype(layout.byte_order + "u4").view(np.uint8).reshape(-1, 4)
    np.lib.stride_tricks.sliding_window_view(view, 4, writeable=True)[places] = words
