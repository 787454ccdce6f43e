"""The forward steep-surface check: which surface lies ahead, and whether it is too steep."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from movement.collision_world import CollisionWorld
from movement.contacts import GROUND, STEEP, Contact, classify_normal
from movement.support import vertical_segment
from movement.terrain import TerrainSample

Vector = tuple[int, int, int]

INITIAL_RANK = 999999
INITIAL_HEIGHT = 9999999  # map units
MIDDLE_RANK = 16384  # of a segment contact at the segment's centre


class SlopeSurface(NamedTuple):
    """The surface selected at a proposed position.

    Attributes:
        height: [map units].
        normal: times 256.
        terrain: it is terrain, not a model.
    """

    height: float
    normal: Vector
    terrain: bool

    @property
    def classification(self) -> int:
        """What the surface is, by its normal."""
        return classify_normal(self.normal[1])


def select_slope(
    contacts: Iterable[Contact], terrain: TerrainSample | None, center_y: int, half_length: int
) -> SlopeSurface | None:
    """Return the surface that the steep-surface check looks at, or None.

    Model contacts of classification 2 or 4 compete by their distance from the middle rank; the first equal one stays.
    Terrain then wins when it is nearer to the centre than the selected model's height.

    Args:
        contacts: of the vertical segment, in candidate and contact order.
        terrain: at the proposed position, or None.
        center_y: centre of the segment: integer actor Y plus the positive Y extent [map units].
        half_length: `post_collide_height` [map units].

    Source: movement: Forward slope surface selection.
    """
    rank, height = INITIAL_RANK, INITIAL_HEIGHT
    selected: SlopeSurface | None = None
    for contact in contacts:
        distance = abs(MIDDLE_RANK - contact.rank)
        if distance < rank and contact.classification in (STEEP, GROUND):
            rank, height = distance, contact.position[1]
            selected = SlopeSurface(height, contact.normal, False)
    if (
        terrain is not None
        and terrain.height <= center_y + half_length
        and abs(math.trunc(terrain.height - center_y)) < abs(height - center_y)
    ):
        return SlopeSurface(terrain.height, terrain.normal, True)
    return selected


def slope_rejects(selected: SlopeSurface | None) -> bool:
    """Return whether the selected surface refuses the attempt: only steep ground (2) does.

    Source: movement: Forward slope surface selection.
    """
    return selected is not None and selected.classification == STEEP


def steep_ahead(
    world: CollisionWorld,
    position: Vector,
    positive_y: int,
    post_collide_height: int,
    query_radius: float,
    *,
    collision_bit: bool = True,
    alternate_mode: bool = False,
    own: int = -1,
) -> bool:
    """Return whether a proposed position lies on steep ground.

    Args:
        world: where to look.
        position: proposed actor position [runtime units].
        positive_y: positive Y extent of the bounds [map units].
        post_collide_height: SYSTEM.INI value: half the length of the segment [map units].
        query_radius: search radius for models [map units].
        collision_bit: collision attribute mask 0x04; without it the check is bypassed.
        alternate_mode: the designated player's alternate collision mode; with it the check is bypassed.
        own: placement of the actor's own model, or -1.

    Source: movement: Forward slope surface selection.
    """
    if not collision_bit or alternate_mode:
        return False
    start, end = vertical_segment(position, positive_y, post_collide_height)
    x, z = start[0], start[2]
    near = world.candidates((x, position[1] >> 8, z), query_radius, own).face_models
    contacts = world.segment_contacts(near, start, end)
    terrain = world.terrain_sample(x, z)
    return slope_rejects(select_slope(contacts, terrain, start[1] + post_collide_height, post_collide_height))
