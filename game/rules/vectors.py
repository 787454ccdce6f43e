"""The little vector arithmetic that the rules need: tuples, f64, metres, +Y up, quaternions (x, y, z, w)."""

from __future__ import annotations

import math

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def add(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scale(a: Vector, factor: float) -> Vector:
    """Return a times a number."""
    return a[0] * factor, a[1] * factor, a[2] * factor


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def length(a: Vector) -> float:
    """Return the length."""
    return math.sqrt(dot(a, a))


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def conjugate(q: Quaternion) -> Quaternion:
    """Return the opposite rotation."""
    return -q[0], -q[1], -q[2], q[3]


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Return v turned by q."""
    axis = (q[0], q[1], q[2])
    twice = scale(cross(axis, v), 2.0)
    return add(add(v, scale(twice, q[3])), cross(axis, twice))


def about(axis: Vector, angle: float) -> Quaternion:
    """Return the rotation by `angle` radians about a unit axis."""
    s = math.sin(angle / 2)
    return axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2)


def blend(a: Quaternion, b: Quaternion, t: float) -> Quaternion:
    """Return the rotation a part `t` of the way from a to b, the short way round, along the chord."""
    sign = -1.0 if sum(x * y for x, y in zip(a, b, strict=True)) < 0 else 1.0
    x, y, z, w = (p + (sign * q - p) * t for p, q in zip(a, b, strict=True))
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    return x / norm, y / norm, z / norm, w / norm
