"""Section 14.3: what sets these dynamics apart from a common engine, a test for each line."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics import Ball, Box, World

DT = 1 / 66
T1 = float(np.float32(1 / 66))


def test_psi_phase_the_psi_at_t_makes_the_motion_after_t() -> None:
    # An engine that steps at the end of each interval would still stand at 0.01 s; here PSI 0 has run
    world = World(gravity=(0, -10, 0))
    ball = world.add_body(Ball(1.0), linear_damping=0.0)
    world.simulate(0.01)
    assert world.psi_count == 1
    assert ball.velocity[1] == pytest.approx(-10 * DT, rel=1e-6)
    assert ball.position[1] == pytest.approx(-10 * DT * 0.01, rel=1e-6)  # extrapolated forward


def test_force_timing_pushes_are_committed_after_damping() -> None:
    # damping 33/s would halve; exp(-0.5) of it: the push of this PSI is untouched
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), linear_damping=10.0)
    world.add_force(ball, (1.0, 0, 0), relative_to=ball)
    world.step()
    assert ball.velocity[0] == 1.0


def test_impulses_and_wake_ups_wait_for_the_next_psi() -> None:
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), linear_damping=0.0, start_frozen=True)
    world.simulate(0.02)
    ball.impulse((1.0, 0, 0))
    world.simulate(0.01)  # to 0.030 s: before T2 = 0.0303
    assert ball.frozen
    assert ball.velocity[0] == 0.0
    world.simulate(0.001)
    assert not ball.frozen
    assert ball.velocity[0] == 1.0


def test_rotation_is_composed_on_the_right_in_core_axes() -> None:
    # Quarter turns: first about x, then the core's own y points along the world's z
    world = World(gravity=(0, 0, 0))
    q = math.sqrt(0.5)
    ball = world.add_body(Ball(1.0), rotation=(q, 0, 0, q), angular_damping=0.0)
    ball.add_angular_velocity((0, 2.0, 0))
    world.step()
    assert ball.angular_velocity.tolist() == [0, 2, 0]
    assert ball.angular_velocity_world == pytest.approx((0, 0, 2), abs=1e-6)


def test_balls_take_sines_and_unequal_inertias_sub_steps() -> None:
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), angular_damping=0.0, collide=False)
    box = world.add_body(Box((0.2, 0.5, 1.0)), angular_damping=0.0, collide=False)
    for body in (ball, box):
        body.add_angular_velocity((0, 0, 9.0))
    world.step()
    s = 9 * DT / 2
    assert ball.core.q_next[2] == pytest.approx(math.sin(s), rel=1e-14)
    assert box.core.q_next[2] == pytest.approx(s - s**3 * float(np.float32(1 / 6)), rel=1e-14)


def test_rotational_damping_is_per_axis() -> None:
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), angular_damping=(0.0, 6.6, 13.2))
    ball.add_angular_velocity((1, 1, 1))
    world.step()
    assert ball.angular_velocity == pytest.approx((1.0, 0.9, 0.8), rel=1e-6)


def test_one_countdown_for_the_world() -> None:
    # two units: 20 unit-PSIs until the second test, however they are spread
    world = World(gravity=(0, 0, 0))
    for x in (0, 9):
        world.add_body(Ball(1.0), position=(x, 0, 0))
    for _ in range(5):
        world.step()
    assert (world.sleep_countdown, world.random_state) == (15, 75)


def test_units_freeze_and_wake_together() -> None:
    world = World(gravity=(0, 0, 0))
    a, b = (world.add_body(Ball(1.0), position=(3.0 * i, 0, 0)) for i in range(2))
    world.add_spring(a, b, (0, 0, 0), (3, 0, 0), rest_length=3.0)
    world.simulate(2.0)
    assert a.frozen
    assert b.frozen
    a.wake()
    world.step()
    world.step()
    assert not b.frozen


def test_polygon_inertia_comes_from_the_surface_with_the_check() -> None:
    # a thin rod: (b^2 + c^2)/3 along x is 2e-4/3; the check lifts it to 0.03 of the length of all three
    core = World().add_body(Box((1.0, 0.01, 0.01))).core
    y = (1 + 1e-4) / 3
    assert core.rot_inertia == pytest.approx((0.03 * math.hypot(y, y), y, y), rel=1e-4)


def test_a_joint_is_one_exact_solve_after_gravity() -> None:
    # a hanging ball: gravity has added -g dt when the joint acts; nothing of it is left, with no iterations
    world = World(gravity=(0, -10, 0), sleeping=False)
    ball = world.add_body(Ball(1.0))
    world.add_ball_joint(ball, None, (0, 0, 0))
    world.step()
    assert abs(ball.velocity[1]) <= 2**-26  # one f32 ulp of g dt = 0.15


def test_springs_are_deferred_pushes() -> None:
    # committed undamped in the PSI in which they are made: with 0.9 a PSI of damping the first one arrives whole
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), linear_damping=6.6)
    world.add_spring(
        ball, None, (0, 0, 0), (2, 0, 0), rest_length=1.0, stiffness=66.0, damping=0.0, relative_damping=0.0
    )
    world.step()
    assert ball.velocity[0] == pytest.approx(1.0, rel=1e-6)
