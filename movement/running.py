"""Ours: running with continuation, stepping back, swimming. All of them glide along walls."""

from movement.angles import HALF_TURN, HEADING_MASK
from movement.body import MAP_UNIT, Body
from movement.clock import Frame
from movement.gliding import glide, is_free
from movement.groups import BACK_STEP, CLIMB, FALL, JUMP, RUN, SLIDE, SWIM, TREAD, WALK
from movement.intent import Intent
from movement.walking import LAST_PHASE, scaled_distance, walk_amount, walk_distance, walk_gate

_OFF_FEET = (JUMP, FALL, SLIDE, SWIM, TREAD, CLIMB)


def run_amount(attr_forward_speed: int, attr_forward_walk: int) -> int:
    """Return the full running amount in runtime units a nominal update (ours).

    `attr_forward_speed` as it is (reading: the walk's fallback uses it without the factor 256); when it is zero,
    twice the walk.
    """
    return attr_forward_speed or 2 * MAP_UNIT * attr_forward_walk


def back_step_amount(attr_backward_walk: int, attr_forward_walk: int, attr_forward_speed: int) -> int:
    """Return the back-step amount in runtime units: its own speed, or half of the walk (ours)."""
    if attr_backward_walk:
        return attr_backward_walk * MAP_UNIT
    return walk_amount(attr_forward_walk, attr_forward_speed) // 2


def swim_amount(walking: int, running: int, hurried: bool) -> int:
    """Return the swimming amount: the walk, or half-way to the run in a hurry (ours)."""
    return (walking + running) // 2 if hurried else walking


def requested_group(body: Body, group: int, fallback: int) -> int:
    """Return `group`, or `fallback` when the actor does not have it (ours)."""
    return group if group in body.animation.groups else fallback


def run(body: Body, frame: Frame) -> None:
    """Run forward for one update of held input (ours).

    As the walk: request, gate, startup phase, marker. The gate also lets a walk's exit frames run. Against a wall
    head-on it neither requests nor accepts, so that the actor stands still there.
    """
    if body.was_blocked and not is_free(body, body.heading, MAP_UNIT):
        body.blocked = True
        return
    if body.animated:
        group = requested_group(body, RUN, WALK)
        body.animation.request(group, frame.ticks)
        current = body.animation.current
        if current != WALK and not walk_gate(body.settings.animation_system, current, group):
            return
    accept_run(body, frame)


def continue_run(body: Body, frame: Frame) -> None:
    """Go on running from the current group when nothing else accepted movement (ours, after the text's rule)."""
    if body.animation.current == RUN and not body.accepted and not body.blocked:
        accept_run(body, frame)


def accept_run(body: Body, frame: Frame) -> None:
    """Accept a run: advance the startup phase, then glide unless the marker suppresses it (ours)."""
    attributes = body.actor.attributes
    amount = run_amount(attributes["attr_forward_speed"], attributes["attr_forward_walk"])
    distance, phase = walk_distance(
        amount, body.phase, frame.scale, body.animation.marker, attributes["attr_step_type"]
    )
    if distance and not glide(body, body.heading, distance):
        return
    body.accepted, body.phase = True, phase


def regain_feet(body: Body, intent: Intent, frame: Frame) -> None:
    """Go on at full stride where flight, a slide, a swim or a climb ends on ground (ours).

    Without this the next walk would wait for the gate and start up anew: a stumble at every landing.
    """
    animation = body.animation
    if intent.forward:
        body.phase, body.accepted = LAST_PHASE, True
    if not animation.groups:
        return
    if intent.forward:
        group = requested_group(body, RUN, WALK) if intent.run else WALK
        if group in animation.groups:
            animation.force(group, frame.ticks)
    elif animation.current in _OFF_FEET:
        animation.force(body.actor.attributes["attr_panic_group"], frame.ticks)


def back_step(body: Body, frame: Frame) -> None:
    """Step backwards for one update of held input; never over an edge (ours).

    An actor without the group steps back ungated: the walking group would continue forward.
    """
    if BACK_STEP in body.animation.groups:
        body.animation.request(BACK_STEP, frame.ticks)
        if not walk_gate(body.settings.animation_system, body.animation.current, BACK_STEP):
            return
    if body.animation.marker:
        return
    attributes = body.actor.attributes
    amount = back_step_amount(
        attributes["attr_backward_walk"], attributes["attr_forward_walk"], attributes["attr_forward_speed"]
    )
    heading = (body.heading + HALF_TURN) & HEADING_MASK
    glide(body, heading, scaled_distance(amount, frame.scale), edges=False)


def swim(body: Body, frame: Frame, hurried: bool, backward: bool) -> None:
    """Swim for one update of held input; its group is the default one meanwhile (ours)."""
    attributes = body.actor.attributes
    walking = walk_amount(attributes["attr_forward_walk"], attributes["attr_forward_speed"])
    running = run_amount(attributes["attr_forward_speed"], attributes["attr_forward_walk"])
    amount = swim_amount(walking, running, hurried)
    heading = body.heading
    if backward:
        amount, heading = amount // 2, (heading + HALF_TURN) & HEADING_MASK
    body.accepted = bool(glide(body, heading, scaled_distance(amount, frame.scale))) and not backward
