"""A pile with every kind of joint: a snapshot in its middle replays to the same bits, whatever happened in between."""

import threading

import numpy as np
import pytest

from physics import Ball, Box, Capsule, Compound, ConvexHull, Cylinder, Plane, World

UPRIGHT = (0, 0, 0, 1)


def pile():
    rng = np.random.default_rng(1)
    world = World(passes=2)
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
    shapes = [
        Ball(0.3),
        Box((0.3, 0.2, 0.25)),
        Capsule(0.2, 0.2),
        Cylinder(0.25, 0.2),
        ConvexHull(rng.normal(size=(14, 3)) * 0.25),
        Compound([(Box((0.3, 0.1, 0.1)), (0, 0, 0), UPRIGHT), (Ball(0.2), (0.3, 0, 0), UPRIGHT)]),
    ]
    bodies = []
    for i in range(60):
        place = (i % 4 * 0.6 + rng.uniform(-0.1, 0.1), 0.5 + 0.45 * (i // 4), rng.uniform(-0.5, 0.5))
        mass, turn = rng.uniform(0.5, 3), rng.normal(size=4)
        bodies.append(world.add_body(shapes[i % 6], mass, place, turn, continuous=i % 7 == 0))
    places = [body.position for body in bodies]
    joints = []
    for i in range(0, 24, 6):
        joints.append(world.add_ball_joint(bodies[i], bodies[i + 1], 0.5 * (places[i] + places[i + 1])))
        joints.append(world.add_rope(bodies[i + 2], bodies[i + 3], places[i + 2], places[i + 3]))
        middle = 0.5 * (places[i + 4] + places[i + 5])
        joints.append(world.add_hinge(bodies[i + 4], bodies[i + 5], middle, (1, 0, 0)))
    joints[2].set_motor(2.0, 3.0)
    joints[0].set_break(force=40)
    joints.append(world.add_spring(bodies[30], bodies[31], places[30], places[31], break_length=3))
    joints.append(world.add_fixed_joint(bodies[40], bodies[41]))
    return world, bodies, joints


def run(world, steps):
    for _ in range(steps):
        world.step()


def remove_some(world, bodies, joints):
    world.remove(bodies[5])
    world.remove(bodies[30])


def add_some(world, bodies, joints):
    for _ in range(40):
        world.add_body(Ball(0.2), position=(0, 6, 0))


def untie(world, bodies, joints):
    for joint in joints:
        if joint.alive:
            world.remove(joint)


@pytest.mark.parametrize("between", [lambda *_: None, remove_some, add_some, untie])
def test_a_pile_with_joints_replays_from_a_snapshot(between):
    world, bodies, joints = pile()
    run(world, 70)
    snapshot, before = world.snapshot(), world.digest()
    run(world, 120)
    after = world.digest()
    between(world, bodies, joints)
    run(world, 20)
    world.restore(snapshot)
    assert world.digest() == before
    run(world, 120)
    assert world.digest() == after


def test_equal_worlds_in_threads_end_with_the_same_bits():
    digests = []

    def whole():
        world, _, _ = pile()
        run(world, 150)
        digests.append(world.digest())

    threads = [threading.Thread(target=whole) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole()
    assert len(digests) == 4
    assert len(set(digests)) == 1
