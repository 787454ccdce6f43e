"""The time manager and frames (ivp 11, 14.2)."""

import math

import numpy as np
import pytest

from physics import Ball, World

PERIOD = float(np.float32(1 / 66))  # 0.015151515603065491


def test_11_3_psi_times_are_multiples_of_the_single_precision_period():
    world = World()
    times = []
    world.on_psi(lambda w: times.append(w.time))
    world.simulate(0.1)
    assert PERIOD == 0.015151515603065491
    assert times == [n * PERIOD for n in range(7)]


def test_11_2_a_psi_exactly_at_the_target_waits():
    world = World()
    world.simulate(0.0)
    assert world.psi_count == 0
    world.simulate(PERIOD)
    assert world.psi_count == 1  # PSI 0; PSI 1 lies exactly at the target
    world.simulate(1e-9)
    assert world.psi_count == 2
    assert world.time == PERIOD + 1e-9


def test_11_2_there_is_no_bound_on_psis_a_call():
    world = World()
    world.simulate(100.0)
    assert world.psi_count == math.floor(100.0 / PERIOD) + 1


def test_4_2_poses_between_psis_are_extrapolated_forward():
    world = World(gravity=(0, 0, 0))
    body = world.add_body(Ball(1.0), linear_damping=0, angular_damping=0)
    body.set_velocity((6.6, 0, 0), (0, 0, 3.3))
    world.simulate(0.25 * PERIOD)
    assert world.psi_count == 1
    assert body.position[0] == pytest.approx(6.6 * 0.25 * PERIOD, rel=1e-6)
    # 3.3 rad/s for a quarter of 1/66 s: slerp between the two PSIs' rotations
    turn = 2 * math.asin(math.sin(3.3 / 66 / 2)) * 0.25 * PERIOD * 66
    assert 2 * math.asin(body.rotation[2]) == pytest.approx(turn, rel=1e-4)  # the slerp's linear branch
    position, rotation = body.pose_at(PERIOD)
    assert position[0] == pytest.approx(6.6 * PERIOD, rel=1e-6)
    assert rotation[2] == pytest.approx(math.sin(turn * 4 / 2), rel=1e-5)


def test_4_3_the_matrix_is_written_back_by_rows_in_single_precision():
    world = World()
    half = math.sqrt(0.5)
    body = world.add_body(Ball(1.0), position=(1, 2, 3), rotation=(0, 0, half, half))
    matrix = body.matrix
    assert matrix.dtype == np.float32
    # x turns to y: the first row is the image of x
    np.testing.assert_allclose(matrix, [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 1, 0], [1, 2, 3, 1]], atol=1e-7)


def test_14_2_frames_are_smoothed():
    # smoothed = (delta + 3 smoothed) / 4 from 0: 16 ms, 28 ms, 37 ms of 64 ms frames, in seconds.
    world = World()
    world.advance(64.0)
    assert world.time == pytest.approx(0.016)
    world.advance(64.0)
    assert world.time == pytest.approx(0.016 + 0.028)
    world.advance(64.0)
    assert world.time == pytest.approx(0.016 + 0.028 + 0.037)


def test_13_1_constant_force_takes_the_last_frames_seconds():
    world = World(gravity=(0, 0, 0))
    body = world.add_body(Ball(1.0))
    world.simulate(0.5)
    body.impulse_along((1, 0, 0), 4.0, constant_force=True)
    assert body.core.speed_change[0] == 2.0


def test_13_1_directions_are_normalized_and_two_points_make_one():
    world = World(gravity=(0, 0, 0))
    body = world.add_body(Ball(1.0), mass=2.0, position=(1, 0, 0))
    body.impulse_along((0, 3, 4), 10.0, at=(1, 0, 0))
    assert body.core.speed_change == pytest.approx((0, 3, 4))
    body.impulse_along((4, 0, 0), 6.0, at=(1, 0, 0), two_points=True)  # from (1, 0, 0) towards (4, 0, 0)
    assert body.core.speed_change == pytest.approx((3, 3, 4))


def test_13_1_a_point_of_another_body_is_moved_and_rounded():
    world = World(gravity=(0, 0, 0))
    half = math.sqrt(0.5)
    frame = world.add_body(Ball(1.0), position=(10, 0, 0), rotation=(0, 0, half, half))
    body = world.add_body(Ball(1.0), position=(10, 1, 0), inertia=(1, 1, 1))
    # (1.5, 0, 0) in the frame is (10, 1.5, 0) in the world: 0.5 above the body's centre.
    body.impulse((1, 0, 0), at=(1.5, 0, 0), relative_to=frame)
    assert body.core.rot_speed_change == pytest.approx((0, 0, -0.5), abs=1e-6)
    assert frame.local_to_world((1.5, 0, 0)) == pytest.approx((10, 1.5, 0), abs=1e-6)
    # Quirk: with the body itself, the local point is taken as core coordinates whatever its rotation.
    frame.impulse((0, 1, 0), at=(0, 1, 0), relative_to=frame)
    arm = np.cross([0, 1, 0], [1, 0, 0])  # the impulse (0, 1, 0) is (1, 0, 0) in core axes
    assert frame.core.rot_speed_change == pytest.approx((arm / 0.4).tolist(), abs=1e-6)


def test_a_long_run_keeps_its_period():
    world = World()
    for _ in range(5000):
        world.step()
    assert world.psi_count == 5000
    assert world.time == 5000 * PERIOD
