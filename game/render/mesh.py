"""Flat-shaded triangles as the solid shader wants them: three vertices of their own for each, with its
normal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# One vertex, 20 bytes. A normal is stored as 128 + 127 n (moderngl hands signed bytes over as whole numbers
# only). The colour's fourth byte is the pattern of the surface (see PATTERNS), not opacity.
VERTEX: np.dtype[np.void] = np.dtype([("position", "<f4", 3), ("normal", "u1", 4), ("colour", "u1", 4)])
VERTEX_FORMAT = "3f4 4f1 4f1"
VERTEX_ATTRIBUTES = ("in_position", "in_normal", "in_colour")

# What the solid shader draws on a surface besides its colour, by number.
PATTERNS = {"plain": 0, "tiles": 1, "planks": 2, "grass": 3, "water": 4, "stripes": 5, "stone": 6, "glow": 7}

VertexArray = npt.NDArray[np.void]
FloatArray = npt.NDArray[np.floating[Any]]
IntArray = npt.NDArray[np.integer[Any]]


def face_normals(corners: FloatArray) -> npt.NDArray[np.float64]:
    """Return the unit normals (n, 3) of triangles given as corners (n, 3, 3); degenerate ones get +Y."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", normals, normals))
    flat = lengths < 1e-20
    normals[flat] = (0.0, 1.0, 0.0)
    lengths[flat] = 1.0
    return np.asarray(normals / lengths[:, None], np.float64)


def packed_normals(normals: FloatArray) -> npt.NDArray[np.uint8]:
    """Return unit normals as the bytes of VERTEX."""
    return np.asarray(np.rint(normals * 127.0) + 128.0, np.uint8)


def flat_vertices(
    vertices: FloatArray, triangles: IntArray, colours: npt.ArrayLike, patterns: npt.ArrayLike = 0
) -> VertexArray:
    """Return the vertices (3 m,) of dtype VERTEX that draw m triangles flat.

    `vertices` (n, 3) metres, `triangles` (m, 3) corner numbers, counter-clockwise from outside; `colours`
    (m, 3) or (3,) sRGB 0..255; `patterns` (m,) or one number out of PATTERNS.
    """
    corners = np.asarray(vertices, np.float64)[np.asarray(triangles)]
    out = np.zeros((len(corners), 3), VERTEX)
    out["position"] = corners
    out["normal"][..., :3] = packed_normals(face_normals(corners))[:, None]
    colour = np.broadcast_to(np.asarray(colours, np.uint8), (len(corners), 3))
    out["colour"][..., :3] = colour[:, None]
    out["colour"][..., 3] = np.broadcast_to(np.asarray(patterns, np.uint8), (len(corners),))[:, None]
    return out.reshape(-1)
