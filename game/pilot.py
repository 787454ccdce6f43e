"""A pilot: steers a session along waypoints with keys alone, and writes down the script that does the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from game.actions import ActionState, ActionTracker
from game.rules.vectors import Vector
from game.session import Session

TURN = 2048
AIMED = 20  # heading units off: near enough to go straight
AIMED_WELL = 5  # near enough to kick straight
GOING = 180  # heading units off: farther off than that it turns on the spot


@dataclass(frozen=True)
class Leg:
    """One thing to do.

    Attributes:
        kind: `go` to a place, `turn` towards it, `tap` an action, `hold` and `release` one, or `wait`.
        place: x and z in metres, for go and turn.
        action: for tap, hold and release.
        frames: how long a wait lasts; how long a go may last before the pilot gives up.
        near: metres that count as there.
    """

    kind: str
    place: tuple[float, float] = (0.0, 0.0)
    action: str = ""
    frames: int = 1200
    near: float = 0.35


class PilotError(RuntimeError):
    """A leg could not be done in its time; the text says which, and where the player was."""


def go(x: float, z: float, near: float = 0.35, frames: int = 1200) -> Leg:
    """Walk or run to a place."""
    return Leg("go", (x, z), near=near, frames=frames)


def turn(x: float, z: float) -> Leg:
    """Turn towards a place."""
    return Leg("turn", (x, z))


def tap(action: str) -> Leg:
    """Press and release an action."""
    return Leg("tap", action=action)


def hold(action: str) -> Leg:
    """Press an action and keep it."""
    return Leg("hold", action=action)


def release(action: str) -> Leg:
    """Release a held action."""
    return Leg("release", action=action)


def wait(frames: int) -> Leg:
    """Do nothing for some frames."""
    return Leg("wait", frames=frames)


class Pilot:
    """An input source that sees the session, which no script does; `script` is what it pressed."""

    def __init__(self, session: Session, legs: Sequence[Leg]) -> None:
        self._session, self._legs = session, list(legs)
        self._at, self._spent, self._frame = 0, 0, 0
        self._down: set[str] = set()
        self._held: set[str] = set()
        self._tracker = ActionTracker()
        self.script: list[str] = []

    @property
    def done(self) -> bool:
        """Whether every leg is done."""
        return self._at >= len(self._legs)

    def poll(self) -> ActionState:
        """Return the actions of the next frame.

        Raises:
            PilotError: the present leg takes too long.
        """
        wanted: set[str] = set()
        tapped = ""
        if not self.done:
            leg = self._legs[self._at]
            self._spent += 1
            if leg.kind in ("go", "turn"):
                wanted = self._steer(leg)
                finished = not wanted
            elif leg.kind == "wait":
                finished = self._spent >= leg.frames
            else:
                finished, tapped = True, leg.action if leg.kind == "tap" else ""
                if leg.kind == "hold":
                    self._held.add(leg.action)
                elif leg.kind == "release":
                    self._held.discard(leg.action)
            if finished:
                self._at, self._spent = self._at + 1, 0
            elif leg.kind != "wait" and self._spent > leg.frames:
                place = ", ".join(f"{value:.2f}" for value in self._session.player_position())
                raise PilotError(
                    f"leg {self._at}, {leg}: not there after {leg.frames} frames, but at {place}"
                )
        self._press(wanted | self._held)
        if tapped:
            self.script.append(f"{self._frame} {tapped} tap")
            self._tracker.press(tapped)
        self._frame += 1
        state = self._tracker.take()
        if tapped:
            self._tracker.release(tapped)
        return state

    def commands(self) -> list[str]:
        """Return nothing: a pilot uses keys alone."""
        return []

    def _press(self, wanted: set[str]) -> None:
        for action in sorted(self._down - wanted):
            self.script.append(f"{self._frame} {action} up")
            self._tracker.release(action)
        for action in sorted(wanted - self._down):
            self.script.append(f"{self._frame} {action} down")
            self._tracker.press(action)
        self._down = set(wanted)

    def _steer(self, leg: Leg) -> set[str]:
        """Return the keys that bring the player nearer; none when the leg is done."""
        here = self._session.target_position()
        off = heading_error(here, leg.place, self._session.player.heading)
        distance = math.hypot(leg.place[0] - here[0], leg.place[1] - here[2])
        if leg.kind == "go" and distance <= leg.near:
            return set()
        keys = set()
        if abs(off) > (AIMED if leg.kind == "go" else AIMED_WELL):
            keys.add("left" if off > 0 else "right")
        if leg.kind == "go" and abs(off) <= GOING:
            keys.add("forward")
        return keys


def heading_error(here: Vector, place: tuple[float, float], heading: int) -> int:
    """Return how far to turn left (negative: right) to look from `here` at a place, in heading units."""
    wanted = math.atan2(here[0] - place[0], here[2] - place[1]) / (2 * math.pi) * TURN
    return (round(wanted) - heading + TURN // 2) % TURN - TURN // 2
