"""Compiles MOPP code from a mesh: the frame, the triangles that count, their boxes in whole units.

Source: `havok: MOPP code`. The tree and the code are made in mopp_tree.pyx and mopp_build.pyx. The code uses
rescales, bounds, axis splits with 8- and 16-bit jumps, terminals, terminal offsets and the absolute 32-bit
jump: only commands that the text found executed, and no diagonal, which its reading follows on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok import mopp_build
from assets_pipeline.havok.mopp import MoppCode

Float32 = NDArray[np.float32]

FRAME = 1 << 24  # units; the largest extent takes 0.99 of them
DEGENERATE_AREA = np.float32(1e-7)  # m^4: squared length of the cross product of two edges
# Another reader may take a coordinate in single precision, whose rounding moves it by up to one unit.
ROUNDING = 2


def build_mopp(
    subparts: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    subpart_bits: int = 12,
    box: tuple[ArrayLike, ArrayLike] | None = None,
) -> MoppCode:
    """Compile a mesh into MOPP code. Its terminals are the keys of the triangles that are not degenerate.

    Args:
        subparts: for each subpart its vertices (n, 3) [m], taken as f32, and its triangles (m, 3) of indices.
        subpart_bits: upper bits of a key that hold the subpart: subpart << (32 - subpart_bits) | triangle.
        box: the mesh's stored box, its two corners (3,) [m], where that is not just the box of all vertices.
            It has to contain them: `offset` is its minimum corner, `scale` times its largest extent
            0.99 * 2**24.

    Raises:
        PackfileError: an array of the wrong shape, an index out of range, a coordinate that is not finite,
            more subparts or triangles than a key can number, a box that does not hold every vertex, or no
            triangle that counts.

    Source: `havok: MOPP code`.
    """
    if not 0 <= subpart_bits <= 31:
        raise PackfileError(None, "MOPP mesh", f"subpart bits: need 0 to 31, got {subpart_bits}")
    if len(subparts) > 1 << subpart_bits:
        raise PackfileError(None, "MOPP mesh", f"{len(subparts)} subparts need more than {subpart_bits} bits")
    meshes = [_checked(index, vertices, triangles) for index, (vertices, triangles) in enumerate(subparts)]
    low, high = _frame(meshes, box)
    kept = [np.flatnonzero(~degenerate_triangles(*mesh)) for mesh in meshes]
    if not any(len(part) for part in kept):
        raise PackfileError(None, "MOPP mesh", "no triangle, or none that is not degenerate")
    scale = np.float32(0.99 * FRAME / float((high.astype(np.float64) - low).max()))
    lows, highs, keys = [], [], []
    for index, (vertices, triangles) in enumerate(meshes):
        if len(triangles) > 1 << (32 - subpart_bits):
            raise PackfileError(
                None,
                "MOPP mesh",
                f"subpart {index}: {len(triangles)} triangles need more than {32 - subpart_bits} bits",
            )
        units = np.floor((vertices.astype(np.float64) - low) * float(scale)).astype(np.int32)
        corners = units[triangles[kept[index]]]
        lows.append(corners.min(axis=1) - ROUNDING)
        highs.append(corners.max(axis=1) + ROUNDING)
        keys.append((np.int64(index) << (32 - subpart_bits)) + kept[index])
    code = mopp_build.write_code(
        np.ascontiguousarray(np.concatenate(lows).clip(0, FRAME - 1), dtype=np.int32),
        np.ascontiguousarray(np.concatenate(highs).clip(0, FRAME - 1), dtype=np.int32),
        np.concatenate(keys).astype(np.uint32),
    )
    return MoppCode(code, low, float(scale))


def degenerate_triangles(vertices: ArrayLike, triangles: ArrayLike) -> NDArray[np.bool_]:
    """Return which triangles (m,) a MOPP code leaves out: too small, or three points in a line; all in f32.

    The squared cross product of two edges is under 1e-7, taken from either of the first two vertices, or the
    identity |u|^2 |v|^2 - (u . v)^2, which rounds where the cross product does not, is exactly 0. Reading:
    the identity's two edges are, like those of the cross product, the pair at either of the first two
    vertices.

    Source: `havok: MOPP code`.
    """
    points = np.asarray(vertices, dtype=np.float32)[np.asarray(triangles, dtype=np.int64)]
    first, second, third = points[:, 0], points[:, 1], points[:, 2]
    result = np.zeros(len(points), dtype=bool)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # infinite is simply not small
        for u, v in ((second - first, third - first), (third - second, first - second)):
            result |= _squared_cross(u, v) < DEGENERATE_AREA
            dot = _dot(u, v)
            result |= _dot(u, u) * _dot(v, v) - dot * dot == 0.0
    return result


def _squared_cross(u: Float32, v: Float32) -> Float32:
    x = u[:, 1] * v[:, 2] - u[:, 2] * v[:, 1]
    y = u[:, 2] * v[:, 0] - u[:, 0] * v[:, 2]
    z = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return np.asarray(x * x + y * y + z * z)


def _dot(u: Float32, v: Float32) -> Float32:
    # Written out: numpy's own sums may be done in another order, and these are compared bit for bit.
    return np.asarray(u[:, 0] * v[:, 0] + u[:, 1] * v[:, 1] + u[:, 2] * v[:, 2])


def _checked(index: int, vertices: ArrayLike, triangles: ArrayLike) -> tuple[Float32, NDArray[np.int64]]:
    points, corners = np.asarray(vertices), np.asarray(triangles)
    if points.size == 0:
        points = points.reshape(0, 3)
    if corners.size == 0:
        corners = np.zeros((0, 3), dtype=np.int64)
    if points.ndim != 2 or points.shape[1] != 3:
        raise PackfileError(
            None, "MOPP mesh", f"subpart {index}: need vertices (n, 3), got shape {points.shape}"
        )
    if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
        raise PackfileError(
            None,
            "MOPP mesh",
            f"subpart {index}: need triangles (m, 3) of integers, got {corners.shape} {corners.dtype}",
        )
    with np.errstate(over="ignore"):
        points = points.astype(np.float32)
    if not np.isfinite(points).all():
        raise PackfileError(None, "MOPP mesh", f"subpart {index}: a vertex is not finite")
    if corners.size and not (corners.min() >= 0 and corners.max() < len(points)):
        raise PackfileError(
            None,
            "MOPP mesh",
            f"subpart {index}: indices {corners.min()} to {corners.max()}, there are {len(points)} vertices",
        )
    return points, corners.astype(np.int64)


def _frame(
    meshes: list[tuple[Float32, NDArray[np.int64]]], box: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Float32, Float32]:
    """Return the corners of the stored box: the one given, or that of all vertices."""
    vertices = (
        np.concatenate([points for points, _ in meshes]) if meshes else np.zeros((0, 3), dtype=np.float32)
    )
    if not len(vertices):
        raise PackfileError(None, "MOPP mesh", "no vertex")
    if box is None:
        return vertices.min(axis=0), vertices.max(axis=0)
    low, high = (np.asarray(corner, dtype=np.float32) for corner in box)
    if low.shape != (3,) or high.shape != (3,) or not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise PackfileError(None, "MOPP mesh", f"box: need two corners of three finite numbers, got {box!r}")
    if not ((low <= vertices.min(axis=0)).all() and (vertices.max(axis=0) <= high).all()):
        raise PackfileError(None, "MOPP mesh", f"box {low} to {high} does not hold every vertex")
    return low, high
