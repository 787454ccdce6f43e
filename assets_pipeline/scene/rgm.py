"""Map files (RGM): a chain of tagged sections, read and written byte for byte; unknown tags stay raw bytes."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assets_pipeline.errors import LevelError
from assets_pipeline.scene import rgm_actors, rgm_records
from assets_pipeline.scene.binary import SceneBytes, read_file
from assets_pipeline.scene.rgm_actors import ActorDefinition
from assets_pipeline.scene.rgm_records import Markers, Records

SECTION_HEAD = struct.Struct(">4sI")  # the length is big-endian, unlike everything inside
END_TAG = "END "


@dataclass(frozen=True)
class Section:
    """One section: four ASCII characters and its payload."""

    tag: str
    payload: bytes
    offset: int = 0  # of the payload in the file it was read from


@dataclass(frozen=True)
class Rgm:
    """A map file: its sections in file order, END left out. The accessors decode one section each."""

    sections: tuple[Section, ...]
    name: str = "map file"

    def payload(self, tag: str) -> SceneBytes | None:
        """Return the bytes of the first section `tag`, or None."""
        for section in self.sections:
            if section.tag == tag:
                return SceneBytes(section.payload, f"{self.name}: section {tag.strip()}", section.offset)
        return None

    @property
    def markers(self) -> Markers:
        """The MPMK section; no markers where there is none."""
        payload = self.payload("MPMK")
        if payload is None:
            return rgm_records.make_markers(np.zeros((0, 3), np.int32), np.zeros(0, np.uint8))
        return rgm_records.read_markers(payload)

    def records(self, tag: str) -> Records:
        """Return the records of MPSO, MPOB, MPSL, MPSF or MPRP, as a structured array; empty where there are none.

        Raises:
            LevelError: the section's count and size disagree, or `tag` is none of these.
        """
        if tag not in rgm_records.COUNTED:
            raise LevelError(f"section {tag!r}: expected one of {', '.join(rgm_records.COUNTED)}")
        dtype = rgm_records.COUNTED[tag]
        payload = self.payload(tag)
        return np.zeros(0, dtype) if payload is None else rgm_records.read_records(payload, dtype)

    @property
    def bounds(self) -> Records:
        """The records of the MPSZ section; empty where there is none."""
        payload = self.payload("MPSZ")
        return np.zeros(0, rgm_records.BOUNDS) if payload is None else rgm_records.read_bounds(payload)

    @property
    def actors(self) -> tuple[ActorDefinition, ...]:
        """The actors that RAHD, RAAT, RAAN, RAGR and RAEX define together."""
        payloads = {section.tag: self.payload(section.tag) for section in self.sections}
        return rgm_actors.read_actors(
            {tag: payload for tag, payload in payloads.items() if payload is not None}
        )

    def actor(self, name: str) -> ActorDefinition:
        """Return the actor called `name`, in either case; LevelError where there is none."""
        actors = self.actors
        for actor in actors:
            if actor.name.lower() == name.lower():
                return actor
        names = ", ".join(actor.name for actor in actors) or "none"
        raise LevelError(f"{self.name}: section RAHD: no actor {name!r}; there are: {names}")

    def with_section(self, tag: str, payload: bytes) -> Rgm:
        """Return a copy in which section `tag` holds `payload`; it comes last where it was not there."""
        found = any(section.tag == tag for section in self.sections)
        sections = tuple(
            replace(section, payload=payload) if section.tag == tag else section for section in self.sections
        )
        return replace(self, sections=sections if found else (*sections, Section(tag, payload)))


def make_rgm(
    *,
    markers: Markers | None = None,
    records: dict[str, Records] | None = None,
    bounds: Records | None = None,
    actors: tuple[ActorDefinition, ...] = (),
    raw: dict[str, bytes] | None = None,
) -> Rgm:
    """Return a map file of our own.

    Args:
        markers: of the MPMK section.
        records: tag -> structured array, for MPSO, MPOB, MPSL, MPSF and MPRP.
        bounds: of the MPSZ section.
        actors: for RAHD, RAAT, RAAN, RAGR and RAEX.
        raw: tag -> payload of sections that this module does not know.

    Raises:
        LevelError: something does not fit into its field.
    """
    payloads: dict[str, bytes] = {}
    if markers is not None:
        payloads["MPMK"] = rgm_records.write_markers(markers)
    for tag, table in (records or {}).items():
        expected: np.dtype[Any] | None = rgm_records.COUNTED.get(tag)
        if expected is None or table.dtype != expected:
            raise LevelError(f"section {tag!r}: expected records of {', '.join(rgm_records.COUNTED)}")
        payloads[tag] = rgm_records.write_records(table)
    if bounds is not None:
        payloads["MPSZ"] = bounds.tobytes()
    if actors:
        payloads.update(rgm_actors.write_actors(actors))
    payloads.update(raw or {})
    return Rgm(tuple(Section(tag, payload) for tag, payload in payloads.items()))


def read_rgm(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Rgm:
    """Return the map file at a path, or in bytes. Sections are decoded when they are asked for.

    Raises:
        LevelError: it can't be read, a section runs past the end, there is no END, or bytes follow it.
    """
    data = source if isinstance(source, bytes) else read_file(source)
    where = name or ("map file" if isinstance(source, bytes) else os.fspath(source))
    file = SceneBytes(data, where)
    sections: list[Section] = []
    offset = 0
    while True:
        raw_tag, length = file.unpack(SECTION_HEAD, offset, "section header (no END so far)")
        if not raw_tag.isascii() or not all(32 <= byte < 127 for byte in raw_tag):
            raise file.error(offset, f"section tag: expected 4 ASCII characters, found {raw_tag.hex(' ')}")
        tag = raw_tag.decode("ascii")
        offset += SECTION_HEAD.size
        if tag == END_TAG:
            if length != 0:
                raise file.error(offset - 4, f"END: expected length 0, found {length}")
            break
        sections.append(Section(tag, file.take(offset, length, f"section {tag}"), offset))
        offset += length
    if offset != len(data):
        raise file.error(offset, f"{len(data) - offset} bytes follow END")
    return Rgm(tuple(sections), where)


def write_rgm(rgm: Rgm) -> bytes:
    """Return the bytes of a map file: `write_rgm(read_rgm(data)) == data`.

    Raises:
        LevelError: a tag is not four ASCII characters, or END.
    """
    parts = []
    for section in rgm.sections:
        if len(section.tag) != 4 or not section.tag.isascii() or section.tag == END_TAG:
            raise LevelError(f"section tag {section.tag!r}: expected 4 ASCII characters other than END")
        parts.append(SECTION_HEAD.pack(section.tag.encode("ascii"), len(section.payload)) + section.payload)
    return b"".join([*parts, SECTION_HEAD.pack(END_TAG.encode("ascii"), 0)])
