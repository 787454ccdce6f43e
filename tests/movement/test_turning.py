"""Ground-turn arithmetic."""

from hypothesis import given
from hypothesis import strategies as st

from movement.turning import turn_heading, update_turn_accumulator


def test_installed_values_give_the_accumulators_of_the_text() -> None:
    accumulator, seen = 0, []
    for _ in range(5):
        accumulator = update_turn_accumulator(accumulator, True, 12, 48)
        seen.append(accumulator)
    assert seen == [12, 24, 36, 48, 48]
    assert update_turn_accumulator(accumulator, False, 12, 48) == 0


def test_an_increment_that_does_not_divide_the_limit_overshoots() -> None:
    # 18, 36, 54: 36 is below 48, so it adds once more; 54 is not.
    accumulator, seen = 0, []
    for _ in range(4):
        accumulator = update_turn_accumulator(accumulator, True, 18, 48)
        seen.append(accumulator)
    assert seen == [18, 36, 54, 54]
    assert update_turn_accumulator(47, True, 12, 48) == 59  # just below the limit
    assert update_turn_accumulator(48, True, 12, 48) == 48  # at the limit


def test_five_right_updates_of_the_text() -> None:
    heading, right, seen = 0, 0, []
    for _ in range(5):
        right = update_turn_accumulator(right, True, 12, 48)
        heading = turn_heading(heading, 0, right, 256)
        seen.append(heading)
    assert seen == [2036, 2012, 1976, 1928, 1880]


def test_each_direction_is_shifted_by_itself() -> None:
    # 12 * 100 >> 8 = 4 (4.69) and 24 * 100 >> 8 = 9 (9.38): 4 - 9 = -5; the difference 12 * 100 >> 8 is -5 of
    # -4.69 floored. Take 13 and 24: 5 - 9 = -4, while (13 - 24) * 100 >> 8 = -5.
    assert turn_heading(0, 13, 24, 100) == 2044


@given(st.integers(0, 2047), st.integers(0, 200), st.integers(0, 200), st.integers(0, 1024))
def test_heading_stays_in_range(heading: int, left: int, right: int, scale: int) -> None:
    turned = turn_heading(heading, left, right, scale)
    assert 0 <= turned <= 2047
    assert turn_heading(turned, right, left, scale) == heading  # the opposite turn undoes it
