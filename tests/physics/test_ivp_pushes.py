"""Sections 5, 7 and 13: pushes, impulses, forces, damping, gravity."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics import Ball, Body, Box, World

F = np.float32
DT = 1.0 / 66.0


def still(world: World, shape: object = None, **options: object) -> Body:
    """A body without damping."""
    options = {"linear_damping": 0.0, "angular_damping": 0.0, **options}
    return world.add_body(shape or Ball(2.0), **options)


# ---- 5, 13.1


def test_5_an_impulse_is_kept_until_the_commit() -> None:
    # m = 2: dv = I / m; I = 1.6 m = 3.2: dw = (p x I) / 3.2 with p = (0, 1, 0), I = (4, 0, 0): p x I = (0, 0, -4)
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=2.0)
    body.impulse((4, 0, 0), at=(0, 1, 0))
    assert body.core.speed == (0, 0, 0)
    assert body.core.speed_change == (2, 0, 0)
    assert body.core.rot_speed_change == pytest.approx((0, 0, -1.25), rel=1e-6)
    world.step()
    assert body.core.speed == (2, 0, 0)
    assert body.core.speed_change == (0, 0, 0)
    assert body.core.rot_speed == pytest.approx((0, 0, -1.25), rel=1e-6)


def test_13_1_impulses_on_a_frozen_body_survive_its_revive() -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0, start_frozen=True)
    for _ in range(7):
        world.step()
    body.impulse((3, 0, 0))
    assert (body.core.movement_state, body.core.is_in_wakeup_vec) == (8, True)
    world.step()
    assert (body.core.movement_state, body.core.is_in_wakeup_vec) == (1, False)
    assert body.core.speed == (3, 0, 0)


def test_13_1_a_point_of_the_body_itself_counts_from_the_mass_centre() -> None:
    # quirk: local coordinates used as core coordinates, without the shift
    world = World(gravity=(0, 0, 0))
    body = still(world, Box((1, 1, 1)), mass_center=(0.5, 0, 0), inertia=(1, 1, 1))
    body.impulse((0, 1, 0), at=(0, 0, 0), relative_to=body)
    assert body.core.rot_speed_change == (0, 0, 0)  # no lever
    body.impulse((0, 1, 0), at=(0, 0, 0))
    assert body.core.rot_speed_change == (0, 0, -0.5)  # the same point in the world: lever -0.5


def test_13_1_a_referential_moves_the_point() -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, Box((1, 1, 1)), inertia=(1, 1, 1))
    # the frame stands at (0, 3, 0), a quarter turn about z: its local (1, 0, 0) is (0, 4, 0) in the world
    q = math.sqrt(0.5)
    frame = world.add_body(Ball(0.5), fixed=True, position=(0, 3, 0), rotation=(0, 0, q, q))
    body.impulse((1, 0, 0), at=(1, 0, 0), relative_to=frame)
    assert body.core.rot_speed_change == pytest.approx((0, 0, -4.0), rel=1e-6)


def test_13_1_a_direction_between_two_points() -> None:
    # from (1, 0, 0) to (1, 3, 4): (0, 0.6, 0.8) times 10
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0)
    body.impulse_along((1, 3, 4), 10.0, at=(1, 0, 0), two_points=True)
    assert body.core.speed_change == pytest.approx((0, 6, 8), rel=1e-6)


def test_13_1_a_constant_force_takes_the_last_duration() -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0)
    world.simulate(0.5)
    body.impulse_along((0, 0, 2), 10.0, constant_force=True)
    assert body.core.speed_change == pytest.approx((0, 0, 5), rel=1e-6)


def test_13_1_a_direction_shorter_than_3e_10_stays_as_it_is() -> None:
    # |d|^2 < 1e-19
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0)
    body.impulse_along((3e-10, 0, 0), 1e9)
    assert body.core.speed_change[0] == pytest.approx(0.3, rel=1e-6)
    body.impulse_along((3.2e-10, 0, 0), 1e9)
    assert body.core.speed_change[0] == pytest.approx(1e9 + 0.3, rel=1e-6)


def test_5_a_fixed_body_takes_no_push() -> None:
    world = World()
    body = world.add_body(Ball(1.0), fixed=True)
    before = world.digest()
    body.impulse((1, 2, 3), at=(1, 1, 1))
    body.add_velocity((1, 0, 0))
    body.add_angular_velocity((1, 0, 0))
    body.wake()
    assert world.digest() == before


# ---- 7.1, 7.3


def test_7_1_pushes_are_committed_undamped_and_gravity_comes_last() -> None:
    # damping 6.6/s: k = 0.9. PSI 0: 0 * 0.9 + push + g dt. PSI 1: that * 0.9 + g dt
    world = World(gravity=(0, -6.6, 0))
    body = still(world, mass=1.0, linear_damping=6.6)
    world.add_force(body, (0, 1.0, 0), relative_to=body)
    world.step()
    assert body.core.speed[1] == pytest.approx(1.0 - 0.1, rel=1e-6)
    world.step()
    assert body.core.speed[1] == pytest.approx(0.9 * 0.9 + 1.0 - 0.1, rel=1e-6)


def test_7_1_an_impulse_is_damped_at_once() -> None:
    # 6.3 commits it before the controllers, so 7.1 damps it in the same PSI
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0, linear_damping=6.6)
    body.impulse((10, 0, 0))
    world.step()
    assert body.core.speed[0] == pytest.approx(9.0, rel=1e-6)


@pytest.mark.parametrize("damping", [16.49, 16.51])
def test_7_3_linear_damping_turns_to_exp_at_a_quarter(damping: float) -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0, linear_damping=damping)
    body.add_velocity((100, 0, 0))
    world.step()
    b = float(F(damping)) * DT
    factor = 1 - b if b < 0.25 else math.exp(-b)
    assert body.core.speed[0] == float(F(100 * factor))
    assert abs(1 - b - math.exp(-b)) > 0.02  # the branches are told apart


@pytest.mark.parametrize(
    ("damping", "linear"),
    [
        ((26.9, 26.9, 26.9), True),
        ((27.0, 27.0, 27.0), False),
        ((46.6, 0, 0), True),
        ((46.7, 0, 0), False),
        ((1, 1, 47), False),
    ],
)
def test_7_3_rotational_damping_is_chosen_by_the_length(
    damping: tuple[float, float, float], linear: bool
) -> None:
    # |a|^2 < 0.5: 66 sqrt(0.5) = 46.669 for one axis, 66 sqrt(1/6) = 26.944 for three alike
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0, angular_damping=damping)
    body.add_angular_velocity((1, 2, 4))
    world.step()
    for w, start, d in zip(body.core.rot_speed, (1, 2, 4), damping, strict=True):
        a = float(F(d)) * DT
        assert w == pytest.approx(start * (1 - a if linear else math.exp(-a)), rel=2e-7)


# ---- 7.2


def test_7_2_a_force_is_an_impulse_a_psi_without_dt() -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=2.0)
    force = world.add_force(body, (0.5, 0, 0), relative_to=body)
    for n in range(1, 5):
        world.step()
        assert body.core.speed[0] == pytest.approx(0.25 * n, rel=1e-6)
    force.remove()
    world.step()
    assert body.core.speed[0] == pytest.approx(1.0, rel=1e-6)


def test_7_2_the_point_goes_with_the_body_and_the_force_stays_in_world_axes() -> None:
    world = World(gravity=(0, 0, 0))
    body = still(world, Box((1, 1, 1)), inertia=(1, 1, 1), mass=1.0)
    world.add_force(body, (0, 0.01, 0), at=(1, 0, 0))
    body.add_angular_velocity((0, 0, math.pi * 66 / 60))  # a quarter turn in 30 PSIs
    levers = []
    last = 0.0
    for _ in range(30):
        world.step()
        levers.append(body.core.rot_speed[2] - last)
        last = body.core.rot_speed[2]
    # lever cos(angle): full at first, nearly nothing after a quarter turn
    assert levers[1] == pytest.approx(0.01, rel=2e-2)
    assert abs(levers[-1]) < 2e-3


def test_7_2_a_force_neither_wakes_nor_acts_on_a_sleeper() -> None:
    # reading of 10.4: attaching a force does not wake
    world = World(gravity=(0, 0, 0))
    body = still(world, mass=1.0, start_frozen=True)
    force = world.add_force(body, (1, 0, 0), relative_to=body)
    for _ in range(13):
        world.step()
    assert body.frozen
    body.wake()
    world.step()
    assert body.core.speed == (1, 0, 0)
    force.remove()


def test_7_2_a_short_direction_becomes_x() -> None:
    # |d|^2 > 1e-4 else (1, 0, 0)
    world = World(gravity=(0, 0, 0))
    body = still(world)
    assert world.add_force_along(body, (0, 0.0099, 0), 2.0).force == (2, 0, 0)
    assert world.add_force_along(body, (0, 0.0101, 0), 2.0).force == (0, 2, 0)
