"""Principal axes of a solid's inertia, and a fingerprint of a shape for digests."""

from __future__ import annotations

import math
import struct

import numpy as np

from physics.checks import Triple
from physics.shapes import Compound, Shape

# Below this share of the trace an off-diagonal figure counts as rounding, and the core keeps the shape's axes.
DIAGONAL = 1e-12


def principal_axes(shape: Shape) -> tuple[tuple[float, ...] | None, Triple]:
    """Return (rotation, unit inertia) of the principal axes of a solid's tensor.

    The rotation is nine numbers by rows, its columns the axes in shape axes; None when the tensor is diagonal already.
    Jacobi rotations in plain arithmetic, so that every machine finds the same bits.
    """
    a: list[list[float]] = shape.unit_inertia_tensor.tolist()
    trace = a[0][0] + a[1][1] + a[2][2]
    if max(abs(a[0][1]), abs(a[0][2]), abs(a[1][2])) <= DIAGONAL * trace:
        return None, (a[0][0], a[1][1], a[2][2])
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for _ in range(50):
        p, q = max(((0, 1), (0, 2), (1, 2)), key=lambda pq: abs(a[pq[0]][pq[1]]))
        if abs(a[p][q]) <= 1e-18 * trace:
            break
        half = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
        t = math.copysign(1.0, half) / (abs(half) + math.sqrt(half * half + 1.0))
        c = 1.0 / math.sqrt(t * t + 1.0)
        s = t * c
        for k in range(3):
            a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
        for k in range(3):
            a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
        for k in range(3):
            v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    return tuple(x for row in v for x in row), (a[0][0], a[1][1], a[2][2])


def fingerprint(shape: Shape) -> int:
    """Return 64 bits that tell shapes apart: of its kind, figures and points."""
    known: int | None = getattr(shape, "_fingerprint", None)
    if known is not None:
        return known
    from hashlib import blake2b  # here: it costs a tenth of the import of the package

    hashed = blake2b(type(shape).__name__.encode(), digest_size=8)
    for array in (
        shape.bounds,
        shape.mass_center,
        shape.unit_inertia_tensor,
        [shape.volume, *shape.radius_about((1.0, 2.0, 3.0))],
    ):
        hashed.update(np.asarray(array, np.float64).tobytes())
    for name in ("radius", "half_length", "normal", "offset", "vertices", "triangles", "half_extents"):
        value = getattr(shape, name, None)
        if value is not None:
            hashed.update(np.ascontiguousarray(value).tobytes())
    if isinstance(shape, Compound):
        for child, position, rotation in shape.parts:
            hashed.update(struct.pack("<Q7d", fingerprint(child), *position, *rotation))
    result = int.from_bytes(hashed.digest(), "little")
    shape._fingerprint = result  # type: ignore[attr-defined]
    return result
