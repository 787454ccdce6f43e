"""Reads the objects of one section: numbers class by class, then links by way of the fixups.

All lookups run over whole groups of objects of a class at once. Nothing is trusted: every byte of the
section's data may be claimed by one object, array or string only, so what is made is never larger than the
file allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_names import ClassName
from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.header import Header
from assets_pipeline.packfile.objects import NO_LINKS, HavokObject, HavokStructArray
from assets_pipeline.packfile.placement import Placement, placement
from assets_pipeline.packfile.placing import gather
from assets_pipeline.packfile.plan import ARRAYS, Link, LinkKind
from assets_pipeline.packfile.sections import Fixups, Section
from assets_pipeline.packfile.slots import points_to, view_class
from assets_pipeline.packfile.structs import fill

Offsets = NDArray[np.int64]


@dataclass
class Source:
    """The file that is read: its bytes, header, sections, class names and the objects read so far, by section."""

    data: bytearray
    header: Header
    sections: list[Section]
    names: dict[int, ClassName]
    objects: dict[int, list[HavokObject]]
    offsets: dict[int, Offsets]


@dataclass
class Claim:
    """Bytes that belong to objects, arrays or strings: parallel starts and lengths; the class if they have one."""

    kind: str  # "object", "structs", "numbers", "pointers" or "string"
    starts: Offsets
    lengths: Offsets
    placement: Placement | None = None


class SectionReader:
    """Reads one section's objects into `source.objects`; its claims and fixup table stay for `verify` to look at."""

    def __init__(self, source: Source, index: int, fixups: Fixups, table: ClassTable) -> None:
        self.source = source
        self.index = index
        self.section = source.sections[index]
        self.fixups = fixups
        self.table = table
        self.layout = source.header.layout
        self.claims: list[Claim] = []
        self._by_offset: dict[int, dict[int, HavokObject]] = {}  # by section, filled on first use
        self._claimed = 0
        self._bytes = np.frombuffer(source.data, np.uint8, self.section.data_size, self.section.start)
        self._pending: list[tuple[Placement, Offsets, list[list[Any]]]] = []
        self._index_fixups()

    def read(self) -> list[HavokObject]:
        """Return the section's objects in file order; raise PackfileError when anything can't be right."""
        self._make_objects()
        while self._pending:
            self._resolve(*self._pending.pop())
        self._check_overlaps()
        self._check_fixups_used()
        return self.source.objects[self.index]

    def _index_fixups(self) -> None:
        """Sort local and global fixups into one table by source, and refuse what lies outside the section."""
        local, far = self.fixups.local, self.fixups.globals
        here = np.full(len(local), self.index, np.int64)
        source = np.concatenate((local[:, 0], far[:, 0]))
        section = np.concatenate((here, far[:, 1]))
        target = np.concatenate((local[:, 1], far[:, 2]))
        start = self.section.start
        entry = np.concatenate(
            (
                start + self.section.local_fixups + 8 * np.arange(len(local)),
                start + self.section.global_fixups + 12 * np.arange(len(far)),
            )
        )
        self._refuse(
            source > self.section.data_size - self.layout.pointer_size, entry, "fixup source", source
        )
        self._refuse(section >= len(self.source.sections), entry + 4, "fixup section", section)
        sizes = np.array([s.data_size for s in self.source.sections], np.int64)
        target_at = entry + np.where(entry < start + self.section.global_fixups, 4, 8)
        self._refuse(target >= sizes[section], target_at, "fixup destination", target)
        order = np.argsort(source, kind="stable")
        self.fix_source, self.fix_section, self.fix_target = source[order], section[order], target[order]
        self.fix_entry = entry[order]
        self.fix_global = order >= len(local)
        same = np.flatnonzero(self.fix_source[1:] == self.fix_source[:-1])
        if len(same):
            at = int(self.fix_entry[same[0] + 1])
            raise PackfileError(at, "fixup source", f"two fixups for 0x{int(self.fix_source[same[0]]):x}")
        self.fix_used = np.zeros(len(source), bool)

    def _refuse(self, wrong: NDArray[np.bool_], at: Offsets, field: str, values: Offsets) -> None:
        if wrong.any():
            i = int(np.argmax(wrong))
            raise PackfileError(
                int(at[i]),
                field,
                f"0x{int(values[i]):x} lies outside section {self.section.tag} or the file's sections",
            )

    def _find(self, sources: Offsets) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Return which sources have a fixup, and the rows of those in the sorted table; mark them used."""
        if not len(self.fix_source):
            return np.zeros(sources.shape, bool), np.zeros(sources.shape, np.intp)
        rows = np.searchsorted(self.fix_source, sources)
        rows[rows == len(self.fix_source)] = 0
        found = self.fix_source[rows] == sources
        self.fix_used[rows[found]] = True
        return found, rows

    def _make_objects(self) -> None:
        """Make the objects that the virtual fixups name, in the order of their offsets."""
        virtual = self.fixups.virtual
        start = self.section.start + self.section.virtual_fixups
        entry = start + 12 * np.arange(len(virtual))
        self._refuse(virtual[:, 0] > self.section.data_size, entry, "virtual fixup source", virtual[:, 0])
        virtual = virtual[np.argsort(virtual[:, 0], kind="stable")]
        offsets = virtual[:, 0].copy()
        for i in np.flatnonzero(offsets[1:] == offsets[:-1])[:1].tolist():
            raise PackfileError(start, "virtual fixups", f"two for the object at 0x{int(offsets[i]):x}")
        objects: list[HavokObject] = [None] * len(offsets)  # type: ignore[list-item]
        self.source.objects[self.index], self.source.offsets[self.index] = objects, offsets
        groups: dict[tuple[int, int], list[int]] = {}
        for i, (_, section, name) in enumerate(virtual.tolist()):
            groups.setdefault((section, name), []).append(i)
        for (section, name), rows in groups.items():
            place = self._placement(section, name, int(offsets[rows[0]]))
            records, links = self._open(place, offsets[rows], "object")
            view = view_class(place.plan)
            for i, links_of_one, record in zip(
                rows, links, records if records is not None else [None] * len(rows), strict=True
            ):
                objects[i] = fill(HavokObject.__new__(HavokObject), view, record, links_of_one)

    def _placement(self, section: int, name: int, offset: int) -> Placement:
        where = self.section.start + offset
        entry = self.source.names.get(name) if section == self.source.header.class_name_section else None
        if entry is None:
            raise PackfileError(
                where,
                "virtual fixup",
                f"section {section} offset 0x{name:x} is not the start of a class name",
            )
        try:
            return placement(self.table, entry.name, self.layout)
        except PackfileError as error:
            raise PackfileError(where, error.field, error.reason) from None

    def _open(self, place: Placement, bases: Offsets, kind: str) -> tuple[Any, list[list[Any]]]:
        """Claim the bytes of class instances; return their records and their links, to be resolved later."""
        count, size = len(bases), place.size
        self._claim(kind, bases, np.full(count, size, np.int64), place)
        if not place.link_offsets:
            links: list[list[Any]] = [NO_LINKS] * count
        else:
            links = [[None] * len(place.link_offsets) for _ in range(count)]
            if count:
                self._pending.append((place, bases, links))
        if place.dtype is None:
            return None, links
        rows = (
            np.lib.stride_tricks.sliding_window_view(self._bytes, size)[bases] if count else self._bytes[:0]
        )
        return rows.reshape(-1).view(place.dtype).astype(place.plan.dtype), links

    def _claim(self, kind: str, starts: Offsets, lengths: Offsets, place: Placement | None = None) -> None:
        """Note bytes as taken; raise PackfileError when they reach past the data or more is taken than there is."""
        past = starts + lengths > self.section.data_size
        if past.any():
            i = int(np.argmax(past))
            raise PackfileError(
                self.section.start + int(starts[i]),
                f"{kind} of {place.plan.class_name}" if place is not None else kind,
                f"needs {int(lengths[i])} bytes, {max(0, self.section.data_size - int(starts[i]))} are left",
            )
        self._claimed += int(lengths.sum())
        if self._claimed > self.section.data_size:
            raise PackfileError(
                self.section.start + int(starts[0]),
                kind,
                "overlaps what other objects, arrays and strings hold",
            )
        self.claims.append(Claim(kind, starts, lengths, place))

    def _resolve(self, place: Placement, bases: Offsets, links: list[list[Any]]) -> None:
        """Fill the links of a group of class instances, one member at a time."""
        sources = bases[None, :] + np.array(place.link_offsets, np.int64)[:, None]
        found, rows = self._find(sources)
        for k, link in enumerate(place.plan.links):
            hits = np.flatnonzero(found[k])
            sizes = self._array_sizes(link, sources[k], found[k]) if link.kind in ARRAYS else None
            if not len(hits):
                continue
            fixups = rows[k][hits]
            owners = hits.tolist()
            for owner, value in zip(owners, self._values(link, fixups, sizes), strict=True):
                links[owner][k] = value

    def _array_sizes(self, link: Link, sources: Offsets, found: NDArray[np.bool_]) -> Offsets:
        """Return the sizes of arrays that have elements; refuse a size without a fixup and the reverse."""
        words = np.lib.stride_tricks.sliding_window_view(self._bytes, 4)[sources + self.layout.pointer_size]
        sizes = words.reshape(-1).view(self.layout.byte_order + "u4").astype(np.int64)
        wrong = (sizes > 0) != found
        if wrong.any():
            i = int(np.argmax(wrong))
            size, state = int(sizes[i]), "no fixup" if not found[i] else "a fixup"
            raise PackfileError(
                self.section.start + int(sources[i]), f"array {link.path}", f"size {size} but {state}"
            )
        return sizes[found]

    def _values(self, link: Link, fixups: NDArray[np.intp], sizes: Offsets | None) -> list[Any]:
        """Return the values of links that have a fixup."""
        if link.kind in (LinkKind.POINTER, LinkKind.CLASS):
            return self._pointers(link, fixups)
        self._check_local(link, fixups)
        targets = self.fix_target[fixups]
        if link.kind is LinkKind.STRING:
            return self._strings(link, targets)
        assert sizes is not None
        if link.kind is LinkKind.NUMBERS:
            return self._numbers(link, targets, sizes)
        if link.kind is LinkKind.STRUCTS:
            return self._structs(link, targets, sizes)
        return self._link_arrays(link, targets, sizes)

    def _check_local(self, link: Link, fixups: NDArray[np.intp]) -> None:
        wrong = self.fix_global[fixups]
        if wrong.any():
            at = int(self.fix_entry[fixups[int(np.argmax(wrong))]])
            raise PackfileError(
                at, f"global fixup of {link.path}", "an array or string lies in the same section"
            )

    def _pointers(self, link: Link, fixups: NDArray[np.intp]) -> list[HavokObject]:
        """Return the objects that fixups lead to; refuse a place that is no object, or one of a class that can't be."""
        sections, targets = self.fix_section[fixups], self.fix_target[fixups]
        out: list[HavokObject] = []
        if len(sections) and (sections == sections[0]).all():  # nearly always
            found = list(map(self._objects_of(int(sections[0])).get, targets.tolist()))
        else:
            found = [
                self._objects_of(section).get(target)
                for section, target in zip(sections.tolist(), targets.tolist(), strict=True)
            ]
        for i, one in enumerate(found):
            if one is None:
                raise PackfileError(
                    int(self.fix_entry[fixups[i]]),
                    f"pointer {link.path}",
                    f"section {int(sections[i])} has no object at 0x{int(targets[i]):x}",
                )
            out.append(one)
        examples = {one._class: i for i, one in enumerate(out)}
        for view, i in examples.items():
            if not points_to(link, self.table, out[i]):
                raise PackfileError(
                    int(self.fix_entry[fixups[i]]),
                    f"pointer {link.path}",
                    f"leads to a {view.class_name}, expected a {link.class_name}",
                )
        return out

    def _objects_of(self, section: int) -> dict[int, HavokObject]:
        """Return the objects of a section by offset; none for one that is read later."""
        by_offset = self._by_offset.get(section)
        if by_offset is None:
            offsets = self.source.offsets.get(section)
            objects = self.source.objects.get(section, [])
            by_offset = {} if offsets is None else dict(zip(offsets.tolist(), objects, strict=True))
            self._by_offset[section] = by_offset
        return by_offset

    def _strings(self, link: Link, targets: Offsets) -> list[Any]:
        data, base, stop = self.source.data, self.section.start, self.section.start + self.section.data_size
        find = data.find
        starts = (targets + base).tolist()
        ends: list[int] = []
        left = self.section.data_size - self._claimed
        for start in starts:
            end = find(b"\0", start, stop)
            if end < 0:
                raise PackfileError(start, f"text {link.path}", "has no end inside the section")
            ends.append(end)
            left -= end - start
            if left < 0:  # before more text is made than the file holds
                raise PackfileError(start, f"text {link.path}", "overlaps what other objects and texts hold")
        self._claim("string", targets, np.array(ends, np.int64) + 1 - base - targets)
        return [
            data[start:end].decode("utf-8", "surrogateescape")
            for start, end in zip(starts, ends, strict=True)
        ]

    def _numbers(self, link: Link, targets: Offsets, sizes: Offsets) -> list[NDArray[Any]]:
        code = f"u{self.layout.pointer_size}" if link.wide else link.code
        stored = np.dtype(self.layout.byte_order + code)
        lanes = int(np.prod(link.shape, dtype=np.int64))
        self._claim("numbers", targets, sizes * lanes * stored.itemsize)
        start = self.section.start
        if stored.isnative and code == link.code:
            return [
                np.frombuffer(self.source.data, stored, size * lanes, start + target).reshape(-1, *link.shape)
                for target, size in zip(targets.tolist(), sizes.tolist(), strict=True)
            ]
        # One copy in this machine's byte order for all arrays of the member, of which each is a part.
        lengths = sizes * (lanes * stored.itemsize)
        packed = np.empty(int(lengths.sum()), np.uint8)
        gather(self._bytes, targets, lengths, packed)
        values = packed.view(stored).astype("=" + link.code).reshape(-1, *link.shape)
        ends = np.cumsum(sizes)
        return [values[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True)]

    def _structs(self, link: Link, targets: Offsets, sizes: Offsets) -> list[HavokStructArray]:
        assert link.class_name is not None
        try:
            place = placement(self.table, link.class_name, self.layout)
        except PackfileError as error:
            raise PackfileError(self.section.start + int(targets[0]), error.field, error.reason) from None
        bases = self._elements(link, targets, sizes, place.size)
        records, links = self._open(place, bases, "structs")
        out, at = [], 0
        for size in sizes.tolist():
            rows = None if records is None else records[at : at + size]
            out.append(HavokStructArray._of(place.plan, rows, links[at : at + size]))
            at += size
        return out

    def _link_arrays(self, link: Link, targets: Offsets, sizes: Offsets) -> list[list[Any]]:
        """Return arrays of pointers or of strings."""
        pointer = self.layout.pointer_size
        sources = self._elements(link, targets, sizes, pointer)
        self._claim("pointers", targets, sizes * pointer)
        found, rows = self._find(sources)
        hits = np.flatnonzero(found)
        values: list[Any] = [None] * len(sources)
        if len(hits):
            fixups = rows[hits]
            if link.kind is LinkKind.POINTERS:
                made: list[Any] = list(self._pointers(link, fixups))
            else:
                self._check_local(link, fixups)
                made = self._strings(link, self.fix_target[fixups])
            for i, value in zip(hits.tolist(), made, strict=True):
                values[i] = value
        ends = np.cumsum(sizes).tolist()
        return [values[end - size : end] for end, size in zip(ends, sizes.tolist(), strict=True)]

    def _elements(self, link: Link, targets: Offsets, sizes: Offsets, stride: int) -> Offsets:
        """Return the offsets of all elements of some arrays, after checking that they are there."""
        past = targets + sizes * stride > self.section.data_size
        if past.any():
            i = int(np.argmax(past))
            raise PackfileError(
                self.section.start + int(targets[i]),
                f"array {link.path}",
                f"{int(sizes[i])} elements of {stride} bytes reach past the section's data",
            )
        if self._claimed + int(sizes.sum()) * stride > self.section.data_size:
            raise PackfileError(
                self.section.start + int(targets[0]), f"array {link.path}", "overlaps what other arrays hold"
            )
        firsts = np.cumsum(sizes) - sizes
        within = np.arange(int(sizes.sum()), dtype=np.int64) - np.repeat(firsts, sizes)
        return np.repeat(targets, sizes) + within * stride

    def _check_overlaps(self) -> None:
        if not self.claims:
            return
        starts = np.concatenate([claim.starts for claim in self.claims])
        ends = starts + np.concatenate([claim.lengths for claim in self.claims])
        order = np.argsort(starts, kind="stable")
        wrong = np.flatnonzero(starts[order][1:] < ends[order][:-1])
        if len(wrong):
            at = int(starts[order][wrong[0] + 1])
            raise PackfileError(
                self.section.start + at, "overlap", f"0x{at:x} belongs to two objects, arrays or strings"
            )

    def _check_fixups_used(self) -> None:
        unused = np.flatnonzero(~self.fix_used)
        if len(unused):
            row = unused[0]
            raise PackfileError(
                int(self.fix_entry[row]),
                "fixup source",
                f"0x{int(self.fix_source[row]):x} is no pointer, array or text member of an object",
            )
