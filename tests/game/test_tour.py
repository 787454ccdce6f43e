"""The scripted tour: keys alone, from the spawn over the ramp, through the door, and the ball into the ring."""

import math
from itertools import pairwise
from pathlib import Path

import pytest

from assets_pipeline import Level
from game.clock_source import FixedClock
from game.script import ScriptInput, read_script
from game.session import Session
from game.settings import Settings

TOUR = Path(__file__).resolve().parents[2] / "game" / "levels" / "demo" / "tour.txt"
FLOOR, TERRACE = 1.0, 3.0  # m: the player's origin above the court's floor and above the terrace, 2 m up


def run(level: Level) -> tuple[Session, list[tuple[float, float, float]]]:
    """Run the tour; return the session at its end, and where the player was each frame."""
    session, script, clock = Session(level, Settings()), ScriptInput(read_script(TOUR)), FixedClock()
    places = []
    while session.frames < script.length + 60:
        session.refresh_presentation()
        session.update(clock.sample(), script.poll())
        places.append(session.player_position())
    return session, places


@pytest.fixture(scope="module")
def tour(demo: Level) -> tuple[Session, list[tuple[float, float, float]]]:
    return run(demo)


def test_the_tour_uses_keys_alone() -> None:
    script = read_script(TOUR)
    assert {entry.action for entry in script} <= {"forward", "left", "right", "kick"}
    assert sum(entry.action == "kick" for entry in script) == 1


def test_it_walks_from_the_spawn_up_the_ramp_onto_the_terrace_and_back(
    tour: tuple[Session, list[tuple[float, float, float]]],
) -> None:
    _, places = tour
    assert places[0] == pytest.approx((0.0, FLOOR, 10.0), abs=0.02)
    # On the ramp the height goes with the way: 2 m on the 6 m from z = -3 to z = -9.
    ramp = [(y, z) for x, y, z in places if -14 < x < -10 and -8.5 < z < -3.5]
    assert len(ramp) > 50
    assert all(y == pytest.approx(FLOOR + (-3.0 - z) / 3.0, abs=0.12) for y, z in ramp)
    highest = max(places, key=lambda place: place[1])
    assert highest[1] == pytest.approx(TERRACE, abs=0.02)
    assert places[-1][1] == pytest.approx(FLOOR, abs=0.05)


def test_no_step_is_longer_than_a_run_allows(tour: tuple[Session, list[tuple[float, float, float]]]) -> None:
    session, places = tour
    # A run is twice the walk (attr_forward_speed 0): map units a nominal update, 64 a metre, 12 updates a second.
    assert session.actor.attributes["attr_forward_speed"] == 0
    speed = 2 * session.actor.attributes["attr_forward_walk"] / 64 * 12
    for before, after in pairwise(places):
        assert math.dist(before[::2], after[::2]) <= 1.3 * speed / 60 + 0.01
        assert abs(after[1] - before[1]) < 0.25


def test_the_door_swung_and_the_ball_lies_in_the_ring(
    tour: tuple[Session, list[tuple[float, float, float]]],
) -> None:
    session, places = tour
    assert any(abs(x) < 0.95 and -16.0 < z < -15.0 for x, _, z in places)  # it went through the doorway
    x, _, z = session.bodies["door"].position
    assert math.hypot(x + 0.04, z + 15.25) > 0.5
    # A door on a hinge keeps its distance from it: 0.82 m from the axis at (-0.86, -15.25).
    assert math.hypot(x + 0.86, z + 15.25) == pytest.approx(0.82, abs=0.01)
    assert session.objectives.done == {"ball in the ring": True}
    x, y, z = session.bodies["ball"].position
    assert z < -18.0
    assert y == pytest.approx(0.35, abs=0.05)


def test_the_stack_of_five_stands_and_sleeps(tour: tuple[Session, list[tuple[float, float, float]]]) -> None:
    session, _ = tour
    for index in range(5):
        crate = session.bodies[f"crate {index + 1}"]
        assert crate.movement_state == 8  # frozen
        assert crate.position == pytest.approx((8.0, 0.4 + 0.8 * index, 8.0), abs=0.06)


@pytest.mark.determinism
def test_two_runs_have_the_same_digest(
    demo: Level, tour: tuple[Session, list[tuple[float, float, float]]]
) -> None:
    again, _ = run(demo)
    assert again.digest() == tour[0].digest()
    assert again.state() == tour[0].state()
