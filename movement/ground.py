"""The end of a grounded update: obstacle pass, support, ground response, body response, separation."""

from movement.body import Body, Mode
from movement.contacts import Contact
from movement.response import body_contacts, residual_contacts, respond_to_contacts, separate
from movement.sliding import slides
from movement.support import SourceKind, SupportRules, support_wrapper
from movement.surfaces import surface_transition

Vector = tuple[int, int, int]

_GENTLE_PUSHES = (1, 2, 4, 8, 16, 32)  # map units


def obstacle_pass(body: Body) -> list[Contact]:
    """Return the primary body contacts at the attempted position, before support and ground response.

    Source: movement, Primary body-contact collection and Applying ordinary ground support.
    """
    return body_contacts(body.world, body.position, body.matrix, body.spheres, body.query_radius)


def find_support(body: Body, rules: SupportRules | None = None) -> bool:
    """Query support at the actor's position, keep its state, note surface transitions; whether there is any.

    Transitions compare with the surface that the last such query at the actor's own position left: a forward
    probe's changes of the stored surface make no events (ours; the stored state itself follows the text).

    Source: movement, Surface-query state retention.
    """
    result = support_wrapper(body.world, body.position, rules or body.rules, body.support)
    body.support = result.state
    if result.returned_surface is not None:
        event = surface_transition(body.dry_surface, result.returned_surface, result.state.surface)
        if event is not None:
            body.events.append(event)
        body.dry_surface = result.state.surface
    return result.state.support.kind != SourceKind.NONE


def apply_ground(body: Body) -> None:
    """Assign the support's height to Y; X, Z and the previous position stay.

    Source: movement, Applying ordinary ground support.
    """
    x, y, z = body.position
    height = body.support.support.height
    body.shown_offset += y - height
    body.position = (x, height, z)


def respond(body: Body, contacts: list[Contact]) -> None:
    """Run the primary body response over the collected contacts: slide along a wall or go back.

    Source: movement, Horizontal body-contact response and Grounded wall-facing adjustment.
    """
    response = respond_to_contacts(
        body.previous_position,
        body.position,
        body.heading,
        contacts,
        body.settings.slide_range,
        sliding=body.mode == Mode.SLIDING,
        adjusts_facing=body.mode == Mode.GROUNDED,
    )
    body.position, body.heading = response.position, response.heading


def separate_from_faces(body: Body) -> None:
    """Push the actor out of faces that it still touches.

    Contacts with moving placements alone push by no more than it takes to be free (ours); any static contact
    makes it the text's separation.

    Source: movement, Residual static-contact separation.
    """
    contacts = residual_contacts(body.world, body.position, body.matrix, body.spheres, body.query_radius)
    body.separated = bool(contacts)
    if not contacts:
        return
    normals = [contact.normal for contact in contacts]
    if body.moving and all(contact.placement in body.moving for contact in contacts):
        freed = _gentle_separation(body, contacts)
        if freed is not None:
            body.position = freed
            return
    body.position, _ = separate(body.previous_position, body.position, normals, body.settings.poly_push_units)


def nudge_free(body: Body) -> None:
    """Nudge a falling or sliding actor off what its spheres have sunk into, no further than needed (ours)."""
    contacts = residual_contacts(body.world, body.position, body.matrix, body.spheres, body.query_radius)
    if contacts:
        freed = _gentle_separation(body, contacts)
        body.position = body.position if freed is None else freed  # wedged in: it stays


def _gentle_separation(body: Body, contacts: list[Contact]) -> Vector | None:
    """Return the nearest position along the averaged normal that touches nothing, or None (ours).

    Another face met on the way ends the search: behind it nothing touches either, but that is inside of something.
    """
    normals = [contact.normal for contact in contacts]
    touched = {(contact.placement, contact.face) for contact in contacts}
    for distance in _GENTLE_PUSHES:
        # Without displacement the text's arithmetic pushes by exactly the least distance it is given.
        position, _ = separate(body.position, body.position, normals, distance)
        met = residual_contacts(body.world, position, body.matrix, body.spheres, body.query_radius)
        if not met:
            return position
        if any((contact.placement, contact.face) not in touched for contact in met):
            return None
    return None


def starts_sliding(body: Body) -> bool:
    """Return whether the support under the actor is slid down (ours)."""
    support = body.support.support
    return slides(support.classification, body.actor.attributes["attr_collision"])
