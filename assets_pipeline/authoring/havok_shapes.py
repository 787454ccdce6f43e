"""Makes the shape objects of a packfile: convex shapes, extended meshes with surface ids, trees over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.packfile.objects import HavokObject
from physics.shapes import ConvexHull

SUBPART_BITS = 12  # bits of a shape key that name the subpart
TRIANGLE_RADIUS = 0.001  # m
INDEX_STRIDE = 16  # bytes: four u32 a triangle
VERTEX_STRIDE = 16  # bytes: four f32 a vertex
MATERIAL_SIZE = 12  # bytes of a material record
SURFACE_SHIFT, SURFACE_MASK = 3, 0x3F  # where the surface id lies in a triangle's word
WALKABLE_WORD, SLOPE_WORD, WALL_WORD = 0x800, 0x4, 0x2000  # flag bits as the format's files use them

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Subpart:
    """A part of a mesh.

    Attributes:
        vertices: (n, 3) m.
        triangles: (m, 3) vertex indices, counter-clockwise seen from the outside.
        surfaces: (m,) surface ids 0..63, one number for all, or a sequence.
    """

    vertices: ArrayLike
    triangles: ArrayLike
    surfaces: ArrayLike = 0


def box(half_extents: Sequence[float], radius: float = 0.0) -> HavokObject:
    """Return a box shape. Its surface lies `radius` outside the half extents."""
    return HavokObject("hkpBoxShape", radius=radius, halfExtents=(*half_extents, 0.0))


def sphere(radius: float) -> HavokObject:
    """Return a sphere shape about the origin."""
    return HavokObject("hkpSphereShape", radius=radius)


def capsule(start: Sequence[float], end: Sequence[float], radius: float) -> HavokObject:
    """Return a capsule from one end centre to the other."""
    return HavokObject("hkpCapsuleShape", radius=radius, vertexA=(*start, radius), vertexB=(*end, radius))


def cylinder(
    start: Sequence[float], end: Sequence[float], radius: float, convex_radius: float = 0.0
) -> HavokObject:
    """Return a cylinder; its surface lies `convex_radius` outside the given ends and radius."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    axis = (b - a) / np.linalg.norm(b - a)
    first = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
    first /= np.linalg.norm(first)
    return HavokObject(
        "hkpCylinderShape",
        radius=convex_radius,
        cylRadius=radius,
        vertexA=(*a, 0.0),
        vertexB=(*b, 0.0),
        perpendicular1=(*first, 0.0),
        perpendicular2=(*np.cross(axis, first), 0.0),
    )


def translated(child: HavokObject, translation: Sequence[float]) -> HavokObject:
    """Return a convex shape moved by `translation`."""
    shape = HavokObject("hkpConvexTranslateShape", radius=child.radius, translation=(*translation, 0.0))
    shape.childShape.childShape = child
    return shape


def hull(points: ArrayLike, radius: float = 0.0) -> HavokObject:
    """Return the convex hull of (n, 3) points with its planes and connectivity.

    Raises:
        PhysicsError: the points span no volume.
    """
    solid = ConvexHull(points)
    vertices = np.asarray(solid.vertices, np.float32)
    faces = [list(loop) for loop in solid.faces]
    groups = -(-len(vertices) // 4)
    padded = np.vstack([vertices, np.repeat(vertices[-1:], groups * 4 - len(vertices), axis=0)])
    shape = HavokObject("hkpConvexVerticesShape", radius=radius, numVertices=len(vertices))
    set_box(shape, vertices)
    for group in padded.reshape(groups, 4, 3):
        shape.rotatedVertices.append(x=group[:, 0], y=group[:, 1], z=group[:, 2])
    shape.planeEquations = np.array([_plane(vertices[loop]) for loop in faces], np.float32)
    shape.connectivity = HavokObject(
        "hkpConvexVerticesConnectivity",
        vertexIndices=np.array([index for loop in faces for index in loop], np.uint16),
        numVerticesPerFace=np.array([len(loop) for loop in faces], np.uint8),
    )
    return shape


def _plane(corners: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """Return unit normal and d of a face's plane `n . x + d = 0`, by Newell's sum over its corners."""
    points = corners.astype(np.float64)
    following = np.roll(points, -1, axis=0)
    normal = np.cross(points, following).sum(axis=0)
    normal /= np.linalg.norm(normal)
    return normal[0], normal[1], normal[2], -float((points @ normal).max())


def set_box(shape: HavokObject, vertices: NDArray[Any]) -> None:
    """Store the box around `vertices` in a shape's aabbHalfExtents and aabbCenter."""
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    shape.aabbHalfExtents = (*((high - low) / 2), 0.0)
    shape.aabbCenter = (*((high + low) / 2), 0.0)


def list_shape(children: Sequence[HavokObject]) -> HavokObject:
    """Return a list of convex shapes."""
    shape = HavokObject("hkpListShape", disableWelding=True, collectionType="COLLECTION_LIST")
    corners = []
    for child in children:
        shape.childInfo.append(shape=child)
        corners += list(convex_box(child))
    set_box(shape, np.array(corners))
    shape.enabledChildren = [0xFFFFFFFF] * 8
    return shape


def convex_box(shape: HavokObject) -> Points:
    """Return (2, 3): lowest and highest corner of a convex shape, its radius included."""
    radius = float(shape.radius)
    if shape.class_name == "hkpConvexTranslateShape":
        return np.asarray(convex_box(shape.childShape.childShape) + shape.translation[:3].astype(float))
    if shape.class_name == "hkpSphereShape":
        return np.array([[-radius] * 3, [radius] * 3])
    if shape.class_name == "hkpBoxShape":
        half = shape.halfExtents[:3].astype(float) + radius
        return np.array([-half, half])
    if shape.class_name in ("hkpCapsuleShape", "hkpCylinderShape"):
        ends = np.array([shape.vertexA[:3], shape.vertexB[:3]], float)
        reach = radius + (float(shape.cylRadius) if shape.class_name == "hkpCylinderShape" else 0.0)
        return np.array([ends.min(axis=0) - reach, ends.max(axis=0) + reach])
    if shape.class_name == "hkpConvexVerticesShape":
        center, half = shape.aabbCenter[:3].astype(float), shape.aabbHalfExtents[:3].astype(float) + radius
        return np.array([center - half, center + half])
    raise LevelError(f"list of shapes: expected a convex shape, found {shape.class_name}")


def mesh(subparts: Sequence[Subpart]) -> HavokObject:
    """Return an extended mesh shape with its storage, one subpart record for each of `subparts`.

    Raises:
        LevelError: there is no subpart, an index leads outside, or a surface id is not 0..63.
    """
    if not 1 <= len(subparts) <= 1 << SUBPART_BITS:
        raise LevelError(f"mesh: expected 1 to {1 << SUBPART_BITS} subparts, found {len(subparts)}")
    shape = HavokObject(
        "hkpStorageExtendedMeshShape",
        disableWelding=True,
        collectionType="COLLECTION_EXTENDED_MESH",
        scaling=(1.0, 1.0, 1.0, 1.0),
        numBitsForSubpartIndex=SUBPART_BITS,
        triangleRadius=TRIANGLE_RADIUS,
    )
    total = 0
    everything = []
    for number, subpart in enumerate(subparts):
        vertices = np.asarray(subpart.vertices, np.float32).reshape(-1, 3)
        triangles = np.asarray(subpart.triangles, np.int64).reshape(-1, 3)
        if len(triangles) == 0 or triangles.min() < 0 or triangles.max() >= len(vertices):
            raise LevelError(f"mesh: subpart {number}: {len(vertices)} vertices do not hold its triangles")
        surfaces = np.broadcast_to(np.asarray(subpart.surfaces, np.int64), len(triangles))
        if surfaces.min() < 0 or surfaces.max() > SURFACE_MASK:
            raise LevelError(f"mesh: subpart {number}: expected surface ids 0 to {SURFACE_MASK}")
        words = surfaces << SURFACE_SHIFT | _slope_words(vertices, triangles)
        records, material_of = np.unique(words, return_inverse=True)
        storage = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage")
        storage.vertices = np.column_stack([vertices, np.zeros(len(vertices), np.float32)])
        storage.indices32 = (
            np.column_stack([triangles, np.zeros(len(triangles), np.int64)]).astype(np.uint32).ravel()
        )
        storage.materialIndices16 = material_of.reshape(-1).astype(np.uint16)
        for word in records:
            storage.materials.append(filterInfo=int(word), restitution=0.0, friction=1.0)
        shape.meshstorage.append(storage)
        shape.trianglesSubparts.append(
            type="SUBPART_TRIANGLES",
            materialIndexStridingType="MATERIAL_INDICES_INT16",
            materialStriding=MATERIAL_SIZE,
            materialIndexStriding=2,
            numMaterials=len(records),
            numTriangleShapes=len(triangles),
            vertexStriding=VERTEX_STRIDE,
            numVertices=len(vertices),
            indexStriding=INDEX_STRIDE,
            stridingType="INDICES_INT32",
            triangleOffset=total,
        )
        total += len(triangles)
        everything.append(vertices)
    shape.embeddedTrianglesSubpart = shape.trianglesSubparts[0]
    shape.embeddedTrianglesSubpart.triangleOffset = 0
    set_box(shape, np.vstack(everything))
    shape.weldingInfo = np.zeros(total, np.uint16)
    shape.cachedNumChildShapes = total
    return shape


def _slope_words(vertices: NDArray[np.float32], triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the flag bit of each triangle by its slope: walkable, slope or wall."""
    a, b, c = (vertices[triangles[:, corner]].astype(np.float64) for corner in range(3))
    normals = np.cross(b - a, c - a)
    up = normals[:, 1] / np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    # The same bounds as the walker's: 160 / 256 and 42 / 256 of a unit normal.
    words = np.select(
        [up > 160 / 256, up > 41 / 256, up > -41 / 256], [WALKABLE_WORD, SLOPE_WORD, WALL_WORD], 0
    )
    return np.asarray(words, np.int64)


def tree(child: HavokObject, data: bytes, offset: Sequence[float], scale: float) -> HavokObject:
    """Return a MOPP tree over a mesh: `data`, `offset` and `scale` as `havok.build_mopp` makes them."""
    code = HavokObject(
        "hkpMoppCode", data=np.frombuffer(data, np.uint8), buildType="BUILT_WITH_CHUNK_SUBDIVISION"
    )
    code.info.offset = (*offset, scale)
    shape = HavokObject("hkpMoppBvTreeShape", code=code)
    shape.child.childShape = child
    return shape
