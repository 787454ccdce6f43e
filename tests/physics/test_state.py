"""Snapshots and digests cover everything that decides the future."""

import subprocess
import sys

import numpy as np
import pytest

from physics import Ball, Box, PhysicsError, Snapshot, World

SCRIPT = """
import numpy as np
from physics import Ball, Box, ConvexHull, Plane, World
world = World(passes=2)
world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
points = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
shapes = [Ball(0.5), Box((0.5, 0.4, 0.3)), ConvexHull(points)]
bodies = [world.add_body(shapes[i % 3], position=(0.1 * (i % 4), 1 + 1.1 * i, 0.07 * i)) for i in range(15)]
world.add_hinge(bodies[0], bodies[1], (0, 1.5, 0), limits=(-30, 30))
world.add_spring(bodies[2], bodies[3], (0, 3, 0), (0, 4, 0), stiffness=20.0)
bodies[4].impulse((3, 0, 1), at=(0, 5, 0))
for _ in range(240):
    world.step()
print(world.digest())
"""


def busy_world():
    world = World(gravity=(0.1, -9.8, 0.2), seed=5)
    floor = world.add_body(Box((5, 1, 5)), fixed=True, position=(0, -1, 0))
    a = world.add_body(Box((0.5, 0.3, 0.2)), position=(0, 0.5, 0))
    b = world.add_body(Ball(0.3), position=(0, 2, 0))
    c = world.add_body(Ball(0.3), position=(3, 2, 0))
    world.add_hinge(b, c, (1, 2, 0), limits=(-10, 10))
    world.add_fixed_joint(c, world.add_body(Ball(0.2), position=(3, 3, 0)))
    world.add_spring(a, b, (0, 0.5, 0), (0, 2, 0), stiffness=3)
    world.add_force(c, (0.01, 0, 0))
    world.simulate(0.5)
    b.impulse((0, 0.1, 0))
    return world, floor, a, b, c


@pytest.mark.determinism
def test_two_processes_and_this_one_agree():
    runs = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].strip()) == 32


def test_every_byte_of_the_state_is_in_the_digest():
    world, *_ = busy_world()
    saved = world.snapshot()
    digest = world.digest()
    data = saved.data
    header = 25 * 4  # counts, checked apart
    step = 7  # coprime to the records' sizes: every field of every kind of record is met in some record
    for place in range(header, len(data), step):
        changed = bytearray(data)
        changed[place] ^= 1
        other = Snapshot(world, bytes(changed), saved._handles, saved._controllers)
        assert hash_of(other) != digest
    assert hash_of(saved) == digest


def hash_of(snapshot):
    from hashlib import blake2b

    return blake2b(snapshot.data, digest_size=16).hexdigest()


def test_each_thing_that_decides_the_future_changes_the_digest():
    changes = {
        "position": lambda w, b: b.set_pose((0, 9, 0)),
        "velocity": lambda w, b: b.set_velocity((1, 2, 3)),
        "spin": lambda w, b: b.set_velocity(None, (1, 2, 3)),
        "pending push": lambda w, b: b.impulse((0, 1, 0)),
        "timers": lambda w, b: b.wake(),
        "time": lambda w, b: w.simulate(0.001),
        "frame smoothing": lambda w, b: w.advance(0.0) if w._simulate(0.0) is None else None,
        "gravity": lambda w, b: setattr(w, "gravity", (0, -1, 0)),
        "layer": lambda w, b: setattr(b, "layer", 3),
        "layers": lambda w, b: w.set_layers(0, 5, False),
        "clamp": lambda w, b: setattr(b, "max_angular_velocity", (1, 1, 1)),
        "a body": lambda w, b: w.add_body(Ball(1.0)),
        "another shape": lambda w, b: w.add_body(Ball(1.1)),
        "removal": lambda w, b: w.remove(b),
        "a force": lambda w, b: w.add_force(b, (0, 1, 0)),
    }
    seen = set()
    for name, change in changes.items():
        world, _, _, b, _ = busy_world()
        world.advance(3.0)
        before = world.digest()
        change(world, b)
        after = world.digest()
        assert after != before, name
        seen.add(after)
    assert len(seen) == len(changes)
    assert World(seed=1).digest() != World(seed=2).digest()
    assert World(passes=1).digest() != World(passes=2).digest()
    assert World(sleeping=False).digest() != World().digest()


def test_equal_calls_give_equal_digests_and_queries_change_nothing():
    first, *_ = busy_world()
    second, _, a, _, _ = busy_world()
    assert first.digest() == second.digest()
    a.position, a.core, second.positions(), second.sim_units, second.events, a.pose_at(3.0)
    assert first.digest() == second.digest()
    for world in (first, second):
        world.simulate(1.0)
    assert first.digest() == second.digest()


def test_a_broken_snapshot_is_refused_and_changes_nothing():
    world, *_ = busy_world()
    saved = world.snapshot()
    world.simulate(0.3)
    before = world.digest()
    for data in (
        b"",
        saved.data[:-1],
        saved.data + b"x",
        b"\x07" + saved.data[1:],
        b"\xff" * len(saved.data),
    ):
        with pytest.raises(PhysicsError, match="snapshot"):
            world.restore(Snapshot(world, data, saved._handles, saved._controllers))
        assert world.digest() == before
    world.restore(saved)


def test_snapshots_in_the_middle_of_a_pile_replay_to_the_bit():
    world = World()
    world.add_body(Box((6, 1, 6)), fixed=True, position=(0, -1, 0))
    random_numbers = np.random.default_rng(2)
    for i in range(60):
        shape = Box(random_numbers.uniform(0.2, 0.5, 3)) if i % 2 else Ball(0.4)
        world.add_body(
            shape,
            position=(*random_numbers.uniform(-1, 1, 1), 1 + 0.5 * i, *random_numbers.uniform(-1, 1, 1)),
        )
    world.simulate(2.0)
    saved = world.snapshot()
    ends = []
    for _ in range(2):
        world.restore(saved)
        for _ in range(150):
            world.step()
        ends.append((world.digest(), world.positions().tobytes()))
    assert ends[0] == ends[1]


def test_a_snapshot_between_two_psis_keeps_the_impacts_to_come():
    world = World(gravity=(0, 0, 0))
    world.add_body(Box((10, 10, 0.01)), fixed=True)
    bullet = world.add_body(Ball(0.05), position=(0, 0, 8.0))
    bullet.set_velocity((0, 0, -900))
    world.simulate(0.001)
    saved = world.snapshot()
    world.simulate(0.02)
    assert bullet.position[2] > 0
    digest = world.digest()
    world.restore(saved)
    world.simulate(0.02)
    assert world.digest() == digest
