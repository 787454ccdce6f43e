"""Shapes: what the shape objects of a packfile mean (havok: Other shapes)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.convex import ConvexShape, convex_shape
from assets_pipeline.havok.meshes import MeshShape, mesh_shape
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.packfile.objects import HavokObject

MAX_SHAPE_DEPTH = 32  # real trees are three deep; a hostile one may be a ring

Vector = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BoxShape:
    """A box of `half_extents` (3,) with a shell of `radius` around it [m]."""

    source: HavokObject
    half_extents: Vector
    radius: float


@dataclass(frozen=True, eq=False)
class SphereShape:
    """A sphere about the origin [m]."""

    source: HavokObject
    radius: float


@dataclass(frozen=True, eq=False)
class CapsuleShape:
    """A capsule between two axis ends (3,) [m]."""

    source: HavokObject
    start: Vector
    end: Vector
    radius: float


@dataclass(frozen=True, eq=False)
class CylinderShape:
    """A cylinder between two axis ends, with a shell of `convex_radius` around it [m]."""

    source: HavokObject
    start: Vector
    end: Vector
    radius: float
    convex_radius: float
    perpendiculars: tuple[Vector, Vector]


@dataclass(frozen=True, eq=False)
class TranslatedShape:
    """A convex shape moved by `translation` (3,) [m]."""

    source: HavokObject
    child: Shape
    translation: Vector


@dataclass(frozen=True, eq=False)
class ListShape:
    """Several shapes as one; `enabled` says which take part, `filters` are the children's filter words."""

    source: HavokObject
    children: tuple[Shape, ...]
    enabled: tuple[bool, ...]
    filters: tuple[int, ...]
    center: Vector
    half_extents: Vector


@dataclass(frozen=True, eq=False)
class TreeShape:
    """A shape under a bounding-volume tree: `code` is the `hkpMoppCode` object."""

    source: HavokObject
    child: Shape
    code: HavokObject


Shape = (
    BoxShape
    | SphereShape
    | CapsuleShape
    | CylinderShape
    | ConvexShape
    | TranslatedShape
    | ListShape
    | MeshShape
    | TreeShape
)


@any_numbers
def shape_of(source: HavokObject | None, depth: int = 0) -> Shape:
    """Return what a shape object means.

    Args:
        source: an object of a shape class.
        depth: how many shapes it lies under.

    Raises:
        PackfileError: null, a class without a meaning here, a shape inside itself, or numbers that don't
        agree.
    """
    if source is None:
        raise PackfileError(None, "shape", "is null")
    if depth > MAX_SHAPE_DEPTH:
        raise PackfileError(None, source.class_name, f"lies under more than {MAX_SHAPE_DEPTH} shapes")
    match source.class_name:
        case "hkpBoxShape":
            return BoxShape(source, source.halfExtents[:3].copy(), source.radius)
        case "hkpSphereShape":
            return SphereShape(source, source.radius)
        case "hkpCapsuleShape":
            return CapsuleShape(source, source.vertexA[:3].copy(), source.vertexB[:3].copy(), source.radius)
        case "hkpCylinderShape":
            return _cylinder(source)
        case "hkpConvexVerticesShape":
            return convex_shape(source)
        case "hkpConvexTranslateShape":
            child = shape_of(source.childShape.childShape, depth + 1)
            return TranslatedShape(source, child, source.translation[:3].copy())
        case "hkpListShape":
            return _list(source, depth)
        case "hkpStorageExtendedMeshShape":
            return mesh_shape(source)
        case "hkpMoppBvTreeShape":
            return _tree(source, depth)
    raise PackfileError(None, "shape", f"a {source.class_name} is not supported")


def _cylinder(source: HavokObject) -> CylinderShape:
    return CylinderShape(
        source,
        source.vertexA[:3].copy(),
        source.vertexB[:3].copy(),
        source.cylRadius,
        source.radius,
        (source.perpendicular1[:3].copy(), source.perpendicular2[:3].copy()),
    )


def _list(source: HavokObject, depth: int) -> ListShape:
    infos = list(source.childInfo)
    if len(infos) > 1 << 16:
        raise PackfileError(None, "hkpListShape", f"{len(infos)} children, expected at most 65536")
    bits = source.enabledChildren
    # 256 bits say which children take part; further children always do.
    enabled = tuple(i >= 256 or bool(int(bits[i >> 5]) >> (i & 31) & 1) for i in range(len(infos)))
    return ListShape(
        source,
        tuple(shape_of(info.shape, depth + 1) for info in infos),
        enabled,
        tuple(info.collisionFilterInfo for info in infos),
        source.aabbCenter[:3].copy(),
        source.aabbHalfExtents[:3].copy(),
    )


def _tree(source: HavokObject, depth: int) -> TreeShape:
    if source.code is None:
        raise PackfileError(None, "hkpMoppBvTreeShape", "has no code")
    return TreeShape(source, shape_of(source.child.childShape, depth + 1), source.code)
