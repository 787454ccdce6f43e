"""Section headers and the fixup tables at a section's end."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.header import HEADER_SIZE, Buffer, Header

SECTION_HEADER_SIZE = 48
MAX_SECTIONS = 16  # all files at hand have three
CLASS_NAMES, TYPES, DATA = "__classnames__", "__types__", "__data__"
FILL = 0xFFFFFFFF

Words = NDArray[np.int64]


@dataclass
class Section:
    """A section header: where its data and its tables start; all but `start` are relative to `start`."""

    tag: str
    start: int
    local_fixups: int
    global_fixups: int
    virtual_fixups: int
    exports: int
    imports: int
    end: int
    offset: int = 0  # of the header itself, for messages

    @property
    def data_size(self) -> int:
        """Bytes of data: the first table starts there."""
        return self.local_fixups


@dataclass
class Fixups:
    """The three tables of a section as rows of integers.

    `local` rows are source, destination; `globals` source, section, destination; `virtual` object, section,
    class name.
    """

    local: Words
    globals: Words
    virtual: Words


def read_sections(data: Buffer, header: Header) -> list[Section]:
    """Return the section headers; raise PackfileError for bounds that are out of order or of the file."""
    if not 1 <= header.section_count <= MAX_SECTIONS:
        raise PackfileError(
            0x14, "section count", f"found {header.section_count}, expected 1 to {MAX_SECTIONS}"
        )
    need = HEADER_SIZE + SECTION_HEADER_SIZE * header.section_count
    if need > len(data):
        raise PackfileError(len(data), "section headers", f"need {need} bytes, the file has {len(data)}")
    for offset, name, index in (
        (0x18, "contents section", header.contents_section),
        (0x20, "class-name section", header.class_name_section),
    ):
        if index >= header.section_count:
            raise PackfileError(offset, name, f"found {index}, the file has {header.section_count} sections")
    sections = [
        _read_section(data, header, HEADER_SIZE + SECTION_HEADER_SIZE * i)
        for i in range(header.section_count)
    ]
    _check_extents(data, sections, need)
    return sections


def _read_section(data: Buffer, header: Header, offset: int) -> Section:
    tag = bytes(data[offset : offset + 19]).split(b"\0")[0].decode("latin-1")
    words = struct.unpack_from(header.layout.byte_order + "7I", data, offset + 20)
    section = Section(tag, *words)
    section.offset = offset
    bounds = words[1:]
    # Without contents every word is 0; with them the tables follow one another up to the end of the section.
    names = ("local fixups", "global fixups", "virtual fixups", "exports", "imports", "end")
    previous = 0
    for i, (name, bound) in enumerate(zip(names, bounds, strict=True)):
        if bound < previous:
            raise PackfileError(
                offset + 0x18 + 4 * i,
                f"section {tag} {name}",
                f"starts at 0x{bound:x}, before 0x{previous:x}",
            )
        if bound % 4:
            raise PackfileError(
                offset + 0x18 + 4 * i, f"section {tag} {name}", f"0x{bound:x} is not a multiple of 4"
            )
        if section.start + bound > len(data):
            raise PackfileError(
                offset + 0x18 + 4 * i,
                f"section {tag} {name}",
                f"reaches 0x{section.start + bound:x}, the file ends at 0x{len(data):x}",
            )
        previous = bound
    return section


def _check_extents(data: Buffer, sections: list[Section], headers_end: int) -> None:
    """Refuse sections that overlap the headers or each other, and bytes that no section owns at the file's end."""
    end = headers_end
    for section in sorted((s for s in sections if s.end), key=lambda s: s.start):
        if section.start < end:
            raise PackfileError(
                section.offset + 0x14,
                f"section {section.tag} start",
                f"0x{section.start:x} lies before 0x{end:x}",
            )
        end = section.start + section.end
    if end != len(data):
        raise PackfileError(end, "end of file", f"{len(data) - end} bytes after the last section")


def read_fixups(words: NDArray[np.uint32], section: Section) -> Fixups:
    """Return the fixup tables of a section.

    Args:
        words: the whole file's 32-bit words from the section's start on, in native order.
        section: its header.

    Raises:
        PackfileError: a table whose length or filler is wrong, or exports or imports, whose entries no file
        shows.
    """
    if section.end != section.exports:
        # No file at hand has any, so what an entry holds isn't known; dropping them would lose data in
        # silence.
        raise PackfileError(
            section.start + section.exports,
            f"section {section.tag} exports and imports",
            f"found {section.end - section.exports} bytes, expected none",
        )
    return Fixups(
        _table(words, section, "local fixups", section.local_fixups, section.global_fixups, 2),
        _table(words, section, "global fixups", section.global_fixups, section.virtual_fixups, 3),
        _table(words, section, "virtual fixups", section.virtual_fixups, section.exports, 3),
    )


def _table(words: NDArray[np.uint32], section: Section, name: str, start: int, end: int, width: int) -> Words:
    table = words[start // 4 : end // 4]
    used = len(table)
    while used and table[used - 1] == FILL:  # the filler reaches up to the next 16-byte boundary
        used -= 1
        if len(table) - used > 3:
            raise PackfileError(
                section.start + start + 4 * used,
                f"section {section.tag} {name}",
                "more than 3 words of filler",
            )
    if used % width:
        raise PackfileError(
            section.start + start,
            f"section {section.tag} {name}",
            f"{used} words, entries have {width}",
        )
    return table[:used].reshape(-1, width).astype(np.int64)


def pack_section_header(section: Section, order: str) -> bytes:
    """Return the 48 bytes of a section header; `order` is the struct prefix of the byte order."""
    tag = section.tag.encode("latin-1")[:18].ljust(19, b"\0") + b"\xff"
    bounds = (
        section.start,
        section.local_fixups,
        section.global_fixups,
        section.virtual_fixups,
        section.exports,
        section.imports,
        section.end,
    )
    return tag + struct.pack(order + "7I", *bounds)


def pack_table(rows: Words, order: str) -> bytes:
    """Return a fixup table with its filler up to a 16-byte boundary."""
    packed = rows.astype(order + "u4").tobytes()
    return packed + b"\xff" * (-len(packed) % 16)
