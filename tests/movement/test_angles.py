"""Rotation table, octant table, wrapping and recovered headings."""

import struct

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.angles import (
    OCTANT_TABLE,
    ROTATION_TABLE,
    corrected_difference,
    heading_difference,
    heading_from_displacement,
    opposing_heading,
    wrap_heading,
)
from movement.single import single


def test_rotation_table_samples_of_the_text() -> None:
    assert len(ROTATION_TABLE) == 2560
    assert ROTATION_TABLE[0] == 0.0
    # The text prints seven digits.
    assert f"{ROTATION_TABLE[1024]:.6e}" == "1.509958e-07"
    assert f"{ROTATION_TABLE[2048]:.6e}" == "-3.019916e-07"
    assert ROTATION_TABLE[512] == 1.0  # a quarter turn rounds to one, so cos(0) is exact


def test_rotation_table_does_not_depend_on_the_c_library() -> None:
    # A sine within one ulp of f64 rounds to the same f32 unless it lies within that ulp of a rounding border.
    for index, sample in enumerate(ROTATION_TABLE):
        angle = struct.unpack("f", struct.pack("f", index * 6.2831852 / 2048))[0]
        with mpmath.workprec(120):
            exact = mpmath.sin(mpmath.mpf(angle))
        value = float(exact)
        wobble = abs(value) * 2.0**-51
        assert single(value - wobble) == single(value + wobble) == sample


def test_octant_table_ends_and_middle() -> None:
    # atan(0) = 0; atan(256/512) = 0.4636476 rad -> 9672.2 of 65536 a half turn -> 9672 >> 6 = 151;
    # atan(511/512) = 0.7844205 rad -> 16363.6 -> 16363 >> 6 = 255.
    assert (len(OCTANT_TABLE), OCTANT_TABLE[0], OCTANT_TABLE[256], OCTANT_TABLE[511]) == (512, 0, 151, 255)


@pytest.mark.parametrize(
    ("dx", "dz", "heading"),
    [
        (0, 5, 0),  # +Z is forward at heading 0
        (5, 0, 1536),  # +X: 512 from Z towards X, negated
        (0, -5, 1024),
        (-5, 0, 512),  # left turns increase the heading, and -X is to the left
        (7, 7, 1792),  # equal: explicit 256, negated
        (-7, 7, 256),
        (7, -7, 1280),
        (-7, -7, 768),
        (0, 0, 0),  # reading
        (1, 2, 1897),  # 512 * 1 // 2 = 256 -> 151 -> 2048 - 151
        (2, 1, 1687),  # X larger: 512 - 151 = 361 -> 2048 - 361
        (511, 512, 1793),  # 512 exceeds 511: halves to (255, 256) -> index 510 -> 255 -> 2048 - 255
        (511, 510, 1791),  # not halved: index 512 * 510 // 511 = 510 -> 255, X larger: 512 - 255 = 257
        (1023, 1, 1536),  # halves to (511, 0): the small component is gone
    ],
)
def test_heading_from_displacement(dx: int, dz: int, heading: int) -> None:
    assert heading_from_displacement(dx, dz) == heading


def test_halving_stops_at_511() -> None:
    # (300, 511): index 512 * 300 // 511 = 300; (300, 512) halves to (150, 256): index 300 as well, but
    # (301, 512) halves to (150, 256) and loses the odd unit: still index 300, where 301/511 gives 301.
    assert heading_from_displacement(301, 511) == -OCTANT_TABLE[301] & 2047
    assert heading_from_displacement(301, 512) == -OCTANT_TABLE[300] & 2047


@given(st.integers(-(1 << 31), 1 << 31), st.integers(-(1 << 31), 1 << 31))
def test_recovered_headings_reflect(dx: int, dz: int) -> None:
    heading = heading_from_displacement(dx, dz)
    assert 0 <= heading <= 2047
    if dx or dz:
        assert heading_from_displacement(-dx, -dz) == (heading + 1024) & 2047 or abs(dx) == 0 or abs(dz) == 0
    assert heading_from_displacement(-dx, dz) == -heading & 2047


@given(st.integers(-(10**9), 10**9))
def test_headings_wrap(heading: int) -> None:
    assert 0 <= wrap_heading(heading) <= 2047
    assert (wrap_heading(heading) - heading) % 2048 == 0


def test_corrected_difference_uses_2047() -> None:
    # 1536 - 2047 = -511 (a quarter turn that passes), 512 stays 512; -1536 + 2047 = 511.
    assert corrected_difference(1536, 0) == -511
    assert corrected_difference(512, 0) == 512
    assert corrected_difference(0, 1536) == 511
    # Both sides of the limits: 1024 is kept, 1025 - 2047 = -1022; -1024 is kept, -1025 + 2047 = 1022.
    assert [corrected_difference(d, 0) for d in (1024, 1025)] == [1024, -1022]
    assert [corrected_difference(0, d) for d in (1024, 1025)] == [-1024, 1022]


def test_heading_difference_uses_a_full_turn() -> None:
    assert [heading_difference(d, 0) for d in (1024, 1025, 2047, 2048)] == [1024, -1023, -1, 0]
    assert [heading_difference(0, d) for d in (1024, 1025)] == [-1024, 1023]


def test_opposing_heading_faces_the_wall() -> None:
    # A wall ahead of heading 0 has the normal (0, -256) in X/Z: heading 1024, opposed 0.
    assert opposing_heading(0, -256) == 0
    assert opposing_heading(-256, 0) == 1536  # the wall lies at +X
