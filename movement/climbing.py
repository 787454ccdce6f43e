"""Ours: pulling up onto a ledge that a jump reaches."""

from movement.body import MAP_UNIT, Body, Mode
from movement.clock import Frame
from movement.contacts import GROUND
from movement.events import BodyChange, BodyEvent
from movement.intent import Intent
from movement.running import regain_feet
from movement.translation import translate

REACH = 112
"""Map units above the feet that the hands of an airborne actor reach; lower than post_collide_height is a step."""

CLIMB_SPEED = 20
"""Map units a nominal update, up and then onto the ledge."""

_BEYOND = 8  # map units past the forward extent where the ledge is looked for


def ledge_height(feet: int, ledge: int, post_collide_height: int) -> bool:
    """Return whether a ledge (map Y, downward positive) is within reach of hands above `feet` (ours)."""
    return post_collide_height < feet - ledge <= REACH


def climb_step(current: int, target: int, amount: int) -> int:
    """Return a runtime coordinate moved toward `target` by at most `amount` (ours)."""
    if current < target:
        return min(current + amount, target)
    return max(current - amount, target)


def find_ledge(body: Body) -> tuple[int, int, int] | None:
    """Return the position on top of the ledge ahead, or None (ours).

    Ordinary ground within reach, just beyond the forward extent, with room for all spheres above it.
    """
    bounds, settings = body.actor.bounds, body.settings
    ahead = (bounds.positive[2] + body.spheres[0].radius + _BEYOND) * MAP_UNIT
    x, z = translate(body.position[0], body.position[2], body.heading, ahead)
    feet = (body.position[1] >> 8) + bounds.positive[1]
    start, end = (x >> 8, feet - REACH, z >> 8), (x >> 8, feet - settings.post_collide_height, z >> 8)
    near = body.face_models(body.position)
    for contact in body.world.segment_contacts(near, start, end):
        if contact.classification != GROUND or not ledge_height(
            feet, contact.position[1], settings.post_collide_height
        ):
            continue
        y = (contact.position[1] - bounds.positive[1] + settings.standing_height) * MAP_UNIT
        half_x, half_z = (x + body.position[0]) // 2, (z + body.position[2]) // 2
        path = ((body.position[0], y, body.position[2]), (half_x, y, half_z), (x, y, z))
        if not any(obstacle_at(body, near, position) for position in path):
            return x, y, z
    return None


def obstacle_at(body: Body, near: tuple[int, ...], position: tuple[int, int, int]) -> bool:
    """Return whether the spheres at a position would touch a face model (ours)."""
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    return bool(body.world.sphere_contacts(near, origin, body.matrix, body.spheres, limit=1))


def start_climb(body: Body) -> bool:
    """Begin to climb the ledge ahead, if there is one (ours)."""
    target = find_ledge(body)
    if target is None:
        return False
    body.mode = Mode.CLIMBING
    body.climb_target = target
    body.events.append(BodyEvent(BodyChange.LEDGE, (body.position[1] - target[1]) // MAP_UNIT))
    return True


def climb(body: Body, intent: Intent, frame: Frame) -> None:
    """Climb for one update: straight up, then forward; on top the actor is grounded again (ours)."""
    x, y, z = body.position
    target_x, target_y, target_z = body.climb_target
    amount = CLIMB_SPEED * frame.scale
    if y != target_y:
        body.position = (x, climb_step(y, target_y, amount), z)
        return
    body.position = (climb_step(x, target_x, amount), y, climb_step(z, target_z, amount))
    if body.position == body.climb_target:
        body.mode = Mode.GROUNDED
        regain_feet(body, intent, frame)
