"""The debug overlay (F1): contacts, collision spheres, the support probe, sleeping units, as lines and words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from game.render.scene import DebugLines
from game.rules.vectors import Vector, add, rotate
from game.session import MAP_UNITS_A_METRE, Session

SPHERE = (90, 220, 255, 255)
PROBE = (255, 230, 90, 255)
AWAKE = (255, 140, 70, 255)
ASLEEP = (110, 130, 200, 255)
CONTACT = (255, 70, 90, 255)
CIRCLE_PARTS = 16
Line = tuple[Vector, Vector, tuple[int, int, int, int]]


def debug_lines(session: Session) -> DebugLines:
    """Return the overlay's lines for the present state."""
    lines = [*_spheres(session), *_probe(session), *_bodies(session)]
    points = np.array([(start, end) for start, end, _ in lines], np.float32).reshape(-1, 2, 3)
    colours = np.array([colour for *_, colour in lines], np.uint8).reshape(-1, 4)
    world_points, world_colours = session.world.debug_lines()
    return DebugLines(np.concatenate([points, world_points]), np.concatenate([colours, world_colours]))


def debug_words(session: Session) -> list[str]:
    """Return the overlay's lines of text."""
    player = session.player
    x, y, z = player.map_position
    units = session.world.sim_units
    asleep = sum(1 for state, _ in units if state == 8)
    lines = [
        f"position {x} {y} {z}   heading {player.heading}   {player.mode.name.lower()}",
        f"surface {player.surface}   support {player.support.kind.name.lower()}   scale {session.clock.scale}",
        f"sim units {len(units)}, asleep {asleep}   PSI {session.world.psi_count}",
    ]
    return lines


def _spheres(session: Session) -> Iterator[Line]:
    for x, y, z, radius in session.player.body.spheres:
        middle = _to_world(session, (x, y, z))
        for axis in range(3):
            yield from _circle(middle, radius / MAP_UNITS_A_METRE, axis)


def _to_world(session: Session, local: tuple[float, float, float]) -> Vector:
    x, y, z = session.player.position
    offset = (x / 256 + local[0], y / 256 + local[1], z / 256 + local[2])
    return session.level.to_world(offset)


def _circle(middle: Vector, radius: float, axis: int) -> Iterator[Line]:
    points = []
    for part in range(CIRCLE_PARTS + 1):
        angle = 2 * math.pi * part / CIRCLE_PARTS
        offset = [0.0, 0.0, 0.0]
        offset[(axis + 1) % 3], offset[(axis + 2) % 3] = radius * math.cos(angle), radius * math.sin(angle)
        points.append(add(middle, (offset[0], offset[1], offset[2])))
    for start, end in pairwise(points):
        yield start, end, SPHERE


def _probe(session: Session) -> Iterator[Line]:
    rules = session.player.body.rules
    reach = float(rules.search_distance)
    top = _to_world(session, (0.0, rules.positive_y - reach, 0.0))
    yield top, _to_world(session, (0.0, rules.positive_y + reach, 0.0)), PROBE


def _bodies(session: Session) -> Iterator[Line]:
    """A cross at every moving body, in the colour of its state."""
    for body in session.bodies.values():
        x, y, z = (float(value) for value in body.position)
        qx, qy, qz, qw = (float(value) for value in body.rotation)
        colour = ASLEEP if body.frozen else AWAKE
        for axis in ((0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.4)):
            yield (x, y, z), add((x, y, z), rotate((qx, qy, qz, qw), axis)), colour
