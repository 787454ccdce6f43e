"""The record sections of a map file (RGM): markers, static objects, objects, bounds, lights, flats, ropes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.binary import SceneBytes, join_position, packed_dtype, split_position

COUNT = struct.Struct("<I")
POSITION = "(12,)u1"  # three padded 24-bit values; see `split_position`
SHORT_POSITION = "(11,)u1"  # the same, the last one not padded

Records = NDArray[Any]
Positions = NDArray[np.int32]

MARKER = 12  # bytes of a marker's position
STATIC = packed_dtype(
    66, [("id", "<u4", 0), ("model", "S12", 4), ("position", POSITION, 0x10), ("rotation", "(9,)<i4", 0x1C)]
)
OBJECT = packed_dtype(
    66,
    [
        ("id", "<u4", 0),
        ("type", "u1", 4),
        ("active", "u1", 5),
        ("script", "S9", 6),
        ("model", "S9", 15),
        ("static", "u1", 24),
        ("word", "<i2", 25),
        ("position", SHORT_POSITION, 0x1B),
        ("angles", "(3,)<u4", 0x26),
        ("words", "(8,)<i2", 0x32),
    ],
)
BOUNDS = packed_dtype(
    49,
    [
        ("flags", "u1", 0),
        ("total", "(3,)<i4", 1),
        ("center", "(3,)<i4", 13),
        ("positive", "(3,)<i4", 25),
        ("negative", "(3,)<i4", 37),
    ],
)
LIGHT = packed_dtype(
    42,
    [
        ("colour", "(3,)u1", 0),
        ("type", "u1", 3),
        ("word", "<u4", 4),
        ("position", POSITION, 8),
        ("range", "(2,)<i2", 20),
        ("direction", "(3,)<i2", 24),
    ],
)
FLAT = packed_dtype(
    24,
    [
        ("id", "<u4", 0),
        ("word", "<i4", 4),
        ("position", POSITION, 8),
        ("texture", "<u2", 20),
        ("last", "<i2", 22),
    ],
)
# Reading: the fields that are known fill 52 of a rope's 80 bytes; the 28 behind them are kept as they are.
ROPE = packed_dtype(
    80,
    [
        ("id", "<u4", 0),
        ("byte", "u1", 4),
        ("position", SHORT_POSITION, 5),
        ("heading", "<i4", 16),
        ("type", "<i4", 20),
        ("swing", "<i4", 24),
        ("speed", "<i4", 28),
        ("links", "<i2", 32),
        ("rope_model", "S9", 34),
        ("end_model", "S9", 43),
    ],
)
# Sections that are a count and then records.
COUNTED = {"MPSO": STATIC, "MPOB": OBJECT, "MPSL": LIGHT, "MPSF": FLAT, "MPRP": ROPE}
Q28 = float(2**28)  # MPSO rotations are in Q4.28


@dataclass(frozen=True, eq=False)
class Markers:
    """The MPMK section.

    Attributes:
        positions: (n, 3) map units.
        auxiliary: (n,) one byte a marker; a marker is available when it is 1. It is not a heading.
        pads: (n, 3) the byte that pads each coordinate.
    """

    positions: Positions
    auxiliary: NDArray[np.uint8]
    pads: NDArray[np.uint8]


def make_markers(positions: NDArray[Any], auxiliary: NDArray[Any]) -> Markers:
    """Return markers of our own from (n, 3) map positions and (n,) bytes."""
    places = np.asarray(positions, np.int32).reshape(-1, 3)
    return Markers(places, np.asarray(auxiliary, np.uint8), np.zeros((len(places), 3), np.uint8))


def read_markers(payload: SceneBytes) -> Markers:
    """Return the markers of an MPMK section; LevelError where the count and the size disagree."""
    (count,) = payload.unpack(COUNT, 0, "marker count")
    expected = COUNT.size + count * (MARKER + 1)
    if expected != len(payload):
        raise payload.error(0, f"{count} markers need {expected} bytes, found {len(payload)}")
    raw = payload.array(np.dtype("u1"), count * MARKER, COUNT.size, "markers").reshape(count, MARKER)
    auxiliary = payload.array(np.dtype("u1"), count, COUNT.size + count * MARKER, "auxiliary bytes")
    return Markers(split_position(raw), auxiliary, raw[:, 3::4].copy())


def write_markers(markers: Markers) -> bytes:
    """Return the payload of an MPMK section."""
    count = len(markers.positions)
    if not count == len(markers.auxiliary) == len(markers.pads):
        raise LevelError(
            f"markers: {count} positions, {len(markers.auxiliary)} bytes, {len(markers.pads)} pads"
        )
    raw = join_position(markers.positions, MARKER, "markers")
    raw[:, 3::4] = markers.pads
    return COUNT.pack(count) + raw.tobytes() + markers.auxiliary.tobytes()


def read_records(payload: SceneBytes, dtype: np.dtype[Any]) -> Records:
    """Return the records of a counted section; LevelError where the count and the size disagree."""
    (count,) = payload.unpack(COUNT, 0, "record count")
    expected = COUNT.size + count * dtype.itemsize
    if expected != len(payload):
        raise payload.error(0, f"{count} records need {expected} bytes, found {len(payload)}")
    return payload.array(dtype, count, COUNT.size, "records")


def write_records(records: Records) -> bytes:
    """Return the payload of a counted section."""
    return COUNT.pack(len(records)) + records.tobytes()


def read_bounds(payload: SceneBytes) -> Records:
    """Return the records of an MPSZ section, whose count is its size over 49.

    Raises:
        LevelError: the size is no multiple of 49, or a record's total is not positive + negative.
    """
    count, rest = divmod(len(payload), BOUNDS.itemsize)
    if rest:
        raise payload.error(0, f"bounds: {len(payload)} bytes are no multiple of {BOUNDS.itemsize}")
    records = payload.array(BOUNDS, count, 0, "bounds")
    totals = records["positive"].astype(np.int64) + records["negative"]
    wrong = (totals != records["total"]).any(axis=1)
    if wrong.any():
        index = int(np.flatnonzero(wrong)[0])
        raise payload.error(
            BOUNDS.itemsize * index,
            f"bounds {index}: total {records['total'][index].tolist()} is not positive + negative "
            f"({totals[index].tolist()})",
        )
    return records


def positions_of(records: Records) -> Positions:
    """Return (n, 3) map positions of records that have one."""
    return split_position(records["position"])


def set_positions(records: Records, positions: NDArray[Any], where: str) -> None:
    """Store (n, 3) map positions into records."""
    raw = join_position(np.asarray(positions, np.int32).reshape(-1, 3), records["position"].shape[1], where)
    records["position"] = raw


def static_rotations(records: Records) -> NDArray[np.float64]:
    """Return (n, 3, 3) matrices of MPSO records: stored transposed in Q4.28, row r = m[r], m[r + 3], m[r + 6]."""
    return records["rotation"].reshape(-1, 3, 3).transpose(0, 2, 1) / Q28


def set_static_rotations(records: Records, rotations: NDArray[Any]) -> None:
    """Store (n, 3, 3) matrices into MPSO records."""
    scaled = np.rint(np.asarray(rotations, np.float64) * Q28)
    if scaled.size and (np.abs(scaled) >= 2**31).any():
        raise LevelError("static rotations: a value does not fit into Q4.28")
    records["rotation"] = scaled.astype(np.int32).transpose(0, 2, 1).reshape(-1, 9)


def name_of(field: Any) -> str:
    """Return a fixed-size name field as text, up to its first NUL."""
    return bytes(field).split(b"\0", 1)[0].decode("latin-1")
