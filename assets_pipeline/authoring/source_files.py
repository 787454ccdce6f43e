"""Opens the sources of a packfile: glTF, OBJ, or a TOML manifest that names several and says what they lack."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assets_pipeline.authoring.gltf_reader import read_gltf
from assets_pipeline.authoring.model_properties import Properties
from assets_pipeline.authoring.model_scene import Scene
from assets_pipeline.authoring.model_source import SourceRules, source_packfile
from assets_pipeline.authoring.obj_reader import read_obj
from assets_pipeline.errors import LevelError
from assets_pipeline.packfile import Layout, write

LAST_SURFACE = 63
READERS = {".glb": read_gltf, ".gltf": read_gltf, ".obj": read_obj}


def pack_source(path: str | os.PathLike[str], layout: Layout | None = None) -> tuple[bytes, list[str]]:
    """Return the bytes of the packfile that a source describes, and a line for each thing not used.

    A manifest (docs/levels.md) has the keys `sources`, a list of files beside it, `[surfaces]`, material names with
    their surface ids, and `[[bodies]]`, each with a `name` pattern and custom properties for the nodes it matches.

    Args:
        path: a .glb, .gltf, .obj or .toml file.
        layout: of the packfile; the default is the big-endian one with 4-byte pointers.

    Raises:
        LevelError: a source can't be read or used; the message names file and node.
        PackfileError: a number doesn't fit the layout.
    """
    scenes, rules = read_source(path)
    try:
        packfile, notes = source_packfile(scenes, rules, layout)
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None
    return write(packfile), notes


def read_source(path: str | os.PathLike[str]) -> tuple[list[Scene], SourceRules]:
    """Return the scenes of a source and the rules of its manifest; raises LevelError as `pack_source`."""
    file = Path(path)
    kind = file.suffix.lower()
    if kind == ".toml":
        return _read_manifest(file)
    if kind not in READERS:
        known = ", ".join([*READERS, ".toml"])
        raise LevelError(f"{path}: a source of kind {kind!r}, expected one of {known}")
    return [READERS[kind](file)], SourceRules()


def _read_manifest(file: Path) -> tuple[list[Scene], SourceRules]:
    try:
        data = tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise LevelError(f"{file}: can't be read: {error.strerror or error}") from None
    except ValueError as error:  # also bytes that are no text
        raise LevelError(f"{file}: {error}") from None
    unknown = sorted(data.keys() - {"sources", "surfaces", "bodies"})
    if unknown:
        raise LevelError(f"{file}: key {unknown[0]!r}: expected sources, surfaces or bodies")
    names = data.get("sources")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise LevelError(f"{file}: sources: expected a list of file names, found {names!r:.60}")
    surfaces = data.get("surfaces", {})
    if not isinstance(surfaces, dict):
        raise LevelError(f"{file}: surfaces: expected a table")
    properties = Properties(surfaces, f"{file}: surfaces")
    ids = {name: properties.whole(name, 0, 0, LAST_SURFACE) for name in surfaces}
    rules = SourceRules(ids, [_body_rule(file, entry) for entry in _tables(file, data.get("bodies", []))])
    scenes = []
    for name in names:
        if Path(name).suffix.lower() not in READERS:
            raise LevelError(f"{file}: sources: {name!r} is none of {', '.join(READERS)}")
        scenes.append(READERS[Path(name).suffix.lower()](file.parent / name))
    return scenes, rules


def _tables(file: Path, value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise LevelError(f"{file}: bodies: expected [[bodies]] tables")
    return value


def _body_rule(file: Path, entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    pattern = entry.get("name")
    if not isinstance(pattern, str):
        raise LevelError(f"{file}: bodies: name: expected a pattern of node names, found {pattern!r:.60}")
    return pattern, {key: value for key, value in entry.items() if key != "name"}
