"""Convex vertices shapes: vertices, planes and faces, the hull rebuilt where the stored planes don't agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.packfile.objects import HavokObject

# Real shapes whose planes are clean stay within these (havok: Convex planes and faces).
PLANE_TOLERANCE = 1e-3  # m: how far outside a plane a vertex may lie
UNIT_TOLERANCE = 1e-3  # of a normal's length
SAME_DIRECTION = 0.999  # cosine between a face's own normal and its plane

Faces = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class ConvexShape:
    """A convex hull with a shell of `radius` around it.

    Attributes:
        vertices: (n, 3) float32 [m].
        planes: (f, 4) unit normal and d, `normal . x + d <= 0` inside; one for each face, in face order.
        faces: loops of vertex numbers, counter-clockwise from outside.
        bevel_planes: (k, 4) stored planes past the faces.
        rebuilt: whether planes and faces were made from the vertices, because the stored ones disagree or are
        absent.
    """

    source: HavokObject
    vertices: NDArray[np.float32]
    planes: NDArray[np.float64]
    faces: Faces
    bevel_planes: NDArray[np.float64]
    radius: float
    center: NDArray[np.float32]
    half_extents: NDArray[np.float32]
    rebuilt: bool


@any_numbers
def convex_shape(source: HavokObject) -> ConvexShape:
    """Return the hull of an `hkpConvexVerticesShape`.

    Raises:
        PackfileError: vertex, face and index counts don't agree, or the vertices span no volume and no faces
        are stored.
    """
    vertices = convex_vertices(source)
    stored = source.planeEquations.astype(np.float64)
    faces = convex_faces(source, len(vertices))
    good = faces is not None and planes_agree(vertices, stored, faces)
    if good and faces is not None:
        planes, bevel, rebuilt = stored[: len(faces)], stored[len(faces) :], False
    else:
        faces, planes = _rebuild(vertices)
        bevel, rebuilt = np.zeros((0, 4)), True
    return ConvexShape(
        source,
        vertices,
        planes,
        faces if faces is not None else (),
        bevel,
        source.radius,
        source.aabbCenter[:3].copy(),
        source.aabbHalfExtents[:3].copy(),
        rebuilt,
    )


def convex_vertices(source: HavokObject) -> NDArray[np.float32]:
    """Return (n, 3) vertices from the groups of four: vertex j is lane j mod 4 of group j // 4."""
    groups = source.rotatedVertices
    count = source.numVertices
    if not 0 < count <= 4 * len(groups):
        raise PackfileError(
            None, "convex vertices", f"says {count} vertices, {len(groups)} groups of 4 are stored"
        )
    lanes = [groups.column(axis).reshape(-1)[:count] for axis in ("x", "y", "z")]
    return np.stack(lanes, axis=1)


def convex_faces(source: HavokObject, vertex_count: int) -> Faces | None:
    """Return the faces of the connectivity, None without one; raise PackfileError when its counts don't agree."""
    connectivity = source.connectivity
    if connectivity is None:
        return None
    indices, sizes = connectivity.vertexIndices, connectivity.numVerticesPerFace
    if int(sizes.sum(dtype=np.int64)) != len(indices):
        raise PackfileError(
            None, "convex connectivity", f"faces of {int(sizes.sum())} vertices, {len(indices)} are stored"
        )
    if len(indices) and int(indices.max()) >= vertex_count:
        raise PackfileError(
            None, "convex connectivity", f"a face names vertex {int(indices.max())} of {vertex_count}"
        )
    # Each edge of a hull is in two faces, and there are at most 3 n - 6 edges; twice that leaves room for flat ones.
    # Objects may share a connectivity: without a bound each of many small shapes could name a huge one.
    if len(indices) > 12 * vertex_count or len(sizes) > 12 * vertex_count:
        raise PackfileError(
            None, "convex connectivity", f"{len(indices)} indices: more than {vertex_count} vertices can need"
        )
    ends = np.cumsum(sizes, dtype=np.int64).tolist()
    numbers = indices.tolist()
    return tuple(tuple(numbers[end - size : end]) for end, size in zip(ends, sizes.tolist(), strict=True))


@any_numbers
def planes_agree(vertices: NDArray[np.float32], planes: NDArray[np.float64], faces: Faces) -> bool:
    """Return whether stored planes are the hull's: unit normals, no vertex outside, the first ones the faces'."""
    if len(planes) < len(faces) or not len(faces) or not np.isfinite(planes).all():
        return False
    if min(map(len, faces)) < 3:
        return False
    if (np.abs(np.linalg.norm(planes[:, :3], axis=1) - 1) > UNIT_TOLERANCE).any():
        return False
    points = vertices.astype(np.float64)
    if (points @ planes[:, :3].T + planes[:, 3] > PLANE_TOLERANCE).any():
        return False
    normals = face_normals(points, faces)
    return bool(((normals * planes[: len(faces), :3]).sum(axis=1) > SAME_DIRECTION).all())


def face_normals(points: NDArray[np.float64], faces: Faces) -> NDArray[np.float64]:
    """Return the unit normal (f, 3) of each face, (0, 0, 0) for one without area: all faces at once."""
    sizes = np.array([len(face) for face in faces])
    starts = np.cumsum(sizes) - sizes
    corners = points[np.array([vertex for face in faces for vertex in face])]
    # About a corner of the face itself, so that a face far from the origin loses nothing.
    around = corners - np.repeat(corners[starts], sizes, axis=0)
    following = np.roll(around, -1, axis=0)
    following[starts + sizes - 1] = 0.0  # the face's first corner, from itself
    products = around[:, [1, 2, 0]] * following[:, [2, 0, 1]] - around[:, [2, 0, 1]] * following[:, [1, 2, 0]]
    normals: NDArray[np.float64] = np.add.reduceat(products, starts, axis=0)
    lengths = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    unit: NDArray[np.float64] = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
    return unit


def _rebuild(vertices: NDArray[np.float32]) -> tuple[Faces, NDArray[np.float64]]:
    """Return faces and planes of the hull of the vertices, faces numbered as the stored vertices are."""
    from physics.errors import PhysicsError
    from physics.shapes import ConvexHull

    points = vertices.astype(np.float64)
    try:
        hull = ConvexHull(points)
    except PhysicsError as error:
        raise PackfileError(None, "convex vertices", f"span no volume: {error}") from None
    numbers = [int(np.argmin(((points - corner) ** 2).sum(axis=1))) for corner in hull.vertices]
    faces = tuple(tuple(numbers[i] for i in loop) for loop in hull.faces)
    normals = face_normals(points, faces)
    offsets = [-(points[list(face)] @ normal).max() for face, normal in zip(faces, normals, strict=True)]
    return faces, np.column_stack([normals, offsets])
