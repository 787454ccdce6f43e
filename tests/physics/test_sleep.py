"""Sleep, freezing, waking, units, and the generator behind the countdown (ivp 10)."""

import numpy as np
import pytest

from physics import Ball, Box, MovementState, World

PERIOD = float(np.float32(1 / 66))


def f32(x):
    return float(np.float32(x))


def still_world(count=1, **options):
    world = World(gravity=(0, 0, 0), **options)
    return world, [world.add_body(Ball(1.0), position=(9.0 * i, 0, 0), name=str(i)) for i in range(count)]


def fall_asleep(world, *bodies):
    world.step()
    while not all(body.frozen for body in bodies):
        world.step()


def reloads(seed, count):
    """The countdowns of 10.1, computed a second time."""
    found = []
    for _ in range(count):
        seed = seed * 75 % 2**32
        found.append(15 - int(f32((seed & 0xFFFF) / 65536) * -5.0))
    return found, seed


def test_10_1_the_countdown_starts_at_10_and_reloads_15_to_19():
    world, _ = still_world()
    counts = []
    for _ in range(30):
        world.step()
        counts.append(world.sleep_countdown)
    (first, second), seed = reloads(1, 2)
    assert counts[:9] == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert counts[9] == first  # the tenth PSI tests, and reloads
    assert counts[9 + first] == second
    assert world.random_state == seed
    assert all(15 <= n <= 19 for n in reloads(1, 1000)[0])
    assert {15, 16, 17, 18, 19} == set(reloads(1, 1000)[0])


def test_10_1_every_slow_unit_counts_down_once_a_psi():
    world, _ = still_world(3)
    world.step()
    assert world.sleep_countdown == 7
    fast, bodies = still_world(3)
    bodies[0].set_velocity((1.01, 0, 0))  # faster than 1 m/s: no test
    fast.step()
    assert fast.sleep_countdown == 8


def test_sleeping_false_lets_the_countdown_stand():
    world, bodies = still_world(1, sleeping=False)
    world.simulate(3.0)
    assert world.sleep_countdown == 10
    assert bodies[0].movement_state == MovementState.MOVING


def test_10_2_a_resting_body_freezes_when_the_short_window_is_over():
    # A body at the origin of the references: tests at PSI 9 (time 0.136, state 1: the quaternion reference moves), then
    # every 15 to 19. It freezes at the first test more than 0.3 s behind the one that set the reference.
    world, (body,) = still_world()
    tests, at = [], 9
    for reload in reloads(1, 5)[0]:
        tests.append(at)
        at += reload
    expected = next(n for n in tests[1:] if (n - tests[0]) * PERIOD > f32(0.3))
    frozen = []
    world.on_frozen(lambda b: frozen.append(w_psi()))

    def w_psi():
        return world.psi_count

    states = []
    while not frozen:
        world.step()
        states.append(body.core.movement_state)
    assert frozen == [expected]
    assert states[tests[0]] == MovementState.MOVING
    assert states[tests[1]] == MovementState.SLOW
    assert body.core.movement_state == MovementState.NOT_SIM


def test_10_2_a_slow_creep_freezes_by_the_long_window():
    # 0.0235 m/s: the second test behind a reference finds 10.8 mm or more, so the short window never lasts 0.3 s; in
    # 4 s it goes 94 mm, inside the long window of 100 mm. At 0.027 m/s the long window restarts each time.
    class Creep:
        priority = 500

        def __init__(self, body, speed):
            self.bodies, self.speed = [body], speed

        def simulate(self, event):
            body = event.bodies[0]
            body.push((self.speed - body.velocity[0], 0, 0))

    for speed, freezes in ((0.0235, True), (0.027, False)):
        world, (body,) = still_world()
        world.add_controller(Creep(body, speed))
        frozen = []
        world.on_frozen(lambda b, w=world, f=frozen: f.append(w.time))
        world.simulate(9.0)
        if freezes:
            reference = 9 * PERIOD  # of the first test
            assert reference + 4.0 < frozen[0] < reference + 4.0 + 19 * PERIOD
        else:
            assert frozen == []


def test_10_2_the_thresholds_from_both_sides():
    # A step of 9.9 mm between two tests stays inside the short window (|d|^2 <= 1e-4), 10.1 mm leaves it.
    for way, state in ((0.0099, MovementState.SLOW), (0.0101, MovementState.MOVING)):
        world, (body,) = still_world()
        for _ in range(10):
            world.step()
        core = body.core
        assert core.time_calm_ref[0] == pytest.approx(9 * PERIOD)
        body.set_pose((way, 0, 0))
        for _ in range(reloads(1, 1)[0][0]):
            world.step()
        assert body.core.movement_state == state


def test_7_3_a_calm_body_is_damped_by_a_tenth_more():
    world, (body,) = still_world()
    while body.core.movement_state != MovementState.SLOW:
        world.step()
    body.set_velocity((0.01, 0, 0))
    world.step()
    assert body.velocity[0] == pytest.approx(0.01 * (1 - (f32(0.01) + f32(0.1)) / 66), rel=1e-6)


def test_10_3_freezing_clears_motion_and_steps_the_rotation_back():
    world, (body,) = still_world()
    body.set_velocity((1e-5, 0, 0), (0, 0, 1e-5))
    world.step()
    while not body.frozen:
        last = body.core.q_next
        world.step()
    core = body.core
    assert core.speed == core.rot_speed == core.delta == (0.0, 0.0, 0.0)
    assert core.q_last == core.q_next
    assert core.q_next != last  # one PSI's turn was taken back
    assert core.object_state == MovementState.NOT_SIM
    position = body.position
    world.simulate(3.0)
    assert body.position.tolist() == position.tolist()


def test_10_4_waking_an_awake_body_restarts_its_timers_only():
    world, (body,) = still_world()
    for _ in range(20):
        world.step()
    before = body.core
    body.wake()
    after = body.core
    assert after.time_calm_ref == (world.time, world.time)
    assert after.pos_calm_ref == before.pos_calm_ref
    assert after.q_calm_ref == before.q_calm_ref
    assert not after.is_in_wakeup_vec


def test_10_4_a_frozen_body_wakes_at_the_next_psi_with_its_impulse():
    world, (body,) = still_world()
    fall_asleep(world, body)
    body.impulse((2, 0, 0))
    assert body.frozen
    assert body.core.is_in_wakeup_vec
    assert body.core.speed_change == (2.0, 0.0, 0.0)
    revived = []
    world.on_revived(lambda b: revived.append((b, world.psi_time)))
    time = world.time
    world.step()
    assert revived == [(body, time)]
    assert not body.core.is_in_wakeup_vec
    assert body.velocity[0] == pytest.approx(2 * (1 - f32(0.01) / 66), rel=1e-6)


def test_10_4_forces_do_nothing_to_a_sleeping_body_and_do_not_wake_it():
    world, (body,) = still_world()
    fall_asleep(world, body)
    world.add_force(body, (1, 0, 0), at=(0, 0, 0), relative_to=body)
    world.simulate(1.0)
    assert body.frozen
    body.wake()
    world.step()  # to the next PSI time
    world.step()  # that PSI
    assert body.velocity[0] > 0


def test_10_0_joined_bodies_share_a_unit_and_sleep_and_wake_together():
    world, bodies = still_world(3)
    world.add_spring(bodies[0], bodies[1], (0, 0, 0), (9, 0, 0), rest_length=9.0)
    joint = world.add_ball_joint(bodies[1], bodies[2], (13, 0, 0))
    assert [len(members) for _, members in world.sim_units] == [3]
    assert world.sim_units[0][1] == bodies
    frozen = []
    world.on_frozen(lambda b: frozen.append((world.psi_count, b.name)))
    while len(frozen) < 3:
        world.step()
    assert len({psi for psi, _ in frozen}) == 1
    assert [name for _, name in frozen] == ["2", "1", "0"]  # cores n-1 .. 0
    bodies[2].wake()
    world.step()
    assert [b.movement_state for b in bodies] == [MovementState.MOVING] * 3
    joint.remove()  # the unit falls apart behind the next PSI
    world.step()
    assert sorted(len(members) for _, members in world.sim_units) == [1, 2]


def test_10_0_joining_a_frozen_body_to_an_awake_one_revives_it_at_once():
    world, (a, b) = still_world(2)
    fall_asleep(world, a, b)
    a.wake()
    world.step()
    assert b.frozen
    world.add_ball_joint(a, b, (4, 0, 0))
    assert not b.frozen
    # two frozen ones stay frozen
    world, (a, b) = still_world(2)
    fall_asleep(world, a, b)
    world.add_ball_joint(a, b, (4, 0, 0))
    assert a.frozen
    assert b.frozen


def test_10_5_deleted_listeners_run_before_the_body_goes():
    world, (body,) = still_world()
    told = []
    world.on_deleted(lambda b: told.append((b.name, b.alive)))
    world.remove(body)
    assert told == [("0", True)]


def test_removing_a_body_takes_its_joints_forces_and_anchors():
    world, (a, b, c) = still_world(3)
    joint = world.add_ball_joint(a, b, (4, 0, 0))
    spring = world.add_spring(b, c, (9, 0, 0), (18, 0, 0))
    force = world.add_force(b, (1, 0, 0))
    kept = world.add_force(c, (1, 0, 0))
    world.remove(b)
    assert not joint.alive
    assert not spring.alive
    assert not force.alive
    assert kept.alive
    world.simulate(0.1)
    assert {len(members) for _, members in world.sim_units} == {1}


def test_a_velocity_set_before_the_first_psi_survives_the_revival():
    # The text's revival clears the speed; ours keeps what set_velocity asked for.
    world, (body,) = still_world()
    body.set_velocity((3, 0, 0), (0, 1, 0))
    assert body.velocity.tolist() == [3.0, 0.0, 0.0]
    world.step()
    assert body.velocity[0] == pytest.approx(3 * (1 - f32(0.01) / 66), rel=1e-6)
    assert body.angular_velocity[1] == pytest.approx(1 - f32(0.01) / 66, rel=1e-6)


def test_boxes_sleep_by_the_size_of_their_turn():
    # (1 - cos^2) 2 R^2 = 2 R^2 sin^2(angle / 2) <= 2.5e-5: for R = 2 an angle of 0.0035 per window at most.
    for angle, state in ((0.0034, MovementState.SLOW), (0.0037, MovementState.MOVING)):
        world = World(gravity=(0, 0, 0))
        body = world.add_body(Box((2 / 3**0.5,) * 3))
        for _ in range(10):
            world.step()
        body.set_pose((0, 0, 0), (0, 0, np.sin(angle / 2), np.cos(angle / 2)))
        for _ in range(reloads(1, 1)[0][0]):
            world.step()
        assert body.core.movement_state == state
