"""Convex hulls and the mass properties of closed polygon surfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.errors import PhysicsError
from physics.kernel.hull import face_planes, hull_triangles, merge_coplanar, shrink

Array = NDArray[np.float64]

# Relative to the largest extent of the points: how far a point must stand out to count, tried in turn when
# rounding
# breaks the surface; and how flat neighbouring triangles must be to make one face (f32 sources round to
# 6e-8).
STANDING_OUT = (1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
COPLANAR = 1e-6
# The core's rounding radius as a share of the shape's inner radius, and how far the sharpest corner may
# stand out of it.
CORE_SHARE = 0.04
GAP_SHARE = 0.015


@dataclass(frozen=True)
class MassProperties:
    """Volume [m^3], centre of volume, and the inertia tensor for unit mass about that centre."""

    volume: float
    center: Array
    unit_inertia: Array


@dataclass(frozen=True)
class Hull:
    """A convex polyhedron.

    Attributes:
        vertices: (n, 3) corners.
        faces: loops of corner numbers, counter-clockwise from outside.
        planes: (f, 4) outward unit normal and offset of each face.
        edges: (e, 4) two corners and the two faces beside each edge.
        core: (n, 3) the corners of the hull shrunk by `core_radius`.
        core_radius: how far its faces moved inwards.
        mass: volume, centre and inertia.
    """

    vertices: Array
    faces: list[list[int]]
    planes: Array
    edges: NDArray[np.int32]
    core: Array
    core_radius: float
    mass: MassProperties


def _distinct(points: Array) -> Array:
    """Return the distinct (n, 3) points in ascending order."""
    # np.unique would import numpy.ma: a tenth of a game's start.
    points = points + 0.0  # no -0: equal points have equal bits
    ordered = points[np.lexsort(points.T[::-1])]
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return np.ascontiguousarray(ordered[new])


def convex_hull(points: Array) -> Hull:
    """Return the convex hull of (n, 3) points, with coplanar triangles merged into polygons.

    Raises:
        PhysicsError: the points span no volume.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    middle, extent = 0.5 * (low + high), float((high - low).max())
    local = _distinct(points - middle)
    for share in STANDING_OUT:
        triangles = hull_triangles(local, share * extent)
        if isinstance(triangles, int):
            what = ("one point", "a line", "a plane")[triangles]
            raise PhysicsError(
                f"ConvexHull: {len(points)} points that span a volume expected, these lie in {what}"
            )
        if triangles is not None and np.all(_heights(local, triangles) <= COPLANAR * extent):
            break
    else:
        raise PhysicsError(f"ConvexHull: no closed surface found around {len(points)} points")
    loops = merge_coplanar(local, triangles, COPLANAR * extent)
    used = sorted({u for loop in loops for u in loop})
    rank = {u: i for i, u in enumerate(used)}
    faces = [[rank[u] for u in loop] for loop in loops]
    vertices = local[used]
    edges = _edges(faces)
    if edges is None or len(faces) < 4:
        faces = [[int(u) for u in t] for t in triangles]
        vertices, edges = local, _edges(faces)
        if edges is None:
            raise PhysicsError(f"ConvexHull: no closed surface found around {len(points)} points")
    vertices = np.ascontiguousarray(vertices)
    start = np.cumsum([0] + [len(loop) for loop in faces]).astype(np.int32)
    index = np.array([u for loop in faces for u in loop], dtype=np.int32)
    planes = face_planes(vertices, start, index)
    mass = polyhedron_mass(vertices, fan(faces))
    if not mass.volume > 0.0:
        raise PhysicsError("ConvexHull: the points span no volume that a double can hold")
    inner = float((planes[:, 3] - planes[:, :3] @ mass.center).min())
    core_radius = CORE_SHARE * max(inner, 0.0)
    core = shrink(vertices, start, index, planes, mass.center, core_radius)
    gap = float(np.sqrt(((core - vertices) ** 2).sum(axis=1).max())) - core_radius
    if gap > GAP_SHARE * inner > 0.0:
        core = vertices + (core - vertices) * (GAP_SHARE * inner / gap)
        core_radius *= GAP_SHARE * inner / gap
    planes = np.column_stack([planes[:, :3], planes[:, 3] + planes[:, :3] @ middle])
    moved = MassProperties(mass.volume, mass.center + middle, mass.unit_inertia)
    return Hull(vertices + middle, faces, planes, edges, core + middle, core_radius, moved)


def fan(faces: list[list[int]]) -> NDArray[np.int32]:
    """Return the triangles (m, 3) of polygons, each fanned from its first corner."""
    return np.array(
        [(loop[0], loop[i], loop[i + 1]) for loop in faces for i in range(1, len(loop) - 1)], dtype=np.int32
    )


def polyhedron_mass(vertices: Array, triangles: NDArray[np.int32]) -> MassProperties:
    """Integrate volume, centre and unit-mass inertia of the solid inside a closed surface of outward
    triangles.

    A sum over the tetrahedra between an inner point and each triangle, whose second moments are exact.
    """
    origin = vertices.mean(axis=0)
    a, b, c = (vertices[triangles[:, i]] - origin for i in range(3))
    six_volumes = np.einsum("ij,ij->i", a, cross_rows(b, c))
    volume = float(six_volumes.sum()) / 6.0
    if volume == 0.0:
        return MassProperties(0.0, origin, np.zeros((3, 3)))
    total = a + b + c
    center = (six_volumes @ total) / 24.0 / volume
    # Integral of x x^T over a tetrahedron with one corner at 0: V/20 (aa + bb + cc + (a+b+c)(a+b+c)).
    second = sum(np.einsum("i,ij,ik->jk", six_volumes, v, v) for v in (a, b, c, total)) / 120.0
    covariance = second / volume - np.outer(center, center)
    inertia = np.trace(covariance) * np.eye(3) - covariance
    return MassProperties(volume, center + origin, inertia)


def cross_rows(a: Array, b: Array) -> Array:
    """Return the cross products of rows: what np.cross does, in a tenth of its time on few rows."""
    result = np.empty_like(a)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        result[:, k] = a[:, i] * b[:, j] - a[:, j] * b[:, i]
    return result


def _heights(points: Array, triangles: NDArray[np.int32]) -> Array:
    """Return how far the farthest point stands out of each triangle's plane."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    normals = cross_rows(b - a, c - a)
    lengths = np.sqrt((normals * normals).sum(axis=1))
    normals /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
    block = max(1, 4_000_000 // max(1, len(points)))  # bounds the table to 32 MB
    parts = [
        (normals[i : i + block] @ points.T).max(axis=1)
        - (normals[i : i + block] * a[i : i + block]).sum(axis=1)
        for i in range(0, len(triangles), block)
    ]
    return np.concatenate(parts)


def _edges(faces: list[list[int]]) -> NDArray[np.int32] | None:
    """Return (e, 4) corner, corner, face, face; None when the faces do not close."""
    face_of: dict[tuple[int, int], int] = {}
    for f, loop in enumerate(faces):
        for u, v in zip(loop, loop[1:] + loop[:1], strict=True):
            if (u, v) in face_of:
                return None
            face_of[(u, v)] = f
    if any((v, u) not in face_of for u, v in face_of):
        return None
    return np.array([(u, v, f, face_of[(v, u)]) for (u, v), f in face_of.items() if u < v], dtype=np.int32)
