"""Ours: an actor in the air against a world: take-off, steering, ceilings, landing."""

from movement.airborne import (
    Landing,
    drop_below_top,
    fall_height,
    landing,
    rebound_height,
    rebound_time,
    take_off_time,
    top_of_take_off,
)
from movement.angles import heading_from_displacement
from movement.body import MAP_UNIT, Body, Mode
from movement.clock import NOMINAL_SCALE, Frame
from movement.contacts import GROUND, STEEP, UNDERSIDE
from movement.events import BodyChange, BodyEvent
from movement.gliding import glide, touches_underside
from movement.ground import find_support, nudge_free
from movement.groups import DIE, HURT, JUMP, LAND
from movement.intent import Intent
from movement.response import vector_length
from movement.running import regain_feet, run_amount
from movement.surfaces import is_water
from movement.walking import scaled_distance, walk_amount

RECOVERY_TIME = 6 * NOMINAL_SCALE
"""1/256 nominal updates that a hurting landing holds the actor."""

RISING_CATCH = 12
"""Map units above the feet up to which a rising actor lands: slopes that rise faster, not boxes jumped over."""

LOST_HEIGHT = 16384
"""Map units of a fall after which nothing will be landed on: more than a map's range of heights."""

_SOFT_LANDING_SHOWN = 40  # map units of fall from which standing landings show their group


def jump(body: Body, intent: Intent, frame: Frame) -> bool:
    """Take off (ours); False when the settings allow no jump."""
    if body.settings.jump_height == 0:
        return False
    body.air_time = take_off_time(body.settings)
    body.top_y = top_of_take_off(body.position[1], body.air_time, body.settings)
    _keep_motion(body, _ground_amount(body, intent) if intent.forward else 0)
    _force(body, JUMP, frame.ticks)
    body.events.append(BodyEvent(BodyChange.JUMPED, body.settings.jump_height))
    return True


def throw(body: Body, rise: int, heading: int, amount: int) -> None:
    """Take off without jumping, thrown by a spring or a blow (ours).

    `rise` is map units up to the top of the curve, `amount` runtime units a nominal update along `heading`.
    """
    body.air_time = rebound_time(rise, body.settings)
    body.top_y = top_of_take_off(body.position[1], body.air_time, body.settings)
    _keep_motion(body, amount)
    body.air_heading = heading
    body.drift_x = body.drift_z = 0
    body.events.append(BodyEvent(BodyChange.THROWN, rise))


def start_fall(body: Body, heading: int, amount: int) -> None:
    """Begin to fall from where the actor is, keeping its horizontal motion (ours)."""
    body.air_time = 0
    body.top_y = body.position[1]
    _keep_motion(body, amount)
    body.air_heading = heading
    body.events.append(BodyEvent(BodyChange.FELL))


def motion_amount(body: Body, frame: Frame) -> int:
    """Return the horizontal runtime units a nominal update that this update has moved the body so far (ours)."""
    dx = body.position[0] - body.previous_position[0]
    dz = body.position[2] - body.previous_position[2]
    return int(vector_length(dx, dz)) * NOMINAL_SCALE // max(frame.scale, 1)


def fly(body: Body, intent: Intent, frame: Frame) -> None:
    """Move an airborne actor for one update: steer, glide, then rise or fall along its curve (ours)."""
    body.air_time += frame.scale
    _steer(body, intent, frame)
    body.blocked = False
    glide(body, body.air_heading, scaled_distance(body.air_amount, frame.scale), grounded=False)
    if body.drift_x or body.drift_z:
        drift = scaled_distance(int(vector_length(body.drift_x, body.drift_z)), frame.scale)
        glide(body, heading_from_displacement(body.drift_x, body.drift_z), drift, grounded=False)
    _drop(body, intent, frame)
    if body.mode in (Mode.AIRBORNE, Mode.GROUNDED):
        nudge_free(body)


def _drop(body: Body, intent: Intent, frame: Frame) -> None:
    """Rise or fall along the curve for one update; land where it meets ground."""
    x, y, z = body.position
    target = body.top_y + drop_below_top(body.air_time, body.settings)
    rising = target < y
    if rising and _ceiling_between(body, target):
        body.top_y, body.air_time = y, 0
        return
    catch = RISING_CATCH if rising else body.settings.post_collide_height
    surface = landing_surface(body, target, catch)
    if surface is None:
        body.position = (x, target, z)
        if fall_height(body.top_y, target) > LOST_HEIGHT:
            _die(body, fall_height(body.top_y, target), frame)
        return
    _land(body, surface, intent, frame)


def landing_surface(body: Body, target: int, catch: int) -> int | None:
    """Return the map height of the topmost ground that a motion from the body's Y to `target` meets, or None (ours).

    Ground up to `catch` map units above the feet counts: falling, what the feet may step over, as the spheres pass
    over it; rising, only what a slope gains on the feet. Terrain above that counts as well: nobody is below it.
    """
    settings, positive_y = body.settings, body.rules.positive_y
    x, y, z = body.map_position()
    top = min(y, target >> 8) + positive_y - catch
    bottom = (target >> 8) + positive_y - settings.standing_height
    height: int | None = None
    near = body.face_models(body.position)
    for contact in body.world.segment_contacts(near, (x, top, z), (x, max(bottom, top + 1), z)):
        if contact.classification in (GROUND, STEEP) and (height is None or contact.position[1] < height):
            height = contact.position[1]
    sample = body.world.terrain_sample(x, z)
    if sample is not None and sample.height <= bottom and (height is None or sample.height < height):
        height = int(sample.height)
    return height


def _ground_amount(body: Body, intent: Intent) -> int:
    attributes = body.actor.attributes
    walking, running = attributes["attr_forward_walk"], attributes["attr_forward_speed"]
    return run_amount(running, walking) if intent.run else walk_amount(walking, running)


def _keep_motion(body: Body, amount: int) -> None:
    body.mode = Mode.AIRBORNE
    body.air_heading, body.air_amount = body.heading, amount
    body.phase = 0


def _steer(body: Body, intent: Intent, frame: Frame) -> None:
    """Held forward turns the motion with the heading and gives at least half a walk; held backward brakes."""
    if intent.forward:
        attributes = body.actor.attributes
        least = walk_amount(attributes["attr_forward_walk"], attributes["attr_forward_speed"]) // 2
        body.air_heading = body.heading
        body.air_amount = max(body.air_amount, least)
    elif intent.backward:
        body.air_amount = max(body.air_amount - (body.air_amount * frame.scale >> 10), 0)


def _ceiling_between(body: Body, target: int) -> bool:
    """Whether an underside lies between the head now and at `target`."""
    x, y, z = body.map_position()
    head = body.actor.bounds.negative[1]
    start, end = (x, y - head, z), (x, (target >> 8) - head - 1, z)
    contacts = body.world.segment_contacts(body.face_models(body.position), start, end)
    return any(contact.classification == UNDERSIDE for contact in contacts)


def _land(body: Body, surface: int, intent: Intent, frame: Frame) -> None:
    """Put the feet on a surface and do what the height of the fall asks for."""
    x, y, z = body.position
    landed = (surface - body.rules.positive_y + body.settings.standing_height) * MAP_UNIT
    height = fall_height(body.top_y, landed)
    if landed < y and touches_underside(body, body.face_models(body.position), (x, landed, z)):
        # No room to stand up there: back to where it came from, and straight down.
        body.position = (body.previous_position[0], y, body.previous_position[2])
        body.air_amount = 0
        return
    if landed < y:
        body.shown_offset += y - landed  # caught from above: the shown height follows
    body.position = (x, landed, z)
    body.mode = Mode.GROUNDED
    body.drift_x = body.drift_z = 0
    find_support(body)
    outcome = Landing.SOFT if is_water(body.support.surface) else landing(height, body.settings)
    if outcome == Landing.DEATH:
        _die(body, height, frame)
    elif outcome == Landing.HURT:
        body.events.append(BodyEvent(BodyChange.HURT, height))
        body.recovery = RECOVERY_TIME
        body.animation.force(HURT, frame.ticks)  # or the default: nothing goes on running
    elif outcome == Landing.BOUNCE:
        body.events.append(BodyEvent(BodyChange.BOUNCED, height))
        body.mode = Mode.AIRBORNE
        body.air_time = rebound_time(rebound_height(height), body.settings)
        body.top_y = top_of_take_off(landed, body.air_time, body.settings)
        body.air_amount //= 2
    else:
        body.events.append(BodyEvent(BodyChange.LANDED, height))
        if height >= _SOFT_LANDING_SHOWN and not intent.forward and LAND in body.animation.groups:
            body.animation.force(LAND, frame.ticks)
        else:
            regain_feet(body, intent, frame)


def _die(body: Body, height: int, frame: Frame) -> None:
    body.mode = Mode.DEAD
    body.events.append(BodyEvent(BodyChange.DIED, height))
    body.animation.force(DIE, frame.ticks)


def _force(body: Body, group: int, ticks: int) -> None:
    """Force a group of ours, if the actor has it."""
    if group in body.animation.groups:
        body.animation.force(group, ticks)
