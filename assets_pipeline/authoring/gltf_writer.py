"""Writes a scene as one binary glTF 2.0 file (.glb), as Blender and other tools open it.

Each node's mesh is one glTF mesh with a primitive for each material, so that it is one object with several material
slots in an editor. Normals are left out: viewers then shade flat, and a reader knows that vertices are as they were.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

from assets_pipeline.authoring.model_scene import Node, Part, Scene

GLB_MAGIC, JSON_CHUNK, BIN_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
FLOAT, UNSIGNED_INT = 5126, 5125
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


def write_glb(scene: Scene) -> bytes:
    """Return the bytes of a .glb file. The same scene gives the same bytes."""
    return _Writer(scene).glb()


class _Writer:
    def __init__(self, scene: Scene) -> None:
        self.binary = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        roots = [self._node(node) for node in scene.nodes]
        tree: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "fixstep"},
            "scene": 0,
            "scenes": [{"nodes": roots} if roots else {}],
        }
        materials = [
            {
                "name": material.name,
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*map(_linear, material.colour), 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 1.0,
                },
                **({"extras": material.extras} if material.extras else {}),
            }
            for material in scene.materials
        ]
        for key, value in (
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", materials),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
        ):
            if value:  # glTF allows no empty list
                tree[key] = value
        if self.binary:
            tree["buffers"] = [{"byteLength": len(self.binary)}]
        self.tree = tree

    def glb(self) -> bytes:
        text = json.dumps(self.tree, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), JSON_CHUNK) + text
        if self.binary:
            chunks += struct.pack("<II", len(self.binary), BIN_CHUNK) + bytes(self.binary)
        return struct.pack("<III", GLB_MAGIC, 2, 12 + len(chunks)) + chunks

    def _node(self, node: Node) -> int:
        index = len(self.nodes)
        out: dict[str, Any] = {"name": node.name}
        self.nodes.append(out)
        for key, value, rest in (
            ("translation", node.translation, (0.0, 0.0, 0.0)),
            ("rotation", node.rotation, (0.0, 0.0, 0.0, 1.0)),
            ("scale", node.scale, (1.0, 1.0, 1.0)),
        ):
            if tuple(value) != rest:
                out[key] = [float(number) for number in value]
        parts = [part for part in node.parts if len(part.triangles)]
        if parts:
            out["mesh"] = len(self.meshes)
            self.meshes.append({"name": node.name, "primitives": self._primitives(parts)})
        if node.extras:
            out["extras"] = node.extras
        children = [self._node(child) for child in node.children]
        if children:
            out["children"] = children
        return index

    def _primitives(self, parts: list[Part]) -> list[dict[str, Any]]:
        shared: dict[int, int] = {}
        out = []
        for part in parts:
            if id(part.positions) not in shared:
                positions = np.ascontiguousarray(part.positions, dtype="<f4")
                accessor = self._accessor(positions.tobytes(), len(positions), FLOAT, "VEC3", ARRAY_BUFFER)
                accessor["min"] = positions.min(axis=0).tolist()
                accessor["max"] = positions.max(axis=0).tolist()
                shared[id(part.positions)] = len(self.accessors) - 1
            indices = part.triangles.astype("<u4")
            self._accessor(indices.tobytes(), indices.size, UNSIGNED_INT, "SCALAR", ELEMENT_ARRAY_BUFFER)
            primitive: dict[str, Any] = {
                "attributes": {"POSITION": shared[id(part.positions)]},
                "indices": len(self.accessors) - 1,
                "mode": 4,
            }
            if part.material >= 0:
                primitive["material"] = part.material
            if part.extras:
                primitive["extras"] = part.extras
            out.append(primitive)
        return out

    def _accessor(self, data: bytes, count: int, component: int, kind: str, target: int) -> dict[str, Any]:
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), "target": target}
        self.views.append(view)
        self.binary += data  # floats and unsigned ints: always a multiple of 4
        accessor = {
            "bufferView": len(self.views) - 1,
            "componentType": component,
            "count": count,
            "type": kind,
        }
        self.accessors.append(accessor)
        return accessor


def _linear(value: float) -> float:
    """Return the linear light of an sRGB value: glTF colours are linear."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
