"""Triangles into the faces of movement models: coplanar neighbours merge, large faces are cut."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from movement.collision_arrays import MAXIMUM_FACE_VERTICES

GRID = 256  # vertices lie on multiples of 1/256 map unit, as model files store them
FLATNESS = 1 / 32  # how far a corner may lie from the plane of its face [map units]
SAME_DIRECTION = 1 - 1e-5  # cosine between the normals of faces that merge
GROWTH = 1 / 128  # outward, of every edge of a baked face [map units]
STRAIGHT = 1e-7  # sine of the angle below which a corner is none
SMALLEST_AREA = 1e-4  # of a triangle [square map units]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Polygon:
    """A convex face: corners (n, 3) in order, its unit normal, and the label that it must keep."""

    corners: Floats
    normal: Floats
    label: int


def on_grid(vertices: Floats) -> Floats:
    """Return positions rounded to 1/256 map unit."""
    return np.round(vertices * GRID) / GRID


def merge_triangles(
    vertices: Floats, triangles: NDArray[np.int64], labels: NDArray[np.int64]
) -> list[Polygon]:
    """Return convex faces of at most 10 corners that cover the triangles; degenerate ones are dropped.

    Neighbours merge over their common edge, longest edges first, when labels are equal, all corners lie within 1/32
    unit of one plane and the result is convex. The same input gives the same faces.

    Args:
        vertices: (n, 3) positions [map units].
        triangles: (m, 3) vertex indices, counter-clockwise seen from outside.
        labels: (m,) a face covers triangles of one label.
    """
    points, welded = np.unique(np.round(vertices * GRID).astype(np.int64), axis=0, return_inverse=True)
    positions = points / GRID
    corners = welded.reshape(-1)[triangles]
    loops: dict[int, list[int]] = {}
    normals: dict[int, Floats] = {}
    for index, corner in enumerate(corners.tolist()):
        normal = newell(positions[corner])
        length = float(np.linalg.norm(normal))
        if length > 2 * SMALLEST_AREA:
            loops[index], normals[index] = corner, normal
    owner = {index: index for index in loops}
    edges: dict[tuple[int, int], int] = {}
    for index, loop in loops.items():
        for edge in loop_edges(loop):
            edges.setdefault(edge, index)
    shared = [(a, b) for (a, b) in edges if a < b and (b, a) in edges]
    shared.sort(key=lambda edge: (-float(np.linalg.norm(positions[edge[0]] - positions[edge[1]])), edge))
    for a, b in shared:
        first, second = root(owner, edges[a, b]), root(owner, edges[b, a])
        if first == second or labels[first] != labels[second]:
            continue
        merged = joined_loop(loops[first], loops[second])
        if merged is not None:
            normal = normals[first] + normals[second]
            if is_flat_and_convex(positions[merged], normal, (normals[first], normals[second])):
                loops[first], normals[first] = merged, normal
                owner[second] = first
                del loops[second], normals[second]
    return [
        Polygon(without_straight_corners(positions[loop]), unit(normals[index]), int(labels[index]))
        for index, loop in loops.items()
    ]


def newell(corners: Floats) -> Floats:
    """Return the normal of a loop times twice its area."""
    arms = corners - corners[0]
    return np.asarray(np.cross(arms[1:-1], arms[2:]).sum(axis=0))


def unit(vector: Floats) -> Floats:
    """Return a vector at length 1."""
    return vector / np.linalg.norm(vector)


def loop_edges(loop: list[int]) -> list[tuple[int, int]]:
    """Return the directed edges of a vertex loop."""
    return list(zip(loop, loop[1:] + loop[:1], strict=True))


def root(owner: dict[int, int], index: int) -> int:
    """Return the face that a triangle has become part of."""
    while owner[index] != index:
        owner[index] = owner[owner[index]]
        index = owner[index]
    return index


def joined_loop(first: list[int], second: list[int]) -> list[int] | None:
    """Return the one loop around two loops without their common edges, or None when there is none."""
    edges = loop_edges(first) + loop_edges(second)
    present = set(edges)
    following = {a: b for a, b in edges if (b, a) not in present}
    kept = sum((b, a) not in present for a, b in edges)
    if kept != len(following) or not following:
        return None  # a vertex is left twice: the loops touch in several places
    start = min(following)
    loop = [start]
    while (at := following.get(loop[-1])) != start:
        if at is None or len(loop) > kept:
            return None
        loop.append(at)
    return loop if len(loop) == kept else None


def is_flat_and_convex(corners: Floats, normal: Floats, parts: Iterable[Floats]) -> bool:
    """Return whether a loop is a face: flat, convex, its parts facing one way, 3 to 10 true corners."""
    if not normal.any():
        return False  # the two parts cancel out: a fold
    direction = unit(normal)
    if any(unit(part) @ direction < SAME_DIRECTION for part in parts):
        return False
    if np.abs((corners - corners.mean(axis=0)) @ direction).max() > FLATNESS:
        return False
    turns = corner_turns(corners) @ direction
    if turns.min() < -STRAIGHT:
        return False
    return bool(3 <= np.count_nonzero(turns > STRAIGHT) <= MAXIMUM_FACE_VERTICES)


def corner_turns(corners: Floats) -> Floats:
    """Return the cross product of the unit edges before and after each corner."""
    following = np.concatenate((corners[1:], corners[:1]))
    after = following - corners
    after /= np.sqrt((after * after).sum(axis=1))[:, None]
    before = np.concatenate((after[-1:], after[:-1]))
    (ax, ay, az), (bx, by, bz) = before.T, after.T
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)


def without_straight_corners(corners: Floats) -> Floats:
    """Return the corners of a convex loop without those on the line between their neighbours."""
    true = np.linalg.norm(corner_turns(corners), axis=1) > STRAIGHT
    return corners[true] if np.count_nonzero(true) >= 3 else corners


def grown(polygon: Polygon) -> Polygon:
    """Return a face whose edges are moved outward by 1/128 unit within its plane, so that neighbours overlap.

    A segment exactly through the common edge of two sloping faces would otherwise miss both, by the last bits of the
    inside test: `>= 0` holds for neither.
    """
    corners = polygon.corners
    after = np.roll(corners, -1, axis=0) - corners
    after /= np.linalg.norm(after, axis=1)[:, None]
    outward = np.cross(after, polygon.normal)
    before = np.roll(outward, 1, axis=0)
    # The corner of both moved edges; sharp corners move by four times the growth at most.
    corner = (outward + before) / np.maximum(1 + (outward * before).sum(axis=1), 1 / 8)[:, None]
    return Polygon(corners + GROWTH * corner, polygon.normal, polygon.label)


def cut_large(polygons: Iterable[Polygon], largest: float) -> list[Polygon]:
    """Return polygons none of which is longer than `largest` along an axis: cut at multiples of half of it."""
    done: list[Polygon] = []
    waiting = list(polygons)[::-1]
    while waiting:
        polygon = waiting.pop()
        low, high = polygon.corners.min(axis=0), polygon.corners.max(axis=0)
        axis = int(np.argmax(high - low))
        if high[axis] - low[axis] <= largest:
            done.extend(at_most_ten_corners(polygon))
            continue
        at = round(float(low[axis] + high[axis]) / largest) * largest / 2
        waiting.extend(part for part in cut(polygon, axis, at)[::-1])
    return done


def cut(polygon: Polygon, axis: int, at: float) -> list[Polygon]:
    """Return the parts of a convex polygon on both sides of an axis plane; slivers are dropped."""
    parts: list[Polygon] = []
    sides = polygon.corners[:, axis] - at
    for sign in (-1.0, 1.0):
        loop: list[Floats] = []
        for k in range(len(sides)):
            here, there = sides[k] * sign, sides[(k + 1) % len(sides)] * sign
            a, b = polygon.corners[k], polygon.corners[(k + 1) % len(sides)]
            if here >= 0:
                loop.append(a)
            if here * there < 0:
                loop.append(crossing(a, b, axis, at))
        # A crossing rounded onto the corner beside it is that corner.
        loop = [point for k, point in enumerate(loop) if not np.array_equal(point, loop[k - 1])]
        if len(loop) >= 3:
            corners = without_straight_corners(np.array(loop))
            if np.linalg.norm(newell(corners)) > 2 * SMALLEST_AREA:
                parts.append(Polygon(corners, polygon.normal, polygon.label))
    return parts


def crossing(a: Floats, b: Floats, axis: int, at: float) -> Floats:
    """Return where an edge meets an axis plane; both faces of the edge get the same point."""
    if tuple(b) < tuple(a):
        a, b = b, a
    point = on_grid(a + (b - a) * ((at - a[axis]) / (b[axis] - a[axis])))
    point[axis] = at
    return point


def at_most_ten_corners(polygon: Polygon) -> list[Polygon]:
    """Return a convex polygon as a fan of polygons that have at most 10 corners."""
    corners = polygon.corners
    parts: list[Polygon] = []
    while len(corners) > MAXIMUM_FACE_VERTICES:
        parts.append(Polygon(corners[:MAXIMUM_FACE_VERTICES], polygon.normal, polygon.label))
        corners = np.concatenate((corners[:1], corners[MAXIMUM_FACE_VERTICES - 1 :]))
    return [*parts, Polygon(corners, polygon.normal, polygon.label)]
