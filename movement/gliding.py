"""Ours: horizontal motion that follows walls instead of stopping at them, without jitter at seams and corners.

A step is tried straight ahead; where a wall refuses it, ever more deflected headings are tried to both sides, and
the least deflection that is free is refined. Nothing is pushed out of anything, so nothing jitters.
"""

from typing import NamedTuple

from movement.angles import HEADING_MASK, QUARTER_TURN, ROTATION_TABLE
from movement.body import MAP_UNIT, Body, Mode, Push
from movement.contacts import SIDE, STEEP, UNDERSIDE, Contact
from movement.sliding import enters_slide
from movement.support import SourceKind, query_support, resolved_surface, surface_veto
from movement.translation import translate

Vector = tuple[int, int, int]

LONGEST_STEP = 12 * 256
"""Runtime units of one tried step: half of the smallest usual sphere, so that no wall is skipped."""

DEFLECTIONS = (64, 128, 192, 256, 320, 384, 448)
"""Heading units; beyond 79 degrees a wall counts as head-on."""

_LEVEL = 4 * 256  # runtime units of height within which a step counts as level

_FINEST = 8  # heading units to which the least free deflection is refined


class Footing(NamedTuple):
    """What a step may do about the ground.

    Attributes:
        follow: it follows the ground; False: it is in the air.
        edges: it may go over an edge, where the body becomes airborne.
        steep: it may enter a slope that is slid down.
    """

    follow: bool
    edges: bool
    steep: bool


def glide(body: Body, heading: int, distance: int, *, grounded: bool = True, edges: bool = True) -> int:
    """Move the body up to `distance` runtime units along `heading`, around what is in the way (ours).

    Args:
        body: moved in place; on the ground its Y follows the support of each step.
        heading: direction of motion, 0..2047; the body's own heading does not change.
        distance: runtime units.
        grounded: follow the ground: refuse steep rises and vetoed surfaces, note where the ground ends.
        edges: go over edges (the body becomes airborne there); False refuses them.

    Returns:
        The runtime units actually gone.
    """
    gone, longest = 0, LONGEST_STEP
    footing = Footing(grounded, edges, True)
    refused: dict[tuple[int, int], Contact] = {}
    while gone < distance and not (grounded and body.mode == Mode.AIRBORNE):
        step = min(distance - gone, longest)
        if _step(body, heading, step, footing, refused):
            gone += step
        elif step > MAP_UNIT:
            longest = max(step // 4, MAP_UNIT)  # close the rest of the gap to what is in the way
        else:
            break
    if refused and body.moving:
        body.pushes.extend(
            Push(contact.placement, contact.position, contact.normal, distance)
            for contact in refused.values()
            if contact.placement in body.moving and contact.classification in (SIDE, STEEP)
        )
    if gone < distance:
        body.blocked = True
    return gone


def _step(
    body: Body,
    heading: int,
    distance: int,
    footing: Footing,
    refused: dict[tuple[int, int], Contact],
) -> bool:
    """Take one step, deflected as little as possible; False when every deflection is refused.

    Only a straight step enters a slide: what goes round something stays on its feet.
    """
    near = body.face_models(body.position)
    if _try(body, near, heading, distance, footing, refused):
        body.deflection = 0
        return True
    footing = footing._replace(steep=body.mode == Mode.SLIDING)
    body.deflection = _deflection(body, near, heading, distance, footing)
    if body.deflection == 0:
        return False
    shorter = _shortened(distance, body.deflection)
    return _try(body, near, heading + body.deflection, shorter, footing, {})


def _deflection(body: Body, near: tuple[int, ...], heading: int, distance: int, footing: Footing) -> int:
    """Return the signed least deflection that is free, to within 8 heading units; 0 when none is.

    The last one is kept while it still is the least: along a straight wall nothing else is tried.
    """

    def free(deflection: int) -> bool:
        return _free(body, near, heading + deflection, _shortened(distance, deflection), footing)

    last = body.deflection
    if last and free(last) and not free(last - (_FINEST if last > 0 else -_FINEST)):
        return last
    side = -1 if last < 0 else 1
    before = 0
    for deflection in DEFLECTIONS:
        for sign in (side, -side):
            if free(sign * deflection):
                low, high = before, deflection
                while high - low > _FINEST:
                    middle = (low + high) // 2
                    if free(sign * middle):
                        high = middle
                    else:
                        low = middle
                return sign * high
        before = deflection
    return 0


def _shortened(distance: int, deflection: int) -> int:
    """Return the part of `distance` that a deflected step keeps: its cosine."""
    return int(distance * ROTATION_TABLE[abs(deflection) + QUARTER_TURN])


def is_free(body: Body, heading: int, distance: int) -> bool:
    """Return whether a step straight or deflected along `heading` would be accepted (ours).

    A refusal is remembered for as long as the body stands and faces the same and nothing has moved.
    """
    spot = (body.position, heading, body.matrix, body.support.history, body.world.mark())
    if spot == body.blocked_at:
        return False
    near = body.face_models(body.position)
    if _free(body, near, heading, distance, Footing(True, True, True)):
        return True
    round_it = Footing(True, True, False)
    free = any(
        _free(body, near, heading + side * deflection, _shortened(distance, deflection), round_it)
        for deflection in DEFLECTIONS
        for side in (1, -1)
    )
    body.blocked_at = None if free else spot
    return free


def _free(body: Body, near: tuple[int, ...], heading: int, distance: int, footing: Footing) -> bool:
    """Return whether a step would be accepted, leaving the body as it is."""
    position, mode, shown = body.position, body.mode, body.shown_offset
    accepted = _try(body, near, heading, distance, footing, {})
    body.position, body.mode, body.shown_offset = position, mode, shown
    return accepted


def _try(
    body: Body,
    near: tuple[int, ...],
    heading: int,
    distance: int,
    footing: Footing,
    refused: dict[tuple[int, int], Contact],
) -> bool:
    """Take one straight step if walls and ground allow it."""
    x, y, z = body.position
    moved_x, moved_z = translate(x, z, heading & HEADING_MASK, distance)
    target = (moved_x, y, moved_z)
    blocking = blocking_contacts(body, near, target)
    if blocking:
        for contact in blocking:
            refused.setdefault((contact.placement, contact.face), contact)
        return False
    return follow_ground(body, near, target, footing) if footing.follow else _moved(body, target)


def _moved(body: Body, target: Vector) -> bool:
    body.position = target
    return True


def blocking_contacts(body: Body, near: tuple[int, ...], target: Vector) -> list[Contact]:
    """Return the contacts at `target` that refuse a motion from the body's position to it (ours).

    Spheres are wider by the clearance. Sides and steep faces refuse motion against them; tops and undersides
    refuse unless they were touched before.
    """
    world = body.world
    origin = (target[0] >> 8, target[1] >> 8, target[2] >> 8)
    contacts = world.sphere_contacts(near, origin, body.matrix, body.wide_spheres)
    if not contacts:
        return []
    dx, dz = target[0] - body.position[0], target[2] - body.position[2]
    touched: set[tuple[int, int]] | None = None
    blocking = []
    for contact in contacts:
        if contact.classification in (SIDE, STEEP):
            if dx * contact.normal[0] + dz * contact.normal[2] < 0:
                blocking.append(contact)
            continue
        if touched is None:
            before = world.sphere_contacts(near, body.map_position(), body.matrix, body.wide_spheres)
            touched = {(other.placement, other.face) for other in before}
        if (contact.placement, contact.face) not in touched:
            blocking.append(contact)
    return blocking


def touches_underside(body: Body, near: tuple[int, ...], position: Vector) -> bool:
    """Return whether the spheres at a position touch an underside: there is no room to stand (ours)."""
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    contacts = body.world.sphere_contacts(near, origin, body.matrix, body.spheres)
    return any(contact.classification == UNDERSIDE for contact in contacts)


def follow_ground(body: Body, near: tuple[int, ...], target: Vector, footing: Footing) -> bool:
    """Move to `target` if the ground there can be walked, and take its height (ours).

    Steep ground is entered downhill only (`enters_slide`); vetoed surfaces are refused; where there is no
    ground, the footing decides. A step up or down needs room at its height too.
    """
    support = query_support(body.world, target, body.rules, body.support.support, body.support.history)
    if support.kind == SourceKind.NONE:
        if footing.edges:
            body.position = target
            body.mode = Mode.AIRBORNE
        return footing.edges
    if body.collision_bit:
        if support.classification == STEEP and body.mode != Mode.SLIDING:
            dx, dz = target[0] - body.position[0], target[2] - body.position[2]
            if not footing.steep or not enters_slide(
                dx, dz, support.normal, body.position[1] - support.height
            ):
                return False
        if surface_veto(resolved_surface(body.world, support, target)):
            return False
    arrived = (target[0], support.height, target[2])
    rise = target[1] - support.height
    if abs(rise) > _LEVEL and blocking_contacts(body, near, arrived):
        return False
    if rise > 0 and touches_underside(body, near, arrived):
        return False
    body.shown_offset += rise
    body.position = arrived
    return True
