"""Heading-based translation."""

from hypothesis import given
from hypothesis import strategies as st

from movement.angles import ROTATION_TABLE
from movement.translation import translate


def test_worked_example_of_the_text() -> None:
    assert translate(10446802, 10818615, 2036, 680) == (10446827, 10819295)


def test_the_sum_is_rounded_to_single_before_truncation() -> None:
    # z + 680 * cos = 10819294.54 in double: truncation alone gives ...294, rounding to f32 gives ...295.
    exact = 10818615 + 680 * ROTATION_TABLE[12 + 512]
    assert int(exact) == 10819294
    assert translate(10446802, 10818615, 2036, 680)[1] == 10819295


def test_positions_above_24_bits_lose_their_low_bit() -> None:
    # 2**24 + 1 is not a single: the position rounds to even 2**24 even when nothing is added.
    assert translate((1 << 24) + 1, 0, 0, 0) == (1 << 24, 0)


def test_quarter_turn_keeps_the_residual() -> None:
    # Heading 1536 moves along +X: sample 512 is 1, its cosine is sample 1024 = 1.509958e-07.
    assert translate(0, 0, 1536, 1000) == (1000, 0)
    # 10**7 * 1.509958e-07 = 1.5: truncates to 1 although a true quarter turn would give 0.
    assert translate(0, 0, 1536, 10**7)[1] == 1


def test_negative_sums_truncate_toward_zero() -> None:
    # Heading 1024 moves along -Z with cosine -1 exactly.
    assert translate(0, 0, 1024, 5) == (0, -5)
    # Heading 512, -X: sine of index 1536; 0.5 * ... -> |x| below 1 truncates to 0, not to -1.
    assert translate(0, 0, 2047, 200)[0] == int(200 * ROTATION_TABLE[1])  # 0.61 -> 0
    assert translate(0, 0, 1, 200)[0] == 0  # -0.61 -> 0


@given(st.integers(0, 2047), st.integers(0, 4096))
def test_translation_has_the_length_of_the_distance(heading: int, distance: int) -> None:
    x, z = translate(1 << 20, 1 << 20, heading, distance)
    dx, dz = x - (1 << 20), z - (1 << 20)
    # Each coordinate is off by less than one unit (truncation) and 1/16 (single precision below 2**21).
    assert abs((dx * dx + dz * dz) ** 0.5 - distance) <= 1.6
