"""Startup ground settling: the one pass that puts a freshly entered actor on the ground."""

import math
from collections.abc import Iterable

from movement.candidates import STARTUP_RADIUS
from movement.collision_world import CollisionWorld
from movement.contacts import GROUND, STEEP, Contact
from movement.support import vertical_segment

Vector = tuple[int, int, int]

HALF_LENGTH = 500  # of the vertical segment [map units]
INITIAL_RANK = 65536
MIDDLE_RANK = 16384
RANK_PER_UNIT = 8388  # of terrain, eight fractional bits


def settling_terrain_rank(height: int, start_y: int) -> int:
    """Return the rank of a truncated terrain height: `abs(16384 - ((abs(height - start_y) * 8388) >> 8))`.

    Args:
        height: integer terrain height [map units].
        start_y: upper end of the segment.

    Source: movement: Startup ground settling.
    """
    return abs(MIDDLE_RANK - (abs(height - start_y) * RANK_PER_UNIT >> 8))


def select_settling_height(
    contacts: Iterable[Contact], terrain_height: float | None, start_y: int, end_y: int
) -> int | None:
    """Return the height to settle on, or None.

    Terrain, truncated toward zero, is eligible strictly between the ends. Model contacts of classification 2 or 4
    replace the selection only when their `abs(16384 - rank)` is strictly smaller.

    Args:
        contacts: of the segment, in candidate and contact order.
        terrain_height: untruncated terrain height, or None.
        start_y: upper end of the segment [map units].
        end_y: lower end.

    Source: movement: Startup ground settling.
    """
    rank = INITIAL_RANK
    selected: int | None = None
    if terrain_height is not None:
        height = math.trunc(terrain_height)
        if start_y < height < end_y:
            rank, selected = settling_terrain_rank(height, start_y), height
    for contact in contacts:
        distance = abs(MIDDLE_RANK - contact.rank)
        if distance < rank and contact.classification in (STEEP, GROUND):
            rank, selected = distance, contact.position[1]
    return selected


def settled_y(selected_height: int, positive_y: int, standing_height: int) -> int:
    """Return the settled actor Y: `(selected_height - positive_y + standing_height) * 256` [runtime units].

    Source: movement: Startup ground settling.
    """
    return (selected_height - positive_y + standing_height) * 256


def settle(
    world: CollisionWorld, position: Vector, positive_y: int, standing_height: int, own: int = -1
) -> int:
    """Return the actor Y after startup settling; unchanged where there is nothing to stand on. X and Z never change.

    Args:
        world: where to look.
        position: actor position [runtime units].
        positive_y: positive Y extent of the bounds [map units].
        standing_height: SYSTEM.INI value [map units].
        own: placement of the actor's own model, or -1.

    Source: movement: Startup ground settling.
    """
    start, end = vertical_segment(position, positive_y, HALF_LENGTH)
    x, z = start[0], start[2]
    near = world.candidates((x, position[1] >> 8, z), STARTUP_RADIUS, own).face_models
    terrain = world.terrain_sample(x, z)
    height = select_settling_height(
        world.segment_contacts(near, start, end),
        None if terrain is None else terrain.height,
        start[1],
        end[1],
    )
    return position[1] if height is None else settled_y(height, positive_y, standing_height)
