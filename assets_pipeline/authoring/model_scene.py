"""A scene of nodes with meshes: what glTF and OBJ files come to, and what an export writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.vectors import matrix_of, quaternion_of

Matrix = NDArray[np.float64]


@dataclass
class Material:
    """A material: its name, sRGB colour (three numbers from 0 to 1) and custom properties."""

    name: str
    colour: tuple[float, float, float] = (0.8, 0.8, 0.8)
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class Part:
    """The triangles of one material.

    Attributes:
        positions: (n, 3) float32 vertices [m]; parts of one mesh may share the array.
        triangles: (m, 3) int64 indices of vertices, counter-clockwise seen from the outside.
        material: index into `Scene.materials`, or -1.
        shaded: the file has normals, so vertices may be there once for each of several normals.
        extras: custom properties.
    """

    positions: NDArray[np.float32]
    triangles: NDArray[np.int64]
    material: int = -1
    shaded: bool = False
    extras: dict[str, Any] = field(default_factory=dict)


@dataclass
class Node:
    """A thing with a name and a place in the axes of its parent, perhaps with a mesh.

    Attributes:
        name: as the file has it; may be empty or there twice.
        parts: the mesh, one part a material.
        translation: [m].
        rotation: quaternion (x, y, z, w).
        scale: factors along the node's axes.
        children: nodes placed in this one's axes.
        extras: custom properties.
    """

    name: str
    parts: list[Part] = field(default_factory=list)
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    children: list[Node] = field(default_factory=list)
    extras: dict[str, Any] = field(default_factory=dict)

    def matrix(self) -> Matrix:
        """Return the (4, 4) matrix from the node's axes to its parent's; columns are axes and place."""
        result = np.eye(4)
        result[:3, :3] = matrix_of(self.rotation) * np.asarray(self.scale)
        result[:3, 3] = self.translation
        return result


@dataclass
class Scene:
    """The nodes at the top, the materials, and what of the file was not used (a line each)."""

    nodes: list[Node] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def decompose(matrix: Matrix, where: str) -> tuple[Matrix, tuple[float, float, float, float], Matrix]:
    """Split a (4, 4) matrix into translation, rotation and a (3, 3) rest that is applied first.

    The rest is a diagonal of scales where the axes are square to each other; it holds mirrors and skews, which a
    rotation can't.

    Raises:
        LevelError: the matrix is not finite or flattens space; `where` names the node in the message.
    """
    linear = matrix[:3, :3]
    if not np.isfinite(matrix).all():
        raise LevelError(f"{where}: its transform is not finite")
    u, stretches, vt = np.linalg.svd(linear)
    if stretches[2] < 1e-9:
        raise LevelError(f"{where}: its transform has a scale of 0")
    turn = u @ vt
    if np.linalg.det(turn) < 0.0:
        turn = -turn  # a mirror: a half turn more, and all three axes mirrored in the rest
    lengths = np.linalg.norm(linear, axis=0)
    cosines = (linear / lengths).T @ (linear / lengths)
    if np.abs(cosines - np.eye(3)).max() < 1e-6:
        turn = linear / lengths
        if np.linalg.det(turn) < 0.0:
            turn = turn * np.array([1.0, 1.0, -1.0])
    rest = turn.T @ linear
    if np.abs(rest - np.eye(3)).max() < 1e-6:
        rest = np.eye(3)  # rounding of a file's quaternion, not a wish to stretch
    return matrix[:3, 3].copy(), quaternion_of(turn), rest
