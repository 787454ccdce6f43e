"""Rotations and other small geometry that packfiles, levels and the game need."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Quaternion = tuple[float, float, float, float]
UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)


def matrix_of(rotation: ArrayLike) -> Array:
    """Return the matrix (3, 3) of a unit quaternion (x, y, z, w)."""
    x, y, z, w = np.asarray(rotation, np.float64).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(matrix: ArrayLike) -> Quaternion:
    """Return the unit quaternion (x, y, z, w), w >= 0, of a rotation matrix."""
    m = np.asarray(matrix, np.float64)
    # Of the four squares the largest is the safest to divide by.
    squares = [
        1 + m[0, 0] - m[1, 1] - m[2, 2],
        1 - m[0, 0] + m[1, 1] - m[2, 2],
        1 - m[0, 0] - m[1, 1] + m[2, 2],
        1 + m[0, 0] + m[1, 1] + m[2, 2],
    ]
    largest = int(np.argmax(squares))
    rows = [
        (squares[0], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
        (m[0, 1] + m[1, 0], squares[1], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]),
        (m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[2], m[1, 0] - m[0, 1]),
        (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], squares[3]),
    ]
    row = np.array(rows[largest], np.float64)
    row /= math.sqrt(float(row @ row))
    if row[3] < 0:
        row = -row
    x, y, z, w = row.tolist()
    return x, y, z, w


def turn_from_y(direction: ArrayLike) -> Quaternion:
    """Return the shortest rotation that takes +Y to a unit direction."""
    x, y, z = np.asarray(direction, np.float64).tolist()
    if y < -1.0 + 1e-9:
        return (1.0, 0.0, 0.0, 0.0)
    # Half-way vector: the axis is Y x direction, w = 1 + cos.
    norm = math.sqrt(z * z + x * x + (1.0 + y) ** 2)
    return (z / norm, 0.0, -x / norm, (1.0 + y) / norm)


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """Return the rotation that turns by q first, then by p."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def vector_of(values: ArrayLike) -> tuple[float, float, float]:
    """Return three numbers as a tuple of floats."""
    x, y, z = (float(value) for value in np.asarray(values, np.float64).reshape(3))
    return x, y, z
