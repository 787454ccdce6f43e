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
MAX_SHAPES = 1 << 12  # of one tree, each as often as it is used: lists in lists can name one shape 2^32 times

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


# Shapes that were made, by the id of their object, with how many shapes each is: objects that share a shape share
# what it means, and its arrays.
MadeShapes = dict[int, "tuple[Shape, int]"]

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
def shape_of(source: HavokObject | None, made: MadeShapes | None = None) -> Shape:
    """Return what a shape object means.

    Args:
        source: an object of a shape class.
        made: shapes of the same file, to share and to add to.

    Raises:
        PackfileError: null, a class without a meaning here, a shape inside itself, a tree of more than
        `MAX_SHAPES`, or numbers that don't agree.
    """
    return _shape(source, {} if made is None else made, 0)[0]


def _shape(source: HavokObject | None, made: MadeShapes, depth: int) -> tuple[Shape, int]:
    """Return a shape that lies under `depth` others, and how many shapes it is."""
    if source is None:
        raise PackfileError(None, "shape", "is null")
    if depth > MAX_SHAPE_DEPTH:
        raise PackfileError(None, source.class_name, f"lies under more than {MAX_SHAPE_DEPTH} shapes")
    if id(source) not in made:
        children = [_shape(child, made, depth + 1) for child in _children(source)]
        count = 1 + sum(number for _, number in children)
        if count > MAX_SHAPES:
            raise PackfileError(None, source.class_name, f"a tree of more than {MAX_SHAPES} shapes")
        made[id(source)] = _meaning(source, [child for child, _ in children]), count
    return made[id(source)]


def _children(source: HavokObject) -> list[HavokObject | None]:
    """Return the shape objects that a shape is made of."""
    match source.class_name:
        case "hkpConvexTranslateShape":
            return [source.childShape.childShape]
        case "hkpListShape":
            infos = source.childInfo
            if len(infos) > MAX_SHAPES:
                raise PackfileError(
                    None, "hkpListShape", f"{len(infos)} children, expected at most {MAX_SHAPES}"
                )
            return [info.shape for info in infos]
        case "hkpMoppBvTreeShape":
            if source.code is None:
                raise PackfileError(None, "hkpMoppBvTreeShape", "has no code")
            return [source.child.childShape]
    return []


def _meaning(source: HavokObject, children: list[Shape]) -> Shape:
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
            return TranslatedShape(source, children[0], source.translation[:3].copy())
        case "hkpListShape":
            return _list(source, children)
        case "hkpStorageExtendedMeshShape":
            return mesh_shape(source)
        case "hkpMoppBvTreeShape":
            return TreeShape(source, children[0], source.code)
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


def _list(source: HavokObject, children: list[Shape]) -> ListShape:
    bits = source.enabledChildren
    # 256 bits say which children take part; further children always do.
    enabled = tuple(i >= 256 or bool(int(bits[i >> 5]) >> (i & 31) & 1) for i in range(len(children)))
    return ListShape(
        source,
        tuple(children),
        enabled,
        tuple(info.collisionFilterInfo for info in source.childInfo),
        source.aabbCenter[:3].copy(),
        source.aabbHalfExtents[:3].copy(),
    )
