"""Worlds of random shapes at all sizes in a closed box: finite, inside, no stale handles, the same bits each
time."""

import numpy as np
import pytest

from physics import Ball, Box, Capsule, Compound, ConvexHull, Cylinder, Material, TriangleMesh, World


def random_shape(rng, size):
    kind = rng.integers(6)
    if kind == 0:
        return Ball(size * rng.uniform(0.3, 0.7))
    if kind == 1:
        return Box(size * rng.uniform(0.15, 0.7, 3))
    if kind == 2:
        return Capsule(size * rng.uniform(0.2, 0.4), size * rng.uniform(0.1, 0.6))
    if kind == 3:
        return Cylinder(size * rng.uniform(0.2, 0.6), size * rng.uniform(0.15, 0.6))
    if kind == 4:
        return ConvexHull(size * rng.uniform(-0.7, 0.7, (rng.integers(6, 24), 3)))
    turn = rng.normal(size=4)
    return Compound(
        [
            (Box(size * rng.uniform(0.15, 0.4, 3)), size * rng.uniform(-0.4, 0.4, 3), turn),
            (Ball(size * rng.uniform(0.2, 0.4)), size * rng.uniform(-0.4, 0.4, 3), (0, 0, 0, 1)),
        ]
    )


def closed_room(world, half, walls, surface):
    if walls == "boxes":
        for axis in range(3):
            for sign in (-1, 1):
                size, place = np.full(3, 3 * half), np.zeros(3)
                size[axis], place[axis] = half, sign * 2 * half
                world.add_body(Box(size), fixed=True, position=place, material=surface)
        return
    corners = half * np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    faces = [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]  # fmt: skip
    world.add_body(TriangleMesh(corners, faces), fixed=True, material=surface)


def populate(seed, size, walls, count=24):
    rng = np.random.default_rng(seed)
    world = World(gravity=(0, -9.81 * size, 0))
    surface = Material(friction=rng.uniform(0, 1), elasticity=rng.uniform(0, 0.8))
    closed_room(world, 4 * size, walls, surface)
    bodies = []
    for i in range(count):
        place = size * (2.2 * np.array([i % 3, i // 9, i // 3 % 3]) - 2.2) + size * rng.uniform(-0.1, 0.1, 3)
        turn = rng.normal(size=4)
        body = world.add_body(
            random_shape(rng, size),
            10.0 ** rng.uniform(-1, 1),
            place,
            turn / np.linalg.norm(turn),
            material=surface,
        )
        body.set_velocity(size * rng.normal(size=3) * 3, rng.normal(size=3) * 5)
        bodies.append(body)
    return rng, world, bodies


@pytest.mark.parametrize("walls", ["boxes", "mesh"])
@pytest.mark.parametrize("size", [1e-3, 0.1, 1.0, 30.0, 1e3])
def test_nothing_leaves_a_closed_room(size, walls):
    for seed in range(4):
        _, world, bodies = populate(seed, size, walls)
        for _ in range(200):
            world.step()
        places = np.array([b.mass_center_position for b in bodies])
        assert np.isfinite(places).all()
        assert np.abs(places).max() < 4.0 * size
        assert np.isfinite(world.velocities()).all()


def test_removals_in_callbacks_leave_no_stale_handles():
    rng, world, bodies = populate(5, 1.0, "boxes")
    world.on_psi(lambda w: w.remove(w.bodies[-1]) if w.psi_count % 10 == 9 and len(w.bodies) > 8 else None)
    for step in range(240):
        world.step()
        if step % 15 == 7:
            world.add_body(random_shape(rng, 1.0), 1.0, (0, 2.5, 0))
        for event in world.events:
            for body in getattr(event, "bodies", ()):
                assert body is None or body.alive or body in bodies or not body.alive
    assert all(b.alive for b in world.bodies)
    assert np.isfinite(world.positions()).all()
    hits = world.raycast_all((0, 50, 0), (0, -1, 0), 100.0)
    assert all(h.body.alive for h in hits)


def test_equal_runs_have_equal_digests_and_a_snapshot_in_the_middle_replays():
    def run(world, steps):
        for _ in range(steps):
            world.step()
        return world.digest()

    _, first, _ = populate(3, 1.0, "mesh")
    _, second, _ = populate(3, 1.0, "mesh")
    assert run(first, 60) == run(second, 60)
    saved = first.snapshot()
    ends = run(first, 60)
    first.overlap(Ball(3.0), (0, 0, 0))  # queries change nothing
    first.restore(saved)
    assert run(first, 60) == ends == run(second, 60)


@pytest.mark.slow
def test_an_hour_of_coming_and_going_leaves_memory_steady():
    resource = pytest.importorskip("resource")
    rng = np.random.default_rng(12)
    world = World()
    surface = Material(friction=0.5)
    closed_room(world, 6.0, "mesh", surface)
    shapes = [random_shape(rng, 1.0) for _ in range(12)]
    alive = []
    sizes, memory = [], []
    for step in range(66 * 3600):
        if step % 33 == 0:
            if len(alive) >= 14:
                world.remove(alive.pop(0))
            place = (*rng.uniform(-2, 2, 2), rng.uniform(-2, 2))
            alive.append(
                world.add_body(shapes[rng.integers(12)], rng.uniform(0.5, 2), place, material=surface)
            )
        world.step()
        if step % (66 * 300) == 66 * 300 - 1:
            sizes.append(len(world.snapshot().data))
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert np.isfinite(world.positions()).all()
    assert max(sizes[1:]) < 1.5 * max(sizes[:2])  # no table grows without end
    assert memory[-1] - memory[1] < 8_000  # KiB
