"""Reads a glTF 2.0 file (.glb or .gltf): nodes, triangles, material names and custom properties.

Nothing is trusted: every index, count and offset is checked before it is used. Cameras, lights, skins, animations and
textures are no part of a physics source and are passed over.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import os
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring.gltf_writer import BIN_CHUNK, GLB_MAGIC, JSON_CHUNK
from assets_pipeline.authoring.model_scene import Material, Node, Part, Scene
from assets_pipeline.errors import LevelError
from assets_pipeline.vectors import quaternion_of

# Extensions that change nothing a physics source reads. Others, when a file requires them, are refused by name.
HARMLESS = ("KHR_materials_", "KHR_lights_punctual", "KHR_texture_", "EXT_texture_", "KHR_mesh_quantization")
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
LANES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
TRIANGLES, STRIP, FAN = 4, 5, 6
DEEPEST = 200  # nodes in nodes
MOST_VALUES = 1 << 26  # of one accessor that has no bytes of its own (sparse or all zero)


def read_gltf(source: str | os.PathLike[str] | bytes) -> Scene:
    """Return the scene of a .glb or .gltf file, or of the bytes of a .glb.

    Raises:
        LevelError: the file can't be read, or is not glTF 2.0 that this reader knows; the message says where.
    """
    if isinstance(source, bytes):
        return _Reader(source, None).scene()
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LevelError(f"{path}: can't be read: {error.strerror or error}") from None
    try:
        return _Reader(data, path.parent).scene()
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


class _Reader:
    def __init__(self, data: bytes, folder: Path | None) -> None:
        self.folder = folder
        self.binary: bytes | None = None
        text = self._chunks(data) if data[:4] == struct.pack("<I", GLB_MAGIC) else data
        try:
            tree = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise LevelError(f"not glTF: no JSON: {error}") from None
        if not isinstance(tree, dict) or not isinstance(tree.get("asset"), dict):
            raise LevelError("not glTF: the JSON has no `asset`")
        version = tree["asset"].get("version")
        if not isinstance(version, str) or version.split(".")[0] != "2":
            raise LevelError(f"glTF version {version!r}, expected 2.0")
        self.tree: dict[str, Any] = tree
        self.notes: list[str] = []
        for name in self._list(tree, "extensionsRequired", "file"):
            if not isinstance(name, str) or not name.startswith(HARMLESS):
                raise LevelError(
                    f"requires the extension {name!r}, which is not supported (export without compression)"
                )
        self.buffers: dict[int, bytes] = {}
        self.meshes: dict[int, list[Part]] = {}

    def _chunks(self, data: bytes) -> bytes:
        """Take a .glb apart; return its JSON."""
        if len(data) < 20:
            raise LevelError(f"glb header: {len(data)} bytes, expected at least 20")
        _, version, length = struct.unpack_from("<III", data)
        if version != 2 or length > len(data):
            raise LevelError(
                f"glb header: version {version}, {length} bytes; expected version 2, {len(data)} bytes"
            )
        text: bytes | None = None
        at = 12
        while at + 8 <= length:
            size, kind = struct.unpack_from("<II", data, at)
            if size > length - at - 8:
                raise LevelError(f"glb chunk at {at}: {size} bytes, {length - at - 8} are left")
            chunk = data[at + 8 : at + 8 + size]
            if kind == JSON_CHUNK and text is None:
                text = chunk
            elif kind == BIN_CHUNK and self.binary is None:
                self.binary = chunk
            at += 8 + size
        if text is None:
            raise LevelError("glb: no JSON chunk")
        return text

    # ------------------------------------------------------------ the JSON tree, checked

    def _list(self, owner: dict[str, Any], key: str, where: str) -> list[Any]:
        value = owner.get(key, [])
        if not isinstance(value, list):
            raise LevelError(f"{where}: {key}: expected a list, found {value!r:.60}")
        return value

    def _item(self, kind: str, index: Any, where: str) -> dict[str, Any]:
        """Return entry `index` of the list `kind` at the top of the file."""
        items = self._list(self.tree, kind, "file")
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(items):
            raise LevelError(f"{where}: {kind} {index!r:.40}: there are {len(items)}")
        if not isinstance(items[index], dict):
            raise LevelError(f"{kind} {index}: expected an object")
        return dict(items[index])

    def _whole(self, owner: dict[str, Any], key: str, default: int | None, where: str) -> int:
        value = owner.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise LevelError(f"{where}: {key}: expected a whole number, found {value!r:.40}")
        return value

    def _numbers(
        self, owner: dict[str, Any], key: str, default: tuple[float, ...], where: str
    ) -> list[float]:
        value = owner.get(key)
        if value is None:
            return list(default)
        good = isinstance(value, list) and len(value) == len(default)
        if not good or not all(isinstance(one, int | float) and abs(one) < 1e30 for one in value):
            raise LevelError(f"{where}: {key}: expected {len(default)} finite numbers, found {value!r:.60}")
        return [float(one) for one in value]

    def _extras(self, owner: dict[str, Any]) -> dict[str, Any]:
        extras = owner.get("extras")
        return dict(extras) if isinstance(extras, dict) else {}

    def _name(self, owner: dict[str, Any]) -> str:
        name = owner.get("name", "")
        return name if isinstance(name, str) else ""

    # ------------------------------------------------------------ scene

    def scene(self) -> Scene:
        materials = [
            self._material(self._item("materials", index, "materials"))
            for index in range(len(self._list(self.tree, "materials", "file")))
        ]
        for kind in ("skins", "animations", "cameras"):
            if self.tree.get(kind):
                self.notes.append(f"{kind} are not used")
        if self._list(self.tree, "scenes", "file"):
            roots = self._list(self._item("scenes", self.tree.get("scene", 0), "file"), "nodes", "scene")
        else:  # no scene: everything that is nobody's child
            nodes = range(len(self._list(self.tree, "nodes", "file")))
            below = {
                child
                for index in nodes
                for child in self._list(self._item("nodes", index, "file"), "children", f"node {index}")
                if isinstance(child, int)
            }
            roots = [index for index in nodes if index not in below]
        seen: set[int] = set()
        top = [self._node(index, seen, 0) for index in roots]
        return Scene(top, materials, self.notes)

    def _material(self, material: dict[str, Any]) -> Material:
        rough = material.get("pbrMetallicRoughness")
        where = f"material {self._name(material)!r}"
        linear = self._numbers(
            rough if isinstance(rough, dict) else {}, "baseColorFactor", (0.6, 0.6, 0.6, 1.0), where
        )
        red, green, blue = (_srgb(value) for value in linear[:3])
        return Material(self._name(material), (red, green, blue), self._extras(material))

    def _node(self, index: Any, seen: set[int], depth: int) -> Node:
        node = self._item("nodes", index, "scene")
        where = f"node {self._name(node) or index!r}"
        if index in seen or depth > DEEPEST:
            raise LevelError(f"{where}: is there twice, holds itself, or lies deeper than {DEEPEST} nodes")
        seen.add(index)
        result = Node(self._name(node), extras=self._extras(node))
        if "matrix" in node:
            stored = np.array(self._numbers(node, "matrix", tuple(np.eye(4).ravel()), where)).reshape(4, 4).T
            scale = np.linalg.norm(stored[:3, :3], axis=0)
            if not (scale > 1e-12).all():
                raise LevelError(f"{where}: matrix: an axis has the length 0")
            turn = stored[:3, :3] / scale
            if np.linalg.det(turn) < 0.0:
                turn[:, 2], scale[2] = -turn[:, 2], -scale[2]
            if np.abs(turn.T @ turn - np.eye(3)).max() > 1e-3:
                raise LevelError(f"{where}: matrix: its axes are skewed; apply the transform in the editor")
            x, y, z = stored[:3, 3].tolist()
            result.translation, result.rotation = (x, y, z), quaternion_of(turn)
            result.scale = (float(scale[0]), float(scale[1]), float(scale[2]))
        else:
            x, y, z = self._numbers(node, "translation", (0.0, 0.0, 0.0), where)
            result.translation = (x, y, z)
            x, y, z, w = self._numbers(node, "rotation", (0.0, 0.0, 0.0, 1.0), where)
            if not 0.5 < x * x + y * y + z * z + w * w < 2.0:
                raise LevelError(f"{where}: rotation: expected a unit quaternion, found {[x, y, z, w]}")
            length = math.sqrt(x * x + y * y + z * z + w * w)
            result.rotation = (x / length, y / length, z / length, w / length)
            x, y, z = self._numbers(node, "scale", (1.0, 1.0, 1.0), where)
            result.scale = (x, y, z)
        if "mesh" in node:
            result.parts = self._mesh(node["mesh"], where)
        result.children = [
            self._node(child, seen, depth + 1) for child in self._list(node, "children", where)
        ]
        return result

    # ------------------------------------------------------------ meshes

    def _mesh(self, index: Any, where: str) -> list[Part]:
        mesh = self._item("meshes", index, where)
        if index in self.meshes:
            return self.meshes[index]
        where = f"mesh {self._name(mesh) or index!r}"
        shared: dict[int, NDArray[np.float32]] = {}
        parts = []
        for number, primitive in enumerate(self._list(mesh, "primitives", where)):
            if not isinstance(primitive, dict) or not isinstance(primitive.get("attributes"), dict):
                raise LevelError(f"{where}: primitive {number}: expected an object with attributes")
            mode = self._whole(primitive, "mode", TRIANGLES, where)
            if mode not in (TRIANGLES, STRIP, FAN):
                self.notes.append(f"{where}: primitive {number}: points and lines are not used")
                continue
            attributes = primitive["attributes"]
            key = self._whole(attributes, "POSITION", None, f"{where}: primitive {number}")
            if key not in shared:
                shared[key] = self._positions(key, where)
            positions = shared[key]
            if "indices" in primitive:
                indices = self._indices(primitive["indices"], len(positions), where)
            else:
                indices = np.arange(len(positions))
            material = primitive.get("material", -1)
            if material != -1:
                self._item("materials", material, where)
            parts.append(
                Part(
                    positions,
                    _triangles(indices, mode, where),
                    material,
                    "NORMAL" in attributes or "TEXCOORD_0" in attributes,
                    self._extras(primitive),
                )
            )
        self.meshes[index] = parts
        return parts

    def _positions(self, index: int, where: str) -> NDArray[np.float32]:
        values = self._accessor(index, "VEC3", where)
        with np.errstate(over="ignore"):
            positions = np.ascontiguousarray(values, dtype=np.float32)
        if not np.isfinite(positions).all():
            raise LevelError(f"{where}: a vertex is not finite")
        return positions

    def _indices(self, index: Any, count: int, where: str) -> NDArray[np.int64]:
        values = self._accessor(index, "SCALAR", where)
        if values.dtype.kind != "u":
            raise LevelError(f"{where}: its indices are not unsigned numbers")
        indices = values.reshape(-1).astype(np.int64)
        if indices.size and indices.max() >= count:
            raise LevelError(f"{where}: index {indices.max()}, there are {count} vertices")
        return indices

    def _accessor(self, index: Any, kind: str, where: str) -> NDArray[Any]:
        """Return the values of an accessor, (count, lanes)."""
        accessor = self._item("accessors", index, where)
        where = f"accessor {index}"
        code = COMPONENTS.get(self._whole(accessor, "componentType", None, where))
        if code is None or accessor.get("type") != kind:
            raise LevelError(
                f"{where}: type {accessor.get('type')!r} of {accessor.get('componentType')!r}, expected {kind}"
            )
        count, lanes, stored = self._whole(accessor, "count", None, where), LANES[kind], np.dtype(code)
        if "bufferView" in accessor:
            offset = self._whole(accessor, "byteOffset", 0, where)
            values = self._values(accessor["bufferView"], offset, count, lanes, stored, where)
        elif count * lanes <= MOST_VALUES:
            values = np.zeros((count, lanes), stored)
        else:
            raise LevelError(f"{where}: {count} values without bytes")
        sparse = accessor.get("sparse")
        if isinstance(sparse, dict):
            values = values.copy()
            self._patch(values, sparse, stored, where)
        if accessor.get("normalized") is True and stored.kind in "iu":
            return np.maximum(values / np.iinfo(stored).max, -1.0).astype(np.float32)
        return values

    def _patch(self, values: NDArray[Any], sparse: dict[str, Any], stored: np.dtype[Any], where: str) -> None:
        """Put the values of a sparse accessor in their places."""
        count = self._whole(sparse, "count", None, where)
        places, patches = sparse.get("indices"), sparse.get("values")
        if not isinstance(places, dict) or not isinstance(patches, dict):
            raise LevelError(f"{where}: sparse: expected indices and values")
        code = COMPONENTS.get(self._whole(places, "componentType", None, where), "")
        if not code.startswith("<u"):
            raise LevelError(f"{where}: sparse: its indices are not unsigned numbers")
        offset = self._whole(places, "byteOffset", 0, where)
        rows = self._values(places.get("bufferView"), offset, count, 1, np.dtype(code), where).reshape(-1)
        offset = self._whole(patches, "byteOffset", 0, where)
        new = self._values(patches.get("bufferView"), offset, count, values.shape[1], stored, where)
        if rows.size and int(rows.max()) >= len(values):
            raise LevelError(f"{where}: sparse: row {rows.max()}, there are {len(values)}")
        values[rows.astype(np.int64)] = new

    def _values(
        self, view_index: Any, offset: int, count: int, lanes: int, stored: np.dtype[Any], where: str
    ) -> NDArray[Any]:
        view = self._item("bufferViews", view_index, where)
        buffer = self._buffer(view.get("buffer"), where)
        start = self._whole(view, "byteOffset", 0, where)
        length = self._whole(view, "byteLength", None, where)
        size = lanes * stored.itemsize
        stride = self._whole(view, "byteStride", size, where) or size
        needed = offset + (stride * (count - 1) + size if count else 0)
        if start + length > len(buffer) or needed > length or stride < size:
            raise LevelError(
                f"{where}: {count} values need {needed} bytes, its view has {length} at {start} of {len(buffer)}"
            )
        if count == 0:
            return np.zeros((0, lanes), stored)
        raw = np.frombuffer(buffer, np.uint8, needed - offset, start + offset)
        rows = np.lib.stride_tricks.as_strided(raw, (count, size), (stride, 1), writeable=False)
        return np.ascontiguousarray(rows).view(stored).reshape(count, lanes)

    def _buffer(self, index: Any, where: str) -> bytes:
        buffer = self._item("buffers", index, where)
        if index in self.buffers:
            return self.buffers[index]
        uri = buffer.get("uri")
        if uri is None:
            if index != 0 or self.binary is None:
                raise LevelError(f"buffer {index}: no uri, and the file has no binary chunk")
            data = self.binary
        elif isinstance(uri, str) and uri.startswith("data:"):
            head, _, text = uri.partition(",")
            if not head.endswith(";base64"):
                raise LevelError(f"buffer {index}: a data uri that is not base64")
            try:
                data = base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError) as error:
                raise LevelError(f"buffer {index}: {error}") from None
        else:
            data = self._neighbour(uri, index)
        self.buffers[index] = data
        return data

    def _neighbour(self, uri: Any, index: int) -> bytes:
        """Read a file beside the .gltf; nothing outside its folder."""
        if self.folder is None or not isinstance(uri, str) or ":" in uri:
            raise LevelError(f"buffer {index}: {uri!r:.80} is no file beside this one")
        try:
            folder = self.folder.resolve()
            path = (folder / unquote(uri)).resolve()
            if not path.is_relative_to(folder):
                raise LevelError(f"buffer {index}: {uri!r:.80} lies outside the file's folder")
            return path.read_bytes()
        except OSError as error:
            raise LevelError(
                f"buffer {index}: {uri!r:.80} can't be read: {error.strerror or error}"
            ) from None
        except ValueError as error:
            if isinstance(error, LevelError):
                raise
            raise LevelError(f"buffer {index}: {uri!r:.80}: {error}") from None


def _triangles(indices: NDArray[np.int64], mode: int, where: str) -> NDArray[np.int64]:
    """Return (m, 3) triangles from a list, strip or fan of indices."""
    if mode == TRIANGLES:
        if len(indices) % 3:
            raise LevelError(f"{where}: {len(indices)} indices, expected a multiple of 3")
        return indices.reshape(-1, 3)
    if len(indices) < 3:
        return np.zeros((0, 3), np.int64)
    if mode == FAN:
        return np.stack((indices[1:-1], indices[2:], np.broadcast_to(indices[0], len(indices) - 2)), axis=1)
    strip = np.stack((indices[:-2], indices[1:-1], indices[2:]), axis=1)
    strip[1::2] = strip[1::2][:, [0, 2, 1]]  # every other triangle runs the other way
    return strip


def _srgb(value: float) -> float:
    """Return the sRGB value of linear light, held to 0 to 1."""
    light = min(max(value, 0.0), 1.0)
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
