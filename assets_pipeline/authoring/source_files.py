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


def pack_source(
    path: str | os.PathLike[str],
    layout: Layout | None = None,
    level: str | os.PathLike[str] | None = None,
) -> tuple[bytes, list[str]]:
    """Return the bytes of the packfile that a source describes, and a line for each thing not used.

    A manifest (docs/levels.md) has the keys `sources`, a list of files beside it; `level`, a level.toml whose
    surfaces materials may name; `[surfaces]`, material names with their surface ids; and `[[bodies]]`, each with a
    `name` pattern and custom properties for the nodes it matches.

    Args:
        path: a .glb, .gltf, .obj or .toml file.
        layout: of the packfile; the default is the big-endian one with 4-byte pointers.
        level: a level.toml whose surfaces materials may name; a manifest's own surfaces win.

    Raises:
        LevelError: a source can't be read or used; the message names file and node.
        PackfileError: a number doesn't fit the layout.
    """
    scenes, rules = read_source(path)
    if level is not None:
        rules.surfaces = {**level_surfaces(level), **rules.surfaces}
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


def level_surfaces(path: str | os.PathLike[str]) -> dict[str, int]:
    """Return the surface ids of a level.toml by name; raise LevelError when it can't be read or has none."""
    file = Path(path)
    found = {}
    for entry in _tables(file, "surface", _read_toml(file).get("surface", [])):
        properties = Properties(entry, f"{file}: surface")
        found[properties.text("name", "")] = properties.whole("id", -1, 0, LAST_SURFACE)
    if not found:
        raise LevelError(f"{file}: has no [[surface]]")
    return found


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise LevelError(f"{file}: can't be read: {error.strerror or error}") from None
    except ValueError as error:  # also bytes that are no text
        raise LevelError(f"{file}: {error}") from None


def _read_manifest(file: Path) -> tuple[list[Scene], SourceRules]:
    data = _read_toml(file)
    unknown = sorted(data.keys() - {"sources", "surfaces", "bodies", "level"})
    if unknown:
        raise LevelError(f"{file}: key {unknown[0]!r}: expected sources, level, surfaces or bodies")
    names = data.get("sources")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise LevelError(f"{file}: sources: expected a list of file names, found {names!r:.60}")
    surfaces = data.get("surfaces", {})
    if not isinstance(surfaces, dict):
        raise LevelError(f"{file}: surfaces: expected a table")
    properties = Properties(surfaces, f"{file}: surfaces")
    ids = {name: properties.whole(name, 0, 0, LAST_SURFACE) for name in surfaces}
    if "level" in data:
        ids = level_surfaces(file.parent / Properties(data, str(file)).text("level", "")) | ids
    bodies = _tables(file, "bodies", data.get("bodies", []))
    rules = SourceRules(ids, [_body_rule(file, entry) for entry in bodies])
    scenes = []
    for name in names:
        if Path(name).suffix.lower() not in READERS:
            raise LevelError(f"{file}: sources: {name!r} is none of {', '.join(READERS)}")
        scenes.append(READERS[Path(name).suffix.lower()](file.parent / name))
    return scenes, rules


def _tables(file: Path, key: str, value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise LevelError(f"{file}: {key}: expected [[{key}]] tables")
    return value


def _body_rule(file: Path, entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    pattern = entry.get("name")
    if not isinstance(pattern, str):
        raise LevelError(f"{file}: bodies: name: expected a pattern of node names, found {pattern!r:.60}")
    return pattern, {key: value for key, value in entry.items() if key != "name"}
