"""Options of a world that may be changed while it runs."""

import pytest

from physics import Ball, PhysicsError, World


def test_passes_and_sleeping_can_be_changed_and_are_checked() -> None:
    world = World(passes=3, sleeping=False)
    assert (world.passes, world.sleeping) == (3, False)
    world.passes, world.sleeping = 1, True
    assert (world.passes, world.sleeping) == (1, True)
    for wrong in (0, 1001, 2.5):
        with pytest.raises(PhysicsError):
            world.passes = wrong  # type: ignore[assignment]
    assert world.passes == 1


def test_without_sleeping_the_countdown_stands_still_and_nothing_freezes() -> None:
    world = World(gravity=(0.0, 0.0, 0.0), sleeping=False)
    ball = world.add_body(Ball(1.0))
    world.simulate(10.0)
    assert world.sleep_countdown == 10  # ivp 10.1: 10 at first
    assert not ball.frozen
    world.sleeping = True
    world.simulate(10.0)
    assert ball.frozen
