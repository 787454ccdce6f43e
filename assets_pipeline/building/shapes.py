"""From the shapes of a packfile to the shapes of a level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.havok import convex, meshes, shapes
from assets_pipeline.level_bodies import (
    BallShape,
    BoxShape,
    CapsuleShape,
    CompoundPart,
    CompoundShape,
    CylinderShape,
    HullShape,
    MeshShape,
    SolidShape,
    Vector,
)
from assets_pipeline.vectors import UPRIGHT, Quaternion, matrix_of, multiply, turn_from_y, vector_of
from physics.errors import PhysicsError
from physics.materials import Material
from physics.shapes import TriangleMesh

Array = NDArray[np.float64]
SurfaceOf = Callable[[int], int]  # surface id of a packfile -> index into the level's surfaces
Note = Callable[[str], None]
ORIGIN: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Piece:
    """A shape without inner structure, and where it is in its body's axes."""

    shape: SolidShape | MeshShape
    position: Vector
    rotation: Quaternion


def pieces_of(shape: shapes.Shape, surface_of: SurfaceOf, note: Note) -> list[Piece]:
    """Return the pieces that a packfile shape consists of; what can't be used is noted.

    Args:
        shape: a shape of `havok.shapes`.
        surface_of: turns a triangle's surface id into the index of a surface.
        note: takes a line about something that is left out or changed.
    """
    if not _is_finite(shape):
        note(f"a {type(shape).__name__} has a number that is not finite: left out")
        return []
    match shape:
        case shapes.TreeShape():
            return pieces_of(shape.child, surface_of, note)
        case meshes.MeshShape():
            mesh = mesh_of(shape, surface_of, note)
            return [] if mesh is None else [Piece(mesh, ORIGIN, UPRIGHT)]
        case shapes.ListShape():
            pieces = []
            for index, child in enumerate(shape.children):
                if not shape.enabled[index]:
                    note(f"child {index} of its list is disabled: left out")
                    continue
                if shape.filters[index]:
                    note(f"child {index} of its list has a filter word 0x{shape.filters[index]:x}: not used")
                pieces += pieces_of(child, surface_of, note)
            return pieces
        case shapes.TranslatedShape():
            x, y, z = vector_of(shape.translation)
            return [
                Piece(
                    piece.shape,
                    (piece.position[0] + x, piece.position[1] + y, piece.position[2] + z),
                    piece.rotation,
                )
                for piece in pieces_of(shape.child, surface_of, note)
            ]
        case shapes.SphereShape():
            return [Piece(BallShape(float(shape.radius)), ORIGIN, UPRIGHT)]
        case shapes.BoxShape():
            # The shell makes a box with round edges; ours has sharp ones of the same size.
            half = vector_of(shape.half_extents.astype(np.float64) + float(shape.radius))
            return [Piece(BoxShape(half), ORIGIN, UPRIGHT)]
        case shapes.CapsuleShape():
            middle, turn, half_length = _axis(shape.start, shape.end)
            if half_length < 1e-6:
                return [Piece(BallShape(float(shape.radius)), middle, UPRIGHT)]
            return [Piece(CapsuleShape(float(shape.radius), half_length), middle, turn)]
        case shapes.CylinderShape():
            middle, turn, half_length = _axis(shape.start, shape.end)
            shell = float(shape.convex_radius)
            return [Piece(CylinderShape(float(shape.radius) + shell, half_length + shell), middle, turn)]
        case convex.ConvexShape():
            if shape.rebuilt and len(shape.source.planeEquations):
                note("its stored planes do not agree with its vertices: the hull was made from the vertices")
            return [Piece(HullShape(grown_vertices(shape)), ORIGIN, UPRIGHT)]
    note(f"a {type(shape).__name__} is not supported: left out")
    return []


def _is_finite(shape: shapes.Shape) -> bool:
    """Tell whether the shape's own numbers are finite; those of meshes are checked where they are baked."""
    values = [value for value in vars(shape).values() if isinstance(value, float | np.ndarray)]
    return all(np.isfinite(value).all() for value in values)


def _axis(start: NDArray[np.float32], end: NDArray[np.float32]) -> tuple[Vector, Quaternion, float]:
    """Return middle, rotation from +Y and half length of an axis."""
    a, b = start.astype(np.float64), end.astype(np.float64)
    length = float(np.linalg.norm(b - a))
    turn = UPRIGHT if length < 1e-9 else turn_from_y((b - a) / length)
    return vector_of((a + b) / 2), turn, length / 2


def grown_vertices(shape: convex.ConvexShape) -> Array:
    """Return the corners of a hull with its shell: each is moved so that its faces move out by the radius.

    Where more than three faces meet no point need satisfy all; then the nearest in the sense of least squares
    is taken. Like the shell of a box it gets sharp edges.
    """
    vertices = shape.vertices.astype(np.float64)
    if shape.radius <= 0.0:
        return vertices
    normals: list[list[Array]] = [[] for _ in vertices]
    for face, plane in zip(shape.faces, shape.planes, strict=False):
        for index in face:
            normals[index].append(plane[:3])
    grown = vertices.copy()
    for index, around in enumerate(normals):
        if around:
            matrix = np.array(around)
            grown[index] += np.linalg.lstsq(matrix, np.full(len(matrix), float(shape.radius)), rcond=None)[0]
    return grown


def mesh_of(shape: meshes.MeshShape, surface_of: SurfaceOf, note: Note) -> MeshShape | None:
    """Return the baked mesh of all subparts; None, and a note, where no triangle has an area.

    Reading: a collision triangle is counter-clockwise seen from its front, so its order stays.
    """
    vertices, triangles, materials = [], [], []
    start = 0
    for part in shape.subparts:
        vertices.append(part.vertices.astype(np.float64))
        triangles.append(part.triangles + start)
        ids, place = np.unique(part.surface_ids, return_inverse=True)
        materials.append(np.array([surface_of(int(number)) for number in ids], np.int32)[place.reshape(-1)])
        start += len(part.vertices)
    if start == 0 or not any(map(len, triangles)):
        note("a mesh without triangles: left out")
        return None
    return baked_mesh(np.concatenate(vertices), np.concatenate(triangles), np.concatenate(materials), note)


def baked_mesh(
    vertices: Array, triangles: NDArray[np.int64], materials: NDArray[np.int32], note: Note
) -> MeshShape | None:
    """Return a mesh with its tree; None, and a note, where no triangle has an area.

    Args:
        vertices: (n, 3).
        triangles: (m, 3).
        materials: (m,) surface indices.
        note: takes the notes.
    """
    try:
        mesh = TriangleMesh(vertices, triangles, [Material()] * (int(materials.max()) + 1), materials)
    except PhysicsError as error:
        note(f"{error}: left out")
        return None
    dropped = len(triangles) - len(mesh.triangles)
    if dropped:
        note(f"{dropped} of {len(triangles)} triangles have no area or are there twice: left out")
    return MeshShape(**mesh.to_arrays())


def solid_of(pieces: list[Piece]) -> SolidShape | CompoundShape:
    """Return the one shape of a moving body's pieces.

    Raises:
        LevelError: there is none, or one of them is a mesh.
    """
    solids = [(piece.shape, piece) for piece in pieces]
    parts = [
        CompoundPart(shape, piece.position, piece.rotation)
        for shape, piece in solids
        if not isinstance(shape, MeshShape)
    ]
    if len(parts) != len(pieces):
        raise LevelError("a moving body can't be a mesh")
    if not parts:
        raise LevelError("no shape is left")
    if len(parts) == 1 and parts[0].position == ORIGIN and parts[0].rotation == UPRIGHT:
        return parts[0].shape
    return CompoundShape(tuple(parts))


def placed_piece(piece: Piece, position: Vector, rotation: Quaternion) -> tuple[Vector, Quaternion]:
    """Return position and rotation in the world of a piece of a body at the given pose."""
    place = np.asarray(position) + matrix_of(rotation) @ np.asarray(piece.position)
    return vector_of(place), multiply(rotation, piece.rotation)
