"""Section 11 and 14.2: which PSIs run before a target time, and frames."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics import Ball, World

T1 = float(np.float32(1 / 66))


def test_11_1_nothing_runs_before_time_passes() -> None:
    world = World()
    world.add_body(Ball(1.0))
    world.simulate(0.0)
    assert (world.time, world.psi_count) == (0.0, 0)
    world.simulate(1e-300)  # the first PSI stands at 0: any dt > 0 runs it
    assert (world.time, world.psi_count) == (1e-300, 1)


@pytest.mark.parametrize(
    ("target", "count"),
    [
        (T1, 1),  # a PSI exactly at the target waits
        (math.nextafter(T1, 1), 2),
        (math.nextafter(T1, 0), 1),
        (1 / 66, 1),  # 1/66 lies before (f32)(1/66)
        (2 * T1, 2),
        (2 * T1 + 1e-15, 3),
        (1.0, 66),  # T_65 = 0.98485 < 1, T_66 = 1.00000003 > 1
        (1.0000001, 67),
    ],
)
def test_11_2_psis_strictly_before_the_target(target: float, count: int) -> None:
    world = World()
    world.simulate(target)
    assert world.psi_count == count
    assert world.time == target


def test_11_3_psi_times_are_sums_of_the_f32_period() -> None:
    world = World()
    wanted = 0.0
    for n in range(200):
        world.step()
        assert world.psi_time == wanted
        # the offset is (f32)((T + 1/66) - T)
        wanted += float(np.float32((wanted + 1 / 66) - wanted))
        assert world.time == wanted
        assert world.psi_count == n + 1


@settings(max_examples=60, derandomize=True)
@given(st.lists(st.floats(0.0, 0.3), min_size=1, max_size=12))
def test_11_2_the_way_to_a_time_does_not_matter(parts: list[float]) -> None:
    # the same PSIs run in one call and in many; only world.time rounds differently
    world, whole = World(), World()
    for w in (world, whole):
        w.add_body(Ball(1.0)).add_angular_velocity((1, 2, 3))
    for part in parts:
        world.simulate(part)
    whole.simulate(world.time)
    assert whole.psi_count == world.psi_count
    assert whole.bodies[0].core == world.bodies[0].core
    assert whole.positions().tolist() == world.positions().tolist()


def test_a_step_inside_a_psi_goes_to_its_end() -> None:
    world = World()
    world.simulate(0.02)
    assert world.psi_count == 2
    world.step()
    assert (world.time, world.psi_count) == (2 * T1, 2)
    world.step()
    assert (world.time, world.psi_count) == (3 * T1, 3)


def test_14_2_frames_are_smoothed() -> None:
    # smoothed = (ms + 3 smoothed) / 4 from 0, in f64; seconds by 0.001
    world = World()
    smoothed = total = 0.0
    for ms in (16.0, 16.0, 40.0, 0.0, 8.0):
        world.advance(ms)
        smoothed = (ms + 3.0 * smoothed) * 0.25
        total += smoothed * 0.001
        assert world.time == total
    world = World()
    world.advance(16.0)
    assert world.time == 0.004


def test_a_day_of_simulated_time_keeps_its_psis() -> None:
    # f32 offsets are relative to the last PSI (11.3), so they do not wear out
    world = World()
    world.simulate(100.0)
    count = world.psi_count
    world.simulate(10.0)
    assert world.psi_count - count == 660
