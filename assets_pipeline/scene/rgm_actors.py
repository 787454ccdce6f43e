"""The actor sections of a map file (RGM): RAHD definitions and their attributes, frames, groups and extras."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.binary import SceneBytes, packed_dtype
from assets_pipeline.scene.rgm_records import name_of

HEAD = struct.Struct("<I4s")
HEAD_WORD = b"\x1b\x80\x37\x00"
RECORD = packed_dtype(
    165,
    [
        ("name", "S9", 4),
        ("attributes_offset", "<u4", 0x1D),
        ("frame_count", "<i4", 0x21),
        ("frame_size", "<i4", 0x25),
        ("frame_offset", "<u4", 0x29),
        ("group_offset", "<u4", 0x31),
        ("extra_offset", "<u4", 0x71),
        ("bounds", "(3,)<i4", 0x89),
    ],
)
ATTRIBUTES = 256  # bytes an actor
EXTRA = np.dtype("(15,)<i2")
EXTRA_SPHERE_SCALE = 9  # the field at 0x12
FRAME_ENTRY = struct.Struct("<IBB")
GROUP_HEAD = struct.Struct("<5H")
GROUP_SIZE = struct.Struct("<H")
LAST_GROUP = 177
# Attributes whose index the rules name. Facts of the format.
ATTRIBUTE_NAMES = {"attr_panic_group": 44, "attr_border_eligibility": 113}


@dataclass(frozen=True)
class Frames:
    """An entry of the frame list: an animation file and how many frames of it follow in the frame table."""

    path: str
    count: int
    kind: str
    word: int = 0


@dataclass(frozen=True, eq=False)
class Group:
    """An animation group: its number, header word, type and (n, 3) command bytes.

    `type_word` is the whole stored word; only its low byte is the type.
    """

    group: int
    anim_id: int
    type_word: int
    commands: NDArray[np.uint8]

    @property
    def kind(self) -> int:
        """0 interruptible, 1 must complete, 2 no revert to the default."""
        return self.type_word & 0xFF


@dataclass(frozen=True, eq=False)
class ActorDefinition:
    """One actor of the map file.

    Attributes:
        name: at most 8 characters.
        attributes: (256,) bytes.
        frames: in stored order.
        groups: in stored order.
        extra: (15,) the RAEX record.
        bounds: index of the primary, secondary and tertiary bounds in the MPSZ section; -1: none.
        record: the whole 165-byte record, for what has no name here; None: zeros.
    """

    name: str
    attributes: NDArray[np.uint8]
    frames: tuple[Frames, ...]
    groups: tuple[Group, ...]
    extra: NDArray[np.int16]
    bounds: tuple[int, int, int]
    record: NDArray[Any] | None = field(default=None, repr=False)

    @property
    def collision_sphere_scale(self) -> int:
        """8 fraction bits; <= 0 means 256."""
        return int(self.extra[EXTRA_SPHERE_SCALE])

    @property
    def frame_total(self) -> int:
        """How many frames the actor's frame table has."""
        return sum(frames.count for frames in self.frames)


def read_actors(sections: dict[str, SceneBytes]) -> tuple[ActorDefinition, ...]:
    """Return the actors of the RAHD section of `sections`; none where there is no such section.

    Raises:
        LevelError: a count or offset leads outside its section, or a section that an actor needs is missing.
    """
    if "RAHD" not in sections:
        return ()
    head = sections["RAHD"]
    count, word = head.unpack(HEAD, 0, "actor count")
    expected = HEAD.size + count * RECORD.itemsize
    if expected != len(head):
        raise head.error(0, f"{count} actors need {expected} bytes, found {len(head)}")
    if word != HEAD_WORD:
        raise head.error(4, f"expected the bytes {HEAD_WORD.hex(' ')}, found {word.hex(' ')}")
    records = head.array(RECORD, count, HEAD.size, "actors")
    for tag in ("RAAT", "RAAN", "RAGR", "RAEX"):
        if count and tag not in sections:
            raise head.error(0, f"{count} actors need a section {tag}, there is none")
    return tuple(_read_actor(records[index : index + 1], sections) for index in range(count))


def _read_actor(record: NDArray[Any], sections: dict[str, SceneBytes]) -> ActorDefinition:
    row = record[0]
    name = name_of(row["name"])
    return ActorDefinition(
        name=name,
        attributes=sections["RAAT"].array(
            np.dtype("u1"), ATTRIBUTES, int(row["attributes_offset"]), f"attributes of {name}"
        ),
        frames=_read_frames(sections["RAAN"], row, name),
        groups=_read_groups(sections["RAGR"], int(row["group_offset"]), name),
        extra=sections["RAEX"].array(EXTRA, 1, int(row["extra_offset"]), f"extra of {name}")[0],
        bounds=(int(row["bounds"][0]), int(row["bounds"][1]), int(row["bounds"][2])),
        record=record.copy(),
    )


def _read_frames(section: SceneBytes, row: Any, name: str) -> tuple[Frames, ...]:
    """Return the frame entries of one actor, which must fill exactly the size that its record gives."""
    count, size, offset = int(row["frame_count"]), int(row["frame_size"]), int(row["frame_offset"])
    what = f"frames of {name}"
    if count < 0 or size < 0:
        raise section.error(offset, f"{what}: count {count} and size {size} can't be negative")
    section.need(offset, size, what)
    entries = []
    at, end = offset, offset + size
    for _ in range(count):
        word, frames, kind = section.unpack(FRAME_ENTRY, at, what)
        letter = chr(kind)
        if letter not in "cCsS":
            raise section.error(at + 5, f"{what}: expected the type c or s, found {letter!r}")
        path = section.text(at + FRAME_ENTRY.size, what)
        entries.append(Frames(path, frames, letter, word))
        at += FRAME_ENTRY.size + len(path) + 1
        if at > end:
            raise section.error(at, f"{what}: the entries run past the {size} bytes that the actor gives")
    if at != end:
        raise section.error(at, f"{what}: {count} entries end here, {size} bytes were given")
    return tuple(entries)


def _read_groups(section: SceneBytes, offset: int, name: str) -> tuple[Group, ...]:
    """Return the groups of one actor: up to the size word that is 0."""
    groups: list[Group] = []
    while True:
        (size,) = section.unpack(GROUP_SIZE, offset, f"group of {name}")
        if size == 0:
            return tuple(groups)
        _, number, anim_id, type_word, count = section.unpack(GROUP_HEAD, offset, f"group of {name}")
        if size != 8 + 3 * count:
            raise section.error(
                offset, f"group {number} of {name}: {count} commands and size {size} disagree"
            )
        if number > LAST_GROUP:
            raise section.error(offset + 2, f"group of {name}: expected 0 to {LAST_GROUP}, found {number}")
        commands = section.array(
            np.dtype("(3,)u1"), count, offset + GROUP_HEAD.size, f"group {number} of {name}"
        )
        groups.append(Group(number, anim_id, type_word, commands.reshape(count, 3)))
        offset += GROUP_SIZE.size + size  # reading: the size counts what follows the size word


def write_actors(actors: tuple[ActorDefinition, ...]) -> dict[str, bytes]:
    """Return the payloads of RAHD, RAAT, RAAN, RAGR and RAEX, each actor's parts one after another.

    Raises:
        LevelError: a name or path is too long or not Latin-1, or a number does not fit into its field.
    """
    payloads = {"RAAT": bytearray(), "RAAN": bytearray(), "RAGR": bytearray(), "RAEX": bytearray()}
    records = np.zeros(len(actors), RECORD)
    for index, actor in enumerate(actors):
        if actor.record is not None:
            records[index] = actor.record[0]
        row = records[index]
        _check_actor(actor)
        row["name"] = actor.name.encode("latin-1")
        row["bounds"] = actor.bounds
        row["attributes_offset"] = len(payloads["RAAT"])
        payloads["RAAT"] += np.asarray(actor.attributes, np.uint8).tobytes()
        row["extra_offset"] = len(payloads["RAEX"])
        payloads["RAEX"] += np.asarray(actor.extra, "<i2").tobytes()
        row["frame_offset"] = start = len(payloads["RAAN"])
        for frames in actor.frames:
            payloads["RAAN"] += FRAME_ENTRY.pack(frames.word, frames.count, ord(frames.kind))
            payloads["RAAN"] += frames.path.encode("latin-1") + b"\0"
        row["frame_count"] = len(actor.frames)
        row["frame_size"] = len(payloads["RAAN"]) - start
        row["group_offset"] = len(payloads["RAGR"])
        for group in actor.groups:
            count = len(group.commands)
            payloads["RAGR"] += GROUP_HEAD.pack(
                8 + 3 * count, group.group, group.anim_id, group.type_word, count
            )
            payloads["RAGR"] += np.asarray(group.commands, np.uint8).tobytes()
        payloads["RAGR"] += GROUP_SIZE.pack(0)
    head = HEAD.pack(len(actors), HEAD_WORD) + records.tobytes()
    return {"RAHD": head, **{tag: bytes(payload) for tag, payload in payloads.items()}}


def _check_actor(actor: ActorDefinition) -> None:
    """Raise LevelError where a part of `actor` does not fit into the file."""
    where = f"actor {actor.name!r}"
    texts = [("name", actor.name), *(("path", frames.path) for frames in actor.frames)]
    for what, text in texts:
        if "\0" in text or any(ord(character) > 255 for character in text):
            raise LevelError(f"{where}: {what} {text!r}: expected Latin-1 text without NUL")
    if len(actor.name) > 8:
        raise LevelError(f"{where}: name: expected at most 8 characters, found {len(actor.name)}")
    if np.shape(actor.attributes) != (ATTRIBUTES,) or np.shape(actor.extra) != (15,):
        raise LevelError(
            f"{where}: expected 256 attributes and 15 extra words, found {np.shape(actor.attributes)} "
            f"and {np.shape(actor.extra)}"
        )
    for frames in actor.frames:
        if not 0 <= frames.count <= 255 or frames.kind not in ("c", "C", "s", "S"):
            raise LevelError(f"{where}: {frames.path}: expected 0 to 255 frames of type c or s")
    for group in actor.groups:
        words = (group.group, group.anim_id, group.type_word, 8 + 3 * len(group.commands))
        if not 0 <= group.group <= LAST_GROUP or any(not 0 <= word <= 0xFFFF for word in words):
            raise LevelError(f"{where}: group {group.group}: a number does not fit into its field")
