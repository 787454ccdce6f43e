"""Polygon models (3D) of versions 4.0 and 5.0: the parts that collision reads, and a writer for our own."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.binary import SceneBytes, read_file

HEADER = struct.Struct("<4s15I")
VERSIONS = {b"v4.0": 4, b"v5.0": 5}
REFUSED = {b"v2.6": "2.6", b"v2.7": "2.7"}
FIXED = 256.0  # lengths and normals are i32 / 256
FACE_HEAD = struct.Struct("<2B2I")
FACE_CORNER = struct.Struct("<I2h")
FACE_LEAST, FACE_MOST = 3, 10
SUB_HEAD = struct.Struct("<3iIH3f")
# Reading: a face reference is the face's offset from the first face, and its index times 4 as u16.
SUB_REFERENCE = struct.Struct("<IH")
POINT = np.dtype("(3,)<i4")


@dataclass(frozen=True, eq=False)
class SubObject:
    """A sub-object: an ellipsoid bound and the faces inside it, in stored order."""

    center: tuple[float, float, float]
    radius: float
    extents: tuple[float, float, float]
    faces: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Model3d:
    """A polygon model, in map units.

    Attributes:
        version: 4 or 5; only 5 has sub-objects.
        radius: bounding radius.
        frames: how many frames the model says it has; the ones after the first lie in other files.
        vertices: (n, 3) float32.
        face_sizes: (m,) corners of each face, 3 to 10.
        face_vertices: vertex indices, face after face.
        face_uvs: (sum of sizes, 2) texture coordinates [1/16 pixel], summed up from the stored differences.
        face_textures: (m,) packed texture words.
        face_normals: (m, 3) float32.
        sub_objects: in stored order.
    """

    version: int
    radius: float
    frames: int
    vertices: NDArray[np.float32]
    face_sizes: NDArray[np.int32]
    face_vertices: NDArray[np.int32]
    face_uvs: NDArray[np.int32]
    face_textures: NDArray[np.uint32]
    face_normals: NDArray[np.float32]
    sub_objects: tuple[SubObject, ...]


def read_3d(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Model3d:
    """Return the model of the file at a path, or in bytes.

    Raises:
        LevelError: it can't be read, is of another version, or a count, index or offset leads outside.
    """
    data = source if isinstance(source, bytes) else read_file(source)
    file = SceneBytes(data, name or ("model" if isinstance(source, bytes) else os.fspath(source)))
    header = file.unpack(HEADER, 0, "header")
    tag = header[0].lower()
    if tag in REFUSED:
        raise file.error(
            0,
            f"version {REFUSED[tag]}: only 4.0 and 5.0 can be used: the original engine refuses 2.6 and 2.7 too",
        )
    if tag not in VERSIONS:
        raise file.error(0, f"version: expected v4.0 or v5.0, found {header[0]!r}")
    version = VERSIONS[tag]
    (
        _,
        count,
        faces,
        radius,
        frames,
        _,
        corners,
        subs_at,
        subs,
        _,
        _,
        _,
        points_at,
        normals_at,
        again,
        faces_at,
    ) = header
    if faces_at != HEADER.size:
        raise file.error(0x3C, f"offset of the faces: expected {HEADER.size}, found {faces_at}")
    if corners != again:
        raise file.error(0x38, f"total of face vertices: {corners} at 0x18, {again} here")
    vertices = file.array(POINT, count, points_at, "vertices").reshape(count, 3)
    normals = file.array(POINT, faces, normals_at, "face normals").reshape(faces, 3)
    file.need(
        faces_at, faces * FACE_HEAD.size + corners * FACE_CORNER.size, f"{faces} faces, {corners} corners"
    )
    sizes, indices, uvs, textures = _read_faces(file, faces_at, faces, count)
    if len(indices) != corners:
        raise file.error(
            0x18, f"total of face vertices: the faces have {len(indices)}, the header says {corners}"
        )
    sub_objects = _read_subs(file, subs_at, subs, faces) if version == 5 else ()
    return Model3d(
        version,
        radius / FIXED,  # reading: in the same fixed point as the vertices
        frames,
        (vertices / FIXED).astype(np.float32),
        np.array(sizes, np.int32),
        np.array(indices, np.int32),
        np.array(uvs, np.int32).reshape(-1, 2),
        np.array(textures, np.uint32),
        (normals / FIXED).astype(np.float32),
        sub_objects,
    )


def _read_faces(
    file: SceneBytes, offset: int, faces: int, vertices: int
) -> tuple[list[int], list[int], list[tuple[int, int]], list[int]]:
    """Return sizes, vertex indices, texture coordinates and texture words of all faces."""
    sizes: list[int] = []
    indices: list[int] = []
    uvs: list[tuple[int, int]] = []
    textures: list[int] = []
    for face in range(faces):
        size, _, texture, zero = file.unpack(FACE_HEAD, offset, f"face {face}")
        if not FACE_LEAST <= size <= FACE_MOST:
            raise file.error(
                offset, f"face {face}: expected {FACE_LEAST} to {FACE_MOST} corners, found {size}"
            )
        if zero != 0:
            raise file.error(offset + 6, f"face {face}: expected 0, found {zero}")
        offset += FACE_HEAD.size
        u = v = 0
        for _ in range(size):
            index, du, dv = file.unpack(FACE_CORNER, offset, f"face {face}")
            if index >= vertices:
                raise file.error(offset, f"face {face}: vertex {index} of {vertices}")
            u, v = u + du, v + dv
            indices.append(index)
            uvs.append((u, v))
            offset += FACE_CORNER.size
        sizes.append(size)
        textures.append(texture)
    return sizes, indices, uvs, textures


def _read_subs(file: SceneBytes, offset: int, subs: int, faces: int) -> tuple[SubObject, ...]:
    """Return the sub-objects of a version 5 model."""
    file.need(offset if subs else 0, subs * SUB_HEAD.size, f"{subs} sub-objects")
    result = []
    for number in range(subs):
        what = f"sub-object {number}"
        x, y, z, radius, references, ex, ey, ez = file.unpack(SUB_HEAD, offset, what)
        if not all(np.isfinite((ex, ey, ez))):
            raise file.error(offset + 18, f"{what}: extent factors ({ex}, {ey}, {ez}) are not finite")
        offset += SUB_HEAD.size
        file.need(offset, references * SUB_REFERENCE.size, f"{what}: {references} faces")
        indices = []
        for _ in range(references):
            _, scaled = file.unpack(SUB_REFERENCE, offset, what)
            if scaled % 4 or scaled // 4 >= faces:
                raise file.error(offset + 4, f"{what}: {scaled} is not 4 x a face below {faces}")
            indices.append(scaled // 4)
            offset += SUB_REFERENCE.size
        center = (x / FIXED, y / FIXED, z / FIXED)
        result.append(SubObject(center, radius / FIXED, (ex, ey, ez), np.array(indices, np.int32)))
    return tuple(result)


def write_3d(model: Model3d) -> bytes:
    """Return the bytes of a model: faces, vertices, face normals, then sub-objects.

    Raises:
        LevelError: a number does not fit into its field.
    """
    faces, corners = len(model.face_sizes), len(model.face_vertices)
    if model.version not in VERSIONS.values():
        raise LevelError(f"model version: expected 4 or 5, found {model.version}")
    if model.sub_objects and (model.version != 5 or faces > 0xFFFF // 4 + 1):
        raise LevelError(f"sub-objects need version 5 and at most {0xFFFF // 4 + 1} faces")
    face_data = bytearray()
    starts = []
    at = 0
    for face, size in enumerate(model.face_sizes.tolist()):
        starts.append(len(face_data))
        face_data += FACE_HEAD.pack(size, 0, int(model.face_textures[face]), 0)
        before = (0, 0)
        for corner in range(at, at + size):
            u, v = (int(value) for value in model.face_uvs[corner])
            try:
                face_data += FACE_CORNER.pack(int(model.face_vertices[corner]), u - before[0], v - before[1])
            except struct.error as error:
                raise LevelError(f"face {face}: {error}") from error
            before = (u, v)
        at += size
    points_at = HEADER.size + len(face_data)
    normals_at = points_at + len(model.vertices) * POINT.itemsize
    subs_at = normals_at + faces * POINT.itemsize
    sub_data = bytearray()
    for sub in model.sub_objects:
        center = [_fixed(value) for value in sub.center]
        sub_data += SUB_HEAD.pack(*center, _fixed(sub.radius), len(sub.faces), *sub.extents)
        for face in sub.faces.tolist():
            sub_data += SUB_REFERENCE.pack(starts[face], 4 * face)
    tag = next(tag for tag, version in VERSIONS.items() if version == model.version)
    header = HEADER.pack(
        tag,
        len(model.vertices),
        faces,
        _fixed(model.radius),
        model.frames,
        0,
        corners,
        subs_at if model.sub_objects else 0,
        len(model.sub_objects),
        0,
        0,
        0,
        points_at,
        normals_at,
        corners,
        HEADER.size,
    )
    points, normals = _fixed_rows(model.vertices), _fixed_rows(model.face_normals)
    return b"".join([header, bytes(face_data), points, normals, bytes(sub_data)])


def _fixed(value: float) -> int:
    """Return a length in the file's fixed point."""
    return round(float(value) * FIXED)


def _fixed_rows(rows: NDArray[Any]) -> bytes:
    """Return points or normals in the file's fixed point."""
    return np.rint(np.asarray(rows, np.float64) * FIXED).astype("<i4").tobytes()
