"""One update of the player's body: a list of rules, in the order that is part of the result."""

from movement.body import MAP_UNIT, Body, Mode
from movement.carrying import carry
from movement.climbing import climb, start_climb
from movement.clock import Frame
from movement.events import BodyChange, BodyEvent
from movement.flight import fly, jump, motion_amount, start_fall
from movement.forward import continue_walk, walk
from movement.gliding import glide
from movement.ground import (
    apply_ground,
    find_support,
    nudge_free,
    obstacle_pass,
    respond,
    separate_from_faces,
    starts_sliding,
)
from movement.groups import CLIMB, DIE, FALL, SLIDE, SWIM, TREAD
from movement.intent import STILL, Intent
from movement.presentation import glide_height
from movement.running import back_step, continue_run, regain_feet, run, swim
from movement.sliding import slide_distance, slide_heading
from movement.support import decayed_history
from movement.surfaces import is_in_deep_water
from movement.turning import turn_heading, update_turn_accumulator
from movement.walking import end_of_update_phase

SINK_SPEED = 8
"""Map units a nominal update that a swimmer's shown height sinks or rises (ours)."""


def update(body: Body, intent: Intent, frame: Frame) -> None:
    """Run one actor update.

    Source: movement; modes other than grounded are ours.
    """
    begin(body, frame)
    if body.recovery > 0:
        body.recovery = max(body.recovery - frame.scale, 0)
        intent = STILL
    animate(body, intent, frame)
    turn(body, intent, frame)
    body.previous_position = body.position
    _MOVES[body.mode](body, intent, frame)
    finish(body, frame)


def begin(body: Body, frame: Frame) -> None:
    """Decay the support history, snapshot the angles, clear what is transient; be carried by a moving support."""
    body.events, body.pushes = [], []
    body.was_blocked = body.blocked
    body.accepted = body.blocked = body.separated = False
    history = body.support.history
    if history:
        body.support = body.support._replace(history=decayed_history(history, frame.ticks))
    body.previous_angles = body.angles
    if body.mode != Mode.AIRBORNE:
        carry(body, frame)


_MODE_GROUPS = {
    Mode.AIRBORNE: FALL,
    Mode.SLIDING: SLIDE,
    Mode.SWIMMING: TREAD,
    Mode.CLIMBING: CLIMB,
    Mode.DEAD: DIE,
}


def select_default_group(
    attr_panic_group: int,
    mode: Mode = Mode.GROUNDED,
    moving: bool = False,
    groups: frozenset[int] = frozenset(),
) -> int:
    """Return the default group of this update's state.

    On the ground it is `attr_panic_group`, a group number; the groups of the other modes are ours, where the actor
    has them.

    Args:
        attr_panic_group: the actor's attribute.
        mode: which rules move it.
        moving: forward or backward is held.
        groups: the numbers of the actor's groups.

    Source: movement, Ordinary idle animation default.
    """
    special = SWIM if mode == Mode.SWIMMING and moving else _MODE_GROUPS.get(mode, attr_panic_group)
    return special if special in groups else attr_panic_group


def animate(body: Body, intent: Intent, frame: Frame) -> None:
    """Select the default group, advance, request the default.

    The default request comes after the advancement and before movement: a walk's own request then replaces it, and
    without one it stays pending (continuation).

    Source: movement, Ordinary idle animation default.
    """
    animation = body.animation
    if not animation.groups:
        return
    panic = body.actor.attributes["attr_panic_group"]
    moving = intent.forward or intent.backward
    animation.default_group = select_default_group(panic, body.mode, moving, body.groups)
    animation.advance(frame.ticks)
    if animation.events:
        body.events.extend(animation.take_events())
    animation.request(animation.default_group, frame.ticks)


def turn(body: Body, intent: Intent, frame: Frame) -> None:
    """Update both accumulators; turn where the state allows it."""
    settings = body.settings
    body.left_turn = update_turn_accumulator(
        body.left_turn, intent.left, settings.turn_speed, settings.turn_max_speed
    )
    body.right_turn = update_turn_accumulator(
        body.right_turn, intent.right, settings.turn_speed, settings.turn_max_speed
    )
    if body.mode not in (Mode.CLIMBING, Mode.DEAD):
        body.heading = turn_heading(body.heading, body.left_turn, body.right_turn, frame.scale)


def _move_grounded(body: Body, intent: Intent, frame: Frame) -> None:
    if intent.jump and jump(body, intent, frame):
        fly(body, intent, frame)
        return
    walking = False
    if intent.forward and intent.run:
        run(body, frame)
    elif intent.forward:
        walk(body, frame)
        walking = True
    elif intent.backward:
        back_step(body, frame)
    continue_run(body, frame)
    # What glided keeps clear of walls by itself; the text's response is for the text's walk, and for standing.
    glided = not walking and body.position != body.previous_position
    if body.mode == Mode.GROUNDED and not (intent.forward and intent.run):
        continue_walk(body, frame)
    if body.mode == Mode.AIRBORNE:  # ran over an edge
        start_fall(body, body.heading, motion_amount(body, frame))
        return
    _stay_on_ground(body, frame, not glided)


def _stay_on_ground(body: Body, frame: Frame, walked: bool) -> None:
    """Obstacle pass, support, ground response, body response, separation: the end of a grounded update."""
    contacts = obstacle_pass(body) if walked else []
    if not find_support(body):
        start_fall(body, body.heading, motion_amount(body, frame))
        return
    apply_ground(body)
    if contacts:
        respond(body, contacts)
    separate_from_faces(body)
    if starts_sliding(body):
        body.mode = Mode.SLIDING
        body.events.append(BodyEvent(BodyChange.SLID))
    else:
        body.mode = Mode.SWIMMING if is_in_deep_water(body.support.surface) else Mode.GROUNDED


def _move_airborne(body: Body, intent: Intent, frame: Frame) -> None:
    fly(body, intent, frame)
    if body.mode == Mode.AIRBORNE and intent.forward and body.blocked:
        start_climb(body)
    elif body.mode == Mode.GROUNDED and starts_sliding(body):
        body.mode = Mode.SLIDING


def _move_sliding(body: Body, intent: Intent, frame: Frame) -> None:
    normal = body.support.support.normal
    heading = slide_heading(normal[0], normal[2])
    speed = body.settings.slide_speed
    glide(body, heading, slide_distance(speed, normal[1], frame.scale))
    if body.mode == Mode.AIRBORNE or not find_support(body):
        start_fall(body, heading, speed * MAP_UNIT)
        return
    apply_ground(body)
    nudge_free(body)
    if body.blocked and intent.jump and jump(body, intent, frame):  # a hollow of steep faces: jump out of it
        return
    if not starts_sliding(body):
        body.mode = Mode.GROUNDED
        regain_feet(body, intent, frame)


def _move_swimming(body: Body, intent: Intent, frame: Frame) -> None:
    if intent.forward or intent.backward:
        swim(body, frame, intent.run, not intent.forward)
    if body.mode == Mode.AIRBORNE:
        start_fall(body, body.heading, motion_amount(body, frame))
        return
    _stay_on_ground(body, frame, walked=False)
    if body.mode == Mode.GROUNDED:
        regain_feet(body, intent, frame)


def _move_climbing(body: Body, intent: Intent, frame: Frame) -> None:
    climb(body, intent, frame)


def _move_dead(body: Body, intent: Intent, frame: Frame) -> None:
    """Nothing moves the dead but what carries them."""


_MOVES = {
    Mode.GROUNDED: _move_grounded,
    Mode.AIRBORNE: _move_airborne,
    Mode.SLIDING: _move_sliding,
    Mode.SWIMMING: _move_swimming,
    Mode.CLIMBING: _move_climbing,
    Mode.DEAD: _move_dead,
}


def finish(body: Body, frame: Frame) -> None:
    """Reset the startup phase without accepted forward movement; let the shown height follow (ours)."""
    body.phase = end_of_update_phase(body.phase, body.accepted)
    if body.animation.events:
        body.events.extend(body.animation.take_events())
    if body.shown_offset:
        y = body.position[1]
        body.shown_offset = glide_height(y + body.shown_offset, y, body.settings, frame.scale) - y
    goal = body.settings.swim_depth * MAP_UNIT if body.mode == Mode.SWIMMING else 0
    if body.sink != goal:
        step = SINK_SPEED * frame.scale
        body.sink = min(body.sink + step, goal) if body.sink < goal else max(body.sink - step, goal)
