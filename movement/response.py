"""What body contacts do to a movement: collection, facing, horizontal response, facing adjustment, separation."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from movement.angles import (
    HALF_TURN,
    HEADING_MASK,
    corrected_difference,
    heading_difference,
    heading_from_displacement,
    opposing_heading,
)
from movement.collision_world import CollisionWorld
from movement.contacts import GROUND, Contact
from movement.single import single, truncated_division

Vector = tuple[int, int, int]

BODY_CONTACT_LIMIT = 16
UNIT_LENGTH = 65536  # of a normalised movement
FACING_LIMIT = 512  # heading units, exclusive
LARGEST_ADJUSTMENT = 32  # heading units


class BodyResponse(NamedTuple):
    """Where the primary body response leaves an actor.

    Attributes:
        position: [runtime units]; Y is the attempted one.
        heading: 0..2047 after the facing adjustment.
        contacts: facing contacts that took part, in order.
        projected: the last of them slid the movement along its wall.
    """

    position: Vector
    heading: int
    contacts: tuple[Contact, ...]
    projected: bool


# --- collection and admission ---------------------------------------------------------------------------------------


def collect_body_contacts(
    model_contacts: Iterable[Contact], terrain_contact: Contact | None = None
) -> list[Contact]:
    """Return the primary body contacts: at most sixteen model contacts; terrain follows only fewer than that.

    Source: movement: Primary body-contact collection.
    """
    contacts: list[Contact] = []
    for contact in model_contacts:
        contacts.append(contact)
        if len(contacts) == BODY_CONTACT_LIMIT:
            return contacts
    if terrain_contact is not None:
        contacts.append(terrain_contact)
    return contacts


def movement_heading(previous: Vector, current: Vector, heading: int) -> int:
    """Return the heading of the current-minus-previous X/Z displacement, or `heading` when both are unchanged.

    Source: movement: Body-contact facing admission.
    """
    dx, dz = current[0] - previous[0], current[2] - previous[2]
    return heading_from_displacement(dx, dz) if dx or dz else heading


def faces_movement(normal: Vector, heading: int) -> bool:
    """Return whether a contact faces a movement heading: corrected difference strictly within -512 to 512.

    Quirk: the correction by 2047 admits one quarter-turn boundary (1536 becomes -511) and not the other (512).

    Source: movement: Body-contact facing admission.
    """
    difference = corrected_difference(opposing_heading(normal[0], normal[2]), heading)
    return -FACING_LIMIT < difference < FACING_LIMIT


# --- the primary response -------------------------------------------------------------------------------------------


def normalized(x: int, y: int, z: int) -> Vector:
    """Return an integer vector at length 65536, as the body response normalises it; the zero vector stays zero.

    Each component goes to single precision; the squares add up at extended precision, the sum is stored at double,
    its root over 65536 and each quotient at single precision, then nearest-even.

    Source: movement: Horizontal body-contact response, Residual static-contact separation.
    """
    scale = single(vector_length(x, y, z) / UNIT_LENGTH)
    if scale == 0.0:
        return 0, 0, 0
    return (
        round(single(single(x) / scale)),
        round(single(single(y) / scale)),
        round(single(single(z) / scale)),
    )


def vector_length(*components: int) -> float:
    """Return the length of an integer vector whose components were stored at single precision, at double precision."""
    # Squares of single-precision numbers are exact in double: fsum rounds their sum once.
    return math.sqrt(math.fsum(single(component) ** 2 for component in components))


def wall_dot(movement: Vector, normal: Vector) -> int:
    """Return `(movement_x normal_x + movement_z normal_z) >> 8`, with an arithmetic shift.

    Source: movement: Horizontal body-contact response.
    """
    return movement[0] * normal[0] + movement[2] * normal[2] >> 8


def project_movement(movement: Vector, normal: Vector, dot: int) -> tuple[int, int]:
    """Return the X and Z of a normalised movement less its component along a wall normal.

    Reading: the removed component is `(dot * normal) >> 8` per axis.

    Source: movement: Horizontal body-contact response.
    """
    return movement[0] - (dot * normal[0] >> 8), movement[2] - (dot * normal[2] >> 8)


def wall_response(
    previous: Vector,
    position: Vector,
    movement: Vector,
    normal: Vector,
    slide_range: int,
    sliding: bool = False,
) -> tuple[Vector, bool]:
    """Return (position, projected) after one facing wall contact; Y is left alone.

    Args:
        previous: position before the movement [runtime units].
        position: position so far.
        movement: the attempted displacement, normalised.
        normal: integer contact normal.
        slide_range: SYSTEM.INI value: steeper than this the actor stops instead of sliding.
        sliding: the actor is in the sliding state, which is not put back.

    Source: movement: Horizontal body-contact response.
    """
    dot = wall_dot(movement, normal)
    if dot > slide_range:
        x, z = project_movement(movement, normal, dot)
        return (previous[0] + (x >> 4), position[1], previous[2] + (z >> 4)), True
    if sliding:
        return position, False
    return (previous[0], position[1], previous[2]), False


def adjusted_heading(movement: int, normal: Vector, heading: int) -> int:
    """Return the actor's heading after a projected wall response.

    Args:
        movement: quantized heading of the attempted displacement, which is turned away from the wall by up to 32.
        normal: integer contact normal.
        heading: the actor's heading before the response; more than a quarter turn from the movement, the result is
            turned by half a turn (walking backwards).

    Source: movement: Grounded wall-facing adjustment. Reading: the result is masked in every case.
    """
    difference = corrected_difference(opposing_heading(normal[0], normal[2]), movement)
    adjusted = movement
    if difference > 0:
        adjusted -= min(difference, LARGEST_ADJUSTMENT)
    elif difference < 0:
        adjusted += min(-difference, LARGEST_ADJUSTMENT)
    if abs(heading_difference(heading, movement)) > FACING_LIMIT:
        adjusted += HALF_TURN
    return adjusted & HEADING_MASK


def respond_to_contacts(
    previous: Vector,
    attempted: Vector,
    heading: int,
    contacts: Iterable[Contact],
    slide_range: int,
    *,
    sliding: bool = False,
    adjusts_facing: bool = True,
) -> BodyResponse:
    """Return the primary body response over the collected contacts, in stored order.

    Args:
        previous: position before the movement [runtime units].
        attempted: position after movement and ground response.
        heading: the actor's heading.
        contacts: collected body contacts; ordinary ground (4) does not take part.
        slide_range: SYSTEM.INI value.
        sliding: the actor is sliding, so that it is not put back and keeps its facing.
        adjusts_facing: ordinary grounded actor: no airborne or special state.

    With several facing contacts each starts from the previous position, and the last one wins (reading).

    Source: movement: Body-contact facing admission, Horizontal body-contact response, Grounded wall-facing adjustment.
    """
    toward = movement_heading(previous, attempted, heading)  # kept over the loop
    movement = normalized(*(now - before for now, before in zip(attempted, previous, strict=True)))
    position, facing, projected = attempted, heading, False
    met: list[Contact] = []
    for contact in contacts:
        if contact.classification == GROUND or not faces_movement(contact.normal, toward):
            continue
        met.append(contact)
        position, projected = wall_response(
            previous, position, movement, contact.normal, slide_range, sliding
        )
        if projected and adjusts_facing and not sliding and position != previous:
            facing = adjusted_heading(toward, contact.normal, heading)
    return BodyResponse(position, facing, tuple(met), projected)


# --- residual separation --------------------------------------------------------------------------------------------


def separation_distance(dx: int, dz: int, poly_push_units: int) -> int:
    """Return how far residual contacts push: the horizontal displacement's length >> 8, at least `poly_push_units`.

    Source: movement: Residual static-contact separation.
    """
    return max(round(single(vector_length(dx, dz))) >> 8, poly_push_units)


def separation_direction(normals: Sequence[Vector]) -> Vector:
    """Return the averaged contact normal at length 256: sums over the count, truncated, normalised, then >> 8.

    Source: movement: Residual static-contact separation.
    """
    count = len(normals)
    x, y, z = (truncated_division(sum(normal[axis] for normal in normals), count) for axis in range(3))
    x, y, z = normalized(x, y, z)
    return x >> 8, y >> 8, z >> 8


def separate(
    previous: Vector, position: Vector, normals: Sequence[Vector], poly_push_units: int
) -> tuple[Vector, bool]:
    """Return (position, separated) after residual separation; Y is left alone.

    Args:
        previous: position before the movement [runtime units].
        position: position after the primary body response.
        normals: integer normals of all remaining static face contacts.
        poly_push_units: SYSTEM.INI value: the least distance.

    Contacts mark the result even when their averaged normal has no horizontal part.

    Source: movement: Residual static-contact separation.
    """
    if not normals:
        return position, False
    distance = separation_distance(position[0] - previous[0], position[2] - previous[2], poly_push_units)
    x, _, z = separation_direction(normals)
    return (position[0] + x * distance, position[1], position[2] + z * distance), True


# --- against a world ------------------------------------------------------------------------------------------------


def body_contacts(
    world: CollisionWorld,
    position: Vector,
    rotation: Sequence[Sequence[float]],
    spheres: Sequence[tuple[float, float, float, float]],
    query_radius: float,
    own: int = -1,
) -> list[Contact]:
    """Return the primary body contacts of an actor's obstacle spheres at a position [runtime units].

    Source: movement: Primary body-contact collection.
    """
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    near = world.candidates(origin, query_radius, own).face_models
    contacts = world.sphere_contacts(near, origin, rotation, spheres, limit=BODY_CONTACT_LIMIT)
    return collect_body_contacts(contacts, terrain_body_contact(world, origin, rotation, spheres))


def terrain_body_contact(
    world: CollisionWorld,
    origin: Vector,
    rotation: Sequence[Sequence[float]],
    spheres: Sequence[tuple[float, float, float, float]],
) -> Contact | None:
    """Return the terrain contact of an actor, or None (ours: the text does not say when there is one).

    The triangle under the actor's origin touches when an obstacle sphere reaches its plane, or lies below it.
    """
    sample = world.terrain_sample(origin[0], origin[2])
    if sample is None:
        return None
    # The plane's normal in actor axes: as far as a centre lies along it, so far is the sphere above the plane.
    normal_x, normal_y, normal_z = sample.normal
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rotation
    along_x = xx * normal_x + yx * normal_y + zx * normal_z
    along_y = xy * normal_x + yy * normal_y + zy * normal_z
    along_z = xz * normal_x + yz * normal_y + zz * normal_z
    origin_above = (origin[1] - sample.height) * normal_y
    for x, y, z, radius in spheres:
        if origin_above + x * along_x + y * along_y + z * along_z <= radius * 256:
            return Contact((origin[0], math.trunc(sample.height), origin[2]), sample.normal)
    return None


def residual_contacts(
    world: CollisionWorld,
    position: Vector,
    rotation: Sequence[Sequence[float]],
    spheres: Sequence[tuple[float, float, float, float]],
    query_radius: float,
    own: int = -1,
) -> list[Contact]:
    """Return all static face contacts that remain at a position [runtime units]; no limit over all models.

    Source: movement: Residual static-contact separation.
    """
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    near = world.candidates(origin, query_radius, own).face_models
    return world.sphere_contacts(near, origin, rotation, spheres)
