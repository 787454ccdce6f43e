"""The devices of a level in its world: movers, swings and plates, a frame at a time."""

from __future__ import annotations

import math

import physics
from assets_pipeline import Level
from game.drive import drive
from game.rules.movers import MoverState, Pose, plate_is_down, swing_pose
from game.rules.vectors import Vector, cross, length, scale, subtract


class Devices:
    """Lifts, gates, hammers and plates. Their bodies are kinematic: they go where they are told within the frame."""

    def __init__(self, level: Level, bodies: dict[str, physics.Body]) -> None:
        self._level, self._bodies = level, bodies
        self._shapes = {body.name: body for body in level.bodies}
        self._movers = [MoverState(mover) for mover in level.movers]
        self.plates_down: dict[str, bool] = {plate.name: False for plate in level.plates}
        self.time = 0.0

    def update(self, seconds: float, inside: dict[str, list[str]], ridden: frozenset[str]) -> list[str]:
        """Let time pass, and send every device's body to its new pose; return the plates that went down.

        Args:
            seconds: the frame's length.
            inside: what is in each trigger volume.
            ridden: names of bodies that someone stands on.
        """
        pressed = self._press(inside)
        self.time += seconds
        for state in self._movers:
            mover = state.mover
            state.update(
                seconds, driven=self.plates_down.get(mover.plate, False), ridden=mover.body in ridden
            )
            self._send(mover.body, state.pose(), seconds)
        for swing in self._level.swings:
            self._send(swing.body, swing_pose(swing, self._shapes[swing.body], self.time), seconds)
        return pressed

    def lowered(self) -> dict[str, float]:
        """Return how far each pressed plate's static is down, by its name [m]."""
        return {
            plate.static: plate.travel
            for plate in self._level.plates
            if plate.static and self.plates_down[plate.name]
        }

    def blow(self, body: str, point: Vector) -> Vector | None:
        """Return the velocity that the swing of `body` gives to a player at `point`, or None: it is no swing."""
        for swing in self._level.swings:
            if swing.body == body:
                turning = math.cos(2.0 * math.pi * (self.time / swing.period + swing.phase))
                way = cross(scale(swing.axis, turning), subtract(point, swing.pivot))
                size = length(way)
                return None if size < 1e-9 else scale(way, swing.hit_speed / size)
        return None

    def _press(self, inside: dict[str, list[str]]) -> list[str]:
        pressed = []
        for plate in self._level.plates:
            things = inside.get(plate.trigger, [])
            masses = [float(self._bodies[name].core.mass) for name in things if name in self._bodies]
            down = plate_is_down(plate, masses, "player" in things)
            if down and not self.plates_down[plate.name]:
                pressed.append(plate.name)
            self.plates_down[plate.name] = down
        return pressed

    def _send(self, name: str, pose: Pose, seconds: float) -> None:
        drive(self._bodies[name], *pose, seconds)

    def state(self) -> dict[str, object]:
        """Return what decides the future, as JSON can hold it."""
        movers = [state.state() for state in self._movers]
        return {"time": self.time, "plates": self.plates_down, "movers": movers}

    def restore(self, state: dict[str, object]) -> None:
        """Go back to what `state` returned."""
        plates, movers, time = state["plates"], state["movers"], state["time"]
        assert isinstance(plates, dict)
        assert isinstance(movers, list)
        assert isinstance(time, float)
        self.plates_down, self.time = dict(plates), time
        for mover, kept in zip(self._movers, movers, strict=True):
            mover.restore(kept)
