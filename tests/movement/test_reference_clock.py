"""The frame clock as one machine, against one written a second time from the text."""

import random

import pytest

from movement.clock import FrameClock, smooth_fps, smooth_scale
from movement.settings import MovementSettings
from tests.movement import reference_rules as rules


def test_smoothing_of_every_pair() -> None:
    for value in range(0, 70):
        for goal in range(0, 70):
            assert smooth_fps(value, goal) == rules.smoothed_fps(value, goal)
            assert smooth_scale(value + 200, goal + 200) == rules.smoothed_scale(value + 200, goal + 200)


def test_smoothing_tables_of_the_text() -> None:
    assert [rules.smoothed_fps(*pair) for pair in ((10, 14), (10, 15), (14, 10), (15, 10), (19, 17))] == [
        11, 13, 13, 12, 18,
    ]  # fmt: skip
    # one unit, then by the rest: 1 -> 1, 5 -> 1, 6 -> 5, 10 -> 5, 11 -> 10, 20 -> 10, 21 -> 20
    assert [rules.smoothed_scale(100, 101 + rest) for rest in (0, 1, 5, 6, 10, 11, 20, 21)] == [
        101, 102, 102, 106, 106, 111, 111, 121,
    ]  # fmt: skip


@pytest.mark.parametrize("smooth_rate", [False, True])
@pytest.mark.parametrize("smooth_divisor", [False, True])
def test_a_long_history(smooth_rate: bool, smooth_divisor: bool) -> None:
    generator = random.Random(18)
    settings = MovementSettings(use_smooth_fps=smooth_rate, use_smooth_divisor=smooth_divisor)
    clock = FrameClock(settings)
    expected = rules.Clock(12, 6, 300, smooth_rate, smooth_divisor)
    tick, pace = 12345, 1.0
    saved = None
    for _ in range(4000):
        event = generator.random()
        if event < 0.002:
            clock.reset()
            expected.reset()
        elif event < 0.004:
            clock.enter_world()
            expected.startup = 12
        elif event < 0.008:
            saved = (clock.save(tick), expected.save())
        elif event < 0.012 and saved is not None and saved[0].baseline_difference == 0:
            tick += generator.randrange(5000)
            clock.restore(saved[0], tick)
            expected.restore(saved[1], tick)
        elif event < 0.03:
            pace = generator.choice((0.0, 0.05, 0.3, 0.6, 1.5, 4.0, 40.0))
        elif event < 0.032:
            tick -= generator.randrange(100)  # a clock set back: the negative count is clamped
        tick += int(pace) + (generator.random() < pace % 1)
        frame = clock.update(tick)
        assert (frame.scale, frame.ticks, frame.fine_ticks) == expected.update(tick)
        assert clock.measured_fps == expected.measured
        assert clock.smoothed_fps == expected.smoothed
