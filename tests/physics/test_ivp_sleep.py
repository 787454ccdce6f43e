"""Section 10: units, the countdown, calm windows, freezing and waking; 6.2's order and 6.4's priorities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from physics import Ball, Body, Box, MovementState, World

T1 = float(np.float32(1 / 66))


def weightless(n: int = 1, **options: Any) -> tuple[World, list[Body]]:
    world = World(gravity=(0, 0, 0))
    options = {"linear_damping": 0.0, "angular_damping": 0.0, "collide": False, **options}
    return world, [
        world.add_body(Ball(2.0), position=(10.0 * i, 0, 0), name=str(i), **options) for i in range(n)
    ]


# ---- 10.1


def test_10_1_the_countdown_starts_at_10_and_reloads_from_the_generator() -> None:
    # seed 1: 75 -> r = 75/65536, trunc(5 r) = 0 -> 15; 5625 -> 0.429 -> 15; 421875 & 0xffff = 28659 -> 2.19 -> 17; ...
    world, _ = weightless()
    reloads = []
    seed, wanted = 1, []
    for _ in range(12):
        seed = seed * 75 & 0xFFFFFFFF
        wanted.append(15 + math.trunc((seed & 0xFFFF) / 65536 * 5.0))
    assert wanted[:3] == [15, 15, 17]
    before = world.sleep_countdown
    assert before == 10
    body = world.bodies[0]
    while len(reloads) < 12:
        body.set_velocity((0.2, 0, 0))
        world.step()
        if world.sleep_countdown > before:
            reloads.append(world.sleep_countdown)
        before = world.sleep_countdown
    assert reloads == wanted
    assert set(reloads) <= set(range(15, 20))


@pytest.mark.parametrize(("n", "first_test"), [(1, 10), (2, 5), (3, 4), (4, 3), (5, 2), (10, 1), (11, 1)])
def test_10_1_every_slow_unit_counts_down(n: int, first_test: int) -> None:
    # n units take n off a PSI: the tenth decrement falls into PSI ceil(10 / n)
    world, _ = weightless(n)
    for _ in range(first_test - 1):
        world.step()
    assert world.random_state == 1
    world.step()
    assert world.random_state == 75


@pytest.mark.parametrize(("n", "tested"), [(1, 0), (2, 0), (3, 2), (4, 3), (5, 2), (6, 5), (9, 0), (10, 7)])
def test_6_2_the_last_three_units_run_in_reverse(n: int, tested: int) -> None:
    # The revive list is walked from its end and units are pushed in front, so the list is 0, 1, .. n-1; the order is
    # 0, .., n-4, then n-1, n-2, n-3. The body whose unit makes the tenth decrement is the only one that is tested:
    # its calm reference moves from the zero it starts with (10.0).
    world, bodies = weightless(n)
    for _ in range(math.ceil(10 / n)):
        world.step()
    order = [*range(n - 3), n - 1, n - 2, n - 3] if n > 2 else list(range(n))[::-1]
    assert order[9 % n] == tested
    moved = [i for i, body in enumerate(bodies) if body.core.q_calm_ref[0] != (0, 0, 0, 0)]
    assert moved == [tested]


def test_10_1_sleeping_off_stops_the_countdown() -> None:
    world = World(gravity=(0, 0, 0), sleeping=False)
    body = world.add_body(Ball(1.0))
    world.simulate(8.0)
    assert (world.sleep_countdown, world.random_state) == (10, 1)
    assert body.movement_state == MovementState.MOVING


# ---- 6.3: the fast flag


@pytest.mark.parametrize(("speed", "counts"), [(0.999, True), (1.0, True), (1.001, False)])
def test_6_3_units_faster_than_a_metre_a_second_are_not_tested(speed: float, counts: bool) -> None:
    world, (body,) = weightless()
    body.add_velocity((speed, 0, 0))
    world.step()
    assert world.sleep_countdown == (9 if counts else 10)


def test_6_3_spin_alone_is_not_fast() -> None:
    world, (body,) = weightless()
    body.add_angular_velocity((50, 0, 0))
    world.step()
    assert world.sleep_countdown == 9


def test_6_3_slowing_down_restarts_the_timers() -> None:
    world, (body,) = weightless()
    body.add_velocity((2.0, 0, 0))
    for _ in range(5):
        world.step()
    assert body.core.time_calm_ref == (0, 0)
    body.add_velocity((-1.5, 0, 0))
    world.step()
    assert body.core.time_calm_ref == (5 * T1, 5 * T1)
    world.step()
    assert body.core.time_calm_ref == (5 * T1, 5 * T1)


# ---- 10.2, 10.3


def test_10_2_a_resting_ball_freezes_at_the_third_test() -> None:
    # Tests at PSI 9 (against the zero reference: it restarts both windows, state 1), 24 and 39 (reloads 15, 15).
    # At 24: 15 periods = 0.227 s < 0.3: slow. At 39: 0.4545 s > 0.3: calm, frozen.
    world, (body,) = weightless()
    states = []
    for _ in range(40):
        world.step()
        states.append(body.core.movement_state)
    assert states[:9] == [1] * 9
    assert states[9:24] == [1] * 15
    assert states[24:39] == [2] * 15
    assert states[39] == 8
    assert body.core.time_calm_ref[0] == 9 * T1 or body.core.time_calm_ref[0] == pytest.approx(
        9 * T1, abs=1e-15
    )


def test_10_2_the_short_window_allows_a_hundredth_of_a_metre() -> None:
    # |d|^2 <= 1e-4; from PSI 9 to 24 a ball at v moves 15 T1 v = 0.22727 v: the border lies at 0.044 m/s
    for speed, state in ((0.0435, 2), (0.0445, 1)):
        world, (body,) = weightless()
        body.add_velocity((speed, 0, 0))
        for _ in range(25):
            world.step()
        assert body.core.movement_state == state, speed


def test_10_2_the_short_window_allows_little_rotation_by_the_radius() -> None:
    # 2 R^2 sin^2(angle / 2) <= 2.5e-5: R = 2: angle <= 0.0035355; over 15 PSIs: 0.01556 rad/s
    for rate, state in ((0.0153, 2), (0.0158, 1)):
        world, (body,) = weightless()
        body.add_angular_velocity((0, rate, 0))
        for _ in range(25):
            world.step()
        assert body.core.movement_state == state, rate


def test_10_2_the_windows_look_at_different_rotations() -> None:
    # quirk: the short reference takes q_next, the long one q_last, of the same test
    world, (body,) = weightless()
    body.add_angular_velocity((0, 0.5, 0))
    for _ in range(9):
        world.step()
    core = body.core  # after PSI 8: its q_last and q_next are what the test of PSI 9 sees
    world.step()
    assert body.core.q_calm_ref[0] == tuple(float(np.float32(c)) for c in core.q_next)
    assert body.core.q_calm_ref[1] == tuple(float(np.float32(c)) for c in core.q_last)


def test_10_2_calm_bodies_are_damped_by_a_tenth_more() -> None:
    # states 2 and 3: 0.1/s on top of 0: factor 1 - 0.1/66 a PSI
    world, (body,) = weightless()
    body.add_velocity((0.02, 0, 0))
    for _ in range(25):
        world.step()
    assert body.core.movement_state == 2
    before = body.core.speed[0]
    world.step()
    assert body.core.speed[0] == pytest.approx(before * (1 - float(np.float32(0.1)) / 66), rel=1e-7)


def test_10_3_freezing_steps_the_rotation_back() -> None:
    world, (body,) = weightless()
    body.add_angular_velocity((0, 0.003, 0))
    body.add_velocity((0.01, 0, 0))
    before = body.core
    while not (body.frozen and world.psi_count > 1):
        before = body.core
        world.step()
    core = body.core
    assert core.q_next == core.q_last == pytest.approx(before.q_last, abs=1e-15)  # q_next had gone further
    assert before.q_next != before.q_last
    assert core.pos_last == before.pos_last  # not advanced by the last speed
    assert core.speed == core.rot_speed == core.delta == core.speed_change == (0, 0, 0)
    assert core.i_delta_time == 66.0
    assert core.time_of_last_psi == world.psi_time  # it was in the list of this PSI's cores


# ---- 10.0, 10.4


def test_10_4_waking_is_queued_and_happens_before_the_controllers() -> None:
    world, (body,) = weightless(start_frozen=True)
    world.step()
    body.wake()
    body.wake()
    assert body.core.is_in_wakeup_vec
    assert body.frozen
    world.step()
    core = body.core
    assert (core.movement_state, core.is_in_wakeup_vec) == (1, False)
    assert core.time_calm_ref == (T1, T1)
    assert core.time_of_last_psi == T1


def test_10_4_waking_an_awake_body_restarts_its_timers_only() -> None:
    world, (body,) = weightless()
    for _ in range(20):
        world.step()
    reference = body.core.pos_calm_ref, body.core.q_calm_ref
    body.wake()
    assert body.core.time_calm_ref == (world.time, world.time)
    assert (body.core.pos_calm_ref, body.core.q_calm_ref) == reference
    assert not body.core.is_in_wakeup_vec


def test_10_0_joined_bodies_share_a_unit_and_sleep_together() -> None:
    world, (a, b, c) = weightless(3)
    world.add_spring(a, b, (0, 0, 0), (10, 0, 0), rest_length=10.0, stiffness=1.0)
    assert a.core.sim_unit_of_core == b.core.sim_unit_of_core != c.core.sim_unit_of_core
    for _ in range(20):
        world.step()
        b.set_velocity((0.2, 0, 0))
    for _ in range(60):
        world.step()
        b.set_velocity((0.2 * (-1) ** world.psi_count, 0, 0))
    assert not a.frozen  # held awake by its partner
    assert c.frozen


def test_10_0_a_fixed_body_joins_no_units() -> None:
    world, (a, b) = weightless(2)
    wall = world.add_body(Box((1, 1, 1)), fixed=True, position=(5, 5, 0), collide=False)
    world.add_ball_joint(a, wall, (5, 5, 0))
    world.add_ball_joint(b, wall, (5, 5, 0))
    assert len({body.core.sim_unit_of_core for body in (a, b, wall)}) == 3


def test_10_0_joining_awake_and_frozen_revives_at_once() -> None:
    world, (a,) = weightless()
    sleeper = world.add_body(Ball(2.0), position=(10, 0, 0), start_frozen=True, collide=False)
    world.step()
    world.add_ball_joint(sleeper, a, (5, 0, 0))
    assert not sleeper.frozen
    assert sleeper.core.time_of_last_psi == world.time
    # 10.4: i_delta_time of what is left of the PSI: (T0 + 1/66) - T1, about 1e-10, is not above 1e-10's cut by much
    left = 1 / 66 - T1
    assert sleeper.core.i_delta_time == float(np.float32(1 / left if left > 1e-10 else 9999999866.485682))


def test_10_0_two_sleepers_joined_sleep_on() -> None:
    world, (a, b) = weightless(2, start_frozen=True)
    world.add_ball_joint(a, b, (5, 0, 0))
    world.simulate(1.0)
    assert a.frozen
    assert b.frozen
    b.wake()
    world.simulate(0.1)
    assert not a.frozen


def test_6_1_listeners_hear_in_order() -> None:
    world, (_a, _b) = weightless(2)
    heard: list[tuple[str, Any]] = []
    world.on_revived(lambda body: heard.append(("first", body.name)))
    world.on_revived(lambda body: heard.append(("second", body.name)))
    world.on_psi(lambda w: heard.append(("psi", w.psi_count)))
    world.step()
    # the queue from its end, of each the newest listener first; then the PSI listeners
    wanted = [("second", "1"), ("first", "1"), ("second", "0"), ("first", "0"), ("psi", 0)]
    assert heard == wanted
    heard.clear()
    world.on_frozen(lambda body: heard.append(("frozen", body.name)))
    world.simulate(2.0)
    assert sorted(h for h in heard if h[0] == "frozen") == [("frozen", "0"), ("frozen", "1")]


def test_6_4_controllers_run_by_priority_and_newest_first_among_equals() -> None:
    world, (a, _b) = weightless(2)
    ran = []

    class Entry:
        def __init__(self, priority: int, name: str, bodies: tuple[Body, ...]) -> None:
            self.priority, self.name, self.bodies = priority, name, bodies

        def simulate(self, event: Any) -> None:
            ran.append((self.name, a.core.speed[0]))

    a.add_velocity((1.0, 0, 0))
    world.add_force(a, (0.5 * a.mass, 0, 0), relative_to=a)
    for priority, name in (
        (405, "low"),
        (1000, "one"),
        (1000, "two"),
        (1600, "high"),
        (1500, "force"),
        (999, "after"),
    ):
        world.add_controller(Entry(priority, name, (a,)))
    world.step()
    assert [name for name, _ in ran] == ["high", "force", "two", "one", "after", "low"]
    speeds = dict(ran)
    # 1000: gravity commits the force's push; equals attached later run before it
    assert speeds["two"] == 1.0
    assert speeds["after"] == pytest.approx(1.5, rel=1e-6)


def test_6_3_a_unit_splits_into_its_components_when_a_tie_goes() -> None:
    world, (a, b, c) = weightless(3)
    world.add_ball_joint(a, b, (5, 0, 0))
    tie = world.add_ball_joint(b, c, (15, 0, 0))
    world.step()
    assert len({body.core.sim_unit_of_core for body in (a, b, c)}) == 1
    tie.remove()
    assert len({body.core.sim_unit_of_core for body in (a, b, c)}) == 1  # until the next PSI
    world.step()
    assert a.core.sim_unit_of_core == b.core.sim_unit_of_core != c.core.sim_unit_of_core
