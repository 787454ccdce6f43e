"""The class-name section: a signature, a tab and a name for each class of the file."""

from __future__ import annotations

from dataclasses import dataclass

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.header import Buffer, Header
from assets_pipeline.packfile.sections import Section

REFLECTION_CLASSES = ("hkClass", "hkClassMember", "hkClassEnum", "hkClassEnumItem")
_TAB = 0x09


@dataclass(frozen=True)
class ClassName:
    """One entry: the offset of the name in the section (fixups name it so), the signature and the name."""

    offset: int
    signature: int
    name: str


def read_class_names(data: Buffer, header: Header, section: Section) -> dict[int, ClassName]:
    """Return the entries by the offset of their names.

    Raises:
        PackfileError: a name without an end, or bytes that are neither an entry nor the filler.
    """
    blob = bytes(data[section.start : section.start + section.data_size])
    order = "little" if header.layout.little_endian else "big"
    found: dict[int, ClassName] = {}
    at = 0
    # A signature may begin with 0xFF like the filler does: the tab after it tells them apart.
    while at + 5 <= len(blob) and blob[at + 4] == _TAB:
        end = blob.find(b"\0", at + 5)
        if end < 0:
            raise PackfileError(section.start + at + 5, "class name", "has no end inside the section")
        if end == at + 5:
            raise PackfileError(section.start + at + 5, "class name", "is empty")
        signature = int.from_bytes(blob[at : at + 4], order)  # type: ignore[arg-type]
        name = blob[at + 5 : end].decode("utf-8", "surrogateescape")
        found[at + 5] = ClassName(at + 5, signature, name)
        at = end + 1
    rest = blob[at:]
    if rest.strip(b"\xff"):
        raise PackfileError(
            section.start + at, "class names", f"found {rest[:8].hex(' ')}, expected an entry or 0xFF filler"
        )
    if len(rest) > 15:
        raise PackfileError(
            section.start + at, "class names", f"{len(rest)} bytes of filler, expected at most 15"
        )
    return found


def pack_class_names(names: list[tuple[str, int]], little_endian: bool) -> tuple[bytes, dict[str, int]]:
    """Return the section's bytes for (name, signature) pairs, filled up to 16 bytes, and the offset of each name."""
    out = bytearray()
    offsets: dict[str, int] = {}
    for name, signature in names:
        out += signature.to_bytes(4, "little" if little_endian else "big") + bytes([_TAB])
        offsets[name] = len(out)
        out += name.encode("utf-8", "surrogateescape") + b"\0"
    out += b"\xff" * (-len(out) % 16)
    return bytes(out), offsets
