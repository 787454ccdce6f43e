"""The 64-byte file header, and which Havok generation a file that we don't read is from."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.layout import Layout

Buffer = bytes | bytearray | memoryview

MAGIC = bytes.fromhex("57E0E05710C0C010")
MAGIC_SWAPPED = MAGIC[3::-1] + MAGIC[:3:-1]  # both words little-endian
FILE_VERSION = 7
CONTENTS_VERSION = "Havok-7.1.0-r1"
HEADER_SIZE = 64
GENERATION_BYTES = 4096  # of its start say which generation a file is of
NO_PREDICATES = -1  # the words that later versions keep predicates in

# After the magic: user tag, file version, layout bytes, five words, contents version, flags, two predicate
# fields.
_WORDS = "II4BIIIII"
_TAIL = "16sIhh"


@dataclass
class Header:
    """The header's values, those that the writer derives (sections, offsets) as they were read."""

    layout: Layout = field(default_factory=Layout)
    user_tag: int = 0
    contents_version: str = CONTENTS_VERSION
    flags: int = 0xFFFFFFFF
    max_predicate: int = NO_PREDICATES
    predicate_size: int = NO_PREDICATES
    file_version: int = FILE_VERSION
    section_count: int = 3
    contents_section: int = 2
    contents_offset: int = 0
    class_name_section: int = 0
    root_class_name_offset: int = 0


def read_header(data: Buffer) -> Header:
    """Return the header of a 7.1.0-r1 packfile.

    Raises:
        PackfileError: too short, not a packfile, of another generation (which one is said), or out of bounds.
    """
    check_generation(data)
    if len(data) < HEADER_SIZE:
        raise PackfileError(len(data), "header", f"needs {HEADER_SIZE} bytes, the file has {len(data)}")
    pointer, little, reuse, empty = data[0x10:0x14]
    for offset, name, value, allowed in (
        (0x10, "pointer size", pointer, (4, 8)),
        (0x11, "little-endian flag", little, (0, 1)),
        (0x12, "reuse-padding flag", reuse, (0, 1)),
        (0x13, "empty-base flag", empty, (0, 1)),
    ):
        if value not in allowed:
            raise PackfileError(offset, name, f"found {value}, expected {allowed[0]} or {allowed[1]}")
    layout = Layout(pointer, bool(little), bool(reuse), bool(empty))
    order = layout.byte_order
    user_tag, version, *_, count, contents, offset, names, root = struct.unpack_from(order + _WORDS, data, 8)
    text, flags, predicate, size = struct.unpack_from(order + _TAIL, data, 0x28)
    return Header(
        layout=layout,
        user_tag=user_tag,
        contents_version=text.split(b"\0")[0].decode("latin-1"),
        flags=flags,
        max_predicate=predicate,
        predicate_size=size,
        file_version=version,
        section_count=count,
        contents_section=contents,
        contents_offset=offset,
        class_name_section=names,
        root_class_name_offset=root,
    )


def write_header(header: Header) -> bytes:
    """Return the 64 bytes of a header."""
    order = header.layout.byte_order
    words = struct.pack(
        order + _WORDS,
        header.user_tag,
        header.file_version,
        *header.layout.rules,
        header.section_count,
        header.contents_section,
        header.contents_offset,
        header.class_name_section,
        header.root_class_name_offset,
    )
    text = header.contents_version.encode("latin-1")[:15] + b"\0"
    tail = struct.pack(
        order + _TAIL, text.ljust(16, b"\xff"), header.flags, header.max_predicate, header.predicate_size
    )
    return MAGIC + words + tail


def check_generation(data: Buffer) -> None:
    """Raise PackfileError unless the file starts as a 7.1.0-r1 packfile; the message names what it is instead."""
    start = bytes(data[:0x40])
    if not start:
        raise PackfileError(0, "file", "empty")
    if start[: len(MAGIC)] not in (MAGIC, MAGIC_SWAPPED):
        raise PackfileError(0, "magic", _not_a_packfile(bytes(data[:GENERATION_BYTES])))
    if len(start) < 0x38:
        raise PackfileError(len(start), "header", f"needs {HEADER_SIZE} bytes, the file has {len(start)}")
    little = start[0x11] == 1
    version = int.from_bytes(start[0x0C:0x10], "little" if little else "big")
    if version > 0xFFFF:  # the byte at 0x11 is damaged, or the header is older than it
        version = int.from_bytes(start[0x0C:0x10], "big" if little else "little")
    contents = start[0x28:0x38].split(b"\0")[0].split(b"\xff")[0].decode("latin-1")
    if start[: len(MAGIC)] == MAGIC and version == FILE_VERSION and contents == CONTENTS_VERSION:
        return
    stated = repr(contents) if contents else "not stated"
    found = f"file version {version}, contents version {stated}{_first_signatures(data, little)}"
    raise PackfileError(
        0x0C if version != FILE_VERSION else 0x28,
        "generation",
        f"{found}; expected file version {FILE_VERSION}, contents version {CONTENTS_VERSION!r}",
    )


def _first_signatures(data: Buffer, little: bool) -> str:
    """Return the signatures of hkClass and hkClassMember as text: the pair tells generations apart."""
    found = []
    head = bytes(data[:GENERATION_BYTES])
    for name in ("hkClass", "hkClassMember"):
        match = re.search(rb"(....)\x09" + name.encode() + rb"\0", head, re.DOTALL)
        if match:
            value = int.from_bytes(match[1], "little" if little else "big")
            found.append(f"{name} {value:08X}")
    return ", signatures " + ", ".join(found) if found else ""


def _not_a_packfile(start: bytes) -> str:
    """Return what a file without the packfile magic looks like."""
    expected = f"expected {MAGIC.hex(' ').upper()}"
    if start[4:8] == b"TAG0":
        version = re.search(rb"SDKV(\d{8})", start)
        return f"a Havok tagfile (TAG0{', SDK ' + version[1].decode() if version else ''}); {expected}"
    if start[4:8] == b"TCM0":
        return f"a Havok compendium tagfile (TCM0); {expected}"
    if start[:8] in (bytes.fromhex("CAB00D1ED011FACE"), bytes.fromhex("1E0DB0CACEFA11D0")):
        return f"a Havok binary tagfile; {expected}"
    if b"<hkpackfile" in start or b"<hktagfile" in start:
        attributes = re.findall(rb'(classversion|contentsversion|version|sdkversion)="([^"]{0,40})"', start)
        said = ", ".join(f"{name.decode()} {value.decode('latin-1')!r}" for name, value in attributes[:4])
        kind = "XML packfile" if b"<hkpackfile" in start else "XML tagfile"
        return f"a Havok {kind} ({said or 'no version stated'}); {expected}"
    return f"not a packfile: found {start[:8].hex(' ').upper()}, {expected}"
