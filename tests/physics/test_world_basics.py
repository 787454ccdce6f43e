"""The first minutes with a world: stepping, handles, errors, callbacks, snapshots."""

import math
import threading

import numpy as np
import pytest

from physics import Ball, Box, PhysicsError, Plane, World

STEP = float(np.float32(1 / 66))  # the effective PSI period of ivp 11.3


def test_the_first_step_runs_psi_0_and_ends_at_t1() -> None:
    world = World()
    assert (world.time, world.psi_count) == (0.0, 0)
    world.step()
    assert (world.time, world.psi_count, world.psi_time) == (STEP, 1, 0.0)
    world.step()
    assert (world.time, world.psi_count, world.psi_time) == (2 * STEP, 2, STEP)


def test_free_fall_matches_the_sums_of_the_scheme() -> None:
    # 7.1, 8.2: PSI k (from 0) leaves the speed v_k = v_(k-1) (1 - d dt) - g dt, and the position at T_n is the sum of
    # v_k times the period, k < n.
    world = World(gravity=(0, -10, 0))
    ball = world.add_body(Ball(1.0), position=(0, 100, 0), linear_damping=0.5)
    v = y = 0.0
    for _ in range(200):
        v = v * (1 - 0.5 / 66) - 10 / 66
        y += v * STEP
        world.step()
    assert ball.velocity[1] == pytest.approx(v, rel=1e-5)
    assert ball.position[1] == pytest.approx(100 + y, rel=1e-6)


def test_removed_body_says_so() -> None:
    world = World()
    ball = world.add_body(Ball(1.0), name="one")
    other = world.add_body(Ball(1.0))
    world.remove(ball)
    for use in (
        lambda: ball.position,
        lambda: ball.impulse((0, 1, 0)),
        lambda: world.remove(ball),
        ball.wake,
    ):
        with pytest.raises(PhysicsError, match=r"'one'.* removed"):
            use()
    again = world.add_body(Ball(1.0))
    assert again._index == ball._index
    assert again != ball
    assert not ball.alive
    assert world.bodies == [again, other]


@pytest.mark.parametrize(
    "call",
    [
        lambda w, b: w.add_body(Ball(1.0), mass=-1.0),
        lambda w, b: w.add_body(Ball(1.0), mass=math.nan),
        lambda w, b: w.add_body(Ball(1.0), position=(0, math.inf, 0)),
        lambda w, b: w.add_body(Ball(1.0), rotation=(0, 0, 0, 0)),
        lambda w, b: w.add_body(Ball(1.0), linear_damping=-0.1),
        lambda w, b: w.add_body(Ball(1.0), inertia_factor=(1, 0, 1)),
        lambda w, b: w.add_body(Plane((0, 1, 0), 0.0)),
        lambda w, b: w.add_body("ball"),
        lambda w, b: w.add_body(Ball(1.0), layer=32),
        lambda w, b: b.impulse((math.nan, 0, 0)),
        lambda w, b: b.impulse((0, 0)),
        lambda w, b: b.impulse((0, 0, 0), relative_to=World().add_body(Ball(1.0)), at=(0, 0, 0)),
        lambda w, b: w.add_hinge(b, b, (0, 0, 0)),
        lambda w, b: w.add_hinge(b, None, (0, 0, 0), axis=(0, 0, 0)),
        lambda w, b: w.add_slider(b, None, (0, 0, 0), (0, 0, 0)),
        lambda w, b: w.add_slider(b, None, (0, 0, 0), (1, 0, 0), limits=(1, -1)),
        lambda w, b: w.add_spring(World().add_body(Ball(1.0)), b, (0, 0, 0), (0, 0, 0)),
        lambda w, b: w.add_force(b, (0, math.inf, 0)),
        lambda w, b: w.simulate(-1.0),
        lambda w, b: w.simulate(math.nan),
        lambda w, b: w.advance(math.inf),
        lambda w, b: w.restore(b"nothing"),
        lambda w, b: w.restore(World().snapshot()),
        lambda w, b: w.positions(np.empty((1, 4))),
        lambda w, b: w.add_controller(object()),
        lambda w, b: World(passes=0),
        lambda w, b: World(gravity=(0, 1)),
    ],
)  # fmt: skip
def test_bad_input_is_refused_before_anything_changes(call) -> None:
    world = World()
    body = world.add_body(Ball(1.0))
    before = world.digest()
    with pytest.raises(PhysicsError):
        call(world, body)
    assert world.digest() == before


def test_reentry_is_refused_and_the_error_comes_out() -> None:
    world = World()
    listener = world.on_psi(lambda w: w.step())
    with pytest.raises(PhysicsError, match="being stepped"):
        world.step()
    listener.remove()
    world.step()
    assert world.psi_count == 2


def test_structural_changes_in_a_callback_wait_for_the_end_of_the_psi() -> None:
    world = World()
    ball = world.add_body(Ball(1.0))
    seen = []

    def change(w: World) -> None:
        if w.psi_count == 1:
            w.remove(ball)
            seen.append(ball.alive)
            new = w.add_body(Ball(1.0), position=(0, 5, 0))
            w.add_ball_joint(new, None, (0, 6, 0))
            seen.append(len(w.bodies))

    world.on_psi(change)
    world.step()
    world.step()
    assert seen == [True, 2]
    assert not ball.alive
    world.simulate(5.0)
    # the joint holds: the new body hangs where it was
    assert world.bodies[0].position == pytest.approx([0, 5, 0], abs=1e-3)


def test_two_worlds_in_two_threads_do_not_disturb_each_other() -> None:
    def run() -> str:
        world = World()
        for i in range(40):
            world.add_body(Box((0.3, 0.5, 0.7)), position=(4.0 * i, 0, 0)).set_velocity((0, 0, 0), (i, 1, 2))
        for _ in range(100):
            world.step()
        return world.digest()

    found = []
    threads = [threading.Thread(target=lambda: found.append(run())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [run()] * 2


def test_snapshot_and_replay_give_the_same_bits() -> None:
    world = World()
    a = world.add_body(Box((0.5, 0.25, 1)), position=(1, 0, 0))
    b = world.add_body(Ball(1.0), position=(4, 0, 0))
    world.add_hinge(a, None, (0, 0, 0))
    spring = world.add_spring(a, b, (1, 0, 0), (4, 0, 0), rest_length=2.0, stiffness=20)
    world.simulate(1.0)
    saved = world.snapshot()
    world.simulate(1.0)
    digest, positions = world.digest(), world.positions()
    world.remove(b)
    world.add_body(Ball(2.0))
    assert not spring.alive
    world.simulate(1.0)
    world.restore(saved)
    assert b.alive
    assert spring.alive
    assert world.bodies == [a, b]
    world.simulate(1.0)
    assert world.digest() == digest
    np.testing.assert_array_equal(world.positions(), positions)


def test_a_change_of_a_body_that_the_same_callback_removes_is_dropped() -> None:
    world = World()
    gone, left = world.add_body(Ball(1.0)), world.add_body(Ball(1.0), position=(5, 0, 0))

    def change(_: World) -> None:
        if gone.alive:
            gone.remove()
            gone.layer = 3
            gone.collide = False
            gone.set_pose((1, 2, 3))
            gone.remove()

    world.on_psi(change)
    for _ in range(3):
        world.step()
    assert world.bodies == [left]


def test_options_that_one_callback_sets_all_hold() -> None:
    world = World()
    body = world.add_body(Ball(1.0))

    def change(_: World) -> None:
        body.layer, body.sensor, body.collision_group, body.continuous = 3, True, "crew", True

    listener = world.on_psi(change)
    world.step()
    listener.remove()
    world.step()
    assert (body.layer, body.sensor, body.collision_group, body.continuous) == (3, True, "crew", True)
