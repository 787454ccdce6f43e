"""Scenes whose outcome is known from mechanics."""

import math

import numpy as np
import pytest

from physics import PhysicsError, scenes
from physics.scenes import PSI, SCENES, G


def run(scene, seconds):
    for _ in range(round(seconds / PSI)):
        scene.world.step()


def test_a_ball_rolls_down_an_incline_with_five_sevenths_of_g_sin_a():
    # Solid ball: I = 2/5 m r^2, so a = g sin(a) / (1 + 2/5).
    scene = SCENES["incline"]()
    run(scene, 2.0)
    speed = np.linalg.norm(scene.bodies[0].velocity)
    assert speed == pytest.approx(5 / 7 * G * math.sin(scene.values["angle"]) * 2.0, rel=2e-3)
    spin = np.linalg.norm(scene.bodies[0].angular_velocity)
    assert spin * 0.5 == pytest.approx(speed, rel=1e-3)  # without slipping


def test_sliding_turns_into_rolling_at_five_sevenths_of_the_speed():
    scene = SCENES["sliding_to_rolling"]()
    ball, values = scene.bodies[0], scene.values
    # Friction brakes by mu g and spins up by 5/2 mu g / r, until r w = v at t = 2/7 v / (mu g).
    end = 2 / 7 * values["speed"] / (values["friction"] * G)
    run(scene, 0.5 * end)
    steps = scene.world.psi_count
    assert ball.velocity[0] == pytest.approx(values["speed"] - values["friction"] * G * steps * PSI, rel=5e-3)
    run(scene, 0.7 * end)
    assert ball.velocity[0] == pytest.approx(5 / 7 * values["speed"], rel=2e-3)
    assert -0.5 * ball.angular_velocity[2] == pytest.approx(ball.velocity[0], rel=1e-3)
    run(scene, 1.0)
    assert ball.velocity[0] == pytest.approx(5 / 7 * values["speed"], rel=2e-3)  # and rolls on


def test_a_box_holds_up_to_the_friction_angle_and_slides_beyond():
    # atan 0.5 = 26.565 degrees; within half a degree of it on both sides.
    for degrees in (26.065, 27.065):
        scene = scenes.friction_angle(degrees)
        run(scene, 2.0)
        a = scene.values["angle"]
        speed = np.linalg.norm(scene.bodies[0].velocity)
        if degrees < 26.565:
            assert speed < 1e-4
        else:
            assert speed == pytest.approx(2.0 * G * (math.sin(a) - 0.5 * math.cos(a)), rel=0.03)


def test_balls_rebound_to_the_square_of_their_elasticity():
    scene = SCENES["restitution"]()
    top, rebounding = np.zeros(6), np.zeros(6, bool)
    for _ in range(200):
        scene.world.step()
        for i, ball in enumerate(scene.bodies):
            rebounding[i] |= ball.velocity[1] > 0.0
            if rebounding[i]:
                top[i] = max(top[i], ball.position[1] - 0.5)
    # Heights are seen at steps only: at 0.15 m a step near the floor, the top itself is known to about 1 %.
    np.testing.assert_allclose(top, 5.0 * np.linspace(0, 1, 6) ** 2, rtol=0.03, atol=0.02)


def test_a_ball_rolls_straight_and_level_over_ten_thousand_triangles():
    scene = SCENES["ball_on_flat_mesh"]()
    ball, angle = scene.bodies[0], scene.values["angle"]
    assert scene.values["triangles"] > 10_000
    start, lift = ball.position, 0.0
    for _ in range(330):
        scene.world.step()
        lift = max(lift, abs(ball.velocity[1]))
    moved = ball.position - start
    assert lift < 1e-3  # m/s
    along = moved @ (math.cos(angle), 0, math.sin(angle))
    assert along == pytest.approx(50.0, rel=1e-3)  # nothing brakes it
    assert abs(moved @ (-math.sin(angle), 0, math.cos(angle))) < 1e-4 * along
    assert abs(moved[1]) < 0.005


def test_a_box_slides_over_the_same_mesh_without_a_kick():
    scene = SCENES["box_on_flat_mesh"]()
    box = scene.bodies[0]
    start, lift, tilt = box.position, 0.0, 0.0
    for _ in range(330):
        scene.world.step()
        lift = max(lift, abs(box.velocity[1]))
        tilt = max(tilt, np.abs(box.angular_velocity[[0, 2]]).max())
    # v^2 / (2 mu g) = 24.46 m, plus half a step's way from the order of friction and motion.
    away = np.linalg.norm(box.position - start)
    assert away == pytest.approx(scene.values["speed"] ** 2 / (2 * 0.3 * G), rel=0.02)
    assert np.linalg.norm(box.velocity) < 1e-3
    assert lift < 0.02
    assert tilt < 0.05


def test_a_belt_carries_a_box_at_its_speed():
    scene = SCENES["conveyor"]()
    run(scene, 0.2)
    # Friction 0.5 g accelerates it until it moves with the belt.
    assert scene.bodies[0].velocity[0] == pytest.approx(0.5 * G * scene.world.psi_count * PSI, rel=0.02)
    run(scene, 2.0)
    assert scene.bodies[0].velocity[0] == pytest.approx(scene.values["speed"], abs=1e-3)


def test_rolling_friction_brakes_a_rolling_ball():
    # Torque = length * m g on I = 7/5 m r^2 about the contact: a = 5/7 g length / r.
    scene = SCENES["rolling_friction"]()
    run(scene, 3.0)
    slower = 5 / 7 * G * scene.values["rolling"] / 0.5 * 3.0
    assert scene.bodies[0].velocity[0] == pytest.approx(scene.values["speed"] - slower, rel=2e-3)


def test_a_coin_comes_to_lie_flat():
    scene = SCENES["coin"]()
    run(scene, scene.seconds)
    coin = scene.bodies[0]
    assert abs(coin.matrix[1, 1]) > 0.9999
    assert coin.position[1] == pytest.approx(scene.values["half"], abs=1e-3)
    assert np.linalg.norm(coin.velocity) == 0.0


def test_a_hundred_dominoes_fall_one_after_the_other():
    scene = SCENES["dominoes"]()
    fell: dict[int, int] = {}
    for step in range(round(scene.seconds / PSI)):
        scene.world.step()
        for i, slab in enumerate(scene.bodies):
            if i not in fell and slab.matrix[1, 1] < 0.9:
                fell[i] = step
        if len(fell) == 100:
            break
    assert sorted(fell) == list(range(100))
    order = [fell[i] for i in range(100)]
    assert order == sorted(order)


def test_an_arch_of_hulls_stands_without_mortar():
    scene = SCENES["arch"]()
    before = np.array([b.position for b in scene.bodies])
    run(scene, 10.0)
    after = np.array([b.position for b in scene.bodies])
    assert np.abs(after - before).max() < 0.05
    assert after[7, 1] > 5.6  # the keystone


def test_newtons_cradle_passes_the_blow_to_the_last_ball_alone():
    scene = SCENES["newtons_cradle"]()
    run(scene, scene.seconds)
    np.testing.assert_allclose([b.velocity[0] for b in scene.bodies], [0, 0, 0, 0, 2], atol=1e-5)


def test_a_box_carries_a_hundred_times_its_mass():
    scene = SCENES["mass_ratio"]()
    run(scene, scene.seconds)
    light, heavy = scene.bodies
    # Penetration below 1 % of the size at each of the two contacts, and both frozen as one.
    assert light.position[1] == pytest.approx(0.5, abs=0.01)
    assert heavy.position[1] == pytest.approx(1.5, abs=0.02)
    assert np.abs(heavy.position[[0, 2]]).max() < 0.02
    assert [b.movement_state for b in scene.bodies] == [8, 8]


def test_a_tower_of_thirty_boxes_stands_a_minute_and_freezes_and_wakes_as_one():
    scene = SCENES["tower"]()
    run(scene, scene.seconds)
    boxes = scene.bodies
    assert max(np.abs(b.position[[0, 2]]).max() for b in boxes) < 0.05
    heights = np.array([b.position[1] for b in boxes])
    assert np.diff(heights).min() > 0.99  # no pair overlaps by more than 1 % of its size
    assert {b.movement_state for b in boxes} == {8}
    boxes[0].wake()
    run(scene, 2 * PSI)
    assert max(b.movement_state for b in boxes) < 8  # all of them


@pytest.mark.slow
def test_a_pyramid_of_twenty_rows_stands_a_minute_and_freezes():
    scene = SCENES["pyramid"]()
    run(scene, scene.seconds)
    top = scene.bodies[-1]
    np.testing.assert_allclose(top.position, (0, 19.5, 0), atol=0.1)
    assert all(b.movement_state == 8 for b in scene.bodies)


@pytest.mark.slow
def test_a_ball_in_a_spinning_drum_keeps_its_energy_bounded_for_ten_minutes():
    scene = SCENES["drum"]()
    ball, shell = scene.bodies
    most = (
        G * 2 * 4.0 + 0.7 * (4.0 * scene.values["omega"] * 2) ** 2
    )  # all the way up, at twice the drum's speed
    for _ in range(round(scene.seconds / PSI)):
        scene.world.step()
        v = ball.velocity
        energy = (
            0.5 * v @ v
            + 0.05 * (ball.angular_velocity @ ball.angular_velocity)
            + G * (ball.position[1] - 1.5)
        )
        assert energy < most
    assert np.linalg.norm(ball.position - shell.position) < 4.0


@pytest.mark.slow
def test_a_thousand_stones_come_to_rest_without_explosion():
    scene = SCENES["hull_pile"]()
    fastest = 0.0
    for _ in range(round(scene.seconds / PSI)):
        scene.world.step()
        fastest = max(fastest, np.linalg.norm(scene.world.velocities(), axis=1).max())
    positions, half = np.array([b.position for b in scene.bodies]), scene.values["half"]
    assert np.isfinite(positions).all()
    assert np.abs(positions[:, [0, 2]]).max() < half
    assert positions[:, 1].min() > 0.05
    assert fastest < 16.0  # no faster than falling from the top
    energy = sum(0.5 * b.velocity @ b.velocity for b in scene.bodies)
    assert energy < 0.05
    # Depths between stones of size 1: the typical one below 1 %.
    depths = [
        hit.depth
        for body in scene.bodies[::10]
        for hit in scene.world.overlap(body.shape, body.position, body.rotation, ignore=body)
    ]
    assert len(depths) > 100
    assert np.median(depths) < 0.01
    assert np.percentile(depths, 95) < 0.02


@pytest.mark.parametrize("name", sorted(SCENES))
def test_every_scene_steps(name):
    if name == "hull_pile":
        scene = scenes.hull_pile(60)
    else:
        scene = scenes.build(name)
    run(scene, 0.2)
    assert scene.bodies
    assert all(np.isfinite(b.position).all() for b in scene.bodies)


def test_an_unknown_scene_is_refused():
    with pytest.raises(PhysicsError, match="incline"):
        scenes.build("nothing")


@pytest.mark.parametrize("form", ["tuple", "one row", "rows"])
def test_impulses_in_one_call_are_those_of_each_body(form):
    def world_of_three():
        world = scenes.World(gravity=(0, 0, 0))
        return world, [world.add_body(scenes.Ball(0.5), m, (3 * m, 0, 0)) for m in (1.0, 2.0, 4.0)]

    push = (0.3, -0.2, 0.7)
    first, bodies = world_of_three()
    for body in bodies:
        body.impulse(push, at=body.position)
    second, _ = world_of_three()
    second.add_impulses({"tuple": push, "one row": np.array(push), "rows": np.tile(push, (3, 1))}[form])
    for world in (first, second):
        world.simulate(0.1)
    np.testing.assert_array_equal(first.velocities(), second.velocities())
    with pytest.raises(PhysicsError):
        second.add_impulses(np.zeros((2, 3)))
    with pytest.raises(PhysicsError):
        second.add_impulses((0.0, float("nan"), 0.0))
