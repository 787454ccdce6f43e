"""Terrain files (WLD): four byte maps of 256 x 256 cells, read and written byte for byte."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.binary import SceneBytes, read_file

SIZE = 256  # cells a side
HALF = 128  # cells a side of one of the four sections
CELL = 256  # map units a side of a cell
HEADER_SIZE = 1184
SECTION_HEADER_SIZE = 22
SECTION_SIZE = SECTION_HEADER_SIZE + 4 * HALF * HALF
SECTION_OFFSETS = tuple(HEADER_SIZE + SECTION_SIZE * index for index in range(4))
FOOTER_SIZE = 16
FILE_SIZE = HEADER_SIZE + 4 * SECTION_SIZE + FOOTER_SIZE  # 263,432
TEXTURE_SET = 302

HEADER_WORDS = struct.Struct("<8I")
OFFSET_WORDS = struct.Struct("<4I")
OFFSETS_AT = 0x90
EXPECTED_WORDS = (16, 2, 2, 0, 160, 1, 22, FILE_SIZE - 16)
SECTION_WORDS = struct.Struct("<2H")
SECTION_WORDS_AT = 6

# Height of each of the 128 height indices above the water level [map units]. Facts of the format.
HEIGHTS = """
    0 40 40 40 80 80 80 120 120 120 160 160 160 200 200 200 240 240 240 280 280 320 320 320 360 360 400
    400 400 440 440 480 480 480 520 520 560 560 600 600 600 640 640 680 680 720 720 760 760 800 800 840
    840 880 880 920 920 960 1000 1000 1040 1040 1080 1120 1120 1160 1160 1200 1240 1240 1280 1320 1320
    1360 1400 1440 1440 1480 1520 1560 1600 1600 1640 1680 1720 1760 1800 1840 1880 1920 1960 2000 2040
    2080 2120 2200 2240 2280 2320 2400 2440 2520 2560 2640 2680 2760 2840 2920 3000 3080 3160 3240 3360
    3440 3560 3680 3800 3960 4080 4280 4440 4680 4920 5200 5560 6040 6680 7760
"""
HEIGHT_TABLE = np.array([int(text) for text in HEIGHTS.split()], np.int32)
WATER_IMAGES = (0, 30, 31)  # images whose grid points may move with the waves
SHORE_IMAGES = (0, 5, 30, 31)  # images that all corners of such a point must have

ByteMap = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Wld:
    """A terrain file.

    Attributes:
        maps: (4, 256, 256) bytes in source row order: heights, unused, textures, unused.
        header: the 1,184 bytes before the sections.
        section_headers: the 22 bytes before each section's maps.
        footer: the 16 bytes at the end.
    """

    maps: ByteMap
    header: bytes
    section_headers: tuple[bytes, ...]
    footer: bytes

    @property
    def height_indices(self) -> ByteMap:
        """(256, 256): indices 0..127 into `HEIGHT_TABLE`."""
        indices: ByteMap = self.maps[0] & np.uint8(0x7F)
        return indices

    @property
    def images(self) -> ByteMap:
        """(256, 256): image index of each cell, in texture set 302."""
        images: ByteMap = self.maps[2] & np.uint8(0x3F)
        return images

    @property
    def turns(self) -> ByteMap:
        """(256, 256): quarter turns of each cell's image."""
        turns: ByteMap = self.maps[2] >> np.uint8(6)
        return turns

    def map_heights(self, water_level: float = 0.0) -> NDArray[np.float32]:
        """Return (256, 256) Y coordinates in map units, +Y down, in source row order."""
        return (np.float32(water_level) - HEIGHT_TABLE[self.height_indices]).astype(np.float32)

    def water_points(self) -> ByteMap:
        """Return (256, 256): 1 where the grid point moves with the waves.

        Such a point has image 0, 30 or 31, and the three cells toward -X and +Z have 0, 5, 30 or 31. In source rows
        +Z is one row back. Points of the first row and column have no such neighbours and stand still.
        """
        images = self.images
        water = np.isin(images, WATER_IMAGES)
        shore = np.isin(images, SHORE_IMAGES)
        result = np.zeros((SIZE, SIZE), np.uint8)
        result[1:, 1:] = water[1:, 1:] & shore[1:, :-1] & shore[:-1, 1:] & shore[:-1, :-1]
        return result


def make_wld(heights: NDArray[Any], images: NDArray[Any], turns: NDArray[Any] | None = None) -> Wld:
    """Return a terrain file of our own.

    Args:
        heights: (256, 256) height indices 0..127, source row order (row 0 is the high-Z edge).
        images: (256, 256) image indices 0..63.
        turns: (256, 256) quarter turns 0..3 of the images, or None: none.

    Raises:
        LevelError: an array has another shape or a value out of its range.
    """
    turned = np.zeros((SIZE, SIZE), np.uint8) if turns is None else np.asarray(turns)
    for name, array, limit in (("heights", heights, 127), ("images", images, 63), ("turns", turned, 3)):
        values = np.asarray(array)
        if values.shape != (SIZE, SIZE) or values.dtype.kind not in "iu":
            raise LevelError(f"terrain {name}: expected integers ({SIZE}, {SIZE}), found {values.shape}")
        if values.min() < 0 or values.max() > limit:
            raise LevelError(f"terrain {name}: expected 0 to {limit}, found {values.min()} to {values.max()}")
    maps = np.zeros((4, SIZE, SIZE), np.uint8)
    maps[0] = heights
    maps[2] = np.asarray(images).astype(np.uint8) | np.asarray(turned).astype(np.uint8) << 6
    header = bytearray(HEADER_SIZE)
    HEADER_WORDS.pack_into(header, 0, *EXPECTED_WORDS)
    OFFSET_WORDS.pack_into(header, OFFSETS_AT, *SECTION_OFFSETS)
    section = bytearray(SECTION_HEADER_SIZE)
    SECTION_WORDS.pack_into(section, SECTION_WORDS_AT, TEXTURE_SET, CELL)
    return Wld(maps, bytes(header), (bytes(section),) * 4, bytes(FOOTER_SIZE))


def read_wld(source: str | os.PathLike[str] | bytes, name: str | None = None) -> Wld:
    """Return the terrain file at a path, or in bytes.

    Raises:
        LevelError: it can't be read, has another size, or a header field is not what it must be.
    """
    data = source if isinstance(source, bytes) else read_file(source)
    where = name or ("terrain" if isinstance(source, bytes) else os.fspath(source))
    file = SceneBytes(data, where)
    if len(data) != FILE_SIZE:
        raise file.error(0, f"file size: expected {FILE_SIZE} bytes, found {len(data)}")
    words = file.unpack(HEADER_WORDS, 0, "header")
    for index, (found, expected) in enumerate(zip(words, EXPECTED_WORDS, strict=True)):
        if found != expected:
            raise file.error(4 * index, f"header word {index}: expected {expected}, found {found}")
    offsets = file.unpack(OFFSET_WORDS, OFFSETS_AT, "section offsets")
    maps = np.empty((4, SIZE, SIZE), np.uint8)
    section_headers = []
    for index, (offset, expected) in enumerate(zip(offsets, SECTION_OFFSETS, strict=True)):
        if offset != expected:
            raise file.error(
                OFFSETS_AT + 4 * index, f"section {index}: expected 0x{expected:x}, found 0x{offset:x}"
            )
        section_headers.append(file.take(offset, SECTION_HEADER_SIZE, f"section {index} header"))
        found_set, cell = SECTION_WORDS.unpack_from(section_headers[-1], SECTION_WORDS_AT)
        if (found_set, cell) != (TEXTURE_SET, CELL):
            raise file.error(
                offset + SECTION_WORDS_AT,
                f"section {index}: expected texture set {TEXTURE_SET} and cells of {CELL}, "
                f"found {found_set} and {cell}",
            )
        row, column = HALF * (index // 2), HALF * (index % 2)
        block = np.frombuffer(data, np.uint8, 4 * HALF * HALF, offset + SECTION_HEADER_SIZE)
        maps[:, row : row + HALF, column : column + HALF] = block.reshape(4, HALF, HALF)
    return Wld(maps, data[:HEADER_SIZE], tuple(section_headers), data[-FOOTER_SIZE:])


def write_wld(wld: Wld) -> bytes:
    """Return the bytes of a terrain file: `write_wld(read_wld(data)) == data`."""
    parts = [wld.header]
    for index, header in enumerate(wld.section_headers):
        row, column = HALF * (index // 2), HALF * (index % 2)
        parts += [header, wld.maps[:, row : row + HALF, column : column + HALF].tobytes()]
    return b"".join([*parts, wld.footer])
