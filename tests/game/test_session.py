"""A session: snapshots, rewinding, respawning, settings, rules, bad input."""

import json

import pytest

from assets_pipeline import Level, LevelError
from game.actions import ActionState
from game.clock_source import FixedClock
from game.session import Session
from game.settings import Settings
from movement import MovementError

IDLE = ActionState()


def held(*actions: str) -> ActionState:
    return ActionState(frozenset(actions), frozenset())


def pressed(*actions: str) -> ActionState:
    return ActionState(frozenset(actions), frozenset(actions))


def play(session: Session, clock: FixedClock, frames: int, actions: ActionState = IDLE) -> None:
    for _ in range(frames):
        session.refresh_presentation()
        session.update(clock.sample(), actions)


@pytest.fixture
def session(demo: Level) -> Session:
    return Session(demo, Settings())


@pytest.mark.determinism
def test_a_restored_snapshot_has_the_same_future(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 40, held("forward", "left"))
    snapshot, timing = session.snapshot(), session.clock.snapshot()
    parts = []
    for _ in range(2):
        clock = FixedClock()
        play(session, clock, 90, held("forward"))
        parts.append(session.checks() | {"clock": 0})
        session.restore(snapshot)
        session.clock.restore(timing)
    assert parts[0] == parts[1]


def test_rewinding_goes_back_and_at_most_ten_seconds(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 120)
    start = session.player_position()
    play(session, clock, 120, held("forward"))
    away = session.player_position()
    assert abs(away[2] - start[2]) > 1.5
    play(session, clock, 60, held("rewind"))
    half = session.player_position()
    assert start[2] > half[2] > away[2]
    play(session, clock, 61, held("rewind"))
    assert session.player_position() == pytest.approx(start, abs=0.05)
    play(session, clock, 900, held("rewind"))
    assert session.player_position() == pytest.approx((0.0, 1.0, 10.0), abs=0.07)


def test_rewinding_further_than_ten_seconds_stops_there(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 300, held("forward"))
    kept = session.player_position()
    play(session, clock, 600)
    play(session, clock, 1200, held("rewind"))
    # 600 frames are ten seconds: what was before them is forgotten.
    assert session.player_position()[2] == pytest.approx(kept[2], abs=0.2)


def test_walk_toggle_changes_the_gait(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 30)
    ways = []
    for _ in range(2):
        before = session.player_position()[2]
        play(session, clock, 90, held("forward"))
        ways.append(before - session.player_position()[2])
        play(session, clock, 30)
        play(session, clock, 1, pressed("walk_toggle"))
    assert ways[0] > 1.5 * ways[1] > 0.5  # it runs at first ([cyrus] walk_mode 1), then walks


def test_restart_brings_everything_back(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 200, held("forward"))
    session.restart()
    assert session.player_position() == pytest.approx((0.0, 1.0, 10.0), abs=0.07)
    assert session.bodies["ball"].position == pytest.approx((0.0, 0.35, -8.0), abs=1e-6)
    assert not any(session.objectives.done.values())


def test_respawn_without_a_checkpoint_is_at_the_spawn(session: Session) -> None:
    clock = FixedClock()
    play(session, clock, 100, held("forward"))
    play(session, clock, 1, pressed("restart"))
    assert session.player_position() == pytest.approx((0.0, 1.0, 10.0), abs=0.07)
    assert any(happening.kind == "respawn" for happening in session.happenings)


def test_falling_out_brings_the_player_back(session: Session) -> None:
    clock = FixedClock()
    session.enter_marker("ring")
    for _ in range(3000):
        play(session, clock, 1, held("forward"))
        if any(happening.kind == "respawn" for happening in session.happenings):
            break
    else:
        pytest.fail("the player never fell out")
    assert session.player_position() == pytest.approx((0.0, 1.0, 10.0), abs=0.07)


def test_markers_are_entered_by_name_or_number_and_others_refused(session: Session) -> None:
    session.enter_marker("terrace")
    by_name = session.player.position
    session.enter_marker("1")
    assert session.player.position == by_name
    for wrong in ("nowhere", "99"):
        with pytest.raises(LevelError):
            session.enter_marker(wrong)
    assert session.player.position == by_name


def test_settings_take_effect_while_it_runs(demo: Level) -> None:
    settings = Settings()
    session = Session(demo, settings)
    clock = FixedClock()
    play(session, clock, 20)
    turns = []
    for value in ("48", "96"):
        settings.set("cyrus.turn_max_speed", value)
        before = session.player.heading
        play(session, clock, 60, held("left"))
        turns.append((session.player.heading - before) % 2048)
        play(session, clock, 10)
    # 60 frames are 12 nominal updates: about 12 x 48, and twice that (less while the turn grows).
    assert turns[0] == pytest.approx(550, abs=40)
    assert turns[1] == pytest.approx(2 * turns[0], rel=0.12)
    settings.set("physics.passes", "7")
    assert session.world.passes == 7


def test_settings_that_contradict_each_other_change_nothing(demo: Level) -> None:
    settings = Settings()
    session = Session(demo, settings)
    settings.set("game.fall_bounce_height", "500")  # above fall_hurt_height 300
    assert session.player.body.settings.fall_bounce_height == 100
    play(session, FixedClock(), 1)  # the next frame shows it
    assert any("fall_bounce_height" in happening.text for happening in session.happenings)
    with pytest.raises(MovementError, match="fall_bounce_height"):
        Session(demo, settings)


def test_the_state_is_json_and_complete(session: Session) -> None:
    play(session, FixedClock(), 10)
    state = json.loads(json.dumps(session.state()))
    assert set(state) == {"digest", "frames", "level", "objectives", "player", "bodies"}
    assert set(state["player"]) == {"position", "map_position", "heading", "surface"}
    assert state["frames"] == 10
    assert set(state["bodies"]) == {body.name for body in session.level.bodies}
    assert [value >> 8 for value in state["player"]["position"]] == state["player"]["map_position"]


def test_the_digest_sees_every_part(session: Session) -> None:
    play(session, FixedClock(), 5)
    seen = {session.digest()}
    session.player.body.heading += 1
    seen.add(session.digest())
    session.bodies["ball"].add_velocity((0.0, 0.0, 1.0))
    seen.add(session.digest())
    session.running = not session.running
    seen.add(session.digest())
    session.camera.heading += 0.5
    seen.add(session.digest())
    session.clock.frame_count += 1
    seen.add(session.digest())
    session.triggers.fired.append("x")
    seen.add(session.digest())
    assert len(seen) == 7
