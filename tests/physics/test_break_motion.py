"""Fast, spinning, odd shapes against a wall of one triangle; what events tell."""

import numpy as np
import pytest

from physics import Ball, Box, Compound, EventKind, Plane, TriangleMesh, World

WALL = TriangleMesh([[0, -3, -3], [0, -3, 3], [0, 4, 0]], [[0, 1, 2]])
UPRIGHT = (0, 0, 0, 1)
SHAPES = {
    "compound": Compound([(Box((0.2, 0.1, 0.1)), (0, 0, 0), UPRIGHT), (Ball(0.15), (0.3, 0, 0), UPRIGHT)]),
    "plate": Box((0.01, 0.4, 0.4)),
    "needle": Box((0.01, 0.01, 0.6)),
    "pellet": Ball(0.005),
}


@pytest.mark.parametrize("name", SHAPES)
def test_spinning_bodies_go_round_a_triangle_but_never_through_it(name):
    rng = np.random.default_rng(7)
    for _ in range(10):
        world = World(gravity=(0, 0, 0), sleeping=False)
        world.add_body(WALL, fixed=True)
        start = (-20 - rng.uniform(0, 30), rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3))
        body = world.add_body(SHAPES[name], 1.0, start, rng.normal(size=4))
        body.set_velocity((rng.choice([300.0, 1999.0]), 0, 0), rng.normal(size=3) * 20)
        before = body.mass_center_position
        for _ in range(40):
            world.step()
            after = body.mass_center_position
            if before[0] < 0.0 < after[0]:
                # Where the way crosses the wall's plane: outside of the triangle.
                y, z = (before + (after - before) * before[0] / (before[0] - after[0]))[1:]
                assert y < -3 or abs(z) > 3 * (4 - y) / 7
            before = after


def test_a_removal_between_steps_ends_its_contacts_in_the_next_list():
    world = World()
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
    ball = world.add_body(Ball(0.3), position=(0, 0.3, 0))
    for _ in range(20):
        world.step()
    world.remove(ball)
    world.step()
    assert EventKind.ENDED in [event.kind for event in world.events]


def resting_ball():
    world = World()
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
    ball = world.add_body(Ball(0.3), position=(0, 0.3, 0))
    for _ in range(20):
        world.step()
    return world, ball


def test_an_end_between_steps_is_told_once_and_names_the_removed_body():
    world, ball = resting_ball()
    before = world.events
    world.remove(ball)
    assert world.events == before  # it belongs to the next list
    heir = world.add_body(Ball(0.1), position=(0, 5, 0))
    assert heir.id[0] == ball.id[0]
    world.step()
    (event,) = world.events
    assert event.kind is EventKind.ENDED
    assert ball in event.bodies
    assert event.other(ball).fixed
    assert world.events == [event]
    world.step()
    assert world.events == []


def test_a_removal_in_a_callback_is_told_in_its_own_step():
    world, ball = resting_ball()
    listener = world.on_psi(lambda _: ball.alive and world.remove(ball))
    world.step()
    assert [(event.kind, ball in event.bodies) for event in world.events] == [(EventKind.ENDED, True)]
    listener.remove()
    world.step()
    assert world.events == []


def test_other_changes_between_steps_end_contacts_in_the_next_list():
    world, ball = resting_ball()
    ball.collide = False
    world.step()
    assert [event.kind for event in world.events] == [EventKind.ENDED]


def test_a_snapshot_keeps_what_the_next_list_begins_with():
    world, ball = resting_ball()
    touching = world.snapshot()
    world.remove(ball)
    parted = world.snapshot()
    world.restore(touching)
    assert world.events == []
    world.step()
    assert world.events == []
    for _ in range(2):
        world.restore(parted)
        world.step()
        assert [(event.kind, ball in event.bodies) for event in world.events] == [(EventKind.ENDED, True)]


def test_contacts_that_last_are_told_in_each_step_on_request():
    world = World()
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True)
    ball = world.add_body(Ball(0.3), 2.0, (0, 0.3, 0))
    for _ in range(30):
        world.step()
    assert world.events == []
    world.tell_persisted = True
    world.step()
    (event,) = world.events
    assert event.kind is EventKind.PERSISTED
    assert event.other(ball).fixed
    # It carries the weight: m g dt.
    assert event.impulse == pytest.approx(2.0 * 9.81 / 66, rel=0.02)
