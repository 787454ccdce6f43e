"""A pilot: steers a session along waypoints with keys alone, and writes down the script that does the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from game.actions import ActionState, ActionTracker
from game.bridge import world_forward
from game.rules.vectors import Vector
from game.session import Session

TURN = 2048
AIMED = 20  # heading units off: near enough to go straight
AIMED_WELL = 5  # near enough to kick straight
STEERED = ("go", "turn", "herd", "roll", "rise")
DONE, NOTHING = "done", "nothing"
BEHIND, AROUND = 1.3, 1.5  # m: where the pilot stands before it pushes, and how wide it goes round
STILL_SPEED = 0.35  # m/s: slower than this a body may be walked round
PUTT_SPEED = 1.6  # m/s that a putt gives at a walk
RUN_UP = 7.0  # m: farther than this a putt is run
STRAIGHT = 0.9975  # cosine of the angle by which a putt may miss its line: 4 degrees
CLEAR = 1.1  # m: nearer than this to a body it looks where it goes
FASTEST_ROLL = 3.0  # m/s
ROLL_SLACK = 0.25  # m/s that a rolling ball may be off before a key is pressed
GOING = 180  # heading units off: farther off than that it turns on the spot


@dataclass(frozen=True)
class Leg:
    """One thing to do.

    Attributes:
        kind: `go` to a place, `turn` towards it, `herd` a body there by walking into it, `roll` the taken ball
            there, `rise` (wait until the player is that high), `tap` an action, `hold` and `release` one, or `wait`.
        place: x and z in metres, for go, turn, herd and roll.
        action: for tap, hold and release.
        body: name of the body to herd.
        height: metres, for rise.
        frames: how long a wait lasts; how long a go may last before the pilot gives up.
        near: metres that count as there.
    """

    kind: str
    place: tuple[float, float] = (0.0, 0.0)
    action: str = ""
    frames: int = 1200
    near: float = 0.35
    body: str = ""
    height: float = 0.0


class PilotError(RuntimeError):
    """A leg could not be done in its time; the text says which, and where the player was."""


def go(x: float, z: float, near: float = 0.35, frames: int = 1200) -> Leg:
    """Walk or run to a place."""
    return Leg("go", (x, z), near=near, frames=frames)


def turn(x: float, z: float) -> Leg:
    """Turn towards a place."""
    return Leg("turn", (x, z))


def herd(body: str, x: float, z: float, near: float = 0.8, frames: int = 6000) -> Leg:
    """Push a body to a place."""
    return Leg("herd", (x, z), near=near, frames=frames, body=body)


def roll(x: float, z: float, near: float = 0.8, frames: int = 3000) -> Leg:
    """Roll the taken ball to a place."""
    return Leg("roll", (x, z), near=near, frames=frames)


def rise(height: float, frames: int = 1800) -> Leg:
    """Wait until the player's origin is this high."""
    return Leg("rise", height=height, frames=frames)


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

    def __init__(self, session: Session, legs: Sequence[Leg], rate: int = 60) -> None:
        self._session, self._legs = session, list(legs)
        self._patience = rate / 60.0  # the frames of legs are counted at sixty a second
        self._at, self._spent, self._frame = 0, 0, 0
        self._down: set[str] = set()
        self._held: set[str] = set()
        self._stage, self._stage_frames = "approach", 0
        self._running_wanted = True
        self._cooling = 0
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
            if leg.kind in STEERED:
                wanted = getattr(self, f"_{leg.kind}")(leg)
                finished = (not wanted and leg.kind != "rise") or DONE in wanted
                wanted.discard(DONE)
            elif leg.kind == "wait":
                finished = self._spent >= leg.frames * self._patience
            else:
                finished, tapped = True, leg.action if leg.kind == "tap" else ""
                if leg.kind == "hold":
                    self._held.add(leg.action)
                elif leg.kind == "release":
                    self._held.discard(leg.action)
            if finished:
                self._at, self._spent = self._at + 1, 0
                self._stage, self._stage_frames, self._running_wanted = "approach", 0, True
            elif leg.kind != "wait" and self._spent > leg.frames * self._patience:
                place = ", ".join(f"{value:.2f}" for value in self._session.player_position())
                raise PilotError(
                    f"leg {self._at}, {leg}: not there after {leg.frames} frames, but at {place}"
                )
        if self._session.running != self._running_wanted and not tapped and self._cooling == 0:
            tapped, self._cooling = "walk_toggle", 3
        self._cooling = max(self._cooling - 1, 0)
        self._press((wanted | self._held) - {NOTHING})
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

    def _go(self, leg: Leg) -> set[str]:
        here = self._session.player_position()
        if math.dist((here[0], here[2]), leg.place) <= leg.near:
            return {DONE}
        return self._towards(leg.place)

    def _turn(self, leg: Leg) -> set[str]:
        off = heading_error(self._session.player_position(), leg.place, self._session.player.heading)
        return {DONE} if abs(off) <= AIMED_WELL else {"left" if off > 0 else "right"}

    def _rise(self, leg: Leg) -> set[str]:
        return {DONE} if self._session.player_position()[1] >= leg.height else set()

    def _herd(self, leg: Leg) -> set[str]:
        """Putt the body towards the place: wait until it rests, go behind it, aim, walk into it, let it roll."""
        body = self._session.bodies[leg.body]
        x, _, z = body.position.tolist()
        vx, _, vz = body.velocity.tolist()
        way = (leg.place[0] - x, leg.place[1] - z)
        distance, speed = math.hypot(*way), math.hypot(vx, vz)
        if distance <= leg.near and speed < STILL_SPEED:
            return {DONE}
        along = (way[0] / distance, way[1] / distance)
        here = self._session.player_position()
        offset = (here[0] - x, here[2] - z)
        if self._stage == "push":
            self._stage_frames += 1
            gone = (
                speed > PUTT_SPEED * (2.0 if self._session.running else 1.0)
                or self._stage_frames > 120 * self._patience
            )
            if not gone:
                return {"forward"}
            self._stage = "settle"
        if self._stage == "settle":
            if speed > STILL_SPEED:
                return {NOTHING}
            self._stage = "approach"
        back = (x - along[0] * BEHIND, z - along[1] * BEHIND)
        if self._stage == "approach":
            self._running_wanted = True
            ahead = offset[0] * along[0] + offset[1] * along[1]
            aside = offset[0] * -along[1] + offset[1] * along[0]
            if math.dist((here[0], here[2]), back) < 0.45:
                self._stage = "aim"
            elif ahead > -0.6:
                side = 1.0 if aside >= 0.0 else -1.0
                reach = AROUND if ahead > 0.3 else 0.8 * AROUND
                shift = 0.0 if ahead > 0.3 else BEHIND
                place = (
                    x - along[1] * side * reach - along[0] * shift,
                    z + along[0] * side * reach - along[1] * shift,
                )
                return self._around(self._towards(place), offset)
            else:
                return self._around(self._towards(back), offset)
        self._running_wanted = distance > RUN_UP
        off = heading_error(here, (x, z), self._session.player.heading)
        if abs(off) > AIMED_WELL:
            return {"left" if off > 0 else "right"}
        cosine = -(offset[0] * along[0] + offset[1] * along[1]) / math.hypot(*offset)
        if cosine < STRAIGHT and self._stage_frames < 3:
            self._stage, self._stage_frames = "approach", self._stage_frames + 1
            return {NOTHING}
        self._stage, self._stage_frames = "push", 0
        return {"forward"}

    def _around(self, keys: set[str], offset: tuple[float, float]) -> set[str]:
        """Leave out forward where it would run into the body that is to be gone round."""
        look = world_forward(self._session.player.heading)
        distance = math.hypot(*offset)
        if distance < CLEAR and -(offset[0] * look[0] + offset[1] * look[2]) > 0.35 * distance:
            keys.discard("forward")
        return keys or {NOTHING}

    def _roll(self, leg: Leg) -> set[str]:
        """Push the taken ball along the camera's directions, and brake before the place."""
        ball = self._session.ball.body
        if ball is None or not self._session.ball.taken:
            raise PilotError(f"leg {self._at}, {leg}: no ball is taken")
        x, _, z = ball.position.tolist()
        vx, _, vz = ball.velocity.tolist()
        way = (leg.place[0] - x, leg.place[1] - z)
        if math.hypot(*way) <= leg.near:
            return {DONE}
        # Where the speed should be: towards the place, slower when near; the keys give the difference.
        fast = min(FASTEST_ROLL, 0.9 * math.hypot(*way) + 0.4)
        scale = fast / math.hypot(*way)
        wanted = (way[0] * scale - vx, way[1] * scale - vz)
        view = self._session.camera.directions
        keys = set()
        forward = wanted[0] * view.forward[0] + wanted[1] * view.forward[2]
        right = wanted[0] * view.right[0] + wanted[1] * view.right[2]
        for amount, positive, negative in ((forward, "forward", "back"), (right, "right", "left")):
            if abs(amount) > ROLL_SLACK:
                keys.add(positive if amount > 0 else negative)
        return keys or {NOTHING}

    def _towards(self, place: tuple[float, float]) -> set[str]:
        """Return the keys that bring the player nearer to a place."""
        off = heading_error(self._session.player_position(), place, self._session.player.heading)
        keys = {"left" if off > 0 else "right"} if abs(off) > AIMED else set()
        if abs(off) <= GOING:
            keys.add("forward")
        return keys


def heading_error(here: Vector, place: tuple[float, float], heading: int) -> int:
    """Return how far to turn left (negative: right) to look from `here` at a place, in heading units."""
    wanted = math.atan2(here[0] - place[0], here[2] - place[1]) / (2 * math.pi) * TURN
    return (round(wanted) - heading + TURN // 2) % TURN - TURN // 2
