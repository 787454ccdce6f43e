"""Collision spheres of an actor: the series its bounds ask for, and the two working records of an update."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from movement.errors import MovementError
from movement.orientation import collision_angles
from movement.single import single, truncated_division

MINIMUM_RADIUS = 4  # map units
MINIMUM_COUNT = 2
UNIT_SCALE = 256  # of the radius scale, eight fractional bits
SUPPORT_RADIUS = 10  # reading: the support sphere is the one of the fallback query, centre and radius
SUPPORT_RISE = 3  # map units above the lower end of the bounds
LARGEST_COUNT = 4096  # spheres of one shape; only absurd bounds ask for more

Vector = tuple[int, int, int]


class Dominance(Enum):
    """Which way the spheres of an actor are strung."""

    UPRIGHT = "upright"
    X = "x"
    Z = "z"


class Sphere(NamedTuple):
    """A sphere in actor axes [map units]."""

    x: int
    y: int
    z: int
    radius: int


@dataclass(frozen=True)
class CollisionShape:
    """The spheres of an actor.

    Attributes:
        dominance: how they are strung.
        spheres: the ordinary obstacle spheres, in query order.
        support: the additional support sphere; not an obstacle sphere.
    """

    dominance: Dominance
    spheres: tuple[Sphere, ...]
    support: Sphere


class WorkingRecord(NamedTuple):
    """A copy of the selected shape for one update.

    Attributes:
        position: actor position in map units, single precision: each runtime coordinate shifted right by eight.
        angles: pitch, heading and roll as `(-angle) & 2047`.
        spheres: those that take part.
    """

    position: tuple[float, float, float]
    angles: Vector
    spheres: tuple[Sphere, ...]


def bounds_dominance(total: Vector) -> Dominance:
    """Return how a shape is strung: X or Z only where that total is strictly greater than both others.

    Source: movement: Upright actor collision spheres.
    """
    x, y, z = total
    if x > y and x > z:
        return Dominance.X
    if z > x and z > y:
        return Dominance.Z
    return Dominance.UPRIGHT


def sphere_radius(first_total: int, second_total: int) -> int:
    """Return the unscaled radius: half the larger total, truncated, at least 4 map units.

    Source: movement: Upright actor collision spheres.
    """
    return max(truncated_division(max(first_total, second_total), 2), MINIMUM_RADIUS)


def sphere_spacing(radius: int) -> int:
    """Return the distance of sphere centres: three times half the radius, the division first."""
    return 3 * (radius // 2)


def sphere_count(available: int, fallback: int, spacing: int) -> int:
    """Return how many spheres fill a length: `available / spacing` truncated, at least two.

    A negative available length is replaced by `fallback` (`post_collide_height`).
    """
    return max(truncated_division(fallback if available < 0 else available, spacing), MINIMUM_COUNT)


def scaled_radius(radius: int, scale: int) -> int:
    """Return `radius * scale >> 8`; a scale of zero or less stands for 256.

    Source: movement: Upright actor collision spheres (RAEX field 0x12).
    """
    return radius * (scale if scale > 0 else UNIT_SCALE) >> 8


def upright_spheres(
    total: Vector, positive_y: int, negative_y: int, post_collide_height: int, scale: int = 0
) -> tuple[Sphere, ...]:
    """Return the vertical series of spheres of upright bounds.

    Reading: the scaled radius is the radius of all spheres. The unscaled one spaces them and places the first, the
    scaled one places the last.

    Args:
        total: sizes of the bounds (x, y, z) [map units].
        positive_y: extent toward +Y (down).
        negative_y: extent toward -Y, as an absolute value.
        post_collide_height: SYSTEM.INI value: what lies this far above the feet is no obstacle.
        scale: radius scale, eight fractional bits; zero or less means 256.

    Raises:
        MovementError: the bounds ask for more than 4096 spheres.

    Source: movement: Upright actor collision spheres.
    """
    radius = sphere_radius(total[0], total[2])
    scaled = scaled_radius(radius, scale)
    spacing = sphere_spacing(radius)
    count = checked_count(sphere_count(total[1] - post_collide_height, post_collide_height, spacing), total)
    first_y = radius - negative_y
    series = [Sphere(0, first_y + k * spacing, 0, scaled) for k in range(count - 1)]
    return (*series, Sphere(0, positive_y - post_collide_height - scaled, 0, scaled))


def lying_spheres(
    dominance: Dominance,
    total: Vector,
    positive: Vector,
    negative: Vector,
    post_collide_height: int,
    scale: int = 0,
) -> tuple[Sphere, ...]:
    """Return the horizontal series of spheres of X- or Z-dominant bounds (ours).

    The same construction along the long axis: the radius comes from the larger of the other two totals, the first
    sphere is placed by the unscaled radius, the last one touches the positive end. Feet may step over what is lower
    than `post_collide_height`, where the bounds are high enough for it: the spheres stand at the middle of the rest.

    Args:
        dominance: X or Z.
        total: sizes of the bounds (x, y, z) [map units].
        positive: extents toward +X, +Y, +Z.
        negative: extents toward -X, -Y, -Z, as absolute values.
        post_collide_height: as for upright bounds.
        scale: radius scale, eight fractional bits; zero or less means 256.

    Raises:
        MovementError: the bounds ask for more than 4096 spheres.
    """
    axis = 0 if dominance is Dominance.X else 2
    radius = sphere_radius(total[1], total[2 - axis])
    scaled = scaled_radius(radius, scale)
    spacing = sphere_spacing(radius)
    count = checked_count(sphere_count(total[axis], total[axis], spacing), total)
    foot = positive[1] - post_collide_height if total[1] > post_collide_height else positive[1]
    y = (foot - negative[1]) // 2
    along = [radius - negative[axis] + k * spacing for k in range(count - 1)]
    along.append(positive[axis] - scaled)
    if axis == 0:
        return tuple(Sphere(at, y, 0, scaled) for at in along)
    return tuple(Sphere(0, y, at, scaled) for at in along)


def support_sphere(positive_y: int) -> Sphere:
    """Return the additional support sphere (reading): where the fallback support query looks, with its radius."""
    return Sphere(0, positive_y - SUPPORT_RISE, 0, SUPPORT_RADIUS)


def collision_shape(
    total: Vector, positive: Vector, negative: Vector, post_collide_height: int, scale: int = 0
) -> CollisionShape:
    """Return the collision shape of an actor's bounds.

    Args:
        total: sizes of the bounds (x, y, z) [map units].
        positive: extents toward +X, +Y, +Z.
        negative: extents toward -X, -Y, -Z, as absolute values.
        post_collide_height: SYSTEM.INI value [map units].
        scale: RAEX field 0x12, eight fractional bits; zero or less means 256.

    Raises:
        MovementError: the bounds ask for more than 4096 spheres.

    Source: movement: Upright actor collision spheres.
    """
    dominance = bounds_dominance(total)
    if dominance is Dominance.UPRIGHT:
        spheres = upright_spheres(total, positive[1], negative[1], post_collide_height, scale)
    else:
        spheres = lying_spheres(dominance, total, positive, negative, post_collide_height, scale)
    return CollisionShape(dominance, spheres, support_sphere(positive[1]))


def prepared_position(position: Vector) -> tuple[float, float, float]:
    """Return a runtime position as a shape holds it: shifted right by eight, at single precision.

    Source: movement: Per-update collision shape preparation.
    """
    return single(position[0] >> 8), single(position[1] >> 8), single(position[2] >> 8)


def working_records(
    shape: CollisionShape | None,
    position: Vector,
    angles: Vector,
    player_shape: CollisionShape | None = None,
    player_dominance: Dominance | None = None,
) -> tuple[WorkingRecord, WorkingRecord]:
    """Return the two working records of an update: obstacle queries read the first, support the second.

    For upright bounds the second record has one sphere more, the support sphere.

    Args:
        shape: the actor's selected shape; None: it has none, and the saved player shape is used.
        position: actor position [runtime units].
        angles: actor pitch, heading and roll.
        player_shape: the saved shape of the selected player.
        player_dominance: orientation of the selected player's bounds; None: as its shape has it.

    Raises:
        MovementError: neither shape is there.

    Source: movement: Per-update collision shape preparation.
    """
    if shape is not None:
        dominance = shape.dominance
    elif player_shape is not None:
        shape, dominance = player_shape, player_dominance or player_shape.dominance
    else:
        raise MovementError("working records: need the actor's shape or a saved player shape, got neither")
    at, turned = prepared_position(position), collision_angles(*angles)
    more = (shape.support,) if dominance is Dominance.UPRIGHT else ()
    return WorkingRecord(at, turned, shape.spheres), WorkingRecord(at, turned, shape.spheres + more)


def checked_count(count: int, total: Vector) -> int:
    """Return `count`; raise MovementError when the bounds ask for absurdly many spheres."""
    if count > LARGEST_COUNT:
        raise MovementError(f"bounds {total}: need at most {LARGEST_COUNT} spheres, these ask for {count}")
    return count
