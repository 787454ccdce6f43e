"""The behaviour that ivp 14.3 lists, line by line."""

import math

import numpy as np
import pytest

from physics import Ball, Box, World

PERIOD = float(np.float32(1 / 66))


def f32(x):
    return float(np.float32(x))


def test_14_3_psi_phase():
    # The first PSI runs at 0 and computes the motion to T1: after any positive time the ball has moved already.
    world = World(gravity=(0, -6.6, 0))
    ball = world.add_body(Ball(1.0), linear_damping=0)
    world.simulate(1e-3)
    assert world.psi_count == 1
    assert ball.velocity[1] == pytest.approx(-0.1)
    assert ball.position[1] == pytest.approx(-0.1 * 1e-3, rel=1e-6)


def test_14_3_force_timing():
    # A push of the PSI is committed behind the damping: it arrives whole.
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), linear_damping=6.6)
    world.add_force(ball, (1, 0, 0), at=(0, 0, 0), relative_to=ball)
    world.step()
    assert ball.velocity[0] == 1.0
    # an impulse from outside the PSI is committed in front of it: it is damped
    other = world.add_body(Ball(1.0), position=(5, 0, 0), linear_damping=6.6)
    other.impulse((1, 0, 0))
    world.step()
    assert other.velocity[0] == pytest.approx(0.9, rel=1e-6)


def test_14_3_impulses_and_wake_ups_are_deferred():
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), start_frozen=True)
    world.simulate(0.02)
    ball.impulse((1, 0, 0))
    assert ball.velocity[0] == 0.0
    assert ball.frozen
    position = ball.position[0]
    world.simulate(0.005)  # no PSI in between: nothing happens
    assert ball.position[0] == position
    world.simulate(0.02)
    assert ball.velocity[0] > 0.9
    assert not ball.frozen


def test_14_3_rotation_is_composed_on_the_right_in_core_axes():
    # A quarter turn about x first: core y points along world z. A spin about core y then turns about world z.
    half = math.sqrt(0.5)
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), rotation=(half, 0, 0, half), angular_damping=0)
    ball.set_velocity((0, 0, 0), (0, 3, 0))
    for _ in range(10):
        world.step()
    assert ball.angular_velocity.tolist() == [0.0, 3.0, 0.0]
    assert ball.angular_velocity_world == pytest.approx([0, 0, 3], abs=1e-6)
    # the sine path: each PSI turns by exactly 3 / 66 about the axis
    assert 2 * math.acos(min(1.0, abs(np.dot(ball.rotation, (half, 0, 0, half))))) == pytest.approx(
        30 / 66, rel=1e-6
    )


def test_14_3_unequal_inertia_takes_the_gyroscopic_path():
    # A spin about the middle axis is unstable: with a small disturbance it flips, which only Euler's equations bring.
    world = World(gravity=(0, 0, 0))
    box = world.add_body(Box((0.5, 1.0, 1.5)), angular_damping=0, linear_damping=0)
    inertia = box.core.rot_inertia
    assert inertia[2] < inertia[1] < inertia[0]
    box.set_velocity((0, 0, 0), (0.01, 5.0, 0.01))
    lowest = 5.0
    for _ in range(660):
        world.step()
        lowest = min(lowest, box.angular_velocity[1])
    assert lowest < -4.0


def test_14_3_rotational_damping_is_per_axis():
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), angular_damping=(0.66, 1.32, 0.0))
    ball.set_velocity((0, 0, 0), (1, 1, 1))
    world.step()
    assert ball.angular_velocity == pytest.approx([0.99, 0.98, 1.0], rel=1e-6)


def test_14_3_units_freeze_and_wake_together_on_a_world_wide_countdown():
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Ball(1.0))
    b = world.add_body(Ball(1.0), position=(5, 0, 0))
    loner = world.add_body(Ball(1.0), position=(50, 0, 0))
    world.add_spring(a, b, (0, 0, 0), (5, 0, 0), rest_length=5.0)
    frozen = {}
    world.on_frozen(lambda body: frozen.setdefault(body._index, world.psi_count))
    while len(frozen) < 3:
        world.step()
    assert frozen[a._index] == frozen[b._index]
    assert frozen[loner._index] != frozen[a._index]  # only the unit that reaches 0 is tested
    b.wake()
    world.step()
    assert not a.frozen
    assert loner.frozen


def test_14_3_fast_units_are_not_tested():
    # The test looks at the linear speed alone: a fast spin does not keep it off.
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), linear_damping=0, angular_damping=0)
    ball.set_velocity((1.0, 0, 0), (0, 50, 0))
    world.step()
    assert world.sleep_countdown == 9
    ball.set_velocity((1.0000001192, 0, 0))
    world.step()
    assert world.sleep_countdown == 9  # the next float: 1 - 1.00000024 < 0
    ball.set_velocity((0.5, 0, 0))
    world.step()
    assert world.sleep_countdown == 8


def test_14_3_inertia_comes_from_the_surface_with_the_check():
    # A plate 4 x 0.02 x 4: unit inertia (x, y, z) = (1.3334, 2.6667, 1.3334); 3 % of the length 3.266 is below all.
    box = World().add_body(Box((2, 0.01, 2)), mass=3.0)
    assert box.core.rot_inertia == pytest.approx(
        [3 * (0.0001 + 4) / 3, 3 * 8 / 3, 3 * (0.0001 + 4) / 3], rel=1e-6
    )
    rod = World().add_body(Box((0.01, 2, 0.01)), mass=3.0)
    least = 0.03 * math.sqrt(2 * (3 * 4.0001 / 3) ** 2 + (3 * 0.0002 / 3) ** 2)
    assert rod.core.rot_inertia[1] == pytest.approx(least, rel=1e-5)


def test_14_3_joints_are_one_exact_solve_a_psi_behind_gravity():
    # The speed of a hanging body is 0 behind the joint, in the very PSI that gravity acts.
    world = World()
    ball = world.add_body(Ball(0.5))
    world.add_ball_joint(ball, None, (0, 0, 0))
    world.step()
    assert ball.velocity == pytest.approx([0, 0, 0], abs=1e-7)
    assert ball.core.delta == pytest.approx((0, 0, 0), abs=1e-7)


def test_14_3_springs_are_pushes_committed_in_the_same_psi():
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(0.5), position=(3, 0, 0), linear_damping=6.6)
    world.add_spring(ball, None, (3, 0, 0), (0, 0, 0), 1.0, 6.6, 0.0, 0.0)
    world.step()
    assert ball.velocity[0] == pytest.approx(-0.2, rel=1e-5)  # 2 m times 6.6 N/m / 66, undamped
