"""Recorded replays finish the yard: every frame's state is compared, every second's digest."""

from pathlib import Path

import pytest

from game.levels import load_level
from game.levels.yard.make_replays import RATES
from game.program import Options, Program, run_loop
from game.replay import Recording
from game.session import Session
from game.settings import Settings

REPLAYS = Path(__file__).with_name("replays")


@pytest.mark.determinism
@pytest.mark.parametrize(
    "rate", [pytest.param(rate, marks=[pytest.mark.slow] * (rate > 60)) for rate in RATES]
)
def test_a_replay_finishes_the_yard_and_every_digest_agrees(rate: int) -> None:
    path = REPLAYS / f"yard-{rate}.replay"
    recording = Recording.load(path)
    assert recording.rate == rate
    words = [f"{name}={text}" for name, text in recording.settings.items()]
    session = Session(load_level("yard"), Settings(None, words))
    program = Program(Options(headless=True, replay=path, frame_rate=rate), session, session.settings)
    run_loop(program)  # raises ReplayError where the run leaves the replay
    assert session.frames == len(recording.frames)
    assert sum(bool(frame.digest) for frame in recording.frames) >= session.frames // rate
    assert session.objectives.done == {"three balls": True, "the course": True}
    pressed = set().union(*(frame.actions.held for frame in recording.frames))
    assert pressed <= {"forward", "back", "left", "right", "walk_toggle", "take_ball", "kick", "jump"}
    assert not any(frame.commands for frame in recording.frames)  # keys alone
