"""Contacts in the PSI scheme (ivp 14.4, ours): units, sleep, events, filters, driven and fast bodies, our joints."""

import math

import numpy as np
import pytest

from physics import (
    Ball,
    Box,
    Capsule,
    ConvexHull,
    Cylinder,
    EventKind,
    JointBroken,
    Material,
    MovementState,
    PhysicsError,
    Plane,
    TriangleMesh,
    World,
)


def floor_world(**options):
    world = World(**options)
    return world, world.add_body(Box((20, 1, 20)), fixed=True, position=(0, -1, 0), name="floor")


def kinds(world):
    return [event.kind for event in world.events if hasattr(event, "kind")]


def test_a_stack_of_five_stands_freezes_as_one_and_wakes_as_one():
    world, _ = floor_world()
    stack = [world.add_body(Box((0.5, 0.5, 0.5)), position=(0, 0.5 + i, 0)) for i in range(5)]
    frozen = {}
    world.on_frozen(lambda b: frozen.setdefault(b, world.psi_count))
    world.simulate(6.0)
    assert len(frozen) == 5
    assert len(set(frozen.values())) == 1
    heights = [b.position[1] for b in stack]
    np.testing.assert_allclose(heights, 0.5 + np.arange(5), atol=0.02)
    world.simulate(5.0)
    assert [b.position[1] for b in stack] == heights  # not a bit moves
    stack[0].wake()
    world.step()
    world.step()
    assert all(b.movement_state == MovementState.MOVING for b in stack)
    assert sorted(len(members) for _, members in world.sim_units) == [1, 5]  # the floor's, and theirs


def test_units_merge_through_contacts_and_split_when_they_end():
    world, _ = floor_world()
    lower = world.add_body(Ball(0.5), position=(0, 0.5, 0))
    upper = world.add_body(Ball(0.5), position=(0, 1.45, 0))
    world.step()
    assert sorted(len(m) for _, m in world.sim_units) == [1, 2]
    upper.set_pose((5, 0.5, 0))
    world.simulate(2.0)
    assert sorted(len(m) for _, m in world.sim_units) == [1, 1, 1]
    assert lower.frozen


def test_a_body_that_lands_on_a_frozen_stack_wakes_it():
    world, _ = floor_world()
    boxes = [world.add_body(Box((0.5, 0.5, 0.5)), position=(0, 0.5 + i, 0)) for i in range(2)]
    world.simulate(5.0)
    assert all(b.frozen for b in boxes)
    world.add_body(Ball(0.3), position=(0, 3.0, 0))
    world.simulate(0.6)
    assert not any(b.frozen for b in boxes)
    world.simulate(8.0)
    assert all(b.frozen for b in boxes)


def test_removing_the_support_wakes_what_lay_on_it():
    world, _ = floor_world()
    support = world.add_body(Box((1, 0.5, 1)), fixed=True, position=(0, 0.5, 0))
    ball = world.add_body(Ball(0.5), position=(0, 1.5, 0))
    world.simulate(5.0)
    assert ball.frozen
    world.remove(support)
    world.simulate(2.0)
    assert ball.position[1] == pytest.approx(0.5, abs=0.01)


def test_bodies_that_nothing_pushes_keep_the_bits_of_the_text():
    # A ball falls past a wall within the contact margin's reach of nothing, and beside it: the same bits as alone.
    alone = World()
    one = alone.add_body(Ball(0.5), position=(0, 10, 0))
    world, _ = floor_world()
    other = world.add_body(Ball(0.5), position=(0, 10, 0))
    world.add_body(Ball(0.5), position=(1.005, 10, 0))  # half a centimetre away, falling with it
    for _ in range(60):
        alone.step()
        world.step()
        assert one.core.speed == other.core.speed
        assert one.core.pos_last == other.core.pos_last


def test_events_of_a_landing():
    world, floor = floor_world()
    ball = world.add_body(Ball(0.5), mass=2.0, position=(0, 3, 0), material=Material(elasticity=0.0))
    told = []
    for _ in range(90):
        world.step()
        told += [event for event in world.events if event.kind in (EventKind.BEGUN, EventKind.IMPACT)]
    assert [event.kind for event in told] == [EventKind.BEGUN, EventKind.IMPACT]
    impact = told[1]
    assert {impact.a, impact.b} == {ball, floor}
    assert impact.other(ball) == floor
    # It arrives with sqrt(2 g 2.5) = 7.0 m/s: 14 N s, and 0.15 m/s more at most for the PSI's gravity.
    assert 2 * 7.0 - 0.3 < impact.impulse < 2 * 7.0 + 0.6
    assert impact.point == pytest.approx((0, 0, 0), abs=0.01)
    assert abs(impact.normal[1]) == pytest.approx(1.0)
    ball.impulse((0, 20, 0))
    ended = []
    for _ in range(20):
        world.step()
        ended += [event for event in world.events if event.kind == EventKind.ENDED]
    assert len(ended) == 1


def test_sensors_tell_and_do_not_push():
    world, _ = floor_world(gravity=(0, 0, 0))
    gate = world.add_body(Box((0.5, 2, 2)), fixed=True, sensor=True, position=(3, 3, 0))
    ball = world.add_body(Ball(0.25), position=(0, 3, 0), linear_damping=0)
    ball.set_velocity((5, 0, 0))
    told = []
    for _ in range(90):
        world.step()
        told += [(event.kind, world.time, event.other(gate)) for event in world.events]
    assert [kind for kind, _, _ in told] == [EventKind.SENSOR_BEGUN, EventKind.SENSOR_ENDED]
    assert told[0][2] == ball
    assert told[0][1] == pytest.approx((2.5 - 0.25) / 5, abs=0.04)
    assert told[1][1] == pytest.approx((3.5 + 0.25) / 5, abs=0.04)
    assert ball.velocity.tolist() == [5.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("first", "second", "meet"),
    [
        ({}, {}, True),
        ({"collision_group": "a"}, {"collision_group": "a"}, False),
        ({"collision_group": "a"}, {"collision_group": "b"}, True),
        ({"collision_group": ""}, {"collision_group": ""}, True),
        ({"collide": False}, {}, False),
        ({"layer": 3}, {"layer": 4}, False),
        ({"layer": 3}, {"layer": 3}, True),
        (
            {"system_group": 1, "sub_system": 1},
            {"system_group": 1, "sub_system": 2, "sub_system_no_collide": 1},
            False,
        ),
        (
            {"system_group": 1, "sub_system": 1},
            {"system_group": 1, "sub_system": 2, "sub_system_no_collide": 3},
            True,
        ),
        (
            {"system_group": 1, "sub_system": 1},
            {"system_group": 2, "sub_system": 2, "sub_system_no_collide": 1},
            True,
        ),
    ],
)
def test_filters(first, second, meet):
    world = World(gravity=(0, 0, 0))
    world.set_layers(3, 4, False)
    a = world.add_body(Ball(0.5), linear_damping=0, **first)
    b = world.add_body(Ball(0.5), position=(2, 0, 0), linear_damping=0, **second)
    a.set_velocity((3, 0, 0))
    world.simulate(1.0)
    assert bool(b.velocity[0] > 0.5) is meet
    assert bool(a.velocity[0] == 3.0) is not meet


def test_options_can_change_while_bodies_touch():
    world, floor = floor_world()
    ball = world.add_body(Ball(0.5), position=(0, 0.5, 0))
    world.simulate(4.0)
    assert ball.frozen
    floor.collide = False
    world.simulate(0.5)
    assert ball.position[1] < 0.0
    floor.collide = True
    assert floor.collide
    ball.layer = 7
    ball.collision_group = "x"
    assert (ball.layer, ball.collision_group) == (7, "x")
    with pytest.raises(PhysicsError):
        ball.layer = 32


def test_the_pair_callback_decides():
    world, floor = floor_world()
    ghost = world.add_body(Ball(0.5), position=(0, 1, 0), pair_callback=True)
    solid = world.add_body(Ball(0.5), position=(5, 1, 0), pair_callback=True)
    asked = []

    def ask(a, b):
        asked.append({a, b})
        return ghost not in (a, b)

    world.on_pair(ask)
    world.simulate(1.0)
    assert {ghost, floor} in asked
    assert asked.count({ghost, floor}) == 1  # not again before they have parted
    assert ghost.position[1] < -0.5
    assert solid.position[1] == pytest.approx(0.5, abs=0.01)


def test_a_driven_platform_carries_what_stands_on_it():
    world = World()
    platform = world.add_body(Box((2, 0.2, 2)), kinematic=True)
    box = world.add_body(Box((0.4, 0.4, 0.4)), position=(0, 0.6, 0))
    for i in range(1, 200):
        platform.move_to((0.01 * i, 0.005 * i, 0), (0, math.sin(0.002 * i), 0, math.cos(0.002 * i)))
        world.step()
    assert platform.position == pytest.approx([1.98, 0.99, 0], abs=0.02)
    assert box.position == pytest.approx([1.98, 1.6, 0], abs=0.05)
    assert 2 * math.asin(box.rotation[1]) == pytest.approx(2 * math.asin(platform.rotation[1]), abs=0.02)
    with pytest.raises(PhysicsError, match="kinematic"):
        box.move_to((0, 0, 0))


SHAPES = {
    "ball": Ball(0.3),
    "small ball": Ball(0.02),
    "box": Box((0.5, 0.3, 0.2)),
    "plate": Box((0.5, 0.5, 0.01)),
    "capsule": Capsule(0.2, 0.4),
    "cylinder": Cylinder(0.3, 0.3),
    "hull": ConvexHull(np.random.default_rng(0).normal(size=(12, 3)) * 0.4),
}
WALLS = {
    "one triangle": TriangleMesh([(-50, -50, 0), (50, -50, 0), (0, 50, 0)], [(0, 1, 2)]),
    "thin box": Box((50, 50, 0.01)),
    "plane": Plane((0, 0, 1), 0.0),
}


@pytest.mark.parametrize("speed", [30.0, 400.0, 1999.0])
@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_passes_through_a_wall_up_to_the_speed_limit(shape, wall, speed):
    random_numbers = np.random.default_rng(len(shape) + len(wall))
    for elasticity in (0.0, 0.9):
        world = World(gravity=(0, 0, 0))
        material = Material(elasticity=elasticity, elasticity_rule="average")
        world.add_body(WALLS[wall], fixed=True, material=material)
        body = world.add_body(
            SHAPES[shape],
            position=(0.3, -0.2, random_numbers.uniform(8, 12)),
            rotation=random_numbers.normal(size=4),
            material=material,
        )
        body.set_velocity((*random_numbers.normal(size=2) * 5, -speed), random_numbers.normal(size=3) * 10)
        hits = 0
        for _ in range(40):
            world.step()
            hits += EventKind.IMPACT in kinds(world)
            assert body.mass_center_position[2] > -0.01
        assert hits > 0


def test_the_impact_lies_inside_the_psi():
    # An elastic ball at 660 m/s moves 10 m a PSI: from 5.5 m it meets the wall (at 0.5) in the middle of the first PSI
    # and is back at 5.5 when that ends.
    world = World(gravity=(0, 0, 0))
    hard = Material(elasticity=1.0, friction=0.0, elasticity_rule="average")
    world.add_body(Plane((1, 0, 0), 0.0), fixed=True, material=hard)
    ball = world.add_body(Ball(0.5), position=(5.5, 0, 0), material=hard, linear_damping=0)
    ball.set_velocity((-660, 0, 0))
    world.step()
    assert ball.velocity[0] == pytest.approx(660, rel=1e-5)
    assert ball.position[0] == pytest.approx(5.5, abs=0.02)
    impact = next(event for event in world.events if event.kind == EventKind.IMPACT)
    assert impact.time == pytest.approx(0.5 / 66, rel=0.01)


def test_continuous_bodies_meet_each_other():
    for continuous in (False, True):
        world = World(gravity=(0, 0, 0))
        hard = Material(elasticity=1.0, friction=0.0, elasticity_rule="average")
        a = world.add_body(
            Ball(0.1), position=(-20, 0, 0), continuous=continuous, material=hard, linear_damping=0
        )
        b = world.add_body(Ball(0.1), position=(20, 0, 0), material=hard, linear_damping=0)
        a.set_velocity((1000, 0, 0))
        b.set_velocity((-1000, 0, 0))
        world.simulate(0.1)
        assert bool(a.velocity[0] < 0) is continuous
        assert bool(b.velocity[0] > 0) is continuous


def test_a_fixed_joint_holds_a_beam():
    world = World()
    beam = world.add_body(Box((0.5, 0.1, 0.1)), position=(0.5, 0, 0))
    world.add_fixed_joint(beam, None, (0, 0, 0))
    world.simulate(3.0)
    assert beam.position == pytest.approx([0.5, 0, 0], abs=2e-3)
    assert beam.rotation == pytest.approx([0, 0, 0, 1], abs=2e-3)


def test_a_rope_is_slack_inside_its_length_and_keeps_energy_outside():
    world = World(sleeping=False)
    bob = world.add_body(Ball(0.2), position=(1, 0, 0), linear_damping=0, angular_damping=0)
    world.add_rope(bob, None, (1, 0, 0), (0, 0, 0), length=2.0)
    farthest = 0.0
    for i in range(200):
        world.step()
        farthest = max(farthest, np.linalg.norm(bob.position))
        if i == 20:  # in free fall: the rope is slack
            assert bob.velocity[0] == 0.0
    assert farthest == pytest.approx(2.0, abs=0.02)


def test_motors_reach_their_speed_and_no_more_than_their_strength():
    world = World(gravity=(0, 0, 0), sleeping=False)
    wheel = world.add_body(Cylinder(1.0, 0.2), mass=2.0, angular_damping=0)  # I = 1 about its axis y
    hinge = world.add_hinge(wheel, None, (0, 0, 0), (0, 1, 0))
    hinge.set_motor(-3.0, 2.0)  # the world against the wheel: the wheel turns by +3
    for _ in range(33):
        world.step()
    assert wheel.angular_velocity[1] == pytest.approx(
        2.0 * 0.5, rel=0.02
    )  # torque 2 for half a second on I = 1
    world.simulate(2.0)
    assert wheel.angular_velocity[1] == pytest.approx(3.0, rel=1e-3)
    hinge.set_motor(0.0, 1.0)  # a brake
    world.simulate(4.0)
    assert wheel.angular_velocity[1] == pytest.approx(0.0, abs=1e-3)


def test_a_slider_motor_lifts():
    world = World(sleeping=False)
    lift = world.add_body(Box((0.5, 0.1, 0.5)), mass=2.0, linear_damping=0)
    slider = world.add_slider(lift, None, (0, 0, 0), (0, 1, 0))
    slider.set_motor(-0.5, 100.0)
    world.simulate(2.0)
    assert lift.position == pytest.approx([0, 1, 0], abs=0.02)


@pytest.mark.parametrize("kind", ["ball", "fixed"])
def test_joints_break_under_more_than_they_bear(kind):
    # A weight of 10 kg hangs by 98.1 N.
    for force, holds in ((90.0, False), (110.0, True)):
        world = World(sleeping=False)
        bob = world.add_body(Ball(0.2), mass=10.0, position=(0, -1, 0))
        joint = (
            world.add_ball_joint(bob, None, (0, 0, 0))
            if kind == "ball"
            else world.add_fixed_joint(bob, None, (0, 0, 0))
        )
        joint.set_break(force=force)
        told = []
        for _ in range(100):
            world.step()
            told += [event for event in world.events if isinstance(event, JointBroken)]
        assert joint.alive is holds
        assert len(told) == (0 if holds else 1)
        assert bool(bob.position[1] > -1.1) is holds


def test_six_dof_limits_hold():
    world = World(gravity=(0, 0, 0), sleeping=False)
    arm = world.add_body(Capsule(0.1, 0.4), position=(0, 0.5, 0), angular_damping=0)
    world.add_six_dof(
        arm, None, (0, 0, 0), axis=(0, 1, 0), reference=(1, 0, 0), cone=30.0, twist=(-20.0, 20.0)
    )
    arm.set_velocity((3, 0, 1), (0, 6, 0))
    widest = 0.0
    for _ in range(300):
        world.step()
        up = arm.matrix[1, :3]
        widest = max(widest, math.degrees(math.acos(min(1.0, float(up[1])))))
        assert np.linalg.norm(arm.position) == pytest.approx(0.5, abs=0.02)
    assert 28.0 < widest < 34.0


def test_six_dof_refuses_wrong_limits():
    world = World()
    arm = world.add_body(Capsule(0.1, 0.4))
    for wrong in (
        {"twist": (20, -20)},
        {"ways": (0, 0)},
        {"cone": -1.0},
        {"swing_x": (1, 2, 3)},
        {"axis": (0, 0, 0)},
    ):
        with pytest.raises(PhysicsError):
            world.add_six_dof(arm, None, (0, 0, 0), **wrong)
    with pytest.raises(PhysicsError):
        world.add_rope(arm, None, (0, 0, 0), (1, 0, 0), length=0.5, shortest=0.6)


def test_a_loaded_door_holds_with_more_passes():
    world = World(passes=4, sleeping=False)
    world.add_body(Box((20, 1, 20)), fixed=True, position=(0, -1.05, 0))
    door = world.add_body(Box((0.5, 1, 0.05)), mass=10.0, position=(0.5, 1, 0))
    world.add_hinge(door, None, (0, 1, 0), (0, 1, 0))
    load = world.add_body(Box((0.2, 0.2, 0.2)), mass=30.0, position=(0.8, 2.25, 0))
    for _ in range(200):
        world.step()
        hinge_line = door.local_to_world((-0.5, 0, 0))
        assert hinge_line == pytest.approx((0, 1, 0), abs=0.02)
    assert load.position[1] < 3.0
