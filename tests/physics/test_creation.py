"""Creation and mass set-up (ivp 2)."""

import math

import numpy as np
import pytest

from physics import Ball, Box, Compound, ConvexHull, Cylinder, MovementState, World


def f32(x):
    return float(np.float32(x))


def core_of(shape, **options):
    return World().add_body(shape, **options).core


def test_2_4_ball_inertia_is_two_fifths_of_mass_and_radius_squared():
    # r = 2, m = 3: (f32)(2 * 2 * 0.4f) = 1.6f, times 3.
    core = core_of(Ball(2.0), mass=3.0)
    assert core.rot_inertia == (f32(f32(4 * f32(0.4)) * 3),) * 3
    assert core.upper_limit_radius == 2.0
    assert core.max_surface_deviation == 0.0
    assert core.extra_radius == 2.0
    assert core.inv_object_diameter == 0.25  # 0.5 / 2


def test_2_4_box_radius_and_deviation():
    # Half extents 3, 4, 12: the corner is 13 away, the nearest face 3, so the deviation is 10.
    core = core_of(Box((3, 4, 12)), mass=2.0)
    assert core.upper_limit_radius == 13.0
    assert core.max_surface_deviation == 10.0
    # unit inertia (b^2 + c^2) / 3
    assert core.rot_inertia == pytest.approx([2 * (16 + 144) / 3, 2 * (9 + 144) / 3, 2 * (9 + 16) / 3])


def test_2_4_a_tiny_mass_counts_as_one():
    assert core_of(Ball(1.0), mass=0.999e-8).mass == 1.0
    assert core_of(Ball(1.0), mass=1.001e-8).mass == f32(1.001e-8)


def test_2_4_the_inertia_check_lifts_small_axes():
    # A thin rod: unit inertia (100, 0.01, 100) has the length 141.42136; 3 % of it is 4.2426.
    core = core_of(Box((1, 1, 1)), unit_inertia=(100.0, 0.01, 100.0))
    least = f32(math.sqrt(100.0**2 + f32(0.01) ** 2 + 100.0**2) * f32(0.03))
    assert core.rot_inertia == (100.0, least, 100.0)
    assert core_of(Box((1, 1, 1)), unit_inertia=(100.0, 0.01, 100.0), inertia_check=0.0).rot_inertia[
        1
    ] == f32(0.01)


def test_2_4_factors_and_given_inertia():
    core = core_of(
        Box((1, 1, 1)), mass=4.0, unit_inertia=(1, 2, 3), inertia_factor=(2, 1, 0.5), inertia_check=0
    )
    assert core.rot_inertia == (8.0, 8.0, 6.0)
    assert core_of(Box((1, 1, 1)), mass=4.0, inertia=(5, 6, 7)).rot_inertia == (5.0, 6.0, 7.0)


def test_2_6_equal_inertias_by_the_dimensionally_odd_test():
    # Quirk: spread of the inverses against the length of the inertias, times 0.01.
    def equal(inertia):
        return core_of(Box((1, 1, 1)), inertia=inertia, inertia_check=0.0).rot_inertias_are_equal

    assert equal((1, 1, 1))
    # inverses 1, 1/2, 1/3: spread (1/6)^2 + (1/2)^2 + (2/3)^2 = 0.722 > 0.01 * 14
    assert not equal((1, 2, 3))
    # ten times as heavy: spread 0.00722 < 0.01 * 1400, though as unequal as before
    assert equal((10, 20, 30))


def test_2_7_an_override_moves_the_core_and_keeps_the_inertia():
    # A quarter turn about z takes the centre (1, 0, 0) to (0, 1, 0).
    half = math.sqrt(0.5)
    body = World().add_body(
        Box((1, 1, 1)), position=(10, 0, 0), rotation=(0, 0, half, half), mass_center=(1, 0, 0)
    )
    assert body.mass_center_position == pytest.approx([10, 1, 0])
    assert body.position == pytest.approx([10, 0, 0])
    assert body.core.shift_core_f_object == (-1.0, 0.0, 0.0)
    assert body.core.rot_inertia == pytest.approx([2 / 3] * 3)  # no parallel-axis share
    assert body.core.upper_limit_radius == pytest.approx(math.sqrt(4 + 1 + 1))


def test_2_5_own_centre_of_a_slanted_solid_turns_the_core_to_the_principal_axes():
    # Two boxes on a diagonal: the tensor is not diagonal in shape axes.
    shape = Compound(
        [(Box((0.5, 0.5, 0.5)), (1, 1, 0), (0, 0, 0, 1)), (Box((0.5, 0.5, 0.5)), (-1, -1, 0), (0, 0, 0, 1))]
    )
    body = World().add_body(shape, inertia_check=0.0)
    eigen = np.linalg.eigvalsh(shape.unit_inertia_tensor)
    assert sorted(body.core.rot_inertia) == pytest.approx(eigen.tolist(), rel=1e-6)
    assert body.core.q_core_f_object is not None
    assert body.position == pytest.approx([0, 0, 0], abs=1e-12)
    assert abs(body.rotation[3]) == pytest.approx(1.0)
    hull = ConvexHull(np.random.default_rng(3).normal(size=(20, 3)))
    tilted = World().add_body(hull, position=(1, 2, 3))
    assert tilted.position == pytest.approx([1, 2, 3])


def test_2_8_a_new_core_stands_still():
    core = core_of(Cylinder(0.5, 1.0), position=(1, 2, 3))
    assert core.movement_state == core.object_state == MovementState.NOT_SIM
    assert core.q_last == core.q_next
    assert core.speed == core.rot_speed == core.delta == (0.0, 0.0, 0.0)
    assert core.rotation_axis_world == (1.0, 0.0, 0.0)
    assert core.i_delta_time == f32(66.0)
    assert core.is_in_wakeup_vec
    assert not core_of(Ball(1.0), start_frozen=True).is_in_wakeup_vec


def test_2_1_fixed_bodies_are_static_and_never_revived():
    world = World()
    body = world.add_body(Box((1, 1, 1)), fixed=True)
    world.simulate(1.0)
    assert body.movement_state == MovementState.STATIC
    assert body.core.movement_state == MovementState.NOT_SIM
    body.impulse((1, 1, 1))
    world.simulate(1.0)
    assert body.position.tolist() == [0.0, 0.0, 0.0]


def test_2_3_rotations_are_normalized():
    body = World().add_body(Ball(1.0), rotation=(0, 0, 3, 4))
    assert body.core.q_next == pytest.approx((0, 0, 0.6, 0.8), abs=1e-15)
