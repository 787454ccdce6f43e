"""Bounded reads from a scene file: an error names file, section, offset, what was needed and what is there."""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file; LevelError where it can't be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise LevelError(f"{os.fspath(path)}: can't be read: {error.strerror or error}") from error


class SceneBytes:
    """The bytes of one file, or of one section of it, and how errors call them.

    Args:
        data: the bytes.
        name: of the file, and of the section where there is one.
        base: offset of `data` in the file: offsets in errors are those of the file.
    """

    def __init__(self, data: bytes, name: str, base: int = 0) -> None:
        self.data = data
        self.name = name
        self.base = base

    def __len__(self) -> int:
        return len(self.data)

    def error(self, offset: int, what: str) -> LevelError:
        """Return the error about what lies at `offset`."""
        return LevelError(f"{self.name}: offset 0x{self.base + offset:x}: {what}")

    def need(self, offset: int, size: int, what: str) -> None:
        """Raise LevelError unless `size` bytes lie at `offset`."""
        if not 0 <= offset <= len(self.data) or size > len(self.data) - offset:
            left = max(0, len(self.data) - offset) if offset >= 0 else 0
            raise self.error(offset, f"{what}: need {size} bytes, {left} left")

    def unpack(self, layout: struct.Struct, offset: int, what: str) -> tuple[Any, ...]:
        """Return the values of `layout` at `offset`."""
        self.need(offset, layout.size, what)
        return layout.unpack_from(self.data, offset)

    def take(self, offset: int, size: int, what: str) -> bytes:
        """Return `size` bytes at `offset`."""
        self.need(offset, size, what)
        return self.data[offset : offset + size]

    def array(self, dtype: np.dtype[Any], count: int, offset: int, what: str) -> NDArray[Any]:
        """Return `count` items of `dtype` at `offset`, a copy."""
        self.need(offset, count * dtype.itemsize, f"{what} ({count} of {dtype.itemsize} bytes)")
        return np.frombuffer(self.data, dtype, count, offset).copy()

    def text(self, offset: int, what: str) -> str:
        """Return the Latin-1 text at `offset`, up to the NUL that must follow."""
        self.need(offset, 1, what)
        end = self.data.find(b"\0", offset)
        if end < 0:
            raise self.error(offset, f"{what}: no NUL ends it")
        return self.data[offset:end].decode("latin-1")


def packed_dtype(size: int, fields: list[tuple[str, str, int]]) -> np.dtype[Any]:
    """Return a record dtype of `size` bytes; gaps between the (name, format, offset) fields become byte fields.

    The gaps have names (`gap_1c`, by offset), so that a record read and written again loses nothing.
    """
    entries: list[tuple[str, str, int]] = []
    position = 0
    for name, form, offset in [*fields, ("", "", size)]:
        if offset > position:
            entries.append((f"gap_{position:02x}", f"({offset - position},)u1", position))
        if name:
            entries.append((name, form, offset))
            position = offset + np.dtype(form).itemsize
    return np.dtype(
        {
            "names": [name for name, _, _ in entries],
            "formats": [form for _, form, _ in entries],
            "offsets": [offset for _, _, offset in entries],
            "itemsize": size,
        }
    )


def split_position(raw: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return (n, 3) signed 24-bit coordinates of (n, 11 or 12) bytes: three values at 0, 4 and 8.

    The byte after a value only pads it; it is not part of the number.
    """
    columns = [
        raw[:, at].astype(np.int32)
        | raw[:, at + 1].astype(np.int32) << 8
        | raw[:, at + 2].astype(np.int8).astype(np.int32) << 16
        for at in (0, 4, 8)
    ]
    return np.stack(columns, axis=1)


def join_position(positions: NDArray[np.int32], size: int, where: str) -> NDArray[np.uint8]:
    """Return (n, size) bytes (11 or 12 a row) of (n, 3) coordinates; pads are zero.

    Raises:
        LevelError: a coordinate needs more than 24 bits.
    """
    if len(positions) and (positions.min() < -(2**23) or positions.max() >= 2**23):
        raise LevelError(f"{where}: a coordinate does not fit into 24 bits")
    raw = np.zeros((len(positions), size), np.uint8)
    for axis, at in enumerate((0, 4, 8)):
        for byte in range(3):
            raw[:, at + byte] = positions[:, axis] >> (8 * byte) & 0xFF
    return raw
