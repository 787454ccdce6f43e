"""SURFACE.INI: what each texture image is to walk on, and which sounds a surface swaps for others."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.binary import read_file

TEXTURE_SETS = 512
TEXTURE_IMAGES = 128  # a packed texture is set << 7 | image

SURFACE_VALUES = {
    "unknown": 0,
    "water": 1,
    "deepwater": 2,
    "scapewater": 3,
    "scapedeepwater": 4,
    "lava": 5,
    "sand": 6,
    "wood": 7,
    "tile": 8,
    "scape": 9,
    "rock": 10,
    "gloop": 11,
}
FILE_TYPES = ("water", "deepwater", "lava", "sand", "wood", "tile", "rock", "gloop")  # what a file may assign


@dataclass(frozen=True, eq=False)
class SurfaceTable:
    """A read SURFACE.INI.

    Attributes:
        values: (512, 128) surface value of each image of each texture set; 0 where the file says nothing.
        sounds: section name -> the comma-separated entries of its lines, for every section but `[surfaces]`.
    """

    values: NDArray[np.uint8]
    sounds: dict[str, tuple[tuple[str, ...], ...]]


def read_surface_ini(source: str | os.PathLike[str] | bytes, name: str | None = None) -> SurfaceTable:
    """Return the table of the file at a path, or in bytes. Later lines win.

    Raises:
        LevelError: it can't be read, or a line of `[surfaces]` is not `set, index or all, type`.
    """
    data = source if isinstance(source, bytes) else read_file(source)
    where = name or ("SURFACE.INI" if isinstance(source, bytes) else os.fspath(source))
    values = np.zeros((TEXTURE_SETS, TEXTURE_IMAGES), np.uint8)
    sounds: dict[str, list[tuple[str, ...]]] = {}
    section = ""
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        text = line.split(";", 1)[0].strip()
        if not text:
            continue
        if text.startswith("["):
            if not text.endswith("]"):
                raise LevelError(f"{where}: line {number}: no ] ends the section name {text!r}")
            section = text[1:-1].strip().lower()
            if section != "surfaces":
                sounds.setdefault(section, [])
            continue
        parts = tuple(part.strip() for part in text.split(","))
        if section == "surfaces":
            _assign(values, parts, f"{where}: line {number}")
        elif section:
            sounds[section].append(parts)
        else:
            raise LevelError(f"{where}: line {number}: {text!r} stands before any section")
    return SurfaceTable(values, {key: tuple(entries) for key, entries in sounds.items()})


def _assign(values: NDArray[np.uint8], parts: tuple[str, ...], where: str) -> None:
    """Carry out one line of `[surfaces]`."""
    if len(parts) != 3:
        raise LevelError(f"{where}: expected set, index, type; found {len(parts)} values")
    texture_set = _number(parts[0], TEXTURE_SETS, f"{where}: set")
    kind = parts[2].lower()
    if kind not in FILE_TYPES:
        raise LevelError(f"{where}: type: expected one of {', '.join(FILE_TYPES)}; found {parts[2]!r}")
    if parts[1].lower() == "all":
        values[texture_set] = SURFACE_VALUES[kind]
    else:
        values[texture_set, _number(parts[1], TEXTURE_IMAGES, f"{where}: index")] = SURFACE_VALUES[kind]


def _number(text: str, limit: int, where: str) -> int:
    """Return the decimal number below `limit` in `text`."""
    if not (text.isascii() and text.isdigit()) or len(text) > 6 or int(text) >= limit:
        raise LevelError(f"{where}: expected 0 to {limit - 1}, found {text!r}")
    return int(text)
