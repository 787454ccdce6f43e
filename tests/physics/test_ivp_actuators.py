"""Section 12: springs, ball joints, hinges, sliders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics import Ball, Body, Box, JointBroken, World

DT = 1 / 66
T1 = float(np.float32(1 / 66))


def pair(gravity: float = 0.0, **options: object) -> tuple[World, Body, Body]:
    """Two balls of radius 1 and mass 1 and 3, three metres apart."""
    world = World(gravity=(0, gravity, 0), sleeping=False)
    options = {"linear_damping": 0.0, "angular_damping": 0.0, "collide": False, **options}
    a = world.add_body(Ball(1.0), mass=1.0, **options)
    b = world.add_body(Ball(1.0), mass=3.0, position=(3, 0, 0), **options)
    return world, a, b


# ---- springs


def test_12_3_a_spring_pulls_by_its_stretch() -> None:
    # stretch 1, k = 12: 12 N, an impulse of 12/66 in the first PSI, + on the second body (towards the first)
    world, a, b = pair()
    world.add_spring(
        a, b, (0, 0, 0), (3, 0, 0), rest_length=2.0, stiffness=12.0, damping=0.0, relative_damping=0.0
    )
    world.step()
    assert a.core.speed == pytest.approx((12 / 66, 0, 0), rel=1e-6)
    assert b.core.speed == pytest.approx((-4 / 66, 0, 0), rel=1e-6)


def test_12_3_a_spring_pushes_too() -> None:
    world, a, b = pair()
    world.add_spring(
        a, b, (0, 0, 0), (3, 0, 0), rest_length=5.0, stiffness=12.0, damping=0.0, relative_damping=0.0
    )
    world.step()
    assert a.core.speed == pytest.approx((-24 / 66, 0, 0), rel=1e-6)


def test_12_3_both_dampings() -> None:
    # u = v_b - v_a = (1, 2, 0); along: d = (-1, 0, 0), d.u = -1; impulse on b: d (0 - 0.5 * -1) dt - 0.25 u dt
    world, a, b = pair()
    world.add_spring(
        a, b, (0, 0, 0), (3, 0, 0), rest_length=3.0, stiffness=7.0, damping=0.5, relative_damping=0.25
    )
    b.set_velocity((1, 2, 0))
    world.step()
    push = np.array((-0.5 - 0.25, -0.5, 0)) * DT
    assert b.core.speed == pytest.approx(np.array((1, 2, 0)) + push / 3, rel=1e-6, abs=1e-12)
    assert a.core.speed == pytest.approx(-push, rel=1e-6, abs=1e-12)


def test_12_3_an_anchor_off_the_centre_turns_the_body() -> None:
    # lever (0, 1, 0) x impulse (-p, 0, 0) = (0, 0, p); inertia 0.4 * 3 = 1.2
    world, a, b = pair()
    world.add_spring(
        a, b, (0, 1, 0), (3, 1, 0), rest_length=2.0, stiffness=12.0, damping=0.0, relative_damping=0.0
    )
    world.step()
    assert b.core.rot_speed == pytest.approx((0, 0, 12 / 66 / 1.2), rel=1e-6)
    assert a.core.rot_speed == pytest.approx((0, 0, -12 / 66 / 0.4), rel=1e-6)


def test_12_2_relative_values_scale_by_the_reduced_mass() -> None:
    # 1 * 3 / 4 = 0.75
    world, a, b = pair()
    options = {"rest_length": 2.0, "stiffness": 12.0, "damping": 0.0, "relative_damping": 0.0}
    world.add_spring(a, b, (0, 0, 0), (3, 0, 0), relative_values=True, **options)
    world.step()
    assert a.core.speed[0] == pytest.approx(9 / 66, rel=1e-6)


def test_12_3_anchors_at_one_point_do_nothing() -> None:
    world, a, b = pair()
    world.add_spring(a, b, (1, 0, 0), (1, 0, 0), rest_length=2.0, stiffness=1e6)
    world.step()
    assert a.core.speed == b.core.speed == (0, 0, 0)


def test_12_2_a_spring_breaks_past_its_length() -> None:
    world, a, b = pair()
    spring = world.add_spring(a, b, (0, 0, 0), (3, 0, 0), rest_length=3.0, stiffness=0.0, break_length=3.5)
    told = []
    spring.on_break(told.append)
    b.set_velocity((1, 0, 0))
    broken_at = None
    for _ in range(66):
        world.step()
        if any(isinstance(e, JointBroken) for e in world.events):
            broken_at = world.psi_time
            break
    # the distance passes 3.5 near 0.5 s (damping slows it a little); found at the PSI after that
    assert broken_at is not None
    assert 0.5 < broken_at < 0.6
    assert told == [spring]
    assert spring.broken
    assert not spring.alive
    world.step()
    assert a.core.sim_unit_of_core != b.core.sim_unit_of_core


# ---- joints


def test_12_6_a_ball_joint_stops_the_relative_velocity_in_one_psi() -> None:
    # centres on the line, joint in the middle: along x the two move on together: (1*0 + 3*4) / 4 = 3
    world, a, b = pair()
    world.add_ball_joint(a, b, (1.5, 0, 0))
    b.set_velocity((4, 0, 0))
    world.step()
    assert a.core.speed[0] == pytest.approx(3.0, rel=1e-6)
    assert b.core.speed[0] == pytest.approx(3.0, rel=1e-6)


def test_12_6_a_pendulum_hangs_against_gravity() -> None:
    world, a, b = pair(gravity=-9.81)
    world.add_ball_joint(a, None, (0, 2, 0))
    world.remove(b)
    for _ in range(100):
        world.step()
    assert a.position == pytest.approx((0, 0, 0), abs=1e-6)
    assert a.core.speed == pytest.approx((0, 0, 0), abs=1e-6)


def test_12_6_the_error_is_undone_in_one_psi() -> None:
    # move b away by 0.3: err = 0.3; the next PSI gives the relative velocity -err / dt, so it is gone one PSI later
    world, a, b = pair()
    world.add_ball_joint(a, b, (1.5, 0, 0))
    world.step()
    b.set_pose((3.3, 0, 0))
    world.step()
    assert (b.core.speed[0] - a.core.speed[0]) == pytest.approx(-0.3 * 66, rel=1e-4)
    world.step()
    assert b.position[0] - a.position[0] == pytest.approx(3.0, abs=1e-5)


@pytest.mark.parametrize(("force_factor", "damp_factor"), [(0.5, 0.5), (0.5, 1.0), (1.0, 0.5)])
def test_12_5_force_and_damp_factors(force_factor: float, damp_factor: float) -> None:
    # wanted change = -(err + dt (damp/force) u) force / dt = -(force err / dt + damp u)
    world, a, b = pair()
    world.add_ball_joint(a, b, (1.5, 0, 0), force_factor=force_factor, damp_factor=damp_factor)
    world.step()
    b.set_pose((3.0 + 0.01, 0, 0))
    b.set_velocity((1.0, 0, 0))
    world.step()
    wanted = 1.0 - (force_factor * 0.01 * 66 + damp_factor * 1.0)
    assert b.core.speed[0] - a.core.speed[0] == pytest.approx(wanted, abs=2e-4)


def test_12_4_a_hinge_turns_about_its_axis_only() -> None:
    world = World(gravity=(0, 0, 0), sleeping=False)
    door = world.add_body(
        Box((1, 1.5, 0.1)), mass=3.0, position=(1, 0, 0), collide=False, angular_damping=0.0
    )
    world.add_hinge(door, None, (0, 0, 0), (0, 7, 0))
    door.impulse((0.3, 0.2, -2.0), at=(2, 0.3, 0))
    for _ in range(200):
        world.step()
    x, y, z, _ = door.rotation
    assert (x, z) == pytest.approx((0, 0), abs=1e-5)
    assert door.local_to_world((-1, 0, 0)) == pytest.approx((0, 0, 0), abs=2e-3)
    assert abs(y) > 0.1


@pytest.mark.parametrize(("sign", "limits"), [(1, (-30.0, 10.0)), (-1, (-10.0, 30.0))])
def test_12_4_hinge_limits_count_the_turn_of_the_second_body(sign: int, limits: tuple[float, float]) -> None:
    # The error is A against R: with A fixed, turning R by +angle counts as -angle. A limited hinge holds three axes, so
    # its error is the polynomial of the slider's branch: 2 q + .. = nearly the angle.
    world = World(gravity=(0, 0, 0), sleeping=False)
    wall = world.add_body(Box((0.2, 0.2, 0.2)), fixed=True, collide=False)
    door = world.add_body(Box((1, 0.2, 0.2)), position=(1, 0, 0), collide=False)
    world.add_hinge(door, wall, (0, 0, 0), (0, 0, 1), limits)
    for _ in range(200):
        door.add_angular_velocity((0, 0, 0.05 * sign))
        world.step()
    turned = math.degrees(2 * math.atan2(door.rotation[2], door.rotation[3]))
    # the 30 degrees side is the one that is reached: R turned by +30 is error -30; a constant push leans in a little
    assert sign * turned == pytest.approx(30.0, abs=4.0)


def test_12_4_a_slider_keeps_the_axis_and_the_rotation() -> None:
    world = World(sleeping=False)
    box = world.add_body(Box((0.5, 0.5, 0.5)), collide=False, linear_damping=0.0)
    world.add_slider(box, None, (0, 0, 0), (3, -4, 0))
    n = 66
    for _ in range(n):
        world.step()
    # falls along (0.6, -0.8): g 0.8 dt^2 n(n+1)/2 in PSIs of T1 with speeds of DT
    way = 9.81 * 0.8 * DT * T1 * n * (n + 1) / 2
    assert box.position == pytest.approx((0.6 * way, -0.8 * way, 0), rel=1e-3, abs=1e-4)
    assert box.rotation == pytest.approx((0, 0, 0, 1), abs=1e-5)


@pytest.mark.parametrize("push", [1.0, -1.0])
def test_12_4_slider_limits_have_the_sign_of_the_second_body(push: float) -> None:
    # The reference moves by s along the axis and the fixed partner counts -s: limits (-2, 0.5) allow s from -0.5 to 2
    world = World(gravity=(0, 0, 0), sleeping=False)
    wall = world.add_body(Box((0.2, 0.2, 0.2)), fixed=True, collide=False)
    box = world.add_body(Box((0.5, 0.5, 0.5)), position=(3, 0, 0), collide=False)
    world.add_slider(box, wall, (3, 0, 0), (4, 0, 0), limits=(-2.0, 0.5))
    world.add_force(box, (0.02 * push, 0, 0), relative_to=box)
    for _ in range(400):
        world.step()
    assert box.position[0] - 3 == pytest.approx(2.0 if push > 0 else -0.5, abs=0.02)


def test_12_6_a_limit_is_approached_by_its_factor() -> None:
    # overshoot o: the relative velocity becomes -0.3 o / dt, so o shrinks by 0.7 a PSI
    world = World(gravity=(0, 0, 0), sleeping=False)
    box = world.add_body(Ball(0.5), collide=False, linear_damping=0.0)
    joint = world.add_slider(box, None, (0, 0, 0), (1, 0, 0), limits=(-1.0, 1.0))
    world.step()
    assert joint.axis_types == (1, 1, 2, 1, 1, 1)  # limited, not acting
    box.set_pose((1.5, 0, 0))
    world.step()
    assert joint.axis_types == (1, 1, 3, 1, 1, 1)
    overshoots = []
    for _ in range(6):
        world.step()
        overshoots.append(box.position[0] - 1.0)
    for before, after in itertools.pairwise(overshoots):
        assert after == pytest.approx(0.7 * before, rel=1e-3)


def test_12_6_a_singular_solve_is_left_out() -> None:
    # Two joints between the same bodies at one point: each alone is well posed; both leave the bodies where they are
    world, a, b = pair(gravity=-9.81)
    for _ in range(2):
        world.add_ball_joint(a, b, (1.5, 0, 0))
    world.add_ball_joint(a, None, (0, 0, 0))
    for _ in range(60):
        world.step()
    assert all(math.isfinite(c) for body in (a, b) for c in body.core.speed)
    # a ball has inertia: 1.5 m off the joint, b swings down; the pair's anchor stays together
    gap = np.array(a.local_to_world((1.5, 0, 0))) - b.local_to_world((-1.5, 0, 0))
    assert np.linalg.norm(gap) < 0.02


@settings(max_examples=20, derandomize=True)
@given(
    st.sampled_from(["spring", "ball", "hinge", "slider"]),
    st.tuples(*[st.floats(-3, 3, width=32)] * 3),
    st.tuples(*[st.floats(-2, 2, width=32)] * 3),
)
def test_momentum_is_kept_under_springs_and_joints(
    kind: str, velocity: tuple[float, float, float], spin: tuple[float, float, float]
) -> None:
    # Opposite impulses at one point: linear momentum to f32 rounding of each push, whatever the tie
    world, a, b = pair()
    b.set_velocity(velocity, spin)
    if kind == "spring":
        world.add_spring(a, b, (0, 1, 0), (3, 0, 1), rest_length=2.0, stiffness=20.0)
    elif kind == "ball":
        world.add_ball_joint(a, b, (1.5, 0, 0.5))
    elif kind == "hinge":
        world.add_hinge(a, b, (1.5, 0, 0.5), (1, 2, 3))
    else:
        world.add_slider(a, b, (1.5, 0, 0), (2.5, 1, 0))
    before = a.velocity + 3 * b.velocity
    pushed = 0.0
    for _ in range(60):
        world.step()
        pushed += 1.0 + float(np.abs(a.velocity).max() + 3 * np.abs(b.velocity).max())
        after = a.velocity + 3 * b.velocity
        assert np.abs(after - before).max() <= 2**-23 * 4 * pushed
