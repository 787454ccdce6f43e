"""Checks of the numbers and arrays that shapes are made from; each names what it found and what it
expected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physics.errors import PhysicsError
from physics.materials import Material

Array = NDArray[np.float64]

SMALLEST = 1e-9  # m: sizes below it would make squares that a kernel rounds to nothing
LARGEST = 1e9  # m


def length_of(vector: Array) -> float:
    """Return the length of a vector."""
    return float(np.sqrt(vector @ vector))


def size(shape: str, name: str, value: float) -> float:
    """Return a length within SMALLEST..LARGEST."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise PhysicsError(f"{shape}: {name} must be a number, not {value!r}") from None
    if not SMALLEST <= number <= LARGEST:
        raise PhysicsError(f"{shape}: {name} must lie in {SMALLEST:g}..{LARGEST:g} m, not {number!r}")
    return number


def floats(shape: str, name: str, value: ArrayLike) -> Array:
    """Return a new f64 array."""
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PhysicsError(f"{shape}: {name} must be numbers ({error})") from None


def check_finite(shape: str, name: str, array: Array) -> None:
    """Refuse NaN, infinity and what lies beyond LARGEST."""
    bad = ~(np.abs(array) <= LARGEST)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise PhysicsError(
            f"{shape}: {name} must be within {LARGEST:g} m, {name}{list(where)} is {array[where]}"
        )


def vector3(shape: str, name: str, value: ArrayLike) -> Array:
    """Return three finite numbers."""
    array = floats(shape, name, value)
    if array.shape != (3,):
        raise PhysicsError(f"{shape}: {name} must be three numbers, not shape {array.shape}")
    check_finite(shape, name, array)
    return array


def quaternion(shape: str, name: str, value: ArrayLike) -> Array:
    """Return a unit quaternion x y z w."""
    array = floats(shape, name, value)
    if array.shape != (4,) or not np.isfinite(array).all() or not length_of(array) > 1e-9:
        raise PhysicsError(f"{shape}: {name} must be a quaternion x y z w, not {value!r}")
    return array / length_of(array)


def points(shape: str, name: str, value: ArrayLike, least: int) -> Array:
    """Return (n, 3) finite points, at least `least`."""
    array = floats(shape, name, value)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) < least:
        raise PhysicsError(f"{shape}: {name} must be (n, 3) with n >= {least}, not {array.shape}")
    check_finite(shape, name, array)
    return array + 0.0  # turns -0.0 into 0.0, so that equal points have equal bytes


def triangle_corners(value: ArrayLike, vertex_count: int) -> NDArray[np.int32]:
    """Return (m, 3) int32 vertex numbers."""
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[1] != 3 or len(array) == 0 or array.dtype.kind not in "iu":
        raise PhysicsError(
            f"TriangleMesh: triangles must be integers (m, 3), not {array.dtype} {array.shape}"
        )
    if array.min() < 0 or array.max() >= vertex_count:
        raise PhysicsError(
            f"TriangleMesh: numbers must lie in 0..{vertex_count - 1}, not {array.min()}..{array.max()}"
        )
    return array.astype(np.int32)


def material_ids(
    shape: str, materials: Sequence[Material] | None, value: ArrayLike | None, count: int
) -> NDArray[np.int32] | None:
    """Return the material numbers of `count` triangles or cells, or None."""
    if materials is not None and not all(isinstance(m, Material) for m in materials):
        raise PhysicsError(f"{shape}: materials must be Material objects")
    if value is None:
        return None
    if not materials:
        raise PhysicsError(f"{shape}: material_ids need materials")
    array = np.asarray(value).reshape(-1)
    if len(array) != count or array.dtype.kind not in "iu":
        raise PhysicsError(f"{shape}: material_ids must be {count} integers, not {array.dtype} {array.shape}")
    if array.min() < 0 or array.max() >= len(materials):
        raise PhysicsError(f"{shape}: material_ids must lie in 0..{len(materials) - 1}, not {array.max()}")
    return array.astype(np.int32)
