"""From the shapes and surfaces of a level to the ones of `physics`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, singledispatch

import numpy as np

from assets_pipeline.errors import LevelError
from assets_pipeline.level_bodies import (
    BallShape,
    BoxShape,
    CapsuleShape,
    CompoundShape,
    CylinderShape,
    HullShape,
    MeshShape,
    Shape,
    Surface,
)
from physics.errors import PhysicsError
from physics.materials import Material
from physics.shapes import Ball, Box, Capsule, Compound, ConvexHull, Cylinder, TriangleMesh
from physics.shapes import Shape as PhysicsShape


def make_material(surface: Surface) -> Material:
    """Return the physics material of a surface."""
    return Material(
        friction=surface.friction,
        elasticity=surface.elasticity,
        rolling_friction=surface.rolling_friction,
        spinning_friction=surface.spinning_friction,
        surface_velocity=surface.surface_velocity,
    )


def make_shape(shape: Shape, materials: Sequence[Material] = ()) -> PhysicsShape:
    """Return the physics shape of a level's shape. Meshes use the baked arrays in place.

    Args:
        shape: any shape of a level.
        materials: one for each surface of the level, for meshes.

    Raises:
        LevelError: the numbers make no such shape.
    """
    try:
        return _make(shape, materials)
    except PhysicsError as error:
        raise LevelError(f"shape: {error}") from error


@singledispatch
def _make(shape: object, materials: Sequence[Material]) -> PhysicsShape:
    raise LevelError(f"shape: expected a shape of a level, found {type(shape).__name__}")


@_make.register
def _(shape: BallShape, materials: Sequence[Material]) -> PhysicsShape:
    return Ball(shape.radius)


@_make.register
def _(shape: BoxShape, materials: Sequence[Material]) -> PhysicsShape:
    return Box(shape.half_extents)


@_make.register
def _(shape: CapsuleShape, materials: Sequence[Material]) -> PhysicsShape:
    return Capsule(shape.radius, shape.half_length)


@_make.register
def _(shape: CylinderShape, materials: Sequence[Material]) -> PhysicsShape:
    return Cylinder(shape.radius, shape.half_length)


@_make.register
def _(shape: HullShape, materials: Sequence[Material]) -> PhysicsShape:
    return _hull(shape.points.tobytes())


@lru_cache(maxsize=256)
def _hull(points: bytes) -> ConvexHull:
    """Return the hull of packed (n, 3) f64 points; a level's trees and stones share a few."""
    return ConvexHull(np.frombuffer(points, np.float64).reshape(-1, 3))


@_make.register
def _(shape: MeshShape, materials: Sequence[Material]) -> PhysicsShape:
    return TriangleMesh.from_arrays(shape.arrays(), list(materials) or None)


@_make.register
def _(shape: CompoundShape, materials: Sequence[Material]) -> PhysicsShape:
    return Compound([(_make(part.shape, materials), part.position, part.rotation) for part in shape.parts])
