"""Rigid bodies: pose, mass, damping and material of a body object (havok: Rigid bodies)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.havok.shapes import MadeShapes, Shape, shape_of
from assets_pipeline.havok.words import CollisionFilter
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.vectors import matrix_of, quaternion_of

ROTATION_TOLERANCE = 2e-3  # stored rotations are orthonormal to this

Vector = NDArray[np.float64]


class MotionType(IntEnum):
    """How a body moves."""

    INVALID = 0
    DYNAMIC = 1
    SPHERE_INERTIA = 2
    BOX_INERTIA = 3
    KEYFRAMED = 4
    FIXED = 5
    THIN_BOX_INERTIA = 6
    CHARACTER = 7
    MAX_ID = 8


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body; numbers as the file stores them, widened to f64.

    Attributes:
        source: the `hkpRigidBody`.
        name: a level editor's path, "" without one.
        shape: what it is made of.
        position: (3,) of the shape's origin [m].
        rotation: (4,) quaternion x y z w.
        matrix: (3, 3), a vertex v lies at `matrix @ v + position`.
        motion_type: how it moves.
        inverse_mass: 1/kg, 0 for one that nothing pushes.
        inverse_inertia: (3,) about the mass centre along the body's axes [1/(kg m^2)].
        mass_center: (3,) in the body's axes [m].
        velocity, angular_velocity: (3,) [m/s, rad/s].
        linear_damping, angular_damping: 1/s.
        friction, restitution: of its material.
        filter: its collision layer and groups.
        gravity_factor: how much of gravity it feels.
        radius: about the mass centre; not a strict bound [m].
        quality: the collision quality type, 0 fixed, 4 moving.
        uid: the body's number in its file.
    """

    source: HavokObject
    name: str
    shape: Shape
    position: Vector
    rotation: Vector
    matrix: NDArray[np.float64]
    motion_type: MotionType
    inverse_mass: float
    inverse_inertia: Vector
    mass_center: Vector
    velocity: Vector
    angular_velocity: Vector
    linear_damping: float
    angular_damping: float
    friction: float
    restitution: float
    filter: CollisionFilter
    gravity_factor: float
    radius: float
    quality: int
    uid: int

    @property
    def fixed(self) -> bool:
        """Whether it never moves."""
        return self.motion_type is MotionType.FIXED

    @property
    def dynamic(self) -> bool:
        """Whether forces move it."""
        return self.motion_type not in (MotionType.FIXED, MotionType.KEYFRAMED)

    @property
    def mass(self) -> float:
        """Kilograms; 0 for a body that nothing pushes."""
        return 1 / self.inverse_mass if self.inverse_mass > 0 else 0.0

    @property
    def inertia(self) -> Vector:
        """(3,) kg m^2 about the mass centre; 0 where the inverse is."""
        inverse = self.inverse_inertia
        return np.divide(1.0, inverse, out=np.zeros(3), where=inverse > 0)


@any_numbers
def body_of(source: HavokObject, made: MadeShapes | None = None) -> Body:
    """Return what an `hkpRigidBody` means.

    Args:
        source: the object.
        made: shapes of the same file, to share and to add to.

    Raises:
        PackfileError: its shape can't be used, a number isn't finite, or its rotation is none.
    """
    motion, collidable = source.motion, source.collidable
    state = motion.motionState
    columns = state.transform.astype(np.float64)
    matrix, position = columns[:3, :3].T, columns[3, :3]
    inverse = motion.inertiaAndMassInv.astype(np.float64)
    name = source["name"] or ""
    label = f"body {name!r}"
    for field, values in (("pose", columns[:, :3]), ("mass", inverse)):
        if not np.isfinite(values).all():
            raise PackfileError(None, label, f"its {field} has a number that is not finite")
    if (np.abs(matrix.T @ matrix - np.eye(3)) > 4 * ROTATION_TOLERANCE).any() or np.linalg.det(matrix) < 0:
        raise PackfileError(None, label, "its rotation is not orthonormal and right-handed")
    kind = int(motion.type)
    if kind not in set(MotionType) - {MotionType.INVALID, MotionType.MAX_ID}:
        raise PackfileError(None, label, f"motion type {kind}, expected 1 to 7")
    return Body(
        source=source,
        name=name,
        shape=shape_of(collidable.shape, made),
        position=position,
        rotation=_quaternion(state.sweptTransform.rotation1.astype(np.float64), matrix),
        matrix=matrix,
        motion_type=MotionType(kind),
        inverse_mass=float(inverse[3]),
        inverse_inertia=inverse[:3],
        mass_center=state.sweptTransform.centerOfMassLocal[:3].astype(np.float64),
        velocity=motion.linearVelocity[:3].astype(np.float64),
        angular_velocity=motion.angularVelocity[:3].astype(np.float64),
        linear_damping=state.linearDamping,
        angular_damping=state.angularDamping,
        friction=source.material.friction,
        restitution=source.material.restitution,
        filter=CollisionFilter.from_word(collidable.broadPhaseHandle.collisionFilterInfo),
        gravity_factor=motion.gravityFactor,
        radius=state.objectRadius,
        quality=collidable.broadPhaseHandle.objectQualityType,
        uid=source.uid,
    )


def _quaternion(stored: Vector, matrix: NDArray[np.float64]) -> Vector:
    """Return the stored quaternion where it is the matrix's rotation, else one from the matrix."""
    length = float(np.linalg.norm(stored))
    if np.isfinite(length) and length > 0.5:
        unit = stored / length
        if (np.abs(matrix_of(unit) - matrix) < 4 * ROTATION_TOLERANCE).all():
            return unit
    return np.array(quaternion_of(matrix))
