"""Lifts, gates and hammers: kinematic bodies that follow a path or swing, and the plates that drive them."""

from __future__ import annotations

import math

from assets_pipeline.level_bodies import Body
from assets_pipeline.level_play import Mover, Plate, Swing
from assets_pipeline.vectors import multiply
from game.rules.vectors import (
    Quaternion,
    Vector,
    about,
    add,
    blend,
    length,
    rotate,
    scale,
    subtract,
)

Pose = tuple[Vector, Quaternion]
SHORTEST_RAMP = 1e-6  # s: below that the acceleration is not a useful number
SHORTEST_LEG = 0.05  # s: waypoints in one place would otherwise be run through for ever within a frame


def eased(distance: float, speed: float, ease: float, time: float) -> float:
    """Return how far one has come after `time` on a way of `distance` at `speed`, with soft start and stop.

    The speed grows evenly during `ease` seconds and falls evenly at the end; a way too short for both is run
    in two halves. The whole takes `travel_time` seconds.
    """
    if speed <= 0.0 or distance <= 0.0:
        return distance
    ramp = min(ease, distance / speed)  # with ramps of this length the top speed is just reached
    total = distance / speed + ramp
    time = min(max(time, 0.0), total)
    if ramp < SHORTEST_RAMP:
        return min(speed * time, distance)
    acceleration = speed / ramp
    if time < ramp:
        return acceleration * time * time / 2
    if time > total - ramp:
        left = total - time
        return distance - acceleration * left * left / 2
    return speed * (time - ramp / 2)


def travel_time(distance: float, speed: float, ease: float) -> float:
    """Return how long `eased` takes for the whole way."""
    return 0.0 if speed <= 0.0 or distance <= 0.0 else distance / speed + min(ease, distance / speed)


class MoverState:
    """Where a mover is on its path: the leg it is on, which way, and how long on it (or waiting)."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover
        self.leg = 0
        self.forward = True
        self.time = 0.0
        self.waiting = mover.path[0].wait
        self.done = False

    def update(self, seconds: float, *, driven: bool, ridden: bool) -> None:
        """Let time pass. `driven`: its plate is down; `ridden`: someone stands on it."""
        wanted = self._direction(driven=driven, ridden=ridden)
        while seconds > 0.0 and wanted is not None:
            if self.waiting > 0.0:
                spent = min(seconds, self.waiting)
                self.waiting -= spent
                seconds -= spent
                continue
            if wanted != self.forward:
                self._turn()
                wanted = self._direction(driven=driven, ridden=ridden)
                continue
            total = self._leg_time()
            spent = min(seconds, total - self.time)
            self.time += spent
            seconds -= spent
            if self.time >= total:
                self._arrive()
                wanted = self._direction(driven=driven, ridden=ridden)

    def pose(self) -> Pose:
        """Return the pose of its body now."""
        path = self.mover.path
        start, end = (self.leg, self.leg + 1) if self.forward else (self.leg + 1, self.leg)
        a, b = path[start], path[end]
        way = length(subtract(b.position, a.position))
        part = 1.0 if way == 0.0 else eased(way, self.mover.speed, self.mover.ease, self.time) / way
        if self.time == 0.0:
            part = 0.0
        place = add(a.position, scale(subtract(b.position, a.position), part))
        return place, blend(a.rotation, b.rotation, part)

    def _direction(self, *, driven: bool, ridden: bool) -> bool | None:
        """Return whether it wants to go forward or back along its path; None: it stays."""
        mode = self.mover.mode
        at_start = self.leg == 0 and (self.time == 0.0 if self.forward else self.time >= self._leg_time())
        last = self.leg == len(self.mover.path) - 2
        at_end = last and (self.time >= self._leg_time() if self.forward else self.time == 0.0)
        if mode == "held":
            if driven:
                return None if at_end else True
            return None if at_start else False
        if mode == "once":
            self.done = self.done or driven
            return True if self.done and not at_end else None
        if mode == "ride" and not ridden and (at_start or at_end):
            return None
        if at_end:
            return False
        if at_start:
            return True
        return self.forward

    def _leg_time(self) -> float:
        a, b = self.mover.path[self.leg], self.mover.path[self.leg + 1]
        way = length(subtract(b.position, a.position))
        return max(travel_time(way, self.mover.speed, self.mover.ease), SHORTEST_LEG)

    def _turn(self) -> None:
        """Turn round where it is: the time that is left becomes the time that has passed."""
        self.time = max(self._leg_time() - self.time, 0.0)
        self.forward = not self.forward

    def _arrive(self) -> None:
        reached = self.leg + 1 if self.forward else self.leg
        self.waiting = self.mover.path[reached].wait
        following = self.leg + (1 if self.forward else -1)
        if 0 <= following <= len(self.mover.path) - 2:
            self.leg, self.time = following, 0.0

    def state(self) -> list[float]:
        """Return what decides the future."""
        return [self.leg, self.forward, self.time, self.waiting, self.done]

    def restore(self, state: list[float]) -> None:
        """Go back to what `state` returned."""
        if not 0 <= state[0] < len(self.mover.path) - 1:
            raise ValueError(f"found leg {state[0]}, expected 0 to {len(self.mover.path) - 2}")
        self.leg, self.time, self.waiting = int(state[0]), state[2], state[3]
        self.forward, self.done = bool(state[1]), bool(state[4])


def swing_pose(swing: Swing, body: Body, time: float) -> Pose:
    """Return the pose of a swinging body at `time` seconds since the level began."""
    turns = time / swing.period + swing.phase
    angle = math.radians(swing.amplitude) * math.sin(2.0 * math.pi * turns)
    turn = about(swing.axis, angle)
    arm = subtract(body.position, swing.pivot)
    return add(swing.pivot, rotate(turn, arm)), multiply(turn, body.rotation)


def plate_is_down(plate: Plate, masses: list[float], player_inside: bool) -> bool:
    """Return whether the weights in a plate's volume press it down."""
    return sum(masses) + (plate.player_mass if player_inside else 0.0) >= plate.mass
