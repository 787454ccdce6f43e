"""Actor matrices: assigned, refreshed, applied."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.angles import ROTATION_TABLE
from movement.orientation import (
    IDENTITY,
    collision_angles,
    orientation_matrix,
    refresh_matrix,
    rotate_heading,
    transform_integers,
    upright_matrix,
)
from movement.single import single


def test_upright_rows_are_the_stored_samples() -> None:
    for heading in (1, 12, 300, 512, 1024, 1536, 2047):
        s, c = ROTATION_TABLE[-heading & 2047], ROTATION_TABLE[(-heading & 2047) + 512]
        assert upright_matrix(heading) == ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))
    # The residuals at quarter turns stay: heading 512 reads samples 1536 and 2048.
    assert upright_matrix(512)[0] == (ROTATION_TABLE[2048], 0.0, -1.0)


def test_forward_maps_onto_sine_and_cosine() -> None:
    # Heading 2036 is 12 to the right: local (0, 0, 1000) -> 1000 (sin 12, 0, cos 12) = (36.8, 0, 999.3).
    assert transform_integers(upright_matrix(2036), 0, 0, 1000) == (37, 0, 999)


def test_pitch_and_roll_follow_heading() -> None:
    # Pitch 512 negated turns local forward (0, 0, 1) by -90 degrees about X: (0, sin 90, ...) = (0, 1, 0).
    assert transform_integers(orientation_matrix(512, 0, 0), 0, 0, 1000) == (0, 1000, 0)
    # Roll 512 negated turns local X (1, 0, 0) by -90 degrees about Z: (0, -1, 0).
    assert transform_integers(orientation_matrix(0, 0, 512), 1000, 0, 0) == (0, -1000, 0)
    # Heading first, then pitch about the turned X: forward still ends on +Y.
    assert transform_integers(orientation_matrix(512, 512, 0), 0, 0, 1000) == (0, 1000, 0)


def test_refresh_turns_by_the_difference() -> None:
    start = upright_matrix(100)
    turned = refresh_matrix(start, (0, 112, 0), (0, 100, 0))
    assert turned == rotate_heading(start, -12)
    assert refresh_matrix(start, (0, 100, 0), (0, 100, 0)) is start  # unchanged angles leave it intact
    # Differences wrap: 5 - 2040 = -2035 is +13.
    assert refresh_matrix(start, (0, 5, 0), (0, 2040, 0)) == rotate_heading(start, -13)


def test_refresh_keeps_its_history() -> None:
    # 2048 single steps come back to heading 0, but not to the identity: single precision remembers.
    matrix, heading = IDENTITY, 0
    for _ in range(2048):
        matrix = refresh_matrix(matrix, (0, heading + 1 & 2047, 0), (0, heading, 0))
        heading = heading + 1 & 2047
    assert matrix != IDENTITY
    assert matrix[0][0] == pytest.approx(1.0, abs=1e-3)
    rebuilt = refresh_matrix(matrix, (0, 0, 0), (0, 2047, 0), 2)
    assert rebuilt == IDENTITY  # attr_rotation 2 rebuilds


def test_refresh_element_by_element() -> None:
    # One step worked by hand: row (c, 0, s) becomes (c c' - s s', 0, c s' + s c'), each rounded once.
    c, s = ROTATION_TABLE[512 + 7], ROTATION_TABLE[7]
    c2, s2 = ROTATION_TABLE[512 + 9], ROTATION_TABLE[9]
    start = upright_matrix(-7 & 2047)
    row = refresh_matrix(start, (0, -16 & 2047, 0), (0, -7 & 2047, 0))[0]
    assert row == (single(c * c2 - s * s2), 0.0, single(c * s2 + s * c2))


def test_refresh_twice_turns_twice() -> None:
    # Quirk: the refresh never advances the previous angles.
    once = refresh_matrix(IDENTITY, (0, 12, 0), (0, 0, 0))
    assert refresh_matrix(once, (0, 12, 0), (0, 0, 0)) == rotate_heading(rotate_heading(IDENTITY, -12), -12)


def test_other_rotation_attributes_leave_the_matrix() -> None:
    assert refresh_matrix(IDENTITY, (0, 12, 0), (0, 0, 0), 1) is IDENTITY


def test_integer_transform_rounds_to_even() -> None:
    # A matrix of halves: 1 * 0.5 = 0.5 -> 0, 3 * 0.5 = 1.5 -> 2, 5 * 0.5 = 2.5 -> 2.
    half = ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5))
    assert transform_integers(half, 1, 3, 5) == (0, 2, 2)
    # Inputs become single first: 2**24 + 1 -> 2**24.
    assert transform_integers(IDENTITY, (1 << 24) + 1, 0, 0) == (1 << 24, 0, 0)


def test_collision_angles_are_negated_and_masked() -> None:
    assert collision_angles(0, 2036, 1) == (0, 12, 2047)


@given(st.integers(0, 2047), st.integers(0, 2047), st.integers(0, 2047))
def test_matrices_stay_orthonormal(pitch: int, heading: int, roll: int) -> None:
    rows = orientation_matrix(pitch, heading, roll)
    for i in range(3):
        for j in range(3):
            dot = math.fsum(rows[i][k] * rows[j][k] for k in range(3))
            assert abs(dot - (i == j)) < 1e-6
