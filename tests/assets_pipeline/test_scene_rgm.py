"""redguard formats: RGM. Every section read and written byte for byte, every count and offset checked."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline.errors import LevelError
from assets_pipeline.scene import rgm_records
from assets_pipeline.scene.rgm import Rgm, Section, make_rgm, read_rgm, write_rgm
from assets_pipeline.scene.rgm_actors import ActorDefinition, Frames, Group
from assets_pipeline.scene.rgm_records import (
    BOUNDS,
    COUNTED,
    make_markers,
    name_of,
    positions_of,
    set_positions,
    set_static_rotations,
    static_rotations,
)


def actor(name: str = "CYRUS") -> ActorDefinition:
    attributes = np.zeros(256, np.uint8)
    attributes[44] = 7
    extra = np.zeros(15, np.int16)
    extra[9] = -3
    return ActorDefinition(
        name=name,
        attributes=attributes,
        frames=(Frames("CYRSA001.3DC", 12, "c"), Frames("WALK", 8, "S", word=5)),
        groups=(
            Group(0, 3, 0, np.array([[0x10, 0, 0], [1, 0, 0]], np.uint8)),
            Group(20, 0x102, 0x301, np.array([[0x20, 0, 0]], np.uint8)),
        ),
        extra=extra,
        bounds=(0, 1, -1),
    )


def bounds_records() -> Any:
    records = np.zeros(2, BOUNDS)
    records["positive"] = [[24, 62, 24], [1, 2, 3]]
    records["negative"] = [[24, 66, 25], [4, 5, 6]]
    records["total"] = records["positive"] + records["negative"]
    return records


def sample() -> Rgm:
    statics = np.zeros(2, COUNTED["MPSO"])
    statics["id"] = [1, 2]
    statics["model"] = [b"WALL", b"RAMP"]
    set_positions(statics, np.array([[32768, -64, 32768], [-5, 8388607, -8388608]]), "statics")
    return make_rgm(
        markers=make_markers(np.array([[40816, -699, 41024], [0, -1, 5]]), np.array([1, 0])),
        records={"MPSO": statics, "MPRP": np.zeros(1, COUNTED["MPRP"])},
        bounds=bounds_records(),
        actors=(actor(), actor("OTHER")),
        raw={"XTRA": b"anything at all"},
    )


def test_writing_and_reading_gives_the_same_bytes_and_values() -> None:
    data = write_rgm(sample())
    rgm = read_rgm(data)
    assert write_rgm(rgm) == data
    assert [section.tag for section in rgm.sections] == [
        "MPMK", "MPSO", "MPRP", "MPSZ", "RAHD", "RAAT", "RAAN", "RAGR", "RAEX", "XTRA",
    ]  # fmt: skip
    assert rgm.markers.positions.tolist() == [[40816, -699, 41024], [0, -1, 5]]
    assert rgm.markers.auxiliary.tolist() == [1, 0]
    statics = rgm.records("MPSO")
    assert [name_of(model) for model in statics["model"]] == ["WALL", "RAMP"]
    assert positions_of(statics).tolist() == [[32768, -64, 32768], [-5, 8388607, -8388608]]
    assert rgm.bounds["total"].tolist() == [[48, 128, 49], [5, 7, 9]]
    assert len(rgm.records("MPSL")) == 0


def test_every_decoded_section_encodes_to_its_own_bytes() -> None:
    rgm = read_rgm(write_rgm(sample()))
    again = make_rgm(
        markers=rgm.markers,
        records={tag: rgm.records(tag) for tag in ("MPSO", "MPRP")},
        bounds=rgm.bounds,
        actors=rgm.actors,
        raw={"XTRA": b"anything at all"},
    )
    assert write_rgm(again) == write_rgm(rgm)


def test_actors_come_back_with_all_their_parts() -> None:
    cyrus = read_rgm(write_rgm(sample())).actor("cyrus")
    assert cyrus.name == "CYRUS"
    assert cyrus.attributes[44] == 7
    assert cyrus.collision_sphere_scale == -3
    assert cyrus.frames == (Frames("CYRSA001.3DC", 12, "c"), Frames("WALK", 8, "S", word=5))
    assert cyrus.frame_total == 20
    assert cyrus.bounds == (0, 1, -1)
    idle, walk = cyrus.groups
    assert (idle.group, idle.anim_id, idle.kind) == (0, 3, 0)
    # Only the low byte of the type word counts: 0x301 is type 1.
    assert (walk.group, walk.anim_id, walk.kind) == (20, 0x102, 1)
    assert walk.commands.tolist() == [[0x20, 0, 0]]


def test_records_have_the_sizes_of_the_format() -> None:
    sizes = {tag: dtype.itemsize for tag, dtype in COUNTED.items()}
    assert sizes == {"MPSO": 66, "MPOB": 66, "MPSL": 42, "MPSF": 24, "MPRP": 80}


def test_section_lengths_are_big_endian_and_end_has_none() -> None:
    data = write_rgm(Rgm((Section("ABCD", b"12345"),)))
    assert data == b"ABCD\0\0\0\x05" + b"12345" + b"END \0\0\0\0"


def test_a_position_is_three_signed_24_bit_numbers_with_a_byte_after_each() -> None:
    # 40816 = 0x9F70; -699 = 0xFFFD45; 41024 = 0xA040. The byte behind each is no part of it.
    payload = struct.pack("<I", 1) + bytes.fromhex("709f00ee 45fdffee 40a000ee") + b"\x01"
    rgm = Rgm((Section("MPMK", payload),))
    assert rgm.markers.positions.tolist() == [[40816, -699, 41024]]
    assert rgm_records.write_markers(rgm.markers) == payload


def test_object_positions_lie_at_their_odd_offsets() -> None:
    record = bytearray(66)
    record[0x1B:0x26] = bytes.fromhex("709f00 00 45fdff 00 40a000")
    rgm = Rgm((Section("MPOB", struct.pack("<I", 1) + bytes(record)),))
    assert positions_of(rgm.records("MPOB")).tolist() == [[40816, -699, 41024]]


def test_static_rotations_are_stored_transposed_in_q4_28() -> None:
    record = bytearray(66)
    # Row r of the matrix is m[r], m[r + 3], m[r + 6]: the stored numbers 0..8 give row 0 = 0, 3, 6.
    record[0x1C:0x40] = struct.pack("<9i", *(index * 2**28 // 8 for index in range(9)))
    statics = Rgm((Section("MPSO", struct.pack("<I", 1) + bytes(record)),)).records("MPSO")
    assert (static_rotations(statics)[0] * 8).tolist() == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    before = statics["rotation"].copy()
    set_static_rotations(statics, static_rotations(statics))
    assert (statics["rotation"] == before).all()


def test_coordinates_beyond_24_bits_are_refused() -> None:
    with pytest.raises(LevelError, match="does not fit into 24 bits"):
        rgm_records.write_markers(make_markers(np.array([[2**23, 0, 0]]), np.array([1])))


def test_bounds_whose_total_is_not_the_sum_are_refused() -> None:
    records = bounds_records()
    records["total"][1, 0] += 1
    with pytest.raises(
        LevelError, match=r"bounds 1: total \[6, 7, 9\] is not positive \+ negative \(\[5, 7, 9\]\)"
    ):
        _ = Rgm((Section("MPSZ", records.tobytes()),)).bounds


@pytest.mark.parametrize("tag", ["MPMK", "MPSO", "MPOB", "MPSL", "MPSF", "MPRP"])
@pytest.mark.parametrize("count", [0, 2, 2**32 - 1])
def test_counts_that_the_section_does_not_hold_are_refused(tag: str, count: int) -> None:
    size = 13 if tag == "MPMK" else COUNTED[tag].itemsize
    rgm = Rgm((Section(tag, struct.pack("<I", count) + bytes(size)),))
    with pytest.raises(LevelError, match=f"section {tag}: offset .* {count} (markers|records) need"):
        _ = rgm.markers if tag == "MPMK" else rgm.records(tag)


def broken_actor(offset: int, value: int) -> Rgm:
    """The sample with the u32 at `offset` of the first actor's record changed."""
    rgm = sample()
    head = bytearray(rgm.sections[4].payload)
    struct.pack_into("<I", head, 8 + offset, value)
    return rgm.with_section("RAHD", bytes(head))


@pytest.mark.parametrize(
    ("offset", "value", "message"),
    [
        (0x1D, 257, "section RAAT: .* attributes of CYRUS"),
        (0x1D, 2**32 - 1, "section RAAT: .* attributes of CYRUS"),
        (0x21, 3, "section RAAN: .* frames of CYRUS"),
        (0x21, 2**32 - 1, "can't be negative"),
        (0x25, 1, "run past the 1 bytes"),
        (0x25, 2**31 - 1, "section RAAN: .* frames of CYRUS: need"),
        (0x29, 10**9, "section RAAN: .* frames of CYRUS: need"),
        (0x31, 10**9, "section RAGR: .* group of CYRUS: need"),
        (0x71, 61, "section RAEX: .* extra of CYRUS"),
    ],
)
def test_offsets_of_an_actor_that_lead_outside_are_refused(offset: int, value: int, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        _ = broken_actor(offset, value).actors


def test_actors_need_their_other_sections() -> None:
    rgm = sample()
    without = Rgm(tuple(section for section in rgm.sections if section.tag != "RAGR"))
    with pytest.raises(LevelError, match="2 actors need a section RAGR"):
        _ = without.actors
    with pytest.raises(LevelError, match="no actor 'NOBODY'; there are: CYRUS, OTHER"):
        rgm.actor("NOBODY")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"no END so far\): need 8 bytes, 0 left"),
        (b"MPMK\0\0\0\x05abc", "section MPMK: need 5 bytes, 3 left"),
        (b"MPMK\xff\xff\xff\xff", "section MPMK: need 4294967295 bytes, 0 left"),
        (b"END \0\0\0\x01", "END: expected length 0, found 1"),
        (b"END \0\0\0\0x", "1 bytes follow END"),
        (b"\xff\xfe\0\0\0\0\0\0", "section tag: expected 4 ASCII characters"),
    ],
)
def test_a_broken_chain_of_sections_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        read_rgm(data, "x.RGM")


def test_every_truncation_is_refused() -> None:
    data = write_rgm(sample())
    for length in range(len(data)):
        with pytest.raises(LevelError):
            read_rgm(data[:length])


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_changed_bytes_give_a_level_error_or_a_file_that_still_writes_back(at: int, change: int) -> None:
    data = bytearray(write_rgm(sample()))
    data[at % len(data)] ^= change
    try:
        rgm = read_rgm(bytes(data))
        assert write_rgm(rgm) == bytes(data)
        _ = rgm.markers, rgm.bounds, rgm.actors, [rgm.records(tag) for tag in COUNTED]
    except LevelError:
        pass
