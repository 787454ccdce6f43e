"""Bodies float: a controller for each body that pushes it up by what it displaces, at the original's priority."""

from __future__ import annotations

from collections.abc import Sequence

import physics
from assets_pipeline.level_play import Water
from physics.joints import ControllerEvent, PythonController

PRIORITY = (
    1600  # buoyancy in the order of ivp 6.4: before gravity, so that its pushes are committed in the same PSI
)


class Buoyancy:
    """Lifts and slows one body while it is in water. It keeps no state, so a snapshot needs none of it.

    What a body displaces is taken as a ball of its volume: enough for crates, logs and balls.
    """

    priority = PRIORITY

    def __init__(self, body: physics.Body, waters: Sequence[Water], gravity: float) -> None:
        self.bodies = (body,)
        self._waters, self._gravity = tuple(waters), gravity
        self._volume = body.shape.volume
        self._radius = (self._volume * 0.238732414637843) ** (1.0 / 3.0)  # 3 / (4 pi)

    def simulate(self, event: ControllerEvent) -> None:
        """Push the body for one PSI."""
        body = self.bodies[0]
        x, y, z = body.mass_center_position.tolist()
        for water in self._waters:
            cx, cy, cz = water.center
            hx, hy, hz = water.half_extents
            top = cy + hy
            if abs(x - cx) > hx or abs(z - cz) > hz or y - self._radius > top or y < cy - hy - 1.0:
                continue
            under = min((top - (y - self._radius)) / (2.0 * self._radius), 1.0)
            share = under * under * (3.0 - 2.0 * under)  # volume of a ball's cap
            lift = water.density * self._volume * share * self._gravity * event.dt
            slow = min(water.drag * share * event.dt, 1.0) * body.mass
            vx, vy, vz = body.velocity.tolist()
            body.push((-vx * slow, lift - vy * slow, -vz * slow), at=(x, y, z))
            return


def add_buoyancy(
    world: physics.World, body: physics.Body, waters: Sequence[Water], gravity: float
) -> PythonController | None:
    """Let a body float in `waters`; return its controller, or None where there is no water or nothing to float."""
    if not waters or body.fixed or body.kinematic:
        return None
    return world.add_controller(Buoyancy(body, waters, gravity))
