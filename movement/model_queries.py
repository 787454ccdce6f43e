"""Contacts with one placed model, without a world: what the queries of a CollisionWorld do with each candidate."""

from collections.abc import Sequence

from movement.collision_arrays import Model, Placement, Placements
from movement.collision_world import CollisionWorld
from movement.contacts import Contact
from movement.orientation import IDENTITY

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]


def sphere_model_contacts(
    model: Model,
    spheres: Sequence[tuple[float, float, float, float]],
    origin: Vector = (0, 0, 0),
    rotation: Matrix = IDENTITY,
    position: Vector = (0, 0, 0),
    model_rotation: Matrix = IDENTITY,
    sided: bool = True,
) -> list[Contact]:
    """Return the contacts of an actor's spheres with one placed model, in order of first success, at most 32.

    Args:
        model: the model; only sub-objects' faces take part.
        spheres: centre x, y, z and radius of each, actor axes, in query order [map units].
        origin: actor origin in whole map units.
        rotation: actor matrix, rows.
        position: of the placement [map units].
        model_rotation: of the placement, rows.
        sided: refuse faces that a centre lies more than 4 map units behind.

    Raises:
        MovementError: a number of the placement is not finite.

    Source: movement: Collision face traversal, Sphere contact with model faces.
    """
    world = _world_of(model, position, model_rotation)
    return world.sphere_contacts((0,), origin, rotation, spheres, sided)


def segment_model_contacts(
    model: Model,
    start: Vector,
    end: Vector,
    position: Vector = (0, 0, 0),
    model_rotation: Matrix = IDENTITY,
    sided: bool = True,
) -> list[Contact]:
    """Return the contacts of a world segment with one placed model, repeated references included, at most 32.

    Args:
        model: the model; only sub-objects' faces take part.
        start: where rank 0 lies [map units].
        end: where rank 32768 lies [map units].
        position: of the placement [map units].
        model_rotation: of the placement, rows.
        sided: refuse faces that the start lies more than 4 map units behind.

    Raises:
        MovementError: a number of the placement is not finite.

    Source: movement: Segment subobject admission, Segment contact with model faces.
    """
    return _world_of(model, position, model_rotation).segment_contacts((0,), start, end, sided)


def _world_of(model: Model, position: Vector, rotation: Matrix) -> CollisionWorld:
    return CollisionWorld([model], Placements.of([Placement(0, position, rotation)]))
