"""FPS-derived frame scale, whole ticks, save / restore and the menu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.clock import (
    Frame,
    FrameClock,
    bios_tick_count,
    measure_fps,
    smooth_fps,
    smooth_scale,
    target_scale,
    tick_increment,
)
from movement.errors import MovementError
from movement.settings import MovementSettings


@pytest.mark.parametrize(
    ("smoothed", "measured", "expected"),
    [
        (10, 14, 11),
        (10, 15, 13),
        (14, 10, 13),
        (15, 10, 12),
        (19, 17, 18),
        (18, 17, 17),
        (17, 17, 17),
        (0, 9, 5),
    ],
)
def test_smoothed_fps_table(smoothed: int, measured: int, expected: int) -> None:
    assert smooth_fps(smoothed, measured) == expected


@pytest.mark.parametrize(
    ("scale", "target", "expected"),
    [
        (100, 100, 100),
        (101, 100, 100),
        (150, 100, 100),  # falls at once
        (99, 100, 100),  # one unit reaches it: no second increase
        (98, 100, 100),  # 99, remaining 1 -> +1
        (94, 100, 96),  # 95, remaining 5 -> +1
        (93, 100, 99),  # 94, remaining 6 -> +5
        (89, 100, 95),  # 90, remaining 10 -> +5
        (88, 100, 99),  # 89, remaining 11 -> +10
        (79, 100, 90),  # 80, remaining 20 -> +10
        (78, 100, 99),  # 79, remaining 21 -> +20
        (10, 100, 31),
    ],
)
def test_divisor_smoothing_table(scale: int, target: int, expected: int) -> None:
    assert smooth_scale(scale, target) == expected


def test_target_scale_clamps_the_fps() -> None:
    settings = MovementSettings()
    # 12 * 256 = 3072: at 12 fps 256, at 60 fps 51 (51.2), at the limits 6 -> 512 and 300 -> 10.
    assert [target_scale(fps, settings) for fps in (12, 60, 6, 5, 0, 300, 301)] == [
        256,
        51,
        512,
        512,
        512,
        10,
        10,
    ]


def test_measurement_window_is_eighteen_ticks() -> None:
    below = measure_fps(59, 0, 12, 17)
    assert (below.frame_count, below.tick_remainder, below.fps) == (60, 17, 12)
    at = measure_fps(59, 0, 12, 18)
    assert (at.frame_count, at.tick_remainder, at.fps) == (0, 0, 60)
    # 40 ticks are two windows and 4 left: 61 frames // 2 = 30.
    two = measure_fps(60, 0, 12, 40)
    assert (two.frame_count, two.tick_remainder, two.fps) == (0, 4, 30)
    # A tick count that went backwards (midnight) clamps to zero.
    back = measure_fps(3, 5, 12, -1000)
    assert (back.frame_count, back.tick_remainder, back.fps) == (4, 0, 12)


def test_whole_ticks_carry_the_fraction() -> None:
    # 100 a update from 0: 100, 200, 300 -> one tick at the third.
    assert [tick_increment(a, 100) for a in (0, 100, 200)] == [0, 0, 1]
    assert tick_increment(0, 255) == 0
    assert tick_increment(0, 256) == 1
    assert tick_increment(1, 255) == 1
    assert tick_increment(0, 100, 5) == 3  # 100 / 32


def test_first_twelve_updates_are_nominal_and_the_thirteenth_is_not() -> None:
    clock = FrameClock()
    clock.baseline = clock.last_sample = 1000
    frames = [clock.update(1000) for _ in range(13)]
    assert frames[:12] == [Frame(256, 1, 8)] * 12
    # Measured FPS stayed 12, so the calculated scale is 256 too; the accumulator is whole, 8 finer ticks.
    assert frames[12] == Frame(256, 1, 8)
    assert clock.startup_countdown == 0


def test_the_countdown_bypasses_smoothing() -> None:
    clock = FrameClock()
    clock.startup_countdown = 1
    clock.measured_fps = 60
    clock.smoothed_fps = 12
    clock.update(0)
    # Measured FPS 60 -> 51 at once; the smoothed value moved on: gap 48 -> 24 + 1.
    assert (clock.next_scale, clock.smoothed_fps) == (51, 37)
    # Now smoothed: gap 23 -> 11 + 1 = 49 fps -> 3072 // 49 = 62; rising: 52, remaining 10 -> +5.
    frame = clock.update(0)
    assert (clock.smoothed_fps, frame.scale) == (49, 57)
    # Accumulated before: 51; 51 + 57 = 108 -> no whole tick, finer (51 & 31 = 19) + 57 = 76 -> 2.
    assert (frame.ticks, frame.fine_ticks) == (0, 2)


def test_first_update_after_a_reset_counts_from_tick_zero() -> None:
    # The reset does not seed the baseline: 1000 ticks are 55 windows, and one frame // 55 = 0 fps.
    clock = FrameClock()
    clock.update(1000)
    assert (clock.measured_fps, clock.tick_remainder, clock.frame_count) == (0, 10, 0)


def test_a_steady_sixty_settles_on_its_scale() -> None:
    clock, ticks, updates = FrameClock(), 0, 0
    for index in range(600):
        frame = clock.update(bios_tick_count(index / 60))
        if index >= 300:
            assert frame.scale in (50, 51, 52)  # measured 59 or 60 frames a window: 3072 // 59 = 52
            ticks += frame.ticks
            updates += 1
    assert updates == 300
    assert 58 <= ticks <= 62  # five seconds of about twelve nominal ticks each


def test_reset_keeps_the_finer_fraction() -> None:
    clock = FrameClock()
    clock.nominal_accumulator, clock.fine_accumulator = 77, 13
    clock.measured_fps = clock.smoothed_fps = 50
    clock.baseline, clock.frame_count, clock.tick_remainder = 9, 3, 4
    clock.reset()
    assert (clock.nominal_accumulator, clock.fine_accumulator) == (0, 13)
    assert (clock.measured_fps, clock.smoothed_fps, clock.scale, clock.next_scale) == (12, 12, 256, 256)
    assert (clock.baseline, clock.frame_count, clock.tick_remainder, clock.startup_countdown) == (0, 0, 0, 12)


def test_entering_a_world_only_restarts_the_countdown() -> None:
    clock = FrameClock()
    for index in range(100):
        clock.update(bios_tick_count(index / 30))
    before = clock.snapshot()
    clock.enter_world()
    assert clock.startup_countdown == 12
    clock.startup_countdown = 0
    assert clock.snapshot() == before


def test_restore_excludes_the_suspended_time() -> None:
    clock = FrameClock()
    for index in range(100):
        clock.update(bios_tick_count(index / 30))
    saved = clock.save()
    assert saved.baseline_difference == 0
    clock.restore(saved, 100_000)
    assert clock.baseline == 100_000
    frames = clock.frame_count
    clock.update(100_001)
    assert clock.tick_remainder < 18
    assert clock.frame_count in (0, frames + 1)


def test_save_before_any_update_after_a_reset_keeps_the_difference() -> None:
    clock = FrameClock()
    clock.update(500)
    clock.reset()
    saved = clock.save()
    assert saved.baseline_difference == 500  # last sample 500, baseline 0
    clock.restore(saved, 700)
    assert clock.baseline == 200


def test_the_menu_keeps_what_the_text_says() -> None:
    clock = FrameClock()
    for index in range(200):
        clock.update(bios_tick_count(index / 20))
    saved = clock.save()
    before = (
        clock.frame_count,
        clock.measured_fps,
        clock.next_scale,
        clock.nominal_accumulator,
        clock.fine_accumulator,
    )
    tick = clock.last_sample
    for _ in range(37):  # the menu: one update a changed tick
        tick += 1
        menu_frame = clock.update(tick)
    remainder, smoothed, countdown = clock.tick_remainder, clock.smoothed_fps, clock.startup_countdown
    clock.restore(saved, tick + 3)
    after = (
        clock.frame_count,
        clock.measured_fps,
        clock.next_scale,
        clock.nominal_accumulator,
        clock.fine_accumulator,
    )
    assert after == before
    assert (clock.tick_remainder, clock.smoothed_fps, clock.startup_countdown) == (
        remainder,
        smoothed,
        countdown,
    )
    assert clock.scale == menu_frame.scale  # the exposed scale is replaced by the next update only


def test_snapshot_is_the_whole_future() -> None:
    clock = FrameClock()
    for index in range(77):
        clock.update(bios_tick_count(index / 41))
    blob = clock.snapshot()
    ahead = [clock.update(bios_tick_count(index / 41)) for index in range(77, 200)]
    other = FrameClock()
    other.restore(blob)
    assert [other.update(bios_tick_count(index / 41)) for index in range(77, 200)] == ahead
    assert other.digest() == clock.digest()


def test_an_assumed_rate_holds_until_the_first_measurement() -> None:
    clock = FrameClock()
    clock.assume_rate(60)
    frames = [clock.update(bios_tick_count(index / 60)) for index in range(240)]
    assert frames[:12] == [Frame(256, 1, 8)] * 12  # the startup countdown stays
    assert {frame.scale for frame in frames[12:]} <= {50, 51, 52}
    with pytest.raises(MovementError, match="fps"):
        clock.assume_rate(0)


def test_each_field_changes_the_digest() -> None:
    clock = FrameClock()
    base = clock.digest()
    for name in FrameClock.__slots__[1:]:
        value = getattr(clock, name)
        setattr(clock, name, value + 1)
        assert clock.digest() != base, name
        setattr(clock, name, value)


def test_bios_ticks_count_whole_ticks_of_the_absolute_time() -> None:
    # 1193182 / 65536 = 18.20651...: one second is 18, ten are 182, the first comes at 0.054925 s.
    assert [bios_tick_count(s) for s in (0.0, 0.0549, 0.05493, 1.0, 10.0)] == [0, 0, 1, 18, 182]


def test_bad_ticks_and_snapshots_are_refused() -> None:
    clock = FrameClock()
    before = clock.digest()
    for bad in (1.5, None, "5", True, 1 << 70):
        with pytest.raises(MovementError, match="bios_tick"):
            clock.update(bad)  # type: ignore[arg-type]
    with pytest.raises(MovementError, match="clock snapshot"):
        clock.restore(b"nonsense")
    with pytest.raises(MovementError, match="current BIOS tick"):
        clock.restore(clock.save())
    with pytest.raises(MovementError, match="finite"):
        bios_tick_count(float("nan"))
    assert clock.digest() == before


@given(st.lists(st.integers(-100, 1000), max_size=60), st.booleans(), st.booleans())
def test_scale_and_ticks_stay_in_range(steps: list[int], fps: bool, divisor: bool) -> None:
    clock = FrameClock(MovementSettings(use_smooth_fps=fps, use_smooth_divisor=divisor))
    tick, total, whole = 0, 0, 0
    clock.startup_countdown = 0
    for step in steps:
        tick += step
        frame = clock.update(tick)
        assert 10 <= frame.scale <= 512  # 3072 // 300 and 3072 // 6
        total += frame.scale
        whole += frame.ticks
    assert whole == total >> 8  # no tick is lost or invented
