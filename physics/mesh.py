"""Prepares triangle meshes for collision: welding, neighbours, planes and the bounding-volume tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.errors import PhysicsError
from physics.kernel.bvh import build

Array = NDArray[np.float64]
Ints = NDArray[np.int32]

# A triangle is a line when its height is below this share of its longest side: it has no normal that means
# anything.
NEEDLE = 1e-12
DEEPEST = 60  # levels of a tree, which walks with a fixed stack rely on
FIELDS = {
    "vertices": (np.float64, 3),
    "triangles": (np.int32, 3),
    "neighbours": (np.int32, 3),
    "planes": (np.float64, 4),
    "original": (np.int32, 0),
    "materials": (np.int32, 0),
    "nodes": (np.int32, 32),
}
_LEAF_WORDS = slice(24, 28), slice(28, 32)  # child and count of a node seen as 32 ints


@dataclass(frozen=True)
class MeshArrays:
    """What collision reads of a mesh, flat arrays that a file can hold and a mapped file can serve.

    Attributes:
        vertices: (n, 3) f64, equal ones welded.
        triangles: (m, 3) i32 in leaf order, without lines and doubles.
        neighbours: (m, 3) i32, the triangle across edge i (corner i to i + 1), -1 at borders and where three
        meet.
        planes: (m, 4) f64 unit normal and offset.
        original: (m,) i32 the number in the user's array.
        materials: (m,) i32 material number.
        nodes: (k, 32) i32, each four boxes (f32 bits), children and counts.
    """

    vertices: Array
    triangles: Ints
    neighbours: Ints
    planes: Array
    original: Ints
    materials: Ints
    nodes: Ints


def prepare(vertices: Array, triangles: Ints, material_ids: Ints | None) -> MeshArrays:
    """Weld, drop what has no area, find neighbours and build the tree of a checked mesh.

    Raises:
        PhysicsError: no triangle has an area.
    """
    points, number = _weld(vertices)
    corners = number[triangles]
    a, b, c = (points[corners[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    doubled = np.sqrt((normals * normals).sum(axis=1))
    longest = np.maximum(((b - a) ** 2).sum(1), np.maximum(((c - b) ** 2).sum(1), ((a - c) ** 2).sum(1)))
    kept = np.flatnonzero((doubled > NEEDLE * longest) & (doubled > 0.0))
    kept = kept[_first_of_equals(np.sort(corners[kept], axis=1), len(points))]
    if len(kept) == 0:
        raise PhysicsError(f"TriangleMesh: none of the {len(triangles)} triangles has an area")
    tri = points[corners[kept]]
    order, nodes = build(*round_outwards(tri.min(axis=1), tri.max(axis=1)))
    kept = kept[order]
    used = corners[kept]
    unit = normals[kept] / doubled[kept, None]
    planes = np.column_stack([unit, (unit * points[used[:, 0]]).sum(axis=1)])
    materials = np.zeros(len(kept), np.int32) if material_ids is None else material_ids[kept]
    return MeshArrays(
        np.ascontiguousarray(points),
        np.ascontiguousarray(used),
        find_neighbours(used, len(points)),
        np.ascontiguousarray(planes),
        kept.astype(np.int32),
        np.ascontiguousarray(materials, dtype=np.int32),
        nodes,
    )


def _weld(vertices: Array) -> tuple[Array, Ints]:
    """Return the distinct vertices and, for each given one, its number among them."""
    order = np.lexsort(vertices.T[::-1])
    ranked = vertices[order]
    begins = np.r_[True, (ranked[1:] != ranked[:-1]).any(axis=1)]
    number = np.empty(len(vertices), dtype=np.int32)
    number[order] = np.cumsum(begins, dtype=np.int32) - 1
    return ranked[begins], number


def _first_of_equals(rows: Ints, limit: int) -> NDArray[np.intp]:
    """Return where each distinct row of (m, 3) numbers below `limit` stands first, in order."""
    a, b, c = rows.astype(np.int64).T
    if limit < 2_000_000:  # three of them fit into 63 bits
        _, first = np.unique((a * limit + b) * limit + c, return_index=True)
    else:
        _, first = np.unique(rows, axis=0, return_index=True)
    return np.sort(first)


def find_neighbours(triangles: Ints, vertex_count: int) -> Ints:
    """Return (m, 3): the other triangle at each edge, -1 where an edge has not exactly two."""
    ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).reshape(-1, 2).astype(np.int64)
    keys = ends.min(axis=1) * vertex_count + ends.max(axis=1)
    order = np.argsort(keys, kind="stable")
    ranked = keys[order]
    begins = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    pairs = begins[np.diff(np.r_[begins, len(ranked)]) == 2]
    result = np.full(len(ends), -1, dtype=np.int32)
    left, right = order[pairs], order[pairs + 1]
    result[left], result[right] = right // 3, left // 3
    return np.ascontiguousarray(result.reshape(-1, 3))


def round_outwards(lo: Array, hi: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return boxes in f32 that hold the f64 ones."""
    low, high = lo.astype(np.float32), hi.astype(np.float32)
    low = np.where(low > lo, np.nextafter(low, np.float32(-np.inf)), low)
    high = np.where(high < hi, np.nextafter(high, np.float32(np.inf)), high)
    return np.ascontiguousarray(low), np.ascontiguousarray(high)


def closed(arrays: MeshArrays) -> bool:
    """Tell whether the surface has an inside: each directed edge meets its reverse exactly once."""
    t = arrays.triangles.astype(np.int64)
    ends = np.stack([t, np.roll(t, -1, axis=1)], axis=-1).reshape(-1, 2)
    forward = np.sort(ends[:, 0] * len(arrays.vertices) + ends[:, 1])
    backward = np.sort(ends[:, 1] * len(arrays.vertices) + ends[:, 0])
    return bool(np.all(forward[1:] != forward[:-1]) and np.array_equal(forward, backward))


def check_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> MeshArrays:
    """Return loaded arrays after checking every index that a kernel will follow; nothing is copied.

    Raises:
        PhysicsError: a field is missing, has another type or shape, or an index leads outside.
    """
    for name, (dtype, width) in FIELDS.items():
        if name not in arrays:
            raise PhysicsError(f"TriangleMesh.from_arrays: field {name!r} is missing")
        array = arrays[name]
        shape = (len(array),) + ((width,) if width else ()) if array.ndim else ()
        if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous or len(array) == 0:
            raise PhysicsError(
                f"TriangleMesh.from_arrays: {name} must be C-ordered {np.dtype(dtype)} rows of {width or 1}, "
                f"not {array.dtype} {array.shape}"
            )
    mesh = MeshArrays(**{name: arrays[name] for name in FIELDS})  # type: ignore[arg-type]
    count = len(mesh.triangles)
    for name in ("neighbours", "planes", "original", "materials"):
        if len(getattr(mesh, name)) != count:
            raise PhysicsError(
                f"TriangleMesh.from_arrays: {count} triangles, but {len(getattr(mesh, name))} {name}"
            )
    _check_range("triangles", mesh.triangles, 0, len(mesh.vertices))
    _check_range("neighbours", mesh.neighbours, -1, count)
    if not (np.isfinite(mesh.vertices).all() and np.isfinite(mesh.planes).all()):
        raise PhysicsError("TriangleMesh.from_arrays: vertices and planes must be finite")
    check_nodes(mesh.nodes, count)
    return mesh


def check_nodes(nodes: Ints, items: int) -> None:
    """Raise PhysicsError unless every child of a tree comes after its parent once and every leaf lies in the
    items."""
    child, count = nodes[:, _LEAF_WORDS[0]].astype(np.int64), nodes[:, _LEAF_WORDS[1]].astype(np.int64)
    leaf = count > 0
    inner = (count == 0) & (child >= 0)
    parent = np.arange(len(nodes))[:, None]
    good = np.where(leaf, (child >= 0) & (count <= items) & (child + count <= items), True)
    good &= np.where(inner, (child > parent) & (child < len(nodes)), True) & (count >= 0)
    met = np.sort(child[inner])  # np.unique would import numpy.ma: a tenth of a game's start
    good_tree = bool(good.all()) and bool((met[1:] != met[:-1]).all())
    level = np.zeros(1, dtype=np.int64)
    for _ in range(DEEPEST):
        if not good_tree or len(level) == 0:
            break
        level = child[level][inner[level]]
    if not good_tree or len(level):
        raise PhysicsError("TriangleMesh.from_arrays: nodes do not form a tree over the triangles")


def _check_range(name: str, array: Ints, low: int, end: int) -> None:
    if array.min() < low or array.max() >= end:
        raise PhysicsError(
            f"TriangleMesh.from_arrays: {name} must lie in {low}..{end - 1}, not {array.min()}..{array.max()}"
        )
