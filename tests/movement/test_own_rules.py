"""Our own rules as plain functions: curves, landings, slides, the shown height."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.airborne import (
    TERMINAL_TIME,
    Landing,
    drop_below_top,
    fall_damage,
    fall_height,
    landing,
    rebound_height,
    rebound_time,
    take_off_time,
    top_of_take_off,
)
from movement.presentation import glide_height
from movement.settings import MovementSettings
from movement.sliding import enters_slide, slide_distance, slide_heading, slides

SETTINGS = MovementSettings()


def test_a_jump_takes_jump_time_to_rise_jump_height() -> None:
    # 6 nominal updates of 256 before the top it is 80 map units (20480 runtime units) below it.
    assert take_off_time(SETTINGS) == -1536
    assert drop_below_top(-1536, SETTINGS) == drop_below_top(1536, SETTINGS) == 20480
    assert drop_below_top(0, SETTINGS) == 0
    assert drop_below_top(768, SETTINGS) == 5120  # half the time, a quarter of the way
    assert top_of_take_off(1000, -1536, SETTINGS) == 1000 - 20480


def test_the_fall_stops_getting_faster_after_three_seconds() -> None:
    a, b, c = (drop_below_top(TERMINAL_TIME + n * 256, SETTINGS) for n in (0, 1, 2))
    assert b - a == c - b
    before = drop_below_top(TERMINAL_TIME - 256, SETTINGS)
    assert a - before < b - a
    # 2 * 80 * 36 / 36 = 160 map units a nominal update.
    assert b - a == 160 * 256


@given(st.integers(-(1 << 14), 1 << 15))
def test_the_curve_falls_ever_faster(time: int) -> None:
    step = drop_below_top(time + 16, SETTINGS) - drop_below_top(time, SETTINGS)
    later = drop_below_top(time + 32, SETTINGS) - drop_below_top(time + 16, SETTINGS)
    assert later >= step - 1  # truncation may take one unit


def test_without_jumps_the_fall_keeps_the_installed_curve() -> None:
    assert drop_below_top(1536, MovementSettings(jump_height=0)) == 20480


def test_landings_begin_at_their_heights() -> None:
    heights = (0, 99, 100, 299, 300, 567, 568, 9999)
    soft, bounce, hurt, death = Landing.SOFT, Landing.BOUNCE, Landing.HURT, Landing.DEATH
    assert [landing(h, SETTINGS) for h in heights] == [soft, soft, bounce, bounce, hurt, hurt, death, death]
    # 1 + 98 * (433 - 300) // 268 = 49.
    assert [fall_damage(h, SETTINGS) for h in (299, 300, 433, 567, 568)] == [0, 1, 49, 98, 100]
    assert fall_height(-100 * 256, 56 * 256 + 255) == 156
    assert fall_height(10, 0) == 0


def test_rebounds_are_a_sixteenth_and_twelve_at_most() -> None:
    assert [rebound_height(h) for h in (100, 160, 191, 192, 299)] == [6, 10, 11, 12, 12]
    # Take-off for 20 of 80 units: half of the jump's time.
    assert rebound_time(20, SETTINGS) == -768
    # Time is whole: one unit of it at 600 is worth 2 * 20480 * 600 / 1536**2 = 10 runtime units.
    assert drop_below_top(rebound_time(12, SETTINGS), SETTINGS) == pytest.approx(12 * 256, abs=11)


def test_slides_go_down_the_normal() -> None:
    assert slide_heading(0, 200) == 0
    assert slide_heading(200, 0) == 1536
    # Speed 36 at normal Y -42: 36 * (256 - 42) = 7704 at scale 256; at -160: 36 * 96 = 3456.
    assert slide_distance(36, -42, 256) == 7704
    assert slide_distance(36, -160, 256) == 3456
    assert slide_distance(36, -42, 51) == 7704 * 51 >> 8
    assert [slides(c, 4) for c in (1, 2, 4, 8)] == [False, True, False, False]
    assert not slides(2, 3)


def test_steep_ground_is_entered_downhill_only() -> None:
    normal = (0, -100, 200)  # down along +Z
    assert enters_slide(0, 100, normal, 0)
    assert not enters_slide(0, 100, normal, 1)  # upward
    assert not enters_slide(0, -100, normal, -50)  # against the slope
    assert not enters_slide(100, 0, normal, -50)  # along it
    # Sixty degrees from straight down is the limit: 100 to 173.
    assert enters_slide(173, 100, normal, -5)
    assert not enters_slide(174, 100, normal, -5)


def test_the_shown_height_follows_within_its_limits() -> None:
    # Gap 40: half is 20, limited to 10, and half of what is beyond 24 is added: 18 map units.
    assert glide_height(0, 40 * 256, SETTINGS, 256) == 18 * 256
    assert glide_height(40 * 256, 0, SETTINGS, 256) == 22 * 256  # the same upward
    assert glide_height(0, 24 * 256, SETTINGS, 256) == 10 * 256
    assert glide_height(0, 12 * 256, SETTINGS, 256) == 6 * 256
    assert glide_height(0, 3 * 256, SETTINGS, 256) == 2 * 256  # at least smooth_post_min
    assert glide_height(0, 512, SETTINGS, 256) == 512  # and then it has arrived
    # Beyond 64 it is cut: 100 -> 36 shown, then half of 40 beyond 24 and 10: 30.
    assert glide_height(0, 100 * 256, SETTINGS, 256) == 66 * 256


@given(st.integers(-(1 << 20), 1 << 20), st.integers(-(1 << 20), 1 << 20), st.integers(1, 512))
def test_the_shown_height_never_passes_its_goal(shown: int, actual: int, scale: int) -> None:
    after = glide_height(shown, actual, SETTINGS, scale)
    assert min(shown, actual) <= after <= max(shown, actual)
    assert abs(actual - after) <= abs(actual - shown)
