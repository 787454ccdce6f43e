"""Ordinary ground support: ranking, the fallback sphere, misses, the surface updater and the wrapper around them."""

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from movement.collision_arrays import FLAG_SUPPORT_HISTORY
from movement.collision_world import CollisionWorld
from movement.contacts import GROUND, SIDE, STEEP, Contact, classify_normal
from movement.errors import MovementError
from movement.orientation import IDENTITY
from movement.surfaces import VETO_SURFACES
from movement.terrain import TerrainSample
from movement.terrain_material import NO_MATERIAL, TEXTURE_SET, terrain_image, terrain_material

Vector = tuple[int, int, int]

MAP_UNIT = 256  # runtime units
NO_SUPPORT = -(2**31)  # reading: the no-support sentinel in place of an actor height [runtime units]
INITIAL_RANK = 65536
RANK_ABOVE = 65535  # of terrain above the upper end of the segment
HISTORY_UPDATES = 12  # nominal ticks that the support history lasts
FALLBACK_RADIUS, FALLBACK_RADIUS_WITH_HISTORY = 10, 14  # map units
FALLBACK_RISE = 3  # map units


class SourceKind(IntEnum):
    """What an actor stands on (reading: the values are ours, but for 0)."""

    NONE = 0
    TERRAIN = 1
    MODEL = 2


class Support(NamedTuple):
    """The result of a support query.

    Attributes:
        kind: where the support comes from.
        classification: stored surface classification; 0 without support.
        placement: the supporting placement, or -1.
        face: its face, or -1.
        normal: contact normal times 256. Kept over a miss.
        texture: packed texture, `set << 7 | image`. Kept over a miss.
        metadata: collision flag byte of the placement, 0 on terrain. Kept over a miss.
        height: actor Y that the support gives [runtime units]; NO_SUPPORT without one.
    """

    kind: SourceKind = SourceKind.NONE
    classification: int = 0
    placement: int = -1
    face: int = -1
    normal: Vector = (0, 0, 0)
    texture: int = 0
    metadata: int = 0
    height: int = NO_SUPPORT


class SupportRules(NamedTuple):
    """What a support query knows about its actor.

    Attributes:
        positive_y: positive Y extent of the bounds [map units].
        search_distance: half the length of the vertical segment [map units], at least 1.
        standing_height: SYSTEM.INI value [map units].
        collision_bit: collision attribute mask 0x04 is set.
        designated: this is the designated player: it has a fallback query and a support history.
        center_offset: collision centre of the bounds [map units].
        query_radius: search radius for models [map units].
        own: placement of the actor's own model, or -1.
    """

    positive_y: int
    search_distance: int
    standing_height: int = -2
    collision_bit: bool = True
    designated: bool = True
    center_offset: Vector = (0, 0, 0)
    query_radius: float = 200
    own: int = -1


class SupportState(NamedTuple):
    """What an actor keeps from one support query to the next.

    Attributes:
        support: the last result.
        history: support-history counter [nominal ticks].
        surface: the actor's stored surface state.
        veto: the shared surface veto.
    """

    support: Support = Support()
    history: int = 0
    surface: int = 0
    veto: int = 0


class SurfaceUpdate(NamedTuple):
    """The three separate results of the surface updater."""

    returned: int
    surface: int
    veto: int


class WrapperResult(NamedTuple):
    """What the ordinary support wrapper leaves behind.

    Attributes:
        state: the new state.
        previous_surface: the actor's surface before the query.
        returned_surface: the updater's return value; None: it did not run.
    """

    state: SupportState
    previous_surface: int
    returned_surface: int | None


# --- the primary query -------------------------------------------------------------------------------------------


def vertical_segment(position: Vector, positive_y: int, half_length: int) -> tuple[Vector, Vector]:
    """Return the upper and the lower end of a support segment in map units.

    It is centred on the integer actor Y plus the positive Y extent. Source: movement: Ground-support ranking.
    """
    x, y, z = position[0] >> 8, (position[1] >> 8) + positive_y, position[2] >> 8
    return (x, y - half_length, z), (x, y + half_length, z)


def terrain_rank(height: float, start_y: int, search_distance: int) -> int | None:
    """Return the rank of terrain at an untruncated height, or None where it is no candidate.

    Args:
        height: of the terrain [map units, +Y down].
        start_y: upper end of the segment, which is `2 * search_distance` long.
        search_distance: R, at least 1.

    Raises:
        MovementError: the search distance is less than 1.

    Source: movement: Ground-support ranking; both ends belong to the segment (reading).
    """
    if search_distance < 1:
        raise MovementError(f"search distance: need at least 1 map unit, got {search_distance}")
    if height > start_y + 2 * search_distance:
        return None
    if height < start_y:
        return RANK_ABOVE
    return (16777216 // (2 * search_distance)) * (math.trunc(height) - start_y) >> 8


def select_support(
    contacts: Iterable[Contact], terrain: TerrainSample | None, start_y: int, search_distance: int
) -> Contact | TerrainSample | None:
    """Return what supports an actor: a model contact, the terrain, or nothing.

    Classifications 2 and 4 compete in order; a contact replaces the selection when its rank is less than or equal, so
    that a later equal one wins. Quirk: terrain is ranked to 65536 over the segment, models to 32768.

    Source: movement: Ground-support ranking.
    """
    rank = INITIAL_RANK
    selected: Contact | TerrainSample | None = None
    ranked = None if terrain is None else terrain_rank(terrain.height, start_y, search_distance)
    if ranked is not None:
        rank, selected = ranked, terrain
    for contact in contacts:
        if contact.rank <= rank and contact.classification in (STEEP, GROUND):
            rank, selected = contact.rank, contact
    return selected


def support_height(height: float, positive_y: int, standing_height: int) -> int:
    """Return the actor Y of standing on a surface height: truncated, less the extent, plus the standing height.

    Source: movement: Converting support height to actor position.
    """
    return (math.trunc(height) - positive_y) * MAP_UNIT + standing_height * MAP_UNIT


def stored_classification(classification: int, collision_bit: bool) -> int:
    """Return a model support's stored classification: steep is ordinary ground while the collision bit is clear.

    Source: movement: Selected-player fallback support.
    """
    return GROUND if classification == STEEP and not collision_bit else classification


def missed_support(previous: Support) -> Support:
    """Return the support after a miss: normal, texture and metadata stay (quirk), everything else is cleared.

    Source: movement: Support-query misses.
    """
    return Support(normal=previous.normal, texture=previous.texture, metadata=previous.metadata)


def query_support(
    world: CollisionWorld, position: Vector, rules: SupportRules, previous: Support, history: int
) -> Support:
    """Return the support at a position: terrain and models on the segment, then the player's fallback sphere.

    Args:
        world: where to look.
        position: actor position [runtime units].
        rules: of the actor.
        previous: the support before, of which a miss keeps some fields.
        history: support-history counter, which widens the fallback sphere.

    Raises:
        MovementError: the search distance is less than 1.

    Source: movement: Ordinary forward-walk support checks to Ground-support ranking.
    """
    x, y, z = position[0] >> 8, position[1] >> 8, position[2] >> 8
    start, end = vertical_segment(position, rules.positive_y, rules.search_distance)
    near = world.candidates((x, y, z), rules.query_radius, rules.own).face_models
    contacts = world.segment_contacts(near, start, end)
    selected = select_support(contacts, world.terrain_sample(x, z), start[1], rules.search_distance)
    if isinstance(selected, Contact):
        height = support_height(selected.position[1], rules.positive_y, rules.standing_height)
        return model_support(world, selected, rules.collision_bit, height)
    if selected is not None:
        height = support_height(selected.height, rules.positive_y, rules.standing_height)
        return terrain_support(world, selected, x, z, height)
    if rules.designated:
        sphere = fallback_sphere(rules.center_offset, rules.positive_y, history)
        contact = select_fallback(world.sphere_contacts(near, (x, y, z), IDENTITY, [sphere]))
        if contact is not None:
            return model_support(world, contact, rules.collision_bit, position[1])
    return missed_support(previous)


def model_support(world: CollisionWorld, contact: Contact, collision_bit: bool, height: int) -> Support:
    """Return the support of a selected model contact; it takes the placement's flag byte as metadata."""
    return Support(
        SourceKind.MODEL,
        stored_classification(contact.classification, collision_bit),
        contact.placement,
        contact.face,
        contact.normal,
        world.face_texture(contact.placement, contact.face),
        world.collision_flags(contact.placement),
        height,
    )


def terrain_support(
    world: CollisionWorld, sample: TerrainSample, map_x: int, map_z: int, height: int
) -> Support:
    """Return the support of selected terrain, whose metadata is zero.

    Reading: its texture identity is texture set 302 with the image under the actor.
    """
    material = (
        NO_MATERIAL if world.terrain is None else terrain_material(world.terrain.textures, map_x, map_z)
    )
    return Support(
        SourceKind.TERRAIN,
        classify_normal(sample.normal[1]),
        normal=sample.normal,
        texture=TEXTURE_SET << 7 | terrain_image(material),
        height=height,
    )


# --- the player's fallback and its history -------------------------------------------------------------------------


def fallback_radius(history: int) -> int:
    """Return the radius of the fallback sphere: 10 map units, 14 while the support history lasts."""
    return FALLBACK_RADIUS_WITH_HISTORY if history else FALLBACK_RADIUS


def fallback_sphere(center_offset: Vector, positive_y: int, history: int) -> tuple[int, int, int, int]:
    """Return centre (from the actor's integer map position) and radius of the fallback sphere.

    Source: movement: Selected-player fallback support.
    """
    x, y, z = center_offset
    return x, y + positive_y - FALLBACK_RISE, z, fallback_radius(history)


def select_fallback(contacts: Iterable[Contact]) -> Contact | None:
    """Return the first contact that is not a side surface: undersides count, distance does not.

    Source: movement: Selected-player fallback support.
    """
    return next((contact for contact in contacts if contact.classification != SIDE), None)


def decayed_history(history: int, ticks: int) -> int:
    """Return the support-history counter after an update's nominal ticks, at least zero; the player's only.

    Source: movement: Selected-player fallback support.
    """
    return max(history - ticks, 0)


def history_after_query(history: int, metadata: int) -> int:
    """Return the counter after the player's support query: 12 when the metadata has mask 0x04.

    Quirk: metadata kept over a miss counts too. Source: movement: Support-query misses.
    """
    return HISTORY_UPDATES if metadata & FLAG_SUPPORT_HISTORY else history


# --- surfaces --------------------------------------------------------------------------------------------------------


def resolved_surface(world: CollisionWorld, support: Support, position: Vector) -> int:
    """Return the surface value of a support: the face's texture, or the terrain at the actor's integer X/Z, or 0.

    Source: movement: Surface-query state retention.
    """
    if support.kind == SourceKind.MODEL:
        return world.face_surface(support.placement, support.face)
    if support.kind == SourceKind.TERRAIN:
        return world.terrain_surface(position[0] >> 8, position[2] >> 8)
    return 0


def surface_veto(surface: int) -> int:
    """Return the shared veto that assigning a surface sets: 1 for surfaces 5 and 11."""
    return 1 if surface in VETO_SURFACES else 0


def update_surface(
    resolved: int, surface: int, veto: int, *, excluded: bool = False, assigns: bool = True
) -> SurfaceUpdate:
    """Return the results of the surface updater.

    Args:
        resolved: surface of the support; 0 for kinds other than model and terrain.
        surface: the actor's stored surface.
        veto: the shared veto.
        excluded: the query is excluded: it returns 0 and changes nothing.
        assigns: False: the query runs without assigning: it returns the resolved surface and changes nothing.

    Source: movement: Surface-query state retention, Forward ground-support admission.
    """
    if excluded:
        return SurfaceUpdate(0, surface, veto)
    if not assigns:
        return SurfaceUpdate(resolved, surface, veto)
    return SurfaceUpdate(resolved, resolved, surface_veto(resolved))


# --- the ordinary wrapper and the forward checks ---------------------------------------------------------------------


def support_wrapper(
    world: CollisionWorld,
    position: Vector,
    rules: SupportRules,
    state: SupportState,
    *,
    excluded: bool = False,
    assigns: bool = True,
) -> WrapperResult:
    """Query support, commit the player's history, then run the surface updater where the collision bit asks for it.

    A miss reaches the updater too, with the cleared source kind. `excluded` and `assigns` go to `update_surface`.

    Raises:
        MovementError: the search distance is less than 1.

    Source: movement: Surface-query state retention.
    """
    support = query_support(world, position, rules, state.support, state.history)
    history = history_after_query(state.history, support.metadata) if rules.designated else state.history
    surface, veto, returned = state.surface, state.veto, None
    if rules.collision_bit:
        resolved = resolved_surface(world, support, position)
        returned, surface, veto = update_surface(resolved, surface, veto, excluded=excluded, assigns=assigns)
    return WrapperResult(SupportState(support, history, surface, veto), state.surface, returned)


def admits_forward_support(support: Support, veto: int, collision_bit: bool) -> bool:
    """Return whether a forward attempt may stand on what was found at the proposed position.

    Source: movement: Forward ground-support admission.
    """
    if collision_bit and support.classification == STEEP:
        return False
    return support.kind != SourceKind.NONE and veto != 1


def obstacle_ahead(
    world: CollisionWorld,
    position: Vector,
    rotation: Sequence[Sequence[float]],
    spheres: Sequence[tuple[float, float, float, float]],
    query_radius: float,
    own: int = -1,
) -> bool:
    """Return whether the actor's obstacle spheres would touch any face model at a proposed position.

    Source: movement: Ordinary forward-walk support checks, Static candidate list separation.
    """
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    near = world.candidates(origin, query_radius, own).face_models
    return bool(world.sphere_contacts(near, origin, rotation, spheres, limit=1))
