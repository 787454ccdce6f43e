"""Makes a mesh shape with its tree from the meshes of nodes: surfaces from materials, the stored box, MOPP code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring import havok_shapes
from assets_pipeline.authoring.model_scene import Matrix, Part
from assets_pipeline.havok import build_mopp
from assets_pipeline.packfile import HavokObject

Words = tuple[Sequence[int | None], Sequence[int]]  # of each material: the whole word or None; the surface id


@dataclass
class Piece:
    """Meshes and the matrix that takes them to the body's axes."""

    parts: list[Part]
    matrix: Matrix


@dataclass
class _Subpart:
    vertices: list[NDArray[np.float32]] = field(default_factory=list)
    triangles: list[NDArray[np.int64]] = field(default_factory=list)
    surfaces: list[NDArray[np.int64]] = field(default_factory=list)
    words: list[NDArray[np.int64]] = field(default_factory=list)  # -1: by slope
    starts: dict[tuple[int, int], int] = field(default_factory=dict)
    count: int = 0
    shaded: bool = False


def mesh_tree(pieces: Sequence[Piece], words: Words) -> tuple[HavokObject, float]:
    """Return a tree over a mesh, and how far it reaches from the origin.

    Parts whose properties name a `subpart` stay apart by it; all others are one subpart. Vertices that a file holds
    once for each of several normals become one again.

    Raises:
        LevelError, PackfileError: no triangle has an area, a vertex is out of range.
    """
    subparts: dict[int, _Subpart] = {}
    for number, piece in enumerate(pieces):
        for part in piece.parts:
            if len(part.triangles):
                key = part.extras.get("subpart", 0)
                _add(
                    subparts.setdefault(key if isinstance(key, int) else 0, _Subpart()),
                    part,
                    piece,
                    number,
                    words,
                )
    made = [_finished(subparts[key]) for key in sorted(subparts)]
    shape = havok_shapes.mesh([havok_shapes.Subpart(*one[:3]) for one in made])
    for number, (_, _, _, wanted) in enumerate(made):
        _set_words(shape, number, wanted)
    shape.embeddedTrianglesSubpart = shape.trianglesSubparts[0]
    shape.embeddedTrianglesSubpart.triangleOffset = 0
    vertices = np.concatenate([one[0] for one in made])
    low, high = set_stored_box(shape, vertices)
    code = build_mopp(
        [(one[0], one[1]) for one in made], subpart_bits=havok_shapes.SUBPART_BITS, box=(low, high)
    )
    tree = havok_shapes.tree(shape, code.data, code.offset, code.scale)
    return tree, float(np.linalg.norm(vertices.astype(np.float64), axis=1).max())


def set_stored_box(
    shape: HavokObject, vertices: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Store the box of `vertices` in a shape; return its corners as they come out of the stored numbers.

    The half extents are rounded up until centre less half extents, in f32, is at or below every vertex: the MOPP code's
    offset is that corner.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    center = ((low.astype(np.float64) + high) / 2).astype(np.float32)
    half = np.maximum(high - center, center - low)
    for _ in range(8):
        short = (center - half > low) | (center + half < high)
        half = np.where(short, np.nextafter(half, np.float32(np.inf)), half)
    shape.aabbCenter = (*center, 0.0)
    shape.aabbHalfExtents = (*half, 0.0)
    return center - half, center + half


def transformed(positions: NDArray[np.float32], matrix: Matrix) -> NDArray[np.float32]:
    """Return positions in other axes; the same bits where the matrix is the identity."""
    if (matrix == np.eye(4)).all():
        return positions
    return (positions.astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def _add(subpart: _Subpart, part: Part, piece: Piece, number: int, words: Words) -> None:
    key = (number, id(part.positions))
    if key not in subpart.starts:
        subpart.starts[key] = subpart.count
        subpart.vertices.append(transformed(part.positions, piece.matrix))
        subpart.count += len(part.positions)
    triangles = part.triangles + subpart.starts[key]
    if np.linalg.det(piece.matrix[:3, :3]) < 0.0:
        triangles = triangles[:, [0, 2, 1]]  # a mirror turns the windings around
    subpart.triangles.append(triangles)
    surface = words[1][part.material] if part.material >= 0 else 0
    word = words[0][part.material] if part.material >= 0 else None
    subpart.surfaces.append(np.full(len(triangles), surface))
    subpart.words.append(np.full(len(triangles), -1 if word is None else word, np.int64))
    subpart.shaded |= part.shaded


def _finished(
    subpart: _Subpart,
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    vertices = np.concatenate(subpart.vertices)
    triangles = np.concatenate(subpart.triangles)
    if subpart.shaded:
        vertices, triangles = _welded(vertices, triangles)
    return vertices, triangles, np.concatenate(subpart.surfaces), np.concatenate(subpart.words)


def _welded(
    vertices: NDArray[np.float32], triangles: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return a mesh with each place once, in the order in which places first come up."""
    plain = vertices + np.float32(0.0)  # -0 and 0 are one place
    _, first, inverse = np.unique(plain, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return plain[first[order]], rank[inverse.reshape(-1)][triangles]


def _set_words(shape: HavokObject, number: int, wanted: NDArray[np.int64]) -> None:
    """Give the triangles with a stated word that word; the others keep what their slope gave them."""
    if (wanted < 0).all():
        return
    storage = shape.meshstorage[number]
    by_slope = storage.materials.column("filterInfo").astype(np.int64)[storage.materialIndices16]
    words = np.where(wanted < 0, by_slope, wanted)
    records, indices = np.unique(words, return_inverse=True)
    holder = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage")
    for word in records.tolist():
        holder.materials.append(filterInfo=word, restitution=0.0, friction=1.0)
    storage.materials = holder.materials
    storage.materialIndices16 = indices.reshape(-1).astype(np.uint16)
    shape.trianglesSubparts[number].numMaterials = len(records)
