"""Checks of what callers pass: numbers, vectors, rotations. Each raises PhysicsError before anything changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from physics.errors import PhysicsError

Vector: TypeAlias = Sequence[float] | Any
Triple: TypeAlias = tuple[float, float, float]

F32_MAX = 3.4028234663852886e38


def number(
    where: str,
    name: str,
    value: Any,
    least: float = -math.inf,
    most: float = math.inf,
    above: float | None = None,
) -> float:
    """Return a finite number within bounds that single precision can hold."""
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        raise PhysicsError(f"{where}: {name} must be a number, not {value!r}") from None
    if not math.isfinite(x) or abs(x) > F32_MAX:
        raise PhysicsError(f"{where}: {name} must be finite, not {value!r}")
    if above is not None and not x > above:
        raise PhysicsError(f"{where}: {name} must be greater than {above:g}, not {value!r}")
    if not least <= x <= most:
        raise PhysicsError(f"{where}: {name} must be from {least:g} to {most:g}, not {value!r}")
    return x


def vector(where: str, name: str, value: Vector) -> Triple:
    """Return three finite numbers that single precision can hold."""
    try:
        x, y, z = value
        x, y, z = float(x), float(y), float(z)
    except (TypeError, ValueError, OverflowError):
        raise PhysicsError(f"{where}: {name} must be three numbers, not {value!r}") from None
    # One test for all three: a sum with an infinity or NaN is not below the bound.
    if not abs(x) <= F32_MAX or not abs(y) <= F32_MAX or not abs(z) <= F32_MAX:
        raise PhysicsError(f"{where}: {name} must be finite, not {value!r}")
    return x, y, z


def direction(where: str, name: str, value: Vector) -> Triple:
    """Return three finite numbers that are not all (nearly) zero."""
    x, y, z = vector(where, name, value)
    if x * x + y * y + z * z < 1e-19:
        raise PhysicsError(f"{where}: {name} must have a length, not {value!r}")
    return x, y, z


def rotation(where: str, name: str, value: Vector) -> tuple[float, float, float, float]:
    """Return a quaternion x y z w of any length but zero; it is normalized where it is used (ivp 2.3)."""
    try:
        x, y, z, w = value
        x, y, z, w = float(x), float(y), float(z), float(w)
    except (TypeError, ValueError, OverflowError):
        raise PhysicsError(f"{where}: {name} must be four numbers x y z w, not {value!r}") from None
    n = x * x + y * y + z * z + w * w
    if not 1e-19 < n < math.inf:
        raise PhysicsError(f"{where}: {name} must be finite and have a length, not {value!r}")
    return x, y, z, w


def whole(where: str, name: str, value: Any, least: int, most: int) -> int:
    """Return an integer within bounds."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise PhysicsError(f"{where}: {name} must be a whole number, not {value!r}")
    i = int(value.__index__())
    if not least <= i <= most:
        raise PhysicsError(f"{where}: {name} must be from {least} to {most}, not {value!r}")
    return i


def angular(where: str, name: str, value: Any) -> Triple:
    """Return one number for all axes or three, none negative."""
    three = (value, value, value) if not hasattr(value, "__len__") else vector(where, name, value)
    x, y, z = (number(where, name, v, least=0.0) for v in three)
    return x, y, z
