"""The state that a level keeps while the player is in another one."""

import json

import pytest

from assets_pipeline import Level, LevelError
from game.actions import ActionState
from game.clock_source import FixedClock
from game.program import Options, Program
from game.session import Session
from game.settings import Settings
from game.world_state import apply_state, forget_state, load_state, save_state, state_of, state_path

FORWARD = ActionState(frozenset({"forward"}), frozenset())


@pytest.fixture
def used(demo: Level) -> Session:
    """A session in which something has happened."""
    session, clock = Session(demo, Settings()), FixedClock()
    for _ in range(400):
        session.refresh_presentation()
        session.update(clock.sample(), FORWARD)
    return session


def test_a_saved_state_brings_player_bodies_and_rules_back(used: Session, demo: Level) -> None:
    save_state(used)
    kept = load_state("demo")
    assert kept is not None
    fresh = Session(demo, Settings())
    apply_state(fresh, kept)
    assert fresh.player.position == used.player.position
    assert fresh.player.heading == used.player.heading
    for name, body in used.bodies.items():
        assert fresh.bodies[name].position == pytest.approx(body.position, abs=1e-9)
    assert fresh.rules_state() == used.rules_state()
    # The start position stays the spawn's (movement: Restoring saved world state).
    assert fresh.player.start_position == Session(demo, Settings()).player.start_position
    forget_state("demo")
    assert load_state("demo") is None


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "fixstep world", "version": 1}', '{"format": 3}']
)
def test_a_damaged_state_is_a_named_error(text: str) -> None:
    path = state_path("damaged")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(LevelError, match=r"damaged\.tsg"):
        load_state("damaged")
    path.unlink()


def test_a_state_of_another_build_or_with_wrong_values_is_refused(used: Session, demo: Level) -> None:
    state = state_of(used)
    for changes in (
        {"sources": {}},
        {"level": "yard"},
        {"bodies": {"nothing": [[0, 0, 0], [0, 0, 0, 1]]}},
        {"player": {}},
    ):
        fresh = Session(demo, Settings())
        with pytest.raises(LevelError):
            apply_state(fresh, type(state)(**(state.__dict__ | changes)))


def test_going_to_the_yard_and_back_finds_the_court_as_it_was_left(used: Session) -> None:
    settings = used.settings
    program = Program(Options(headless=True, frames=1), used, settings)
    left = used.player.position
    program.console.enter("level yard")
    program.run_console()
    assert program.session.level.name == "yard"
    program.console.enter("level demo")
    program.run_console()
    assert program.session.player.position == left
    assert program.next_level() == "yard"
    program.console.enter("level nowhere")
    program.run_console()
    assert any("no such level" in line for line in program.console.lines)
    # A damaged state costs no level.
    state_path("yard").write_text(json.dumps({"format": "x"}))
    program.enter_level("yard")
    assert program.session.level.name == "yard"
    for name in ("yard", "demo"):
        forget_state(name)
