"""Writes tour.txt: the keys of a walk from the spawn over the ramp, through the door, and of the goal.

Usage: python -m game.levels.demo.make_tour FILE

A tour is keys alone, so that a change of a rule that it depends on shows; it is made anew when that was meant.
"""

from __future__ import annotations

import sys
from pathlib import Path

from game.clock_source import FixedClock
from game.levels import load_level
from game.pilot import Leg, Pilot, go, tap, turn, wait
from game.session import Session
from game.settings import Settings

LEGS: tuple[Leg, ...] = (
    wait(30),
    go(-12.0, 1.0),
    go(-12.0, -2.0),
    go(-12.0, -11.0),  # up the ramp, onto the terrace
    turn(0.0, -8.0),
    wait(20),
    go(-12.0, -9.0),
    go(-12.0, -1.5),  # and down again
    go(-3.0, -8.0),
    go(-0.6, -13.0),
    go(-0.3, -17.5),  # through the door, which swings
    go(-0.3, -13.0),
    go(-2.5, -8.0),
    go(0.0, -5.0),
    go(0.0, -6.0, near=0.2),
    go(0.0, -6.9, near=0.25),
    turn(0.0, -8.0),
    tap("kick"),
    wait(200),
    go(0.0, -17.0),
    wait(30),
)


def make() -> list[str]:
    """Return the lines of the script."""
    session = Session(load_level("demo"), Settings())
    pilot, clock = Pilot(session, LEGS), FixedClock()
    while not pilot.done:
        session.refresh_presentation()
        session.update(clock.sample(), pilot.poll())
    return pilot.script


if __name__ == "__main__":
    header = (
        "# Made by make_tour.py: from the spawn over the ramp, through the door, the ball into the ring.\n"
    )
    Path(sys.argv[1]).write_text(header + "\n".join(make()) + "\n", encoding="utf-8")
