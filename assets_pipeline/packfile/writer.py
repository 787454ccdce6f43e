"""Writes a packfile from its objects alone: the order, alignment and filler rules of the format.

Sections `__classnames__`, `__types__` and `__data__` follow the headers; objects lie depth-first from the
root, each followed by the arrays and strings that it owns (havok: Fixups, arrays and padding).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_names import REFLECTION_CLASSES, pack_class_names
from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.file import Packfile
from assets_pipeline.packfile.header import HEADER_SIZE, write_header
from assets_pipeline.packfile.metadata import METADATA_CLASSES
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.section_writer import SectionWriter
from assets_pipeline.packfile.sections import (
    CLASS_NAMES,
    DATA,
    SECTION_HEADER_SIZE,
    TYPES,
    Section,
    pack_section_header,
    pack_table,
)
from assets_pipeline.packfile.signatures import signature
from assets_pipeline.packfile.walk import walk

TAGS = (CLASS_NAMES, TYPES, DATA)


def write(packfile: Packfile) -> bytes:
    """Return the bytes of a packfile in the layout of its header.

    Raises:
        PackfileError: a value doesn't fit the layout (a 64-bit number in a 4-byte `ulong`), or a class is
        unknown.
    """
    layout = packfile.layout
    types, objects = split_sections(packfile)
    names, name_offsets = pack_class_names(class_names(objects), layout.little_endian)
    writers = [SectionWriter(layout, 1), SectionWriter(layout, 2)]
    places: dict[int, tuple[int, int]] = {}
    for writer, members in zip(writers, (types, objects), strict=True):
        writer.place(members, places)
    order = layout.byte_order
    start = HEADER_SIZE + SECTION_HEADER_SIZE * len(TAGS)
    sections = [_section(TAGS[0], start, [len(names), 0, 0, 0])]
    parts: list[bytes | bytearray] = [names]
    for tag, writer in zip(TAGS[1:], writers, strict=True):
        tables = [pack_table(rows, order) for rows in writer.tables(places, name_offsets)]
        blob = writer.data()
        start = sections[-1].start + sections[-1].end
        sections.append(_section(tag, start, [len(blob), *map(len, tables)]))
        parts += [blob, *tables]
    section, offset = places[id(packfile.root)]
    header = replace(
        packfile.header,
        section_count=len(TAGS),
        contents_section=section,
        contents_offset=offset,
        class_name_section=0,
        root_class_name_offset=name_offsets[packfile.root.class_name],
    )
    heads = [write_header(header), *(pack_section_header(one, order) for one in sections)]
    return b"".join((*heads, *parts))


def split_sections(packfile: Packfile) -> tuple[list[HavokObject], list[HavokObject]]:
    """Return the objects of the `__types__` section and those of the `__data__` section, in the order of
    writing.

    Metadata keeps the order of `packfile.types`; class descriptions that only pointers name follow it.
    """
    reached = walk([packfile.root, *packfile.extra_roots])
    types = list(packfile.types)
    known = {id(found) for found in types}
    for found in (*walk(types), *reached):
        if id(found) not in known and found.class_name in METADATA_CLASSES:
            known.add(id(found))
            types.append(found)
    if id(packfile.root) in known:
        raise PackfileError(None, "root", "is class metadata, which can't be a file's contents")
    stray = [found for found in walk(types) if id(found) not in known]
    if stray:
        raise PackfileError(None, "class metadata", f"points to a {stray[0].class_name}")
    return types, [found for found in reached if id(found) not in known]


def class_names(objects: Iterable[HavokObject]) -> list[tuple[str, int]]:
    """Return names and signatures for the class-name list: the reflection classes, then by first object."""
    names = {name: signature(name, BUILT_IN) for name in REFLECTION_CLASSES}
    for found in objects:
        if found.class_name not in names:
            names[found.class_name] = signature(found.class_name, found._plan.table)
    return list(names.items())


def _section(tag: str, start: int, lengths: list[int]) -> Section:
    """Return a section header; a section without bytes has only zeros after its start."""
    bounds = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    end = bounds[-1]
    return Section(tag, start, bounds[0], bounds[1], bounds[2], end, end, end)
