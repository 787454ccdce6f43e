"""Map markers: which one a world entry takes, and what coordinates a marker may have."""

from collections.abc import Sequence

from movement.errors import MovementError

MAP_UNIT = 256
COORDINATE_BITS = 24
"""Markers are signed 24-bit map coordinates, so that runtime coordinates fit 32 bits."""

Vector = tuple[int, int, int]


def marker_to_runtime(marker: Sequence[int]) -> Vector:
    """Return a marker's runtime position: each coordinate times 256.

    Raises:
        MovementError: the marker is not three integers of 24 bits.

    Source: movement, Marker-based world entry.
    """
    limit = 1 << (COORDINATE_BITS - 1)
    values = [int(value) if hasattr(value, "__index__") else None for value in marker]
    if len(values) != 3 or any(value is None or not -limit <= value < limit for value in values):
        raise MovementError(f"marker: need three integers in {-limit}..{limit - 1}, found {tuple(marker)}")
    x, y, z = (value * MAP_UNIT for value in values if value is not None)
    return x, y, z


def select_marker(
    positions: Sequence[Sequence[int]], index: int, auxiliary: Sequence[int] | None = None
) -> Vector:
    """Return the map position of the requested marker; its auxiliary byte says whether it is there, not a heading.

    Raises:
        MovementError: there is no such marker, or its auxiliary byte is not 1.

    Source: movement, Marker-based world entry; formats, MPMK.
    """
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(positions):
        raise MovementError(f"marker {index!r}: need a number in 0..{len(positions) - 1}")
    if auxiliary is not None and auxiliary[index] != 1:
        raise MovementError(f"marker {index}: is not available (auxiliary byte {auxiliary[index]}, needs 1)")
    x, y, z = marker_to_runtime(positions[index])
    return x >> 8, y >> 8, z >> 8
