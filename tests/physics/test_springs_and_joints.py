"""Springs, ball joints, hinges and sliders (ivp 12)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics import Ball, Box, JointBroken, PhysicsError, World

DT = 1.0 / 66.0


def f32(x):
    return float(np.float32(x))


def test_12_3_the_first_push_of_a_spring():
    # Stretched from 1 to 3 with k = 4: force 8, impulse 8 / 66 on b towards a, and the opposite on a.
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Ball(0.1), mass=2.0, linear_damping=0)
    b = world.add_body(Ball(0.1), mass=1.0, position=(3, 0, 0), linear_damping=0)
    world.add_spring(
        a, b, (0, 0, 0), (3, 0, 0), rest_length=1.0, stiffness=4.0, damping=0.0, relative_damping=0.0
    )
    world.step()
    assert a.velocity[0] == pytest.approx(8 / 66 / 2)
    assert b.velocity[0] == pytest.approx(-8 / 66)


def test_12_3_both_dampings():
    # At rest length; b leaves with (2, 3, 0): along the spring 2, whole (2, 3).
    # Impulses on b: -c_lin 2 and -c_rel (2, 3).
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Ball(0.1), linear_damping=0, angular_damping=0, inertia=(1e9,) * 3)
    b = world.add_body(Ball(0.1), position=(1, 0, 0), linear_damping=0, angular_damping=0, inertia=(1e9,) * 3)
    b.set_velocity((2, 3, 0))
    world.add_spring(
        a, b, (0, 0, 0), (1, 0, 0), rest_length=1.0, stiffness=0.0, damping=5.0, relative_damping=7.0
    )
    world.step()
    change = np.array([2 * (5 + 7), 3 * 7, 0]) / 66
    assert a.velocity == pytest.approx(change, rel=1e-5)
    assert b.velocity == pytest.approx([2, 3, 0] - change, rel=1e-5)


def test_12_2_relative_values_scale_by_the_reduced_mass():
    # masses 2 and 6: 12 / 8 = 1.5
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Ball(0.1), mass=2.0, linear_damping=0)
    b = world.add_body(Ball(0.1), mass=6.0, position=(2, 0, 0), linear_damping=0)
    world.add_spring(a, b, (0, 0, 0), (2, 0, 0), 1.0, 4.0, 0.0, 0.0, relative_values=True)
    world.step()
    assert a.velocity[0] == pytest.approx(1.5 * 4 / 66 / 2)


def test_12_2_a_spring_breaks_past_its_length():
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Ball(0.1))
    b = world.add_body(Ball(0.1), position=(2, 0, 0))
    holds = world.add_spring(a, b, (0, 0, 0), (2, 0, 0), rest_length=2.0, break_length=2.0)
    breaks = world.add_spring(a, b, (0, 0, 0), (2, 0, 0), rest_length=2.0, break_length=1.999)
    told = []
    breaks.on_break(told.append)
    world.step()
    assert holds.alive
    assert breaks.broken
    assert not breaks.alive
    assert told == [breaks]
    assert [event.joint for event in world.events if isinstance(event, JointBroken)] == [breaks]
    with pytest.raises(PhysicsError):
        breaks.remove()


@settings(max_examples=20, deadline=None)
@given(
    masses=st.tuples(st.floats(0.5, 5), st.floats(0.5, 5)),
    velocities=st.tuples(*[st.tuples(*[st.floats(-3, 3)] * 3)] * 2),
    kind=st.sampled_from(["spring", "ball", "hinge", "slider"]),
)
def test_momentum_is_kept_by_springs_and_joints(masses, velocities, kind):
    world = World(gravity=(0, 0, 0))
    a = world.add_body(Box((0.5, 0.3, 0.4)), mass=masses[0], linear_damping=0, angular_damping=0)
    b = world.add_body(Ball(0.4), mass=masses[1], position=(2, 0, 0), linear_damping=0, angular_damping=0)
    a.set_velocity(velocities[0])
    b.set_velocity(velocities[1])
    if kind == "spring":
        world.add_spring(a, b, (0.2, 0.1, 0), (2, 0.1, 0), 1.0, 30.0, 1.0, 0.5)
    elif kind == "ball":
        world.add_ball_joint(a, b, (1, 0, 0))
    elif kind == "hinge":
        world.add_hinge(a, b, (1, 0, 0), (0, 0, 1))
    else:
        world.add_slider(a, b, (0, 0, 0), (1, 0, 0))
    m = np.array([[a.mass], [b.mass]])
    before = (m * velocities).sum(axis=0)
    for _ in range(20):
        world.step()
        assert (m * world.velocities()).sum(axis=0) == pytest.approx(before, abs=2e-4)


def test_12_6_a_joint_is_exact_in_one_psi():
    # The velocity of the anchor becomes -error / dt along each held axis.
    world = World(gravity=(0, -9.81, 0))
    box = world.add_body(Box((0.5, 0.2, 0.3)), mass=3.0, position=(0.5, 0, 0))
    world.add_ball_joint(box, None, (0, 0, 0))
    for _ in range(40):
        error = np.array(box.pose_at(world.time)[0])  # of the object's origin, at the PSI
        corner = error + rotate(box.rotation, (-0.5, 0, 0))
        world.step()
        core = box.core
        r = np.array(core.world_f_core)
        anchor_speed = np.array(core.speed) + r @ np.cross(core.rot_speed, (-0.5, 0, 0))
        assert anchor_speed == pytest.approx(-corner * 66, abs=2e-4)


def rotate(q, v):
    x = np.array(q[:3])
    return np.array(v) + 2 * np.cross(x, np.cross(x, v) + q[3] * np.array(v))


def test_12_6_a_hinge_keeps_its_axis_and_swings_like_a_pendulum():
    # Point mass on a rod (inertia made tiny): period 2 pi sqrt(l / g) for small angles.
    world = World(gravity=(0, -10, 0), sleeping=False)
    bob = world.add_body(
        Ball(0.1),
        position=(math.sin(0.1), -math.cos(0.1), 0),
        linear_damping=0,
        angular_damping=0,
        inertia=(1e-4,) * 3,
    )
    world.add_hinge(bob, None, (0, 0, 0), (0, 0, 1))
    crossings = []
    last = bob.position[0]
    for _ in range(400):
        world.step()
        x = bob.position[0]
        if last > 0 >= x:
            crossings.append(world.time + x / (last - x) * DT)
        last = x
        assert np.linalg.norm(bob.position) == pytest.approx(1.0, abs=5e-3)
        assert rotate(bob.rotation, (0, 0, 1)) == pytest.approx([0, 0, 1], abs=1e-4)
    assert np.diff(crossings).mean() == pytest.approx(2 * math.pi * math.sqrt(1 / 10), rel=0.01)


def test_12_6_hinge_limits_act_on_the_turn_of_the_second_body():
    # a turns by +angle against the world, so the world (second) turns by -angle: limits (-30, 10) let a go to +30
    # and -10.
    for sign, end in ((1, 30.0), (-1, -10.0)):
        world = World(gravity=(0, 0, 0), sleeping=False)
        box = world.add_body(Box((0.5, 0.5, 0.5)), angular_damping=0.5)
        joint = world.add_hinge(box, None, (0, 0, 0), (0, 0, 1), limits=(-30, 10))
        box.set_velocity((0, 0, 0), (0, 0, sign * 1.0))
        world.simulate(2.0)
        assert joint.axis_types[5] & 2
        turn = math.degrees(2 * math.atan2(box.rotation[2], box.rotation[3]))
        assert turn == pytest.approx(end, abs=1.0)


def test_12_4_slider_limits_act_on_the_way_of_the_second_body():
    # As for Ballance's sliding boxes: (-3, 0) lets the first body go 3 m towards the second point, and not back.
    for push, end in ((2.0, 3.0), (-2.0, 0.0)):
        world = World(gravity=(0, 0, 0), sleeping=False)
        box = world.add_body(Box((0.5, 0.5, 0.5)), linear_damping=0.05)
        world.add_slider(box, None, (0, 0, 0), (0, 2, 0), limits=(-3, 0))
        box.set_velocity((0.7, push, 0.3), (1, 2, 3))
        world.simulate(4.0)
        assert box.position == pytest.approx([0, end, 0], abs=0.05)
        assert box.rotation == pytest.approx([0, 0, 0, 1], abs=1e-3)


def test_12_6_factors_soften_the_solve():
    # force_factor 0.5: half of the wanted change of velocity.
    world = World(gravity=(0, 0, 0))
    box = world.add_body(Ball(0.5), linear_damping=0)
    world.add_ball_joint(box, None, (0, 0, 0), force_factor=0.5, damp_factor=0.5)
    box.set_velocity((4, 0, 0))
    world.step()
    assert box.velocity[0] == pytest.approx(2.0, rel=1e-5)


def test_branches_that_the_text_only_outlines_are_refused():
    world = World()
    box = world.add_body(Box((1, 1, 1)))
    with pytest.raises(PhysicsError, match="force_factor, damp_factor, limit_factor"):
        world.add_hinge(box, None, (0, 0, 0), max_force=3.0)


def test_more_passes_hold_a_long_chain_together():
    def longest(passes):
        world = World(gravity=(0, -20, 0), sleeping=False, passes=passes)
        previous = world.add_body(Box((0.3, 0.3, 0.3)), fixed=True, collide=False)
        for i in range(20):
            link = world.add_body(Box((0.3, 0.3, 0.3)), position=(i + 1.0, 0, 0), collide=False)
            world.add_ball_joint(previous, link, (i + 0.5, 0, 0))
            previous = link
        most = 0.0
        for _ in range(150):
            world.step()
            most = max(most, np.linalg.norm(np.diff(world.positions(), axis=0), axis=1).max())
        return most

    one, eight = longest(1), longest(8)
    assert eight < 1.1
    assert one > 1.5
