"""Checks of the container: header, section headers, class names and the ends of tables."""

from __future__ import annotations

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_names import REFLECTION_CLASSES
from assets_pipeline.packfile.file import Parsed
from assets_pipeline.packfile.header import HEADER_SIZE
from assets_pipeline.packfile.sections import CLASS_NAMES, DATA, SECTION_HEADER_SIZE, TYPES
from assets_pipeline.packfile.signatures import signature
from assets_pipeline.verify.findings import Report, Rule

STRUCTURE = "Structure"
NAMES = "Class names and signatures"
FIXUPS = "Fixups, arrays and padding"

VERSION_FILLER = Rule("version-filler", STRUCTURE, "the contents version ends in a NUL, then 0xFF")
SECTION_TAGS = Rule("section-tags", STRUCTURE, "three sections: class names, types, data")
TAG_FILLER = Rule("section-tag-filler", STRUCTURE, "tag bytes after the NUL are 0, the byte at 0x13 is 0xFF")
SECTION_PLACE = Rule("section-place", STRUCTURE, "sections follow the headers without a gap")
TABLE_ALIGNMENT = Rule("table-alignment", FIXUPS, "data and tables end on 16-byte boundaries")
TABLE_FILLER = Rule("table-filler", FIXUPS, "tables end in 0xFF words up to 16 bytes, no further")
ROOT_NAME = Rule("root-class-name", STRUCTURE, "the header names the root object's class")
REFLECTION_FIRST = Rule("reflection-classes-first", NAMES, "the list begins with the reflection classes")
NAME_ORDER = Rule("class-name-order", FIXUPS, "each class in the order of its first object, once")
SIGNATURE = Rule("class-signature", NAMES, "a signature is the CRC-32 of the class's description")
NAME_FILLER = Rule("class-name-filler", FIXUPS, "names are followed by 0xFF up to 16 bytes, no further")


def check_container(parsed: Parsed, report: Report) -> None:
    """Check everything outside the sections' data."""
    _check_header(parsed, report)
    _check_sections(parsed, report)
    _check_names(parsed, report)


def _check_header(parsed: Parsed, report: Report) -> None:
    text = bytes(parsed.data[0x28:0x38])
    end = text.find(b"\0")
    report.check(VERSION_FILLER, 0x28 + end + 1, text[end + 1 :].hex(" "), "ff" if end == 14 else "")
    for offset, rule, found, expected in parsed.tolerated:
        report.add(SIGNATURE if rule == "signature" else ROOT_NAME, offset, found, expected)


def _check_sections(parsed: Parsed, report: Report) -> None:
    tags = [section.tag for section in parsed.sections]
    report.check(SECTION_TAGS, 0x14, ", ".join(tags), ", ".join((CLASS_NAMES, TYPES, DATA)))
    place = HEADER_SIZE + SECTION_HEADER_SIZE * len(parsed.sections)
    for section in parsed.sections:
        raw = bytes(parsed.data[section.offset : section.offset + 20])
        expected = section.tag.encode("latin-1").ljust(19, b"\0") + b"\xff"
        report.check(TAG_FILLER, section.offset, raw.hex(" "), expected.hex(" "))
        report.check(SECTION_PLACE, section.offset + 0x14, hex(section.start), hex(place))
        place = section.start + section.end
        bounds = (
            section.local_fixups,
            section.global_fixups,
            section.virtual_fixups,
            section.exports,
            section.imports,
            section.end,
        )
        for i, bound in enumerate(bounds):
            if bound % 16:
                report.add(TABLE_ALIGNMENT, section.offset + 0x18 + 4 * i, hex(bound), "a multiple of 16")
    for section, fixups in zip(parsed.sections, parsed.fixups, strict=True):
        for rows, width, start, end in (
            (fixups.local, 8, section.local_fixups, section.global_fixups),
            (fixups.globals, 12, section.global_fixups, section.virtual_fixups),
            (fixups.virtual, 12, section.virtual_fixups, section.exports),
        ):
            filler = end - start - len(rows) * width
            offset = section.start + end - filler
            report.check(TABLE_FILLER, offset, f"{filler} bytes", f"{-len(rows) * width % 16} bytes")


def _check_names(parsed: Parsed, report: Report) -> None:
    section = parsed.sections[parsed.header.class_name_section]
    entries = list(parsed.names.values())
    first = [entry.name for entry in entries[:4]]
    report.check(REFLECTION_FIRST, section.start, ", ".join(first), ", ".join(REFLECTION_CLASSES))
    wanted = list(dict.fromkeys((*REFLECTION_CLASSES, *(found.class_name for found in parsed.objects))))
    names = [entry.name for entry in entries]
    if names != wanted:
        same = [a == b for a, b in zip(names, wanted, strict=False)]
        i = same.index(False) if False in same else len(same)
        offset = entries[i].offset if i < len(entries) else section.data_size
        found_name = names[i] if i < len(names) else "the end"
        report.add(
            NAME_ORDER, section.start + offset, found_name, wanted[i] if i < len(wanted) else "the end"
        )
    for entry in entries:
        try:
            computed = signature(entry.name, parsed.table)
        except PackfileError:
            continue  # a class that no object is of, and that nothing describes
        if not any(offset == section.start + entry.offset - 5 for offset, *_ in parsed.tolerated):
            report.check(
                SIGNATURE, section.start + entry.offset - 5, f"{entry.signature:08X}", f"{computed:08X}"
            )
    used = 0
    if entries:
        used = entries[-1].offset + len(entries[-1].name.encode("utf-8", "surrogateescape")) + 1
    filler = section.data_size - used
    report.check(NAME_FILLER, section.start + used, f"{filler} bytes", f"{-used % 16} bytes")
