"""Contacts of spheres and segments with model faces: what is admitted, what touches, and the integers of it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from movement.array_checks import floats
from movement.collision_arrays import MAXIMUM_FACE_VERTICES, MINIMUM_FACE_VERTICES
from movement.errors import MovementError
from movement.kernel import contacts as _kernel

UNDERSIDE, GROUND, STEEP, SIDE = 8, 4, 2, 1  # surface classifications

RANK_SCALE = 32768  # of a segment contact's fraction
MODEL_CONTACT_LIMIT = 32  # a model query stops after this many contacts
SIDED_DISTANCE = 4  # map units behind a face from which it is not touched

Vector = Sequence[float]
Point = tuple[float, float, float]
Integers = tuple[int, int, int]


class Contact(NamedTuple):
    """One contact, in integers.

    Attributes:
        position: x, y, z [map units].
        normal: world normal times 256.
        rank: of a segment contact: 0 at its start to 32768 at its end; 0 for spheres.
        placement: index of the placement; -1 for terrain.
        face: index within its model; -1 for terrain.
    """

    position: Integers
    normal: Integers
    rank: int = 0
    placement: int = -1
    face: int = -1

    @property
    def classification(self) -> int:
        """What the surface is, by the integer normal's Y: GROUND, STEEP, SIDE or UNDERSIDE."""
        return classify_normal(self.normal[1])


def classify_normal(normal_y: int) -> int:
    """Return a surface's classification from its normal's Y component times 256.

    Below -160 ordinary ground (4), to -42 steep ground (2), to 160 side surface (1), above it underside (8).

    Source: movement: Ordinary forward-walk support checks.
    """
    if normal_y < -160:
        return GROUND
    if normal_y <= -42:
        return STEEP
    if normal_y <= 160:
        return SIDE
    return UNDERSIDE


def sphere_meets_model(
    center: Vector,
    radius: float,
    origin: Vector,
    rotation: Sequence[Vector],
    position: Vector,
    model_radius: float,
) -> bool:
    """Return whether a body sphere is admitted to a placed model's faces.

    The squared distance may be the sum of the squared radii, which is less than the square of their sum (quirk).

    Args:
        center: of the sphere, actor axes [map units].
        radius: of the sphere.
        origin: actor origin [map units].
        rotation: actor matrix, rows.
        position: of the placement.
        model_radius: bounding radius of the model.

    Source: movement: Sphere model admission.
    """
    return _kernel.sphere_meets_model(center, radius, origin, rotation, position, model_radius)


def sphere_meets_sub_object(
    center: Vector, radius: float, sub_center: Vector, sub_radius: float, extents: Vector
) -> bool:
    """Return whether a sphere in model coordinates is admitted to a sub-object.

    With d from the sub-object's centre: |d|^2 <= |f32(d R / |d| e)|^2 + radius^2. Reading: d = 0 is admitted.

    Source: movement: Collision subobject admission.
    """
    return _kernel.sphere_meets_sub_object(center, radius, sub_center, sub_radius, extents)


def segment_meets_model(start: Vector, end: Vector, model_radius: float) -> bool:
    """Return whether a segment in model coordinates is admitted to a model: its radius about its origin.

    Source: movement: Segment model admission.
    """
    return _kernel.segment_meets_model(start, end, model_radius)


def segment_meets_sub_object(
    start: Vector, end: Vector, sub_center: Vector, sub_radius: float, extents: Vector
) -> bool:
    """Return whether a segment in model coordinates is admitted to a sub-object.

    Both ends are scaled by the reciprocal extents; unlike for models, a projection of zero is refused (quirk).

    Source: movement: Segment subobject admission.
    """
    return _kernel.segment_meets_sub_object(start, end, sub_center, sub_radius, extents)


def point_inside_face(point: Vector, vertices: Sequence[Vector], normal: Vector) -> bool:
    """Return whether ((A - point) x (B - point)) . normal >= 0 for every edge A to B of a face.

    Source: movement: Sphere contact with model faces.
    """
    return _kernel.point_inside_face(point, face_corners(vertices), normal)


def sphere_face_contact(
    center: Vector, radius: float, vertices: Sequence[Vector], normal: Vector, sided: bool = True
) -> Point | None:
    """Return where a sphere touches a face, in the same coordinates, or None.

    The point is the centre's projection onto the face plane, even when a vertex or an edge was touched.

    Args:
        center: of the sphere [map units].
        radius: of the sphere.
        vertices: 3 to 10 corners of the face; the first one places its plane.
        normal: the stored face normal.
        sided: refuse centres more than 4 map units behind the face.

    Raises:
        MovementError: the face does not have 3 to 10 vertices of three finite numbers.

    Source: movement: Sphere contact with model faces.
    """
    return _kernel.sphere_face_contact(center, radius, face_corners(vertices), normal, sided)


def segment_face_contact(
    start: Vector, end: Vector, vertices: Sequence[Vector], normal: Vector, sided: bool = True
) -> tuple[Point, float] | None:
    """Return where a segment crosses a face, in the same coordinates, and at which fraction of it; or None.

    Args:
        start: of the segment [map units].
        end: of the segment.
        vertices: 3 to 10 corners of the face; the first one places its plane.
        normal: the stored face normal.
        sided: refuse starts more than 4 map units behind the face.

    Raises:
        MovementError: the face does not have 3 to 10 vertices of three finite numbers.

    Source: movement: Segment contact with model faces.
    """
    return _kernel.segment_face_contact(start, end, face_corners(vertices), normal, sided)


def face_corners(vertices: Sequence[Vector]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the corners of one face as (n, 3) float32; raise MovementError unless n is 3 to 10."""
    corners = floats("face", "vertices", vertices, (None, 3))
    if not MINIMUM_FACE_VERTICES <= len(corners) <= MAXIMUM_FACE_VERTICES:
        raise MovementError(f"face: need 3 to 10 vertices, got {len(corners)}")
    return corners


def integer_position(point: Vector) -> Integers:
    """Return a world contact point in whole map units, nearest-even (movement: Body-contact integer conversion)."""
    return _kernel.integer_position(point)


def integer_normal(normal: Vector) -> Integers:
    """Return a world normal times 256, stored at single precision, then nearest-even; it is not made unit again.

    Source: movement: Body-contact integer conversion.
    """
    return _kernel.integer_normal(normal)


def segment_rank(fraction: float) -> int:
    """Return a segment contact's stored fraction: times 32768, nearest-even.

    Source: movement: Segment contact with model faces.
    """
    return round(fraction * RANK_SCALE)
