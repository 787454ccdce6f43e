"""Random lives of worlds: bodies, joints and options come and go, also in callbacks; nothing breaks, and it replays."""

import numpy as np
import pytest

from physics import Ball, Box, Capsule, ConvexHull, Cylinder, Plane, World

HULL = ConvexHull([(1, 0, 0), (-1, 0, 0.1), (0, 1, 0), (0, -1, 0), (0.2, 0, 1), (0, 0, -1)])
SHAPES = [Ball(0.4), Box((0.5, 0.3, 0.4)), Capsule(0.2, 0.3), Cylinder(0.3, 0.3), HULL]


def live(seed: int, psis: int) -> str:
    """Run one random life and return the digest of its end."""
    draw = np.random.default_rng(seed)
    world = World(passes=int(draw.integers(1, 3)))
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
    for axis in ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)):
        world.add_body(Plane(axis, -6.0), fixed=True)

    def add(w: World) -> None:
        body = w.add_body(
            SHAPES[draw.integers(len(SHAPES))],
            mass=float(draw.uniform(0.1, 10)),
            position=(*draw.uniform(-4, 4, 1), draw.uniform(1, 6), *draw.uniform(-4, 4, 1)),
            rotation=draw.normal(size=4),
            continuous=bool(draw.integers(2)),
            pair_callback=bool(draw.integers(2)),
            kinematic=bool(draw.integers(12) == 0),
            sensor=bool(draw.integers(12) == 0),
        )
        body.set_velocity(draw.normal(size=3) * 5, draw.normal(size=3) * 5)

    def moving(w: World) -> list:
        return [body for body in w.bodies if not body.fixed]

    def change(w: World) -> None:
        bodies = moving(w)
        pick = int(draw.integers(12))
        if pick < 4 or len(bodies) < 4:
            add(w)
            return
        a, b = (bodies[i] for i in draw.choice(len(bodies), 2, replace=False))
        middle = 0.5 * (a.position + b.position)
        if pick == 4:
            w.remove(a)
        elif pick == 5:
            w.add_ball_joint(a, b, middle).set_break(force=200.0)
        elif pick == 6:
            w.add_six_dof(a, b, middle, cone=40.0, twist=(-30, 30))
        elif pick == 7:
            w.add_spring(a, b, a.position, b.position, stiffness=20.0, break_length=6.0)
        elif pick == 8:
            a.set_pose((*draw.uniform(-4, 4, 1), 5.0, *draw.uniform(-4, 4, 1)))
        elif pick == 9:
            a.impulse(draw.normal(size=3) * 30, at=b.position)
        elif pick == 10:
            a.collide = not a.collide
        else:
            w.add_hinge(a, None, a.position, (0, 1, 0)).set_motor(2.0, 5.0)

    world.on_psi(lambda w: change(w) if draw.integers(8) == 0 else None)
    world.on_frozen(lambda body: change(world) if draw.integers(20) == 0 else None)
    world.on_revived(lambda body: add(world) if draw.integers(30) == 0 else None)
    world.on_pair(lambda a, b: bool(draw.integers(4)))
    for _ in range(12):
        add(world)
    for _ in range(psis):
        world.step()
        if draw.integers(6) == 0:
            change(world)
        bodies = moving(world)
        if len(bodies) > 60:
            for body in bodies[:30]:
                world.remove(body)
    positions = world.positions()
    assert np.isfinite(positions).all()
    assert np.isfinite(world.velocities()).all()
    units = [body for _, members in world.sim_units for body in members]
    assert sorted(body._index for body in units) == sorted(body._index for body in world.bodies)
    return world.digest()


@pytest.mark.parametrize("seed", range(6))
def test_a_random_life_ends_well_and_replays(seed):
    assert live(seed, 250) == live(seed, 250)


@pytest.mark.slow
def test_many_random_lives():
    for seed in range(100, 140):
        live(seed, 800)
