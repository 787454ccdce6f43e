"""The ordinary forward walk against a world: probe, request, gate, translation and continuation."""

from movement.body import Body, Push
from movement.clock import Frame
from movement.groups import WALK
from movement.response import faces_movement
from movement.slopes import steep_ahead
from movement.support import admits_forward_support, obstacle_ahead, support_wrapper
from movement.translation import translate
from movement.walking import (
    continues_walking,
    probe_ahead,
    probe_distance,
    walk_amount,
    walk_distance,
    walk_gate,
)

Vector = tuple[int, int, int]


def probe_position(body: Body, distance: int) -> Vector:
    """Return the runtime position of a probe `distance` ahead by the actor matrix; Y stays the actor's.

    Source: movement, Ordinary forward-walk support checks.
    """
    return probe_ahead(body.position, body.matrix, distance)


def forward_probe(body: Body, position: Vector) -> bool:
    """Return whether a proposed position passes the three forward checks, in order.

    Spheres, steep surface, support; the first refusal skips the others and marks the attempt blocked. The support
    query keeps its state changes although the actor's position is put back.

    Source: movement, Ordinary forward-walk support checks and Forward ground-support admission.
    """
    world = body.world
    admitted = not obstacle_ahead(world, position, body.matrix, body.spheres, body.query_radius)
    if not admitted and body.moving and not body.pushes:  # a repeated probe meets the same
        note_pushes(body, position)
    if admitted:
        admitted = not steep_ahead(
            world,
            position,
            body.rules.positive_y,
            body.settings.post_collide_height,
            body.query_radius,
            collision_bit=body.collision_bit,
        )
    if admitted:
        body.support = support_wrapper(world, position, body.rules, body.support).state
        admitted = admits_forward_support(body.support.support, body.support.veto, body.collision_bit)
    if not admitted:
        body.blocked = True
    return admitted


def walk(body: Body, frame: Frame) -> None:
    """Walk forward for one update of held input: probe, request, gate, startup, translation.

    Source: movement, Forward-walking startup and Ordinary forward-walk support checks.
    """
    animation = body.animation
    attributes = body.actor.attributes
    if body.animated and WALK not in animation.groups:
        return
    distance = probe_distance(body.actor.bounds.positive[2], attributes["attr_forward_walk"])
    if not forward_probe(body, probe_position(body, distance)):
        return
    if body.animated:
        animation.request(WALK, frame.ticks)
        if not walk_gate(body.settings.animation_system, animation.current):
            return
    accept_walk(body, frame)


def continue_walk(body: Body, frame: Frame) -> None:
    """Go on walking from the current group, without a request, when nothing else accepted movement.

    The probe is repeated even when this update's first one was refused: the first one's support query may have
    started the support history, which widens the fallback sphere.

    Source: movement, Continuation after input release.
    """
    if not continues_walking(body.animation.current, body.accepted):
        return
    distance = probe_distance(body.actor.bounds.positive[2], body.actor.attributes["attr_forward_walk"])
    if forward_probe(body, probe_position(body, distance)):
        accept_walk(body, frame)


def accept_walk(body: Body, frame: Frame) -> None:
    """Accept a forward walk: advance the startup phase, then translate unless the marker suppresses it."""
    attributes = body.actor.attributes
    body.accepted = True
    amount = walk_amount(attributes["attr_forward_walk"], attributes["attr_forward_speed"])
    distance, body.phase = walk_distance(
        amount, body.phase, frame.scale, body.animation.marker, attributes["attr_step_type"]
    )
    if distance:
        x, z = translate(body.position[0], body.position[2], body.heading, distance)
        body.position = (x, body.position[1], z)


def note_pushes(body: Body, position: Vector) -> None:
    """Note the moving placements that refuse a proposed position, for the game to push (ours)."""
    origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
    near = [index for index in body.face_models(position) if index in body.moving]
    distance = max(abs(position[0] - body.position[0]), abs(position[2] - body.position[2]))
    for contact in body.world.sphere_contacts(near, origin, body.matrix, body.spheres):
        if faces_movement(contact.normal, body.heading):
            body.pushes.append(Push(contact.placement, contact.position, contact.normal, distance))
