"""The interpreter of MOPP code, command by command, on codes small enough to read (`havok: MOPP code`)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok import MoppCode, list_mopp

# Offset 0 and scale 65536: a metre is one high byte, so the numbers in the codes are metres.
BYTE = 65536.0
AXES = pytest.mark.parametrize("axis", [0, 1, 2])


def code(text: str, scale: float = BYTE) -> MoppCode:
    return MoppCode(bytes.fromhex(text), (0.0, 0.0, 0.0), scale)


def box_keys(mopp: MoppCode, axis: int, low: float, high: float, **options: bool) -> list[int]:
    """Query a slab: the whole frame but for one axis."""
    lo, hi = np.zeros(3), np.full(3, 255.0)
    lo[axis], hi[axis] = low, high
    return mopp.query_box(lo, hi, **options).tolist()


# ---------------------------------------------------------------- terminals


def test_short_terminals_hold_their_key_in_the_opcode() -> None:
    assert code("30").keys().tolist() == [0]
    assert code("4f").keys().tolist() == [0x1F]


def test_terminals_of_8_to_32_bits_are_big_endian() -> None:
    assert code("50ff").keys().tolist() == [0xFF]
    assert code("510102").keys().tolist() == [0x0102]
    assert code("52010203").keys().tolist() == [0x010203]
    assert code("53fe020304").keys().tolist() == [0xFE020304]


def test_terminal_offsets_add_and_set() -> None:
    # 0 + 0x10, + 0x0102, then the terminal's own 2; 0x0B forgets what was before.
    assert code("0910 0a0102 32").keys().tolist() == [0x10 + 0x0102 + 2]
    assert code("0910 0b00100000 5107d0").keys().tolist() == [(1 << 20) + 2000]


def test_a_key_wraps_at_32_bits() -> None:
    assert code("0bffffffff 31").keys().tolist() == [0]


def test_the_terminal_offset_of_one_branch_does_not_reach_the_other() -> None:
    # split x; left: offset + 5, key 0; right: key 0.
    assert code("10ff0003 0905 30 30").keys().tolist() == [5, 0]


def test_keys_come_left_branch_first() -> None:
    assert code("10ff0006 11ff0001 31 32 33").keys().tolist() == [1, 2, 3]


# ---------------------------------------------------------------- jumps


@pytest.mark.parametrize(
    "text",
    [
        "0501 ff 35",  # 8 bits, from the end of the command
        "060001 ff 35",
        "07000001 ff 35",  # reading: 24 and 32 bits, likewise
        "0800000001 ff 35",
        "7000000006 ff 35",  # absolute
        "0c0001" + "ff" * 509 + "35",  # reading: 512 times a 16-bit number
    ],
)
def test_jumps_skip_the_byte_between(text: str) -> None:
    assert code(text).keys().tolist() == [5]


def test_a_jump_keeps_the_terminal_offset() -> None:
    assert code("0907 7000000008 ff 31").keys().tolist() == [8]


def test_return_ends_its_branch_without_a_key() -> None:
    # Reading of 0x00; the other branch goes on.
    assert code("10ff0001 00 37").keys().tolist() == [7]


# ---------------------------------------------------------------- splits and bounds


@AXES
def test_a_split_takes_left_up_to_left_max_and_right_from_right_min(axis: int) -> None:
    # left_max 100, right_min 50: by the high byte, so 100.99 is still left and 49.99 not yet right.
    mopp = code(f"{0x10 + axis:02x} 64 32 01 31 32")
    assert box_keys(mopp, axis, 0, 49.99) == [1]
    assert box_keys(mopp, axis, 0, 50.0) == [1, 2]
    assert box_keys(mopp, axis, 100.99, 200) == [1, 2]
    assert box_keys(mopp, axis, 101.0, 200) == [2]


@AXES
def test_a_split_with_a_gap_lets_a_box_in_the_gap_into_neither(axis: int) -> None:
    mopp = code(f"{0x10 + axis:02x} 32 64 01 31 32")  # left_max 50, right_min 100
    assert box_keys(mopp, axis, 51, 99.9) == []


@AXES
def test_a_single_value_split_serves_both_sides(axis: int) -> None:
    mopp = code(f"{0x20 + axis:02x} 32 01 31 32")
    assert box_keys(mopp, axis, 0, 49.9) == [1]
    assert box_keys(mopp, axis, 50, 50.9) == [1, 2]
    assert box_keys(mopp, axis, 51, 60) == [2]


@AXES
def test_a_split_with_16_bit_jumps_counts_both_from_its_end(axis: int) -> None:
    mopp = code(f"{0x23 + axis:02x} 64 32 0002 0001 ff 32 31")  # left 2 further, right 1 further
    assert box_keys(mopp, axis, 0, 49.9) == [1]
    assert box_keys(mopp, axis, 101, 200) == [2]
    assert mopp.keys().tolist() == [1, 2]


@AXES
def test_bounds_keep_boxes_that_reach_their_bytes(axis: int) -> None:
    mopp = code(f"{0x26 + axis:02x} 32 64 31")
    assert box_keys(mopp, axis, 0, 49.99) == []
    assert box_keys(mopp, axis, 0, 50.0) == [1]
    assert box_keys(mopp, axis, 100.99, 200) == [1]
    assert box_keys(mopp, axis, 101.0, 200) == []


@AXES
def test_bounds_of_24_bits_compare_whole_units(axis: int) -> None:
    # Reading: 0x329000 to 0x640000 of the current frame's units, 65536 a metre.
    mopp = code(f"{0x29 + axis:02x} 329000 640000 31")
    minimum = 0x329000 / BYTE
    assert box_keys(mopp, axis, 0, minimum - 1 / BYTE) == []
    assert box_keys(mopp, axis, 0, minimum) == [1]
    assert box_keys(mopp, axis, 100.0, 200) == [1]
    assert box_keys(mopp, axis, 100.0 + 1 / BYTE, 200) == []


def test_a_box_is_floored_to_units() -> None:
    # scale 1: a byte is 65536 m, and 65535.9 still has the high byte 0.
    mopp = code("26 01 ff 31", scale=1.0)
    assert mopp.query_box((0, 0, 0), (65535.9, 0, 0)).tolist() == []
    assert mopp.query_box((0, 0, 0), (65536.0, 0, 0)).tolist() == [1]


def test_offset_and_scale_place_the_frame() -> None:
    mopp = MoppCode(bytes.fromhex("260a0a31"), (-100.0, 7.0, 8.0), 2 * BYTE)
    # x byte 10 is -100 + 10 / 2 = -95 to -94.5.
    assert mopp.query_box((-95.0, 7, 8), (-95.0, 7, 8)).tolist() == [1]
    assert mopp.query_box((-94.5, 7, 8), (-94.0, 7, 8)).tolist() == []
    assert mopp.query_box((-96.0, 7, 8), (-95.01, 7, 8)).tolist() == []


# ---------------------------------------------------------------- rescale


@pytest.mark.parametrize("shift", [1, 2, 3, 4])
def test_rescale_magnifies_the_frame_from_its_bytes(shift: int) -> None:
    # Frame bytes 16, 32, 48: then a byte is 1 / 2**shift m, and y byte 3 is 32 + 3 / 2**shift on.
    mopp = code(f"{shift:02x} 102030 27 03 03 31")
    byte = 1 / 2**shift
    low = 32 + 3 * byte
    assert box_keys(mopp, 1, low, low) == [1]
    assert box_keys(mopp, 1, low + 0.99 * byte, 99) == [1]
    assert box_keys(mopp, 1, low + byte, 99) == []
    assert box_keys(mopp, 1, 0, low - 1 / BYTE) == []


def test_rescales_nest() -> None:
    # x: from byte 8, halved, then from half-byte 4, in sixteenths of it: byte b is 8 + 4 / 2 + b / 32.
    mopp = code("01080000 04040000 26 10 10 31")
    assert box_keys(mopp, 0, 10.5, 10.5) == [1]
    assert box_keys(mopp, 0, 10.5 + 1 / 32, 11) == []


def test_a_far_box_stays_far_through_rescales() -> None:
    # Beyond the frame on either side, and so far that the shifts would overflow if it were not held back.
    deep = code("04000000" * 16 + "2600ff 31")
    for x in (1e6, 1e300):
        assert deep.query_box((x, 0, 0), (2 * x, 0, 0)).tolist() == []
        assert deep.query_box((-2 * x, 0, 0), (-x, 0, 0)).tolist() == []
    assert deep.query_box((-1e300, 0, 0), (1e300, 0, 0)).tolist() == [1]


def test_the_rescale_of_one_branch_does_not_reach_the_other() -> None:
    mopp = code("10ff0008 04000000 260000 31 260000 32")
    assert box_keys(mopp, 0, 0.5, 0.9) == [2]  # left: byte 8 of the magnified frame; right: byte 0


# ---------------------------------------------------------------- diagonals

DIAGONALS = [
    (0x13, (0, 1, 1)),
    (0x14, (0, 1, -1)),
    (0x15, (1, 0, 1)),
    (0x16, (1, 0, -1)),
    (0x17, (1, 1, 0)),
    (0x18, (1, -1, 0)),
    (0x19, (1, 1, 1)),
    (0x1A, (1, 1, -1)),
    (0x1B, (1, -1, 1)),
    (0x1C, (1, -1, -1)),
]


@pytest.mark.parametrize(("opcode", "direction"), DIAGONALS)
def test_diagonal_splits_go_both_ways_and_prune_on_request(opcode: int, direction: tuple[int, ...]) -> None:
    mopp = code(f"{opcode:02x} 40 c0 01 31 32")  # left_max 64, right_min 192
    # The mean of the coordinates, 255 - c where it is taken away: all at 230 or 25 to its side gives 230.
    sign = np.array(direction)
    high = np.where(sign > 0, 230.0, np.where(sign < 0, 25.0, 128.0))
    low = np.where(sign > 0, 25.0, np.where(sign < 0, 230.0, 128.0))
    for point, side in ((high, [2]), (low, [1])):
        assert mopp.query_box(point, point).tolist() == [1, 2]
        assert mopp.query_sphere(point, 0.0).tolist() == [1, 2]
        assert mopp.query_ray(point, point).tolist() == [1, 2]
        assert mopp.query_box(point, point, prune_diagonals=True).tolist() == side
        assert mopp.query_sphere(point, 0.0, prune_diagonals=True).tolist() == side
        assert mopp.query_ray(point, point, prune_diagonals=True).tolist() == side
    assert mopp.query_ray(low, high, prune_diagonals=True).tolist() == [1, 2]
    assert mopp.query_sphere(low, 400.0, prune_diagonals=True).tolist() == [1, 2]
    lo, hi = np.minimum(low, high), np.maximum(low, high)
    assert mopp.query_box(lo, hi, prune_diagonals=True).tolist() == [1, 2]


# ---------------------------------------------------------------- sphere and ray


def test_a_sphere_misses_the_corner_that_its_box_touches() -> None:
    # Bounds 100 to 101 on all axes. From (98, 98, 98) the corner (100, 100, 100) is sqrt(12) = 3.46 away.
    mopp = code("266464 276464 286464 31")
    assert mopp.query_box((94.9, 94.9, 94.9), (101.1, 101.1, 101.1)).tolist() == [1]
    assert mopp.query_sphere((98, 98, 98), 3.1).tolist() == []
    assert mopp.query_sphere((98, 98, 98), 3.47).tolist() == [1]


def test_a_ray_has_two_ends_and_a_line() -> None:
    mopp = code("266464 276464 286464 31")  # the cell from 100 to 101
    middle = np.full(3, 100.5)
    for axis in range(3):
        along = np.eye(3)[axis]
        assert mopp.query_ray(middle - 10 * along, middle + 10 * along).tolist() == [1]
        assert mopp.query_ray(middle - 10 * along, middle - 0.6 * along).tolist() == []
        assert mopp.query_ray(middle + 10 * along, middle + 0.6 * along).tolist() == []
    assert mopp.query_ray((99, 100.5, 100.5), (101, 103, 100.5)).tolist() == []  # past y 101 before x 100
    assert mopp.query_ray(middle, middle).tolist() == [1]


def test_sphere_and_ray_follow_rescales_and_splits() -> None:
    mopp = code("01646464 10 03 04 04 260303 31 260404 32")  # half-metre bytes from 100
    assert mopp.query_sphere((101.75, 101, 101), 0.2).tolist() == [1]
    assert mopp.query_sphere((102.25, 101, 101), 0.2).tolist() == [2]
    assert mopp.query_sphere((102.0, 101, 101), 0.2).tolist() == [1, 2]
    assert mopp.query_ray((101.6, 0, 0), (101.9, 0, 0)).tolist() == [1]
    assert mopp.query_ray((105.0, 0, 0), (102.1, 0, 0)).tolist() == [2]
    assert mopp.query_ray((105.0, 0, 0), (99.1, 0, 0)).tolist() == [1, 2]


def test_many_boxes_at_once_give_what_one_at_a_time_gives() -> None:
    mopp = code("10640005 1164 3201 31 32 33")
    lo = np.array([[0, 0, 0], [150, 0, 0], [0, 120, 0]], dtype=float)
    hi = lo + 10
    keys, ends = mopp.query_boxes(lo, hi)
    parts = np.split(keys, ends[:-1])
    assert [part.tolist() for part in parts] == [
        mopp.query_box(a, b).tolist() for a, b in zip(lo, hi, strict=True)
    ]
    assert mopp.query_boxes(np.zeros((0, 3)), np.zeros((0, 3)))[0].tolist() == []


# ---------------------------------------------------------------- damaged codes

DAMAGED = {
    "unknown command": ("0d", 0, "0x0d is no command"),
    "unknown command behind another": ("0901 60", 2, "0x60 is no command"),
    "cut terminal": ("530000", 0, "needs 4 argument bytes, 2 left"),
    "cut split": ("10ffff", 0, "needs 3 argument bytes, 2 left"),
    "cut 16-bit split": ("23ffff0000 00", 0, "needs 6 argument bytes, 5 left"),
    "no terminal": ("2600ff", 3, "without a terminal"),
    "jump out of the code": ("0580 30", 0x82, "without a terminal"),
    "absolute jump out of the code": ("70ffffffff", 0xFFFFFFFF, "without a terminal"),
    "right branch out of the code": ("10ff00ff 30", 0x103, "without a terminal"),
    "jump to itself": ("7000000000", 0, "circle"),
    "chunk jump to itself": ("0c0000", 0, "circle"),
    "circle through splits": ("10ff0000 7000000000", None, "circle"),
    "circle through a right branch": ("10ff0001 30 7000000000", None, "circle"),
    "rescaled without end": ("04000000" * 65 + "30", 256, "rescaled by more than 256 bits"),
    "branches that double": ("10ff0000" * 40 + "30", None, "branches run into each other"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_codes_give_an_error_that_says_where(name: str) -> None:
    text, offset, reason = DAMAGED[name]
    mopp = code(text)
    everything = (np.full(3, -1e9), np.full(3, 1e9))
    for walk in (
        mopp.keys,
        lambda: mopp.query_box(*everything),
        lambda: mopp.query_sphere((100, 100, 100), 1e6),
    ):
        with pytest.raises(PackfileError, match=reason) as caught:
            walk()
        assert caught.value.field == "MOPP code"
        if offset is not None:
            assert caught.value.offset == offset


def test_a_damaged_branch_that_a_query_does_not_reach_does_not_matter() -> None:
    mopp = code("10 32 33 01 31 ff")
    assert box_keys(mopp, 0, 0, 10) == [1]
    with pytest.raises(PackfileError):
        box_keys(mopp, 0, 0, 60)


def test_deep_codes_need_no_deep_stack() -> None:
    # A split whose right branch is the next split, 20 000 times: too deep for a recursion in Python.
    mopp = code("10ff0001 30" * 20_000 + "31")
    assert mopp.keys().tolist() == [0] * 20_000 + [1]
    assert len(box_keys(mopp, 0, 0, 255)) == 20_001


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=1, max_size=200), st.integers(0, 255), st.integers(0, 255))
def test_any_bytes_give_keys_or_a_packfile_error(data: bytes, low: int, size: int) -> None:
    mopp = MoppCode(data, (0, 0, 0), BYTE)
    lo, hi = np.full(3, float(low)), np.full(3, float(low + size))
    for walk in (
        mopp.keys,
        lambda: mopp.query_box(lo, hi),
        lambda: mopp.query_box(lo, hi, prune_diagonals=True),
        lambda: mopp.query_sphere(lo, float(size), prune_diagonals=True),
        lambda: mopp.query_ray(lo, hi, prune_diagonals=True),
        lambda: list_mopp(mopp),
    ):
        try:
            found = walk()
        except PackfileError:
            continue
        assert len(found) <= 8 * len(data) + 1


# ---------------------------------------------------------------- arguments


def test_a_code_needs_bytes_and_a_frame() -> None:
    for data, offset, scale in (
        (b"", (0, 0, 0), 1.0),
        (b"0", (0, 0), 1.0),
        (b"0", (0, np.nan, 0), 1.0),
        (b"0", (0, 0, np.inf), 1.0),
        (b"0", (0, 0, 0), 0.0),
        (b"0", (0, 0, 0), -1.0),
        (b"0", (0, 0, 0), np.nan),
        (b"0", (0, 0, 0), 1e-60),  # 0 as f32
    ):
        with pytest.raises(PackfileError, match="MOPP code"):
            MoppCode(data, offset, scale)


def test_queries_refuse_what_is_no_place() -> None:
    mopp = code("30")
    nan = float("nan")
    for query in (
        lambda: mopp.query_box((0, 0), (1, 1)),
        lambda: mopp.query_box((0, 0, 0), (1, -1, 1)),
        lambda: mopp.query_box((nan, 0, 0), (1, 1, 1)),
        lambda: mopp.query_boxes(np.zeros((2, 3)), np.zeros((3, 3))),
        lambda: mopp.query_sphere((0, 0, nan), 1.0),
        lambda: mopp.query_sphere((0, 0, 0), -1.0),
        lambda: mopp.query_sphere((0, 0, 0), nan),
        lambda: mopp.query_ray((0, 0, 0), (0, float("inf"), 0)),
    ):
        with pytest.raises(PackfileError, match="MOPP query"):
            query()


def test_offset_and_scale_are_kept_as_the_file_has_them() -> None:
    mopp = MoppCode(bytearray(b"\x30"), (0.1, 0.2, 0.3), 0.7)
    assert mopp.offset == tuple(float(np.float32(value)) for value in (0.1, 0.2, 0.3))
    assert mopp.scale == float(np.float32(0.7))
    assert mopp.data == b"\x30"


# ---------------------------------------------------------------- listing


def test_the_listing_shows_every_command_with_its_address() -> None:
    mopp = code("02010203 0905 10 40 20 05 2600ff 31 ff 0501 ff 50aa")
    lines = list_mopp(mopp)
    assert lines[0] == "20 bytes, offset (0, 0, 0), scale 65536"
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "000000", "000004", "000006", "00000a", "00000d", "00000e", "00000f", "000011", "000012",
    ]  # fmt: skip
    assert "rescale 2 bits from (1, 2, 3)" in lines[1]
    assert "terminal offset + 5 = 0x5" in lines[2]
    assert "split x: <= 64 to 00000a, >= 32 to 00000f" in lines[3]
    assert "bounds x: 0 to 255" in lines[4]
    assert lines[5].endswith("key 0x6")
    assert lines[6].endswith("1 bytes not reached")
    assert "jump to 000012" in lines[7]
    assert lines[8].endswith("1 bytes not reached")
    assert lines[9].endswith("key 0xaf")


def test_the_listing_ends_on_a_circle() -> None:
    assert len(list_mopp(code("7000000000"))) == 2
