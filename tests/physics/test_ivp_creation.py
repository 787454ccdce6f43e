"""Sections 1 and 2: what a new body holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from physics import Ball, Box, ConvexHull, MovementState, World

F = np.float32


def test_2_4_a_ball_of_radius_2_has_inertia_1_6_m() -> None:
    # 0.4 r^2 m with r = 2: 1.6 m on each axis; for paper 0.2, wood 1.9, stone 10
    world = World()
    for mass in (0.2, 1.9, 10.0):
        core = world.add_body(Ball(2.0), mass=mass).core
        wanted = float(F(float(F(4 * float(F(0.4)))) * mass))
        assert core.rot_inertia == (wanted,) * 3
        assert wanted == pytest.approx(1.6 * mass, rel=1e-7)
        assert core.mass == float(F(mass))
        assert core.inv_mass == float(F(1 / float(F(mass))))
        assert core.inv_rot_inertia == (float(F(1 / wanted)),) * 3
        assert core.rot_inertias_are_equal
        assert (core.upper_limit_radius, core.max_surface_deviation) == (2.0, 0.0)
        assert core.inv_object_diameter == 0.25


def test_2_4_a_box_takes_its_inertia_from_the_surface_times_the_mass() -> None:
    # half extents 1, 2, 3: (b^2 + c^2) / 3 for unit mass: 13/3, 10/3, 5/3; farthest corner sqrt(14), nearest face 1
    core = World().add_body(Box((1, 2, 3)), mass=3.0).core
    assert core.rot_inertia == pytest.approx((13.0, 10.0, 5.0), rel=1e-6)
    assert core.upper_limit_radius == pytest.approx(math.sqrt(14), rel=1e-7)
    assert core.max_surface_deviation == pytest.approx(math.sqrt(14) - 1.0, rel=1e-6)


@pytest.mark.parametrize(
    ("mass", "counted"), [(0.0, 1.0), (9.99e-9, 1.0), (1e-8, float(F(1e-8))), (1.1e-8, float(F(1.1e-8)))]
)
def test_2_4_a_mass_below_1e_8_counts_as_1(mass: float, counted: float) -> None:
    assert World().add_body(Ball(1.0), mass=mass).core.mass == counted


def test_2_4_the_inertia_check_lifts_small_axes_only() -> None:
    # |(3, 4, 0.1)| = 5.00100 times 0.03 = 0.15003: only the third axis is lifted
    core = World().add_body(Ball(1.0), inertia=(3.0, 4.0, 0.1)).core
    assert core.rot_inertia[:2] == (3.0, 4.0)
    assert core.rot_inertia[2] == pytest.approx(0.03 * math.sqrt(25.01), rel=1e-6)
    core = World().add_body(Ball(1.0), inertia=(3.0, 4.0, 0.1), inertia_check=0.0).core
    assert core.rot_inertia[2] == float(F(0.1))


def test_2_4_an_override_moves_the_centre_and_keeps_the_inertia() -> None:
    # reading: no shift of the inertia, no rotation of the core, only the point moves
    world = World()
    body = world.add_body(
        Box((1, 1, 1)), mass=1.0, position=(1, 2, 3), mass_center=(0.5, 0.0, 0.0), rotation=(0, 0, 1, 1)
    )
    core = body.core
    assert core.shift_core_f_object == (-0.5, 0.0, 0.0)
    assert core.rot_inertia == pytest.approx((2 / 3,) * 3, rel=1e-6)
    # a quarter turn about z carries +x to +y
    assert core.pos_last == pytest.approx((1.0, 2.5, 3.0), abs=1e-12)
    assert body.position == pytest.approx((1, 2, 3), abs=1e-12)
    # the farthest corner lies sqrt(1.5^2 + 1 + 1) away, the nearest face 0.5
    assert core.upper_limit_radius == pytest.approx(math.sqrt(4.25), rel=1e-6)
    assert core.max_surface_deviation == pytest.approx(math.sqrt(4.25) - 0.5, rel=1e-6)


def test_2_5_a_shift_below_1e_8_counts_as_none() -> None:
    # |v|^2 < 1e-16
    world = World()
    assert world.add_body(Box((1, 1, 1)), mass_center=(9e-9, 0, 0)).core.shift_core_f_object == (
        0.0,
        0.0,
        0.0,
    )
    shifted = world.add_body(Box((1, 1, 1)), mass_center=(1.1e-8, 0, 0)).core.shift_core_f_object
    assert shifted == (-float(F(1.1e-8)), 0.0, 0.0)


@pytest.mark.parametrize(("half", "equal"), [(0.5, False), (2.5, True)])
def test_2_6_unequal_inertias_count_as_equal_when_they_are_large(half: float, equal: bool) -> None:
    # Quirk: the spread of the inverses against the size of the inertias. Half extents h, 2h, h: I = (5, 2, 5) h^2/3.
    # h = 0.5: inverses 2.4, 6, 2.4, spread 2 * 3.6^2 = 25.92 >= 0.01 |I|^2 = 0.01 * 0.375: unequal.
    # h = 2.5: inverses 0.096, 0.24, 0.096: 0.0415 < 0.01 * 54 * 6.25^2 / 9 = 2.34: equal.
    assert World().add_body(Box((half, 2 * half, half))).core.rot_inertias_are_equal is equal


@pytest.mark.parametrize("scale", [1e-6, 0.5, 1.0, 3.0, 1e9])
def test_2_3_scaled_quaternions_are_normalized(scale: float) -> None:
    body = World().add_body(Box((1, 2, 3)), rotation=(0.0, 0.6 * scale, 0.0, 0.8 * scale))
    assert body.core.q_last == pytest.approx((0.0, 0.6, 0.0, 0.8), abs=1e-15)
    assert body.rotation == pytest.approx((0.0, 0.6, 0.0, 0.8), abs=1e-15)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_2_7_the_stored_quaternion_went_through_a_matrix(axis: int) -> None:
    # matrix -> quaternion picks w > 0 where the trace is positive, else the largest diagonal element's component > 0
    turn = [0.0, 0.0, 0.0, -0.6]
    turn[axis] = 0.8  # trace 4 w^2 - 1 = 0.44 > 0: the sign flips
    assert World().add_body(Ball(1.0), rotation=turn).core.q_last == pytest.approx(
        [-c for c in turn], abs=1e-15
    )
    turn[axis], turn[3] = -0.9, 0.3  # trace -0.64: the axis' own component becomes positive
    n = math.sqrt(0.9)
    assert World().add_body(Ball(1.0), rotation=turn).core.q_last == pytest.approx(
        [-c / n for c in turn], abs=1e-15
    )


def test_2_2_a_new_body_is_frozen_and_queued_unless_it_starts_frozen() -> None:
    world = World()
    queued, frozen = (
        world.add_body(Ball(1.0)),
        world.add_body(Ball(1.0), position=(9, 0, 0), start_frozen=True),
    )
    fixed = world.add_body(Box((1, 1, 1)), position=(-9, 0, 0), fixed=True)
    assert [b.core.movement_state for b in (queued, frozen, fixed)] == [8, 8, 8]
    assert [b.core.is_in_wakeup_vec for b in (queued, frozen, fixed)] == [True, False, False]
    assert [b.movement_state for b in (queued, frozen, fixed)] == [
        MovementState.NOT_SIM, MovementState.NOT_SIM, MovementState.STATIC,
    ]  # fmt: skip
    world.step()
    assert [b.movement_state for b in (queued, frozen, fixed)] == [
        MovementState.MOVING, MovementState.NOT_SIM, MovementState.STATIC,
    ]  # fmt: skip
    assert fixed.core.physical_unmoveable
    assert fixed.core.movement_state == 8  # 0x10 is a state of objects only (0.4)


def test_2_8_i_delta_time_is_that_of_what_is_left_of_the_psi() -> None:
    # before the first PSI: time_of_next_psi - current_time = 1/66; at 0.02 s the next PSI by the f64 clock is T1 + 1/66
    world = World()
    assert world.add_body(Ball(1.0)).core.i_delta_time == 66.0
    world.simulate(0.02)
    left = float(F(1 / 66)) + 1 / 66 - 0.02
    assert world.add_body(Ball(1.0), position=(9, 0, 0)).core.i_delta_time == float(F(1 / left))


def test_principal_axes_are_ours_and_round_trip() -> None:
    # mass_center=None of a solid whose tensor is not diagonal: the core turns, the object's pose stays what was asked
    points = np.array([(x, y + 0.4 * x, z) for x in (-1, 1) for y in (-0.3, 0.3) for z in (-0.5, 0.7)])
    body = World().add_body(ConvexHull(points), position=(1, 2, 3), rotation=(0.1, 0.2, 0.3, 0.9))
    assert body.core.q_core_f_object is not None
    assert body.position == pytest.approx((1, 2, 3), abs=1e-6)
    q = np.array((0.1, 0.2, 0.3, 0.9))
    assert abs(body.rotation @ q) / np.linalg.norm(q) == pytest.approx(1.0, abs=1e-12)
