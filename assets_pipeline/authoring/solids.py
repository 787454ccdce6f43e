"""Triangles for the solids of a packfile, for looking at: boxes, spheres, capsules, cylinders, hulls.

Every function returns (vertices (n, 3) float32, triangles (m, 3) int64), counter-clockwise seen from outside. The
bounds are the solid's own: there is a vertex at each end of each axis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Mesh = tuple[NDArray[np.float32], NDArray[np.int64]]

SEGMENTS = 24  # around; a multiple of 4 keeps the bounds
RINGS = 6  # from pole to equator


def box_mesh(half_extents: ArrayLike) -> Mesh:
    """Return a box about the origin."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float32)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return signs * np.asarray(half_extents, dtype=np.float32), fan_triangles(quads)


def sphere_mesh(radius: float) -> Mesh:
    """Return a sphere about the origin."""
    return _turned(*_arc(radius, 0.0, 0.0), np.zeros(3), np.eye(3))


def capsule_mesh(start: ArrayLike, end: ArrayLike, radius: float) -> Mesh:
    """Return a capsule between two axis ends."""
    middle, half, axes = _axis(start, end)
    return _turned(*_arc(radius, half, half), middle, axes)


def cylinder_mesh(start: ArrayLike, end: ArrayLike, radius: float) -> Mesh:
    """Return a cylinder between two axis ends."""
    middle, half, axes = _axis(start, end)
    heights, radii = np.array([-half, -half, half, half]), np.array([0.0, radius, radius, 0.0])
    return _turned(heights, radii, middle, axes)


def fan_triangles(faces: Iterable[Sequence[int]]) -> NDArray[np.int64]:
    """Return the triangles of convex faces, each a loop of vertex numbers."""
    fans = [(face[0], face[i], face[i + 1]) for face in faces for i in range(1, len(face) - 1)]
    return np.array(fans, dtype=np.int64).reshape(-1, 3)


def axes_along(direction: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a (3, 3) rotation whose second column is the unit vector `direction`; none for one along Y."""
    if direction[1] > 1.0 - 1e-12:
        return np.eye(3)
    side = np.cross(direction, np.eye(3)[int(np.argmin(np.abs(direction)))])
    side /= np.linalg.norm(side)
    return np.stack((side, direction, np.cross(side, direction)), axis=1)


def _axis(start: ArrayLike, end: ArrayLike) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(last - first))
    direction = (last - first) / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
    return (first + last) / 2, length / 2, axes_along(direction)


def _arc(radius: float, below: float, above: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return heights and radii of a half circle from pole to pole, its halves pulled apart."""
    angles = np.linspace(0.0, np.pi / 2, RINGS + 1)
    rise, reach = radius * np.sin(angles), radius * np.cos(angles)
    rise[-1], reach[-1] = radius, 0.0
    if below == 0.0 and above == 0.0:
        return np.concatenate((-rise[::-1], rise[1:])), np.concatenate((reach[::-1], reach[1:]))
    return np.concatenate((-below - rise[::-1], above + rise)), np.concatenate((reach[::-1], reach))


def _turned(
    heights: NDArray[np.float64],
    radii: NDArray[np.float64],
    middle: NDArray[np.float64],
    axes: NDArray[np.float64],
) -> Mesh:
    """Return the body that a profile makes when it is turned about Y; both its ends are on the axis."""
    around = np.arange(SEGMENTS) * (2 * np.pi / SEGMENTS)
    circle = np.round(np.stack((np.sin(around), np.cos(around)), axis=1), 15)
    points = [np.array([[0.0, heights[0], 0.0]])]
    for height, radius in zip(heights[1:-1], radii[1:-1], strict=True):
        points.append(
            np.stack((circle[:, 0] * radius, np.full(SEGMENTS, height), circle[:, 1] * radius), axis=1)
        )
    points.append(np.array([[0.0, heights[-1], 0.0]]))
    here, beside = np.arange(SEGMENTS), (np.arange(SEGMENTS) + 1) % SEGMENTS
    rings = len(heights) - 2
    last = 1 + rings * SEGMENTS
    triangles = [np.stack((np.zeros(SEGMENTS, np.int64), 1 + beside, 1 + here), axis=1)]
    for ring in range(rings - 1):
        low, high = 1 + ring * SEGMENTS, 1 + (ring + 1) * SEGMENTS
        triangles.append(np.stack((low + here, low + beside, high + beside), axis=1))
        triangles.append(np.stack((low + here, high + beside, high + here), axis=1))
    top = last - SEGMENTS
    triangles.append(np.stack((np.full(SEGMENTS, last), top + here, top + beside), axis=1))
    vertices = np.concatenate(points) @ axes.T + middle
    return vertices.astype(np.float32), np.concatenate(triangles).astype(np.int64)
