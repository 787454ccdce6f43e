"""Sections 3 and 4: poses between PSIs, and what is written back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics import Ball, Box, World

T1 = float(np.float32(1 / 66))


def spinning(rate: float) -> tuple[World, object]:
    world = World(gravity=(0, 0, 0))
    body = world.add_body(Ball(1.0), angular_damping=0.0, linear_damping=0.0)
    body.add_angular_velocity((0, 0, rate))
    body.add_velocity((3.0, 0.0, 0.0))
    world.step()
    return world, body


@pytest.mark.parametrize("rate", [0.5, 4.0, 20.0, 90.0])
def test_4_2_the_pose_between_psis_is_slerp_and_straight_line(rate: float) -> None:
    # rate / 66 < 0.0894 = 2 acos(0.999): the lerp branch (0.5, 4); beyond: the sine branch (20, 90)
    _world, body = spinning(rate)
    for share in (0.0, 0.25, 0.5, 1.0):
        t = share / 66
        position, rotation = body.pose_at(t)
        assert position == pytest.approx((3.0 * t, 0, 0), abs=1e-15)
        angle = rate / 66 * share
        tolerance = 1e-9 if share in (0.0, 1.0) else 1e-5  # the lerp keeps the chord's parameter
        assert rotation == pytest.approx((0, 0, math.sin(angle / 2), math.cos(angle / 2)), abs=tolerance)


def test_4_2_extrapolates_past_the_next_psi() -> None:
    _world, body = spinning(2.0)
    position, _ = body.pose_at(1.0)
    assert position == pytest.approx((3.0, 0, 0), abs=1e-15)
    assert body.pose_at(-1.0)[0] == pytest.approx((-3.0, 0, 0), abs=1e-15)


def test_4_2_a_frozen_body_stands_at_any_time() -> None:
    world = World()
    body = world.add_body(Box((1, 2, 3)), position=(1, 2, 3), rotation=(0, 0.6, 0, 0.8), start_frozen=True)
    world.simulate(1.0)
    for t in (0.0, 1.0, 100.0):
        position, rotation = body.pose_at(t)
        assert position.tolist() == [1, 2, 3]
        assert rotation == pytest.approx((0, 0.6, 0, 0.8), abs=1e-15)


def test_4_3_the_matrix_is_the_transpose_in_single_precision() -> None:
    world = World()
    body = world.add_body(Box((1, 1, 1)), position=(1, 2, 3), rotation=(0, 0, math.sqrt(0.5), math.sqrt(0.5)))
    matrix = body.matrix
    assert matrix.dtype == np.float32
    # a quarter turn about z: row 0 is the image of x, (0, 1, 0)
    wanted = [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 1, 0], [1, 2, 3, 1]]
    assert matrix == pytest.approx(np.array(wanted, np.float32), abs=1e-7)


def test_4_the_array_calls_are_the_handles_poses() -> None:
    world = World()
    bodies = [
        world.add_body(Box((1, 2, 3)), position=(9.0 * i, 0, 0), mass_center=(0.1, 0, 0)) for i in range(5)
    ]
    for body in bodies:
        body.add_angular_velocity((1.0, 2.0, 3.0))
    world.simulate(0.123)
    world.remove(bodies.pop(2))
    assert world.positions().tolist() == [b.position.tolist() for b in bodies]
    assert world.rotations().tolist() == [b.rotation.tolist() for b in bodies]
    out = np.zeros((4, 3))
    assert world.positions(out) is out
    assert out.tolist() == world.positions().tolist()


def test_4_1_before_integration_the_force_sees_the_end_of_the_last_psi() -> None:
    # reading: inside a PSI, 4.1 interpolates q_last..q_next at i_delta_time * (T_n - T_(n-1)), slightly past 1
    world, body = spinning(30.0)
    seen = []

    class Look:
        priority = 1500
        bodies = (body,)

        def simulate(self, event: object) -> None:
            core = body.core
            seen.append((world.time - core.time_of_last_psi, core.world_f_core_last_psi[0][0], core.q_next))

    world.add_controller(Look())
    world.step()
    (passed, cosine, q_next), *_ = seen
    assert passed == T1
    # 6.3 has put the matrix of q_next there already
    assert cosine == 1.0 - (2 * q_next[2] * q_next[2] + 2 * q_next[1] * q_next[1])


def test_3_unit_norm_is_kept_over_a_minute() -> None:
    world = World(gravity=(0, 0, 0), sleeping=False)
    bodies = [world.add_body(Box((0.2, 0.5, 1.0)), angular_damping=0.0, position=(0, 0, 0), collide=False)]
    bodies.append(world.add_body(Ball(1.0), angular_damping=0.0, collide=False))
    for body in bodies:
        body.add_angular_velocity((20.0, 30.0, 5.0))
    for _ in range(66 * 60):
        world.step()
    for body in bodies:
        assert math.hypot(*body.core.q_next) == pytest.approx(1.0, abs=4e-16)
        assert math.hypot(*body.rotation) == pytest.approx(1.0, abs=1e-12)
