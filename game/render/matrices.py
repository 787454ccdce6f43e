"""Matrices of the camera and of the sun, for column vectors, as float64; `upload` gives OpenGL its bytes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
ArrayLike = npt.ArrayLike


def normalized(vector: ArrayLike) -> Matrix:
    """Return `vector` (3,) at length 1; a zero vector comes back as +Y."""
    v = np.asarray(vector, np.float64)
    length = math.sqrt(float(v @ v))
    return v / length if length > 1e-12 else np.array([0.0, 1.0, 0.0])


def look_at(eye: ArrayLike, target: ArrayLike, up: ArrayLike = (0.0, 1.0, 0.0)) -> Matrix:
    """Return the view matrix (4, 4): `eye` to the origin, `target` on -Z, `up` towards +Y.

    Where the view runs along `up`, -Z takes its place, so that looking straight down works.
    """
    position = np.asarray(eye, np.float64)
    back = normalized(position - np.asarray(target, np.float64))
    right = np.cross(np.asarray(up, np.float64), back)
    if float(right @ right) < 1e-10:
        right = np.cross((0.0, 0.0, -1.0), back)
    right = normalized(right)
    view = np.eye(4)
    view[0, :3], view[1, :3], view[2, :3] = right, np.cross(back, right), back
    view[:3, 3] = -view[:3, :3] @ position
    return view


def perspective(field_of_view: float, aspect: float, near: float, far: float) -> Matrix:
    """Return the projection (4, 4) of a vertical field of view in degrees; depths near..far become -1..1."""
    f = 1.0 / math.tan(math.radians(field_of_view) / 2.0)
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = f / aspect, f
    projection[2, 2], projection[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
    projection[3, 2] = -1.0
    return projection


def orthographic(half_width: float, half_height: float, near: float, far: float) -> Matrix:
    """Return the parallel projection (4, 4) of a box around -Z; depths near..far become -1..1."""
    projection = np.eye(4)
    projection[0, 0], projection[1, 1] = 1.0 / half_width, 1.0 / half_height
    projection[2, 2], projection[2, 3] = -2.0 / (far - near), -(far + near) / (far - near)
    return projection


def frustum_planes(view_projection: Matrix) -> Matrix:
    """Return the left, right, lower and upper planes (4, 4) of a view: unit normals inwards, and distances.

    A sphere is outside where `normal . middle + distance < -radius` for one of them.
    """
    rows = view_projection
    planes = np.stack((rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1]))
    return np.asarray(planes / np.linalg.norm(planes[:, :3], axis=1, keepdims=True), np.float64)


def upload(matrix: Matrix) -> bytes:
    """Return the bytes of a matrix for a uniform: column by column, float32."""
    return np.ascontiguousarray(matrix.T, np.float32).tobytes()
