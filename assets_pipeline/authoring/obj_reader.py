"""Reads a Wavefront OBJ file: objects and groups with their faces, by material.

Faces of more than three corners become fans. Texture coordinates, normals, smoothing, lines and curves are no part
of a physics source and are passed over; colours come from the .mtl file beside it where there is one.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from assets_pipeline.authoring.model_scene import Material, Node, Part, Scene
from assets_pipeline.errors import LevelError

PASSED_OVER = {"vt", "vn", "vp", "s", "l", "p", "mg", "lod", "usemap", "shadow_obj", "trace_obj", "maplib"}


def read_obj(path: str | os.PathLike[str]) -> Scene:
    """Return the scene of an OBJ file: a node for each object (`o`), or group (`g`) where there are no objects.

    Raises:
        LevelError: the file can't be read, or a line can't be used; the message names it.
    """
    try:
        text = Path(path).read_text("utf-8", "replace")
    except OSError as error:
        raise LevelError(f"{path}: can't be read: {error.strerror or error}") from None
    reader = _Reader(Path(path))
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                reader.line(words[0], words[1:])
            except (ValueError, IndexError) as error:
                raise LevelError(f"{path}: line {number}: {error}") from None
    return reader.scene()


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.vertices: list[tuple[float, float, float]] = []
        self.materials: dict[str, int] = {}
        self.colours: dict[str, tuple[float, float, float]] = {}
        self.faces: dict[tuple[str, int], list[tuple[int, int, int]]] = {}  # by object or group, and material
        self.name, self.has_objects, self.material = "", False, -1
        self.notes: list[str] = []
        self.unknown: set[str] = set()

    def line(self, keyword: str, words: list[str]) -> None:
        if keyword == "v":
            x, y, z = (float(word) for word in words[:3])
            if not np.isfinite(np.array((x, y, z), dtype=np.float32)).all():
                raise ValueError("a vertex is not finite")
            self.vertices.append((x, y, z))
        elif keyword == "f":
            self._face(words)
        elif keyword == "o":
            self.name, self.has_objects = " ".join(words), True
        elif keyword == "g":
            if not self.has_objects:
                self.name = " ".join(words)
        elif keyword == "usemtl":
            self.material = self.materials.setdefault(" ".join(words), len(self.materials))
        elif keyword == "mtllib":
            self._library(" ".join(words))
        elif keyword not in PASSED_OVER and keyword not in self.unknown:
            self.unknown.add(keyword)
            self.notes.append(f"lines that begin with {keyword!r:.40} are not used")

    def _face(self, words: list[str]) -> None:
        corners = []
        for word in words:
            index = int(word.partition("/")[0])
            index = index - 1 if index > 0 else len(self.vertices) + index
            if not 0 <= index < len(self.vertices):
                raise ValueError(f"corner {word!r}: there are {len(self.vertices)} vertices so far")
            corners.append(index)
        if len(corners) < 3:
            raise ValueError(f"a face of {len(corners)} corners")
        faces = self.faces.setdefault((self.name, self.material), [])
        faces += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]

    def _library(self, name: str) -> None:
        """Take the colours of a .mtl file beside the OBJ; it is no error when there is none."""
        folder = self.path.parent.resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder) or not path.is_file():
            self.notes.append(f"material library {name!r:.80} is not there")
            return
        current = ""
        for line in path.read_text("utf-8", "replace").splitlines():
            words = line.split()
            if words[:1] == ["newmtl"]:
                current = " ".join(words[1:])
            elif words[:1] == ["Kd"] and len(words) >= 4:
                red, green, blue = (min(max(float(word), 0.0), 1.0) for word in words[1:4])
                self.colours[current] = (red, green, blue)

    def scene(self) -> Scene:
        """Return what was read; the vertices of a node are those that its faces use, in their order."""
        everything = np.array(self.vertices, dtype=np.float32).reshape(-1, 3)
        nodes: dict[str, Node] = {}
        used: dict[str, list[int]] = {}
        for (name, _), faces in self.faces.items():
            used.setdefault(name, []).extend(index for face in faces for index in face)
        for name, indices in used.items():
            rows = np.unique(np.array(indices))
            positions = everything[rows]
            node = nodes.setdefault(name, Node(name or self.path.stem))
            for (owner, material), faces in self.faces.items():
                if owner == name:
                    node.parts.append(Part(positions, np.searchsorted(rows, np.array(faces)), material))
        materials = [Material(name, self.colours.get(name, (0.8, 0.8, 0.8))) for name in self.materials]
        return Scene(list(nodes.values()), materials, self.notes)
