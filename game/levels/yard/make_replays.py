"""Records replays that finish the yard: the three balls into the ring, then the ball through the course.

Usage: python -m game.levels.yard.make_replays FOLDER [RATE...]

A pilot plays, with keys alone, at each rate of frames a second (20, 60 and 144 if none is named), into
FOLDER/yard-RATE.replay. They hold for the physics and rules that they were made with, and are made anew when
one of those was meant to change.
"""

from __future__ import annotations

import sys
from pathlib import Path

from game.clock_source import FixedClock
from game.levels import load_level
from game.pilot import Leg, Pilot, PilotError, go, herd, rise, roll, tap, wait
from game.program import settings_texts
from game.replay import Frame, Recording
from game.session import Session
from game.settings import Settings

RATES = (20, 60, 144)

FIRST_BALL: tuple[Leg, ...] = (herd("ball 1", 0.0, -6.0, near=1.6),)
SECOND_BALL: tuple[Leg, ...] = (
    go(0.0, -14.0),
    go(0.0, -26.0),
    go(4.0, -28.5),
    go(4.5, -34.0),  # through the hut's door
    go(6.5, -37.0),
    go(4.0, -39.2),
    herd("ball 2", 4.0, -27.5, near=3.8),
    go(4.2, -34.0),
    go(4.0, -29.5),
    go(4.0, -27.0),
    herd("ball 2", -5.0, -21.0, near=5.0),
    herd("ball 2", 0.0, -6.0, near=1.6),
)
THIRD_BALL: tuple[Leg, ...] = (
    go(-12.0, -20.0),
    go(-20.0, -24.0),
    herd("crate 12", -26.0, -26.0, near=0.5),  # onto the weight plate, which opens the gate
    go(-24.0, -30.0),
    go(-25.5, -36.0),
    go(-31.0, -36.0),
    go(-34.0, -33.5),
    go(-39.5, -35.0),
    herd("ball 3", -25.5, -36.0, near=3.5),
    go(-30.0, -36.0),
    go(-27.0, -36.0),
    herd("ball 3", 0.0, -6.0, near=1.6),
)
COURSE: tuple[Leg, ...] = (
    go(0.0, 12.0),
    go(2.0, 27.0),
    go(12.0, 30.0),
    go(16.1, 30.0),  # onto the lift
    rise(6.7),
    go(19.2, 30.0, near=0.6),
    tap("take_ball"),
    roll(20.2, 27.5),
    roll(20.0, 16.0, near=1.0),
    roll(20.0, 5.0),
    roll(20.0, 2.0),  # paper
    roll(23.5, 2.0, near=1.0),
    roll(32.5, 2.0, near=1.0),
    roll(35.0, 2.0),  # stone
    roll(35.0, 5.5),
    roll(35.0, 15.0, near=1.0),  # through the boards and boxes, down the drop
    roll(35.0, 19.0),  # wood
    roll(36.8, 19.0, near=0.3),
    roll(44.6, 19.0, near=0.6),  # along the rails
    roll(46.0, 19.0, near=0.5),
    roll(46.0, 21.5, near=0.6),
    roll(46.0, 36.0),  # under the hammer
    roll(46.0, 38.0),
    wait(30),
)


DELAYS = range(
    30, 150, 7
)  # frames at sixty a second that the pilot waits before it begins, until a run succeeds


def record(rate: int) -> Recording:
    """Return a recorded run of the whole yard at `rate` frames a second.

    A putt that goes astray can leave a ball where the pilot knows no way; it then begins anew a little later.

    Raises:
        PilotError: no run succeeded.
    """
    failures = []
    for delay in DELAYS:
        try:
            return record_once(rate, (wait(delay), *FIRST_BALL, *SECOND_BALL, *THIRD_BALL, *COURSE))
        except PilotError as error:
            failures.append(str(error))
    raise PilotError(f"{rate} frames a second: {len(failures)} runs failed, the last one in {failures[-1]}")


def record_once(rate: int, legs: tuple[Leg, ...]) -> Recording:
    """Return a recorded run of some legs in the yard.

    Raises:
        PilotError: a leg could not be done.
    """
    settings = Settings()
    session = Session(load_level("yard"), settings)
    pilot, clock = Pilot(session, legs, rate=rate), FixedClock(rate)
    recording = Recording(
        session.level.name, dict(session.level.sources), settings_texts(settings), rate=rate
    )
    while not pilot.done:
        session.refresh_presentation()
        actions, sample = pilot.poll(), clock.sample()
        session.update(sample, actions)
        digest = session.digest() if session.frames % rate == 0 or pilot.done else ""
        recording.frames.append(Frame(sample, actions, (), session.checks(), digest))
    return recording


if __name__ == "__main__":
    for wanted in [int(word) for word in sys.argv[2:]] or RATES:
        made = record(wanted)
        made.save(Path(sys.argv[1]) / f"yard-{wanted}.replay")
