"""Ours: standing on something that moves: the actor goes where the point under it goes, and turns with it."""

from movement.angles import HEADING_MASK, heading_from_displacement, heading_samples
from movement.body import MAP_UNIT, Body
from movement.clock import NOMINAL_SCALE, Frame
from movement.support import SourceKind

_ARM = 256.0  # map units ahead of the actor, to see how far its ground has turned


def carry(body: Body, frame: Frame) -> None:
    """Move and turn the body with the moving placement that supports it, since the world's frame began (ours)."""
    body.drift_x = body.drift_z = 0
    support = body.support.support
    if support.kind != SourceKind.MODEL or support.placement not in body.moving:
        return
    x, y, z = (coordinate / MAP_UNIT for coordinate in body.position)
    carried = body.world.carried_point(support.placement, (x, y, z))
    now = (round(carried[0] * MAP_UNIT), round(carried[1] * MAP_UNIT), round(carried[2] * MAP_UNIT))
    sine, cosine = heading_samples(body.heading)
    ahead = body.world.carried_point(support.placement, (x + sine * _ARM, y, z + cosine * _ARM))
    before = heading_from_displacement(round(sine * 65536), round(cosine * 65536))
    after = heading_from_displacement(
        round((ahead[0] - carried[0]) * MAP_UNIT), round((ahead[2] - carried[2]) * MAP_UNIT)
    )
    body.heading = (body.heading + after - before) & HEADING_MASK
    if now != body.position:
        scale = max(frame.scale, 1)
        body.drift_x = (now[0] - body.position[0]) * NOMINAL_SCALE // scale
        body.drift_z = (now[2] - body.position[2]) * NOMINAL_SCALE // scale
        body.position = now
