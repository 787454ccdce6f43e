"""Continuous motion in a world: nothing fast passes through, and nothing stops where it should not."""

import math

import numpy as np
import pytest

from physics import Ball, Box, Capsule, ConvexHull, Cylinder, HeightField, Material, TriangleMesh, World
from physics.scenes import PSI, SCENES

SURFACE = Material(friction=0.0, elasticity=0.0)
WALL = TriangleMesh([[0, -3, -3], [0, -3, 3], [0, 4, 0]], [[0, 1, 2]])
SOLIDS = [
    Ball(0.2),
    Box((0.1, 0.2, 0.3)),
    Capsule(0.1, 0.3),
    Cylinder(0.3, 0.05),
    ConvexHull([[0.3, 0, 0], [-0.2, 0.2, 0], [-0.2, -0.2, 0.1], [0, 0, -0.3], [0, 0.1, 0.3]]),
]


@pytest.mark.parametrize("speed", [50.0, 400.0, 1999.0])
@pytest.mark.parametrize("shape", SOLIDS, ids=lambda s: type(s).__name__)
def test_no_shape_passes_a_wall_of_one_triangle(shape, speed):
    rng = np.random.default_rng(4)
    for _ in range(6):
        world = World(gravity=(0, 0, 0), sleeping=False)
        world.add_body(WALL, fixed=True, material=SURFACE)
        turn = rng.normal(size=4)
        body = world.add_body(
            shape, 1.0, (-10 - rng.uniform(0, 40), rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)),
            turn / np.linalg.norm(turn), material=SURFACE, linear_damping=0.0,
        )  # fmt: skip
        body.set_velocity((speed, 0, 0), rng.normal(size=3) * 3)
        for _ in range(round(60 / speed / PSI) + 30):
            world.step()
            assert body.mass_center_position[0] < 0.0


def test_bullets_bounce_with_the_elasticity_of_the_wall():
    scene = SCENES["bullets"]()
    for _ in range(66):
        scene.world.step()
    # Half the speed comes back (elasticity 0.5).
    np.testing.assert_allclose([b.velocity[0] for b in scene.bodies], -0.5 * 1990.0, rtol=1e-3)


@pytest.mark.parametrize("continuous", [False, True])
def test_moving_bodies_are_swept_against_each_other_when_one_asks(continuous):
    world = World(gravity=(0, 0, 0), sleeping=False)
    plate = world.add_body(Box((0.02, 1, 1)), 1.0, material=SURFACE, linear_damping=0.0)
    ball = world.add_body(
        Ball(0.1), 1.0, (-20.3, 0, 0), material=SURFACE, linear_damping=0.0, continuous=continuous
    )
    ball.set_velocity((1500, 0, 0), (0, 0, 0))
    for _ in range(10):
        world.step()
    if continuous:
        # Plastic impact of equal masses: both go on together at half the speed.
        assert ball.position[0] < plate.position[0]
        assert plate.velocity[0] == pytest.approx(750.0, rel=0.02)
    else:
        assert plate.velocity[0] == 0.0  # it flew past between two PSIs


def test_two_continuous_balls_at_full_speed_collide_head_on():
    world = World(gravity=(0, 0, 0), sleeping=False)
    bouncy = Material(friction=0.0, elasticity=1.0)
    balls = [
        world.add_body(
            Ball(0.05), 1.0, (s * 33.3, 0, 0), material=bouncy, linear_damping=0.0, continuous=True
        )
        for s in (-1, 1)
    ]
    for ball, v in zip(balls, (1990.0, -1990.0), strict=True):
        ball.set_velocity((v, 0, 0), (0, 0, 0))
    for _ in range(6):
        world.step()
    np.testing.assert_allclose([b.velocity[0] for b in balls], (-1990.0, 1990.0), rtol=1e-3)


@pytest.mark.parametrize("shape", [Ball(0.3), Box((0.3, 0.3, 0.3)), Capsule(0.3, 0.5)], ids=repr)
def test_fast_sliding_over_a_flat_mesh_meets_no_ghost(shape):
    # 80 m/s is 1.2 m a PSI, four times the inner radius: swept every PSI, over some 100 edges, and never
    # held up.
    field = HeightField(np.zeros((9, 201)), 1.0)
    world = World(gravity=(0, -9.81, 0), sleeping=False)
    world.add_body(TriangleMesh(field.vertices, field.triangles), fixed=True, material=SURFACE)
    low = 0.3 + (0.5 if isinstance(shape, Capsule) else 0.0)
    body = world.add_body(
        shape, 1.0, (2, low, 4.3), material=SURFACE, linear_damping=0.0, angular_damping=0.0
    )
    body.set_velocity((80, 0, 0), (0, 0, 0))
    steps = 100
    for _ in range(steps):
        world.step()
    assert body.velocity[0] == pytest.approx(80.0, rel=1e-4)
    assert body.position[0] == pytest.approx(2 + 80 * steps * PSI, rel=1e-3)
    assert abs(body.velocity[1]) < 0.05


def test_a_coin_that_falls_over_is_not_held_by_the_point_it_turns_about():
    # Its rim moves far more than the little ball inside it in a PSI: only the way into the floor may be cut.
    scene = SCENES["coin"]()
    for _ in range(round(scene.seconds / PSI)):
        scene.world.step()
    assert abs(scene.bodies[0].matrix[1, 1]) == pytest.approx(1.0, abs=1e-4)


def test_a_fast_ball_rolls_up_a_step_field_and_never_below_it():
    rng = np.random.default_rng(6)
    heights = rng.uniform(0, 0.6, (41, 41))
    world = World(gravity=(0, -9.81, 0), sleeping=False)
    world.add_body(HeightField(heights, 1.0), fixed=True, material=Material(friction=0.3, elasticity=0.3))
    balls = [world.add_body(Ball(0.1), 1.0, (5 + i, 3, 20), material=SURFACE) for i in range(10)]
    for i, ball in enumerate(balls):
        a = 2 * math.pi * i / 10
        ball.set_velocity((90 * math.cos(a), -60, 90 * math.sin(a)), (0, 0, 0))
    for _ in range(60):
        world.step()
        for ball in balls:
            x, y, z = ball.position
            if 0 < x < 40 and 0 < z < 40:
                assert y > -0.05  # the field lies at 0 or above
