"""Makes convex shapes from meshes: hulls, and the boxes, spheres, capsules and cylinders that a mesh stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring import havok_shapes, solids
from assets_pipeline.authoring.model_meshes import transformed
from assets_pipeline.authoring.model_properties import Properties
from assets_pipeline.authoring.model_scene import Matrix, Node, decompose
from assets_pipeline.packfile import HavokObject
from assets_pipeline.vectors import matrix_of, quaternion_of
from physics.shapes import Ball, Box, Capsule, Compound, ConvexHull, Cylinder, Shape

SAME = 1e-4  # of its size: how far a mesh may differ from the numbers it was made from

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Solid:
    """A convex shape of a body: the packfile object, and the same solid for its mass.

    Attributes:
        shape: in the body's axes.
        solid: the shape of `physics`, about its own origin.
        position: (3,) of that origin in the body's axes.
        rotation: (4,) of its axes.
    """

    shape: HavokObject
    solid: Shape
    position: Vector
    rotation: tuple[float, float, float, float]


def solid_of(piece: Node, matrix: Matrix, kind: str, properties: Properties, notes: list[str]) -> Solid:
    """Return the solid of a node's mesh.

    The numbers that an export stored beside the mesh hold as long as the mesh has the bounds they give; else the
    solid is measured from the mesh.

    Args:
        piece: the node.
        matrix: to the body's axes.
        kind: "hull", "box", "sphere", "capsule" or "cylinder".
        properties: of the node.
        notes: grows by a line where the mesh can't be just that kind.

    Raises:
        PhysicsError, LevelError: the mesh spans no volume, or a property can't be used.
    """
    moved, rotation, rest = decompose(matrix, properties.where)
    stretch = np.eye(4)
    stretch[:3, :3] = rest
    vertices = transformed(_corners(piece), stretch)
    turned = abs(rotation[3]) < 1.0 - 1e-12
    shell = properties.number("convex_radius", 0.0, 0.0)
    if turned and kind == "box":
        notes.append(
            f"{properties.where}: a box that is turned inside its body becomes a hull of eight corners"
        )
        kind = "hull"
    if turned:
        turn = np.eye(4)
        turn[:3, :3] = matrix_of(rotation)
        vertices = transformed(vertices, turn)
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    if kind == "hull":
        return _placed(havok_shapes.hull(vertices, shell), ConvexHull(vertices), moved, np.zeros(3))
    if kind == "box":
        stored = properties.vector("half_extents", np.zeros(3))
        if not _agrees(solids.box_mesh(stored), low, high):
            stored, moved = (high - low) / 2, moved + (low + high) / 2
        return _placed(havok_shapes.box(stored.tolist(), shell), Box(stored + shell), moved, np.zeros(3))
    radius = properties.number("radius", 0.0, 0.0)
    if kind == "sphere":
        if not _agrees(solids.sphere_mesh(radius), low, high):
            radius, moved = float((high - low).max() / 2), moved + (low + high) / 2
        return _placed(havok_shapes.sphere(radius), Ball(radius), moved, np.zeros(3))
    start, end = properties.vector("start", np.zeros(3)), properties.vector("end", np.zeros(3))
    made = (solids.capsule_mesh if kind == "capsule" else solids.cylinder_mesh)(start, end, radius)
    if not _agrees(made, low, high):
        start, end, radius = _measured_axis(vertices, kind, shell)
    return _along(kind, start, end, radius, shell, moved)


def mass_properties(found: Sequence[Solid], mass: float) -> tuple[Vector, Vector, float]:
    """Return inertia (3,) about the mass centre along the body's axes, that centre, and the reach about it."""
    shape: Shape
    if len(found) == 1 and not found[0].position.any() and found[0].rotation == (0.0, 0.0, 0.0, 1.0):
        shape = found[0].solid
    else:
        shape = Compound([(one.solid, one.position, one.rotation) for one in found])
    center = np.asarray(shape.mass_center, dtype=np.float64)
    return shape.unit_inertia_tensor.diagonal() * mass, center, shape.radius_about(center)[0]


def _corners(piece: Node) -> NDArray[np.float32]:
    """Return the vertices that a node's triangles use."""
    used = [part.positions[np.unique(part.triangles)] for part in piece.parts if len(part.triangles)]
    return np.concatenate(used)


def _agrees(mesh: solids.Mesh, low: Vector, high: Vector) -> bool:
    bounds = mesh[0].min(axis=0), mesh[0].max(axis=0)
    size = float((high - low).max())
    return bool(
        np.abs(bounds[0] - low).max() <= SAME * size and np.abs(bounds[1] - high).max() <= SAME * size
    )


def _measured_axis(vertices: NDArray[np.float32], kind: str, shell: float) -> tuple[Vector, Vector, float]:
    """Return axis ends and radius of a mesh along the axis about which it is roundest; Y where that is no matter."""
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    half, middle = (high - low) / 2, (low + high) / 2
    differences = [abs(half[1] - half[2]), abs(half[0] - half[2]), abs(half[0] - half[1])]
    size = float(half.max())
    axis = min((1, 0, 2), key=lambda k: round(differences[k] / size, 6))
    others = [k for k in range(3) if k != axis]
    radius = float(half[others].max())
    reach = np.zeros(3)
    reach[axis] = max(half[axis] - radius, 0.0) if kind == "capsule" else half[axis]
    return middle - reach, middle + reach, radius


def _along(kind: str, start: Vector, end: Vector, radius: float, shell: float, moved: Vector) -> Solid:
    length = float(np.linalg.norm(end - start))
    direction = (end - start) / length if length else np.array([0.0, 1.0, 0.0])
    rotation = quaternion_of(solids.axes_along(direction))
    solid: Shape
    if kind == "capsule":
        shape = havok_shapes.capsule(start.tolist(), end.tolist(), radius)
        solid = Capsule(radius, length / 2) if length else Ball(radius)
    else:
        shape = havok_shapes.cylinder(start.tolist(), end.tolist(), radius, shell)
        solid = Cylinder(radius + shell, length / 2 + shell)
    placed = _placed(shape, solid, moved, (start + end) / 2)
    return Solid(placed.shape, solid, placed.position, rotation)


def _placed(shape: HavokObject, solid: Any, moved: Vector, middle: Vector) -> Solid:
    """Return a solid whose shape lies `moved` in its body, its own centre at `middle` of the shape's axes."""
    if np.abs(moved).max() > 0.0:
        shape = havok_shapes.translated(shape, moved.tolist())
    return Solid(shape, solid, moved + middle, (0.0, 0.0, 0.0, 1.0))
