"""The surface of any shape as triangles: for drawing, and for cutting movement models."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.level_bodies import (
    BallShape,
    BoxShape,
    CapsuleShape,
    CompoundShape,
    CylinderShape,
    HullShape,
    MeshShape,
    Shape,
)
from assets_pipeline.vectors import matrix_of
from physics.shapes import ConvexHull

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Detail:
    """How finely round things are cut.

    Attributes:
        rounds: how often the 20 triangles of an icosahedron are split in four for a ball.
        sides: of a cylinder or capsule.
        rings: of half a ball at a capsule's end.
    """

    rounds: int
    sides: int
    rings: int


FINE = Detail(rounds=3, sides=32, rings=8)  # for drawing
COARSE = Detail(rounds=1, sides=12, rings=3)  # for walking into


@dataclass(frozen=True, eq=False)
class Soup:
    """Triangles without shared corners.

    Attributes:
        corners: (n, 3, 3) positions, counter-clockwise from outside.
        normals: (n, 3, 3) unit normals of the corners.
        surfaces: (n,) surface index.
        tones: (n,) 0..1: how light the triangle is drawn; two tones make the turning of round things visible.
    """

    corners: Array
    normals: Array
    surfaces: NDArray[np.uint16]
    tones: Array


def soup_of(shape: Shape, surface: int, detail: Detail = FINE) -> Soup:
    """Return the triangles of a shape in its own axes; `surface` is the surface of all but meshes."""
    match shape:
        case MeshShape():
            corners = shape.vertices[shape.triangles]
            return _flat(np.asarray(corners), shape.materials.astype(np.uint16))
        case BallShape():
            return _round(ball_corners(detail.rounds) * shape.radius, ball_corners(detail.rounds), surface)
        case BoxShape():
            return _flat(box_corners() * np.asarray(shape.half_extents), surface)
        case CapsuleShape():
            return _capsule(shape.radius, shape.half_length, surface, detail)
        case CylinderShape():
            return _cylinder(shape.radius, shape.half_length, surface, detail.sides)
        case HullShape():
            return _flat(hull_corners(shape.points.tobytes()), surface)
        case CompoundShape():
            parts = [
                placed(soup_of(part.shape, surface, detail), part.position, matrix_of(part.rotation))
                for part in shape.parts
            ]
            return joined(parts)


def placed(soup: Soup, position: tuple[float, float, float], rotation: Array) -> Soup:
    """Return the triangles turned, then moved."""
    corners = soup.corners @ rotation.T + np.asarray(position)
    return Soup(corners, soup.normals @ rotation.T, soup.surfaces, soup.tones)


def joined(soups: list[Soup]) -> Soup:
    """Return the triangles of several soups, in order."""
    return Soup(
        np.concatenate([soup.corners for soup in soups]),
        np.concatenate([soup.normals for soup in soups]),
        np.concatenate([soup.surfaces for soup in soups]),
        np.concatenate([soup.tones for soup in soups]),
    )


def face_normals(corners: Array) -> Array:
    """Return (n, 3) unit normals of (n, 3, 3) corners; zeros where a triangle has no area."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0))


def _flat(corners: Array, surfaces: int | NDArray[np.uint16]) -> Soup:
    normals = np.repeat(face_normals(corners)[:, None], 3, axis=1)
    count = len(corners)
    return Soup(corners, normals, np.broadcast_to(np.uint16(surfaces), count).copy(), np.ones(count))


def _round(corners: Array, normals: Array, surface: int) -> Soup:
    middles = corners.mean(axis=1)
    tones = np.where(np.signbit(middles).sum(axis=1) % 2 == 0, 1.0, 0.72)  # eight fields, like a beach ball
    return Soup(corners, normals, np.full(len(corners), surface, np.uint16), tones)


@lru_cache(maxsize=256)
def hull_corners(points: bytes) -> Array:
    """Return (n, 3, 3) corners of the hull of packed (m, 3) f64 points, read-only: many trees share a few hulls."""
    hull = ConvexHull(np.frombuffer(points, np.float64).reshape(-1, 3))
    fans = [(face[0], face[i], face[i + 1]) for face in hull.faces for i in range(1, len(face) - 1)]
    corners: Array = np.asarray(hull.vertices)[np.array(fans)]
    corners.flags.writeable = False
    return corners


@lru_cache(maxsize=4)
def ball_corners(rounds: int) -> Array:
    """Return (20 * 4 ** rounds, 3, 3) corners of a ball of radius 1, read-only."""
    g = (1 + math.sqrt(5)) / 2
    points = np.array(
        [
            (-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0),
            (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
            (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1),
        ]
    )  # fmt: skip
    faces = np.array(
        [
            (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
            (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
            (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
        ]
    )  # fmt: skip
    corners = points[faces]
    for _ in range(rounds):
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        corners = np.concatenate(
            [np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
    corners = corners / np.linalg.norm(corners, axis=2, keepdims=True)
    result: Array = np.ascontiguousarray(corners)
    result.flags.writeable = False
    return result


@lru_cache(maxsize=1)
def box_corners() -> Array:
    """Return (12, 3, 3) corners of a box of half extents 1, read-only."""
    quads = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            first, second = np.zeros(3), np.zeros(3)
            first[(axis + 1) % 3], second[(axis + 2) % 3] = 1.0, 1.0
            middle = np.zeros(3)
            middle[axis] = sign
            ring = [
                middle - first - second,
                middle + first - second,
                middle + first + second,
                middle - first + second,
            ]
            quads.append(ring if sign > 0 else ring[::-1])
    corners = np.array([(q[0], q[1], q[2]) for q in quads] + [(q[0], q[2], q[3]) for q in quads])
    corners.flags.writeable = False
    return corners


def _turned(profile: list[tuple[float, float, float, float]], sides: int) -> tuple[Array, Array]:
    """Return corners and normals of a surface of revolution about Y.

    `profile` runs from the top down: (radius, y, radial part of the normal, Y of the normal).
    """
    angles = 2 * math.pi * np.arange(sides + 1) / sides
    rows = [
        (
            np.column_stack([r * np.cos(angles), np.full_like(angles, y), r * np.sin(angles)]),
            np.column_stack([nr * np.cos(angles), np.full_like(angles, ny), nr * np.sin(angles)]),
        )
        for r, y, nr, ny in profile
    ]
    corners: list[Array] = []
    normals: list[Array] = []
    for (upper, upper_normal), (lower, lower_normal) in itertools.pairwise(rows):
        for points, target in ((upper, lower), (upper_normal, lower_normal)):
            a, b = points[:-1], points[1:]
            c, d = target[:-1], target[1:]
            pair = np.concatenate([np.stack([a, b, d], axis=1), np.stack([a, d, c], axis=1)])
            (corners if points is upper else normals).append(pair)
    all_corners, all_normals = np.concatenate(corners), np.concatenate(normals)
    area = np.linalg.norm(
        np.cross(all_corners[:, 1] - all_corners[:, 0], all_corners[:, 2] - all_corners[:, 0]), axis=1
    )
    kept = area > 1e-12  # at the poles one of each pair is a line
    return all_corners[kept], all_normals[kept]


def _capsule(radius: float, half: float, surface: int, detail: Detail) -> Soup:
    profile = []
    for ring in range(2 * detail.rings + 2):
        upper = ring <= detail.rings
        step = ring if upper else ring - 1
        angle = math.pi / 2 * step / detail.rings
        across, up = math.sin(angle), math.cos(angle)
        profile.append((radius * across, radius * up + (half if upper else -half), across, up))
    return _round(*_turned(profile, detail.sides), surface)


def _cylinder(radius: float, half: float, surface: int, sides: int) -> Soup:
    bands = [
        [(0.0, half, 0.0, 1.0), (radius, half, 0.0, 1.0)],
        [(radius, half, 1.0, 0.0), (radius, -half, 1.0, 0.0)],
        [(radius, -half, 0.0, -1.0), (0.0, -half, 0.0, -1.0)],
    ]
    return joined([_round(*_turned(band, sides), surface) for band in bands])
