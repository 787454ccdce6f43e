"""Checks of a section's data: zero bytes, capacity words, the order and places of everything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.packfile.file import Parsed
from assets_pipeline.packfile.layout import class_layout
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.placement import Placement
from assets_pipeline.packfile.plan import ARRAYS
from assets_pipeline.packfile.reader import SectionReader
from assets_pipeline.packfile.section_writer import CAPACITY_FLAG, SectionWriter
from assets_pipeline.packfile.sections import TYPES
from assets_pipeline.packfile.walk import walk
from assets_pipeline.packfile.writer import TAGS, split_sections
from assets_pipeline.verify.findings import Report, Rule

SECTION = "Fixups, arrays and padding"
POINTER_ZERO = Rule("pointer-word-zero", SECTION, "the stored word of every pointer slot is 0")
CAPACITY = Rule("array-capacity", SECTION, "a capacity word is the size with the top bit set")
IGNORED_ZERO = Rule("unserialised-zero", SECTION, "arrays that are not serialised are 0, 0, 0x80000000")
GAP_ZERO = Rule("gap-zero", SECTION, "bytes that belong to no serialised member are zero")
ALIGNMENT = Rule("alignment", SECTION, "fixup sources lie on 4 bytes, objects and global destinations on 16")
REACHED = Rule("object-reached", SECTION, "every object can be reached from the root")
OBJECT_ORDER = Rule("object-order", SECTION, "objects are written depth-first from the root")
OBJECT_PLACE = Rule("object-place", SECTION, "an object follows what the one before it owns, on 16 bytes")
OWNED_PLACE = Rule("owned-place", SECTION, "arrays and texts follow in walk order, on 16 bytes or 2")
LOCAL_ORDER = Rule("local-fixup-order", SECTION, "local fixups are in the order of the walk")
GLOBAL_ORDER = Rule("global-fixup-order", SECTION, "global fixups are in the order of the walk")
VIRTUAL_ORDER = Rule("virtual-fixup-order", SECTION, "virtual fixups ascend by object")
POINTER_FIXUP = Rule("pointer-fixup-kind", SECTION, "pointers to objects are global fixups")
STATED_OFFSETS = Rule(
    "stated-offsets",
    "Class metadata in the ragdoll files",
    "stated offsets and sizes follow the layout rules",
)

GAP, NUMBER, POINTER, SIZE, IGNORED = range(5)


def check_data(parsed: Parsed, report: Report) -> None:
    """Check the data of the object sections."""
    for reader in parsed.readers:
        _check_bytes(reader, report)
        _check_alignment(reader, report)
    _check_order(parsed, report)
    _check_metadata(parsed, report)


def _check_bytes(reader: SectionReader, report: Report) -> None:
    """Find bytes that should be zero and aren't, and capacity words that aren't the size."""
    kinds = np.zeros(reader.section.data_size, np.uint8)
    for claim in reader.claims:
        if claim.placement is not None:
            template = byte_kinds(claim.placement)
            if len(claim.starts):
                windows = np.lib.stride_tricks.sliding_window_view(kinds, len(template), writeable=True)
                windows[claim.starts] = template
            _check_capacities(reader, claim.placement, claim.starts, report)
        else:
            kind = POINTER if claim.kind == "pointers" else NUMBER
            for start, length in zip(claim.starts.tolist(), claim.lengths.tolist(), strict=True):
                kinds[start : start + length] = kind
    data = reader._bytes
    for kind, rule in ((POINTER, POINTER_ZERO), (IGNORED, IGNORED_ZERO), (GAP, GAP_ZERO)):
        wrong = np.flatnonzero((kinds == kind) & (data != 0))
        for run in np.split(wrong, np.flatnonzero(np.diff(wrong) > 1) + 1) if len(wrong) else ():
            first, last = int(run[0]), int(run[-1])
            text = data[first : min(last + 1, first + 16)].tobytes().hex(" ")
            report.add(rule, reader.section.start + first, text, "00")


def _check_capacities(
    reader: SectionReader, place: Placement, starts: NDArray[np.int64], report: Report
) -> None:
    pointer = reader.layout.pointer_size
    base = reader.section.start
    for link, offset in zip(place.plan.links, place.link_offsets, strict=True):
        if link.kind in ARRAYS and link.capacity:
            sizes = _words(reader, starts + offset + pointer)
            capacities = _words(reader, starts + offset + pointer + 4)
            for i in np.flatnonzero(capacities != (sizes | CAPACITY_FLAG)).tolist():
                report.add(
                    CAPACITY,
                    base + int(starts[i]) + offset + pointer + 4,
                    f"0x{int(capacities[i]):08X} in {link.path}",
                    f"0x{int(sizes[i]) | CAPACITY_FLAG:08X}",
                )
    for offset in place.ignored_arrays:
        capacities = _words(reader, starts + offset + pointer + 4)
        for i in np.flatnonzero(capacities != CAPACITY_FLAG).tolist():
            report.add(
                IGNORED_ZERO,
                base + int(starts[i]) + offset + pointer + 4,
                f"0x{int(capacities[i]):08X}",
                f"0x{CAPACITY_FLAG:08X}",
            )


def _words(reader: SectionReader, places: NDArray[np.int64]) -> NDArray[np.int64]:
    if not len(places):
        return places
    windows = np.lib.stride_tricks.sliding_window_view(reader._bytes, 4)[places]
    return windows.reshape(-1).view(reader.layout.byte_order + "u4").astype(np.int64)


def byte_kinds(place: Placement) -> NDArray[np.uint8]:
    """Return what each byte of a class belongs to: a gap, a number, a pointer word, a size, an unserialised array."""
    kinds = np.full(place.size, GAP, np.uint8)
    pointer = place.layout.pointer_size
    fields: Any = (place.dtype.fields if place.dtype is not None else None) or {}
    for form, offset, *_ in fields.values():
        kinds[offset : offset + form.itemsize] = NUMBER
    for link, offset in zip(place.plan.links, place.link_offsets, strict=True):
        kinds[offset : offset + pointer] = POINTER
        if link.kind in ARRAYS:
            kinds[offset + pointer : offset + pointer + (8 if link.capacity else 4)] = SIZE
    for offset in place.ignored_arrays:
        kinds[offset : offset + pointer + 4] = IGNORED
        kinds[offset + pointer + 4 : offset + pointer + 8] = SIZE
    return kinds


def _check_alignment(reader: SectionReader, report: Report) -> None:
    start = reader.section.start
    for source, entry in _unaligned(reader.fix_source, 4, reader.fix_entry):
        report.add(ALIGNMENT, entry, f"fixup source 0x{source:x}", "a multiple of 4")
    far = reader.fix_global
    for target, entry in _unaligned(reader.fix_target[far], 16, reader.fix_entry[far]):
        report.add(ALIGNMENT, entry + 8, f"global destination 0x{target:x}", "a multiple of 16")
    objects = reader.fixups.virtual[:, 0]
    entries = start + reader.section.virtual_fixups + 12 * np.arange(len(objects))
    for target, entry in _unaligned(objects, 16, entries):
        report.add(ALIGNMENT, entry, f"object 0x{target:x}", "a multiple of 16")


def _unaligned(values: NDArray[np.int64], step: int, entries: NDArray[np.int64]) -> list[tuple[int, int]]:
    wrong = np.flatnonzero(values % step)
    return list(zip(values[wrong].tolist(), entries[wrong].tolist(), strict=True))


def _check_order(parsed: Parsed, report: Report) -> None:
    """Compare the places of everything with those that the writer would give them."""
    if [section.tag for section in parsed.sections] != list(TAGS):
        return  # `section-tags` has said it: the writer makes no such file
    packfile = parsed.packfile()
    types, objects = split_sections(packfile)
    for found in packfile.extra_roots:
        report.add(REACHED, parsed.place_of(found), f"{found!r} by itself", "a way from the root")
    places: dict[int, tuple[int, int]] = {}
    for reader in parsed.readers:
        metadata = reader.section.tag == TYPES
        members = types if metadata else objects
        in_file = parsed.types if metadata else parsed.objects
        expected = walk(members[:1] + members) if metadata else members
        if [id(one) for one in in_file] != [id(one) for one in expected]:
            pairs = zip(in_file, expected, strict=False)
            first, wanted = next((a, b) for a, b in pairs if a is not b)
            report.add(OBJECT_ORDER, parsed.place_of(first), repr(first), repr(wanted))
            continue
        writer = SectionWriter(reader.layout, reader.index)
        writer.place(members, places)
        if not _check_places(parsed, reader, writer, in_file, places, report):
            continue
        _check_tables(parsed, reader, writer, places, report)


def _check_places(
    parsed: Parsed,
    reader: SectionReader,
    writer: SectionWriter,
    in_file: list[HavokObject],
    places: dict[int, tuple[int, int]],
    report: Report,
) -> bool:
    """Find the first object, array or text that lies elsewhere; what follows it is bound to."""
    base = reader.section.start
    offsets = parsed.source.offsets[reader.index].tolist()
    wanted = dict(writer.local_rows().tolist())
    local = reader.fixups.local.tolist()
    moved = [(target, source) for source, target in local if wanted.get(source, target) != target]
    displaced = [
        (offset, found)
        for offset, found in zip(offsets, in_file, strict=True)
        if places[id(found)][1] != offset
    ]
    if displaced and (not moved or displaced[0][0] <= min(moved)[0]):
        offset, found = displaced[0]
        expected = places[id(found)][1]
        report.add(OBJECT_PLACE, base + offset, f"{found!r} at 0x{offset:x}", f"0x{expected:x}")
    elif moved:
        target, source = min(moved)
        at = f"0x{target:x} for the pointer at 0x{source:x}"
        report.add(OWNED_PLACE, base + target, at, f"0x{wanted[source]:x}")
    elif reader.section.data_size != writer.end:
        size = f"data up to 0x{reader.section.data_size:x}"
        report.add(OBJECT_PLACE, base + writer.end, size, f"0x{writer.end:x}")
    else:
        return True
    return False


def _check_tables(
    parsed: Parsed,
    reader: SectionReader,
    writer: SectionWriter,
    places: dict[int, tuple[int, int]],
    report: Report,
) -> None:
    names = {entry.name: offset for offset, entry in parsed.names.items()}
    local, far, virtual = writer.tables(places, names)
    section = reader.section
    for rule, found, expected, start, width in (
        (LOCAL_ORDER, reader.fixups.local, local, section.local_fixups, 8),
        (GLOBAL_ORDER, reader.fixups.globals, far, section.global_fixups, 12),
        (VIRTUAL_ORDER, reader.fixups.virtual, virtual, section.virtual_fixups, 12),
    ):
        if found.shape != expected.shape:
            counts = f"{len(found)} entries", f"{len(expected)} entries"
            report.add(POINTER_FIXUP, section.start + start, *counts)
            return
        wrong = np.flatnonzero((found != expected).any(axis=1))
        if len(wrong):
            i = int(wrong[0])
            report.add(
                rule, section.start + start + i * width, _row(found[i].tolist()), _row(expected[i].tolist())
            )


def _row(values: list[int]) -> str:
    return " ".join(f"0x{value:x}" for value in values)


def _check_metadata(parsed: Parsed, report: Report) -> None:
    layout = parsed.header.layout
    for found in parsed.types:
        if found.class_name != "hkClass":
            continue
        stated = class_layout(parsed.table, found["name"], layout)
        ruled = class_layout(parsed.table, found["name"], layout, stated=False)
        report.check(
            STATED_OFFSETS,
            parsed.place_of(found),
            f"{found['name']} {stated.size}: {list(stated.offsets)}",
            f"{found['name']} {ruled.size}: {list(ruled.offsets)}",
        )
