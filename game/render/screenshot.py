"""Pictures into files: PNG written by hand, so that a picture needs no window library and the same pixels
the same bytes."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png_bytes(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return the PNG file of `pixels` (height, width, 3) sRGB, row 0 at the top."""
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
        raise ValueError(
            f"pixels: expected a uint8 array (height, width, 3), found {pixels.dtype} {pixels.shape}"
        )
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row starts with its filter: 0, none
    rows[:, 1:] = pixels.reshape(height, 3 * width)

    def chunk(tag: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, RGB
    return b"".join(
        (
            SIGNATURE,
            chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)),
            chunk(b"IEND", b""),
        )
    )


def save_png(path: str | os.PathLike[str], pixels: npt.NDArray[np.uint8]) -> Path:
    """Write `pixels` as a PNG to `path`: under a temporary name first, then renamed. Return the path."""
    target = Path(path)
    data = png_bytes(pixels)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return target
