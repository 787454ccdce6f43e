"""Ours: standing on something that moves: the actor goes where the point under it goes, and turns with it."""

import math

from movement.angles import (
    HEADING_MASK,
    heading_difference,
    heading_from_displacement,
    heading_samples,
)
from movement.body import MAP_UNIT, Body
from movement.clock import NOMINAL_SCALE, Frame
from movement.support import SourceKind

_ARM = 256.0  # map units ahead of the actor, to see how far its ground has turned
_TURN_UNITS = 2048 * 256 / 6.283185307179586  # 1/256 heading units a radian
_THROWN = 128 * MAP_UNIT  # runtime units of one frame
_SMALL_SINE = 0.125  # below it an angle is its sine, to a third of a percent


def turned_by(before: tuple[float, float], after: tuple[float, float]) -> int:
    """Return the heading change from one horizontal direction (x, z) to another, in 1/256 heading units (ours).

    Small angles are their sine, so that a slow turn is not lost to whole units; large ones are quantized headings.
    """
    length = math.sqrt((before[0] ** 2 + before[1] ** 2) * (after[0] ** 2 + after[1] ** 2))
    if length == 0.0:
        return 0
    sine = (before[1] * after[0] - before[0] * after[1]) / length
    if abs(sine) < _SMALL_SINE and before[0] * after[0] + before[1] * after[1] > 0.0:
        return -round(sine * _TURN_UNITS)
    first = heading_from_displacement(round(before[0] * MAP_UNIT), round(before[1] * MAP_UNIT))
    second = heading_from_displacement(round(after[0] * MAP_UNIT), round(after[1] * MAP_UNIT))
    return heading_difference(second, first) << 8


def carry(body: Body, frame: Frame) -> None:
    """Move and turn the body with the moving placement that supports it, since the world's frame began (ours)."""
    body.drift_x = body.drift_z = 0
    support = body.support.support
    if support.kind != SourceKind.MODEL or support.placement not in body.moving:
        body.carried_turn = 0
        return
    x, y, z = (coordinate / MAP_UNIT for coordinate in body.position)
    carried = body.world.carried_point(support.placement, (x, y, z))
    now = (round(carried[0] * MAP_UNIT), round(carried[1] * MAP_UNIT), round(carried[2] * MAP_UNIT))
    sine, cosine = heading_samples(body.heading)
    arm = (sine * _ARM, cosine * _ARM)
    ahead = body.world.carried_point(support.placement, (x + arm[0], y, z + arm[1]))
    turn = body.carried_turn + turned_by(arm, (ahead[0] - carried[0], ahead[2] - carried[2]))
    body.heading = (body.heading + (turn >> 8)) & HEADING_MASK
    body.carried_turn = turn & 0xFF
    if (
        now != body.position
        and max(map(abs, (now[0] - body.position[0], now[2] - body.position[2]))) > _THROWN
    ):
        body.position = now  # no ride but a leap of the placement: nothing of it is kept
    elif now != body.position:
        scale = max(frame.scale, 1)
        body.drift_x = (now[0] - body.position[0]) * NOMINAL_SCALE // scale
        body.drift_z = (now[2] - body.position[2]) * NOMINAL_SCALE // scale
        body.position = now
