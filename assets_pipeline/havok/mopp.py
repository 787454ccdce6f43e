"""MOPP code: the bounding-volume tree of a mesh as a bytecode program, queried by box, sphere and ray.

A query gives the shape keys whose bounds it can touch, `subpart << (32 - subpart bits) | triangle`:
candidates, for a narrow test to decide. `mopp_compiler.build_mopp` compiles such code and
`mopp_listing.list_mopp` shows it.

Source: `havok: MOPP code`. Reading: the text follows a diagonal split (0x13 to 0x1C) on both sides, and so do
the queries unless asked to prune. The planes they stand for were found from a real code and its mesh (see
mopp_commands.pyx), where pruning loses no key; no code of the text's game was at hand to try it on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok import mopp_walk

if TYPE_CHECKING:
    from assets_pipeline.packfile.objects import HavokObject

Keys = NDArray[np.int64]

# Boxes are held back here, in the code's units (2**24 to the frame), so that they fit an integer at any
# distance.
FAR = float(1 << 40)


@dataclass(frozen=True)
class MoppCode:
    """A MOPP code with the frame of its coordinates: unit = floor((position - offset) * scale).

    Args:
        data: the code's bytes.
        offset: the minimum corner of the frame [m]; kept as three f32 values.
        scale: units a metre, positive; kept as an f32 value.

    Raises:
        PackfileError: the code is empty, the offset is not finite, the scale is not finite and positive.
    """

    data: bytes = field(repr=False)
    offset: tuple[float, float, float]
    scale: float

    def __init__(
        self, data: bytes | bytearray | memoryview | NDArray[np.uint8], offset: ArrayLike, scale: float
    ) -> None:
        corner = np.asarray(offset, dtype=np.float32)
        if corner.shape != (3,) or not np.isfinite(corner).all():
            raise PackfileError(None, "MOPP code", f"offset: need three finite numbers, got {offset!r}")
        units = float(np.float32(scale))
        if not 0.0 < units < np.inf:
            raise PackfileError(None, "MOPP code", f"scale: need a positive finite number, got {scale!r}")
        code = bytes(data)
        if not code:
            raise PackfileError(None, "MOPP code", "no byte of code")
        object.__setattr__(self, "data", code)
        object.__setattr__(self, "offset", (float(corner[0]), float(corner[1]), float(corner[2])))
        object.__setattr__(self, "scale", units)

    @classmethod
    def from_object(cls, source: HavokObject) -> MoppCode:
        """Return the code of an `hkpMoppCode` object of a packfile.

        Raises:
            PackfileError: as the class; or `source` is an object of another class.
        """
        if source.class_name != "hkpMoppCode":
            raise PackfileError(None, "MOPP code", f"is a {source.class_name}, expected an hkpMoppCode")
        x, y, z, scale = source.info.offset.tolist()
        return cls(source.data, (x, y, z), scale)

    def keys(self) -> Keys:
        """Return the key of every terminal (n,), in walk order: the left branch of a split first.

        Raises:
            PackfileError: the code is damaged: an unknown or cut command, a jump out of the code, a path that
                runs in a circle or ends without a terminal, branches that run into each other without end.
                The same holds for the queries, as far as they follow the code.
        """
        return mopp_walk.all_keys(self.data)

    def query_box(self, lo: ArrayLike, hi: ArrayLike, *, prune_diagonals: bool = False) -> Keys:
        """Return the keys (n,) whose bounds the box `lo` to `hi` touches, in walk order; both (3,) [m].

        Raises:
            PackfileError: as for `query_boxes`.
        """
        return self.query_boxes(
            _point("lo", lo)[None], _point("hi", hi)[None], prune_diagonals=prune_diagonals
        )[0]

    def query_boxes(
        self, lo: ArrayLike, hi: ArrayLike, *, prune_diagonals: bool = False
    ) -> tuple[Keys, Keys]:
        """Query many boxes at once: `lo` and `hi` (n, 3) [m].

        Returns:
            (keys, ends): the keys of box i are `keys[ends[i - 1]:ends[i]]`, from 0 for the first.

        Raises:
            PackfileError: as for `keys`, or a box has a NaN or a wrong shape, or `lo` lies above `hi`.
        """
        low, high = np.asarray(lo, dtype=np.float64), np.asarray(hi, dtype=np.float64)
        if low.ndim != 2 or low.shape[1] != 3 or low.shape != high.shape:
            raise PackfileError(
                None, "MOPP query", f"boxes: need two (n, 3) arrays, got {low.shape}, {high.shape}"
            )
        if not (low <= high).all():  # also refuses NaN
            raise PackfileError(None, "MOPP query", "boxes: need lo <= hi on every axis")
        return mopp_walk.box_keys(self.data, self._units(low), self._units(high), prune_diagonals)

    def query_sphere(self, centre: ArrayLike, radius: float, *, prune_diagonals: bool = False) -> Keys:
        """Return the keys (n,) whose bounds the sphere touches; `centre` (3,) and `radius` in metres.

        Raises:
            PackfileError: as for `keys`, or the sphere is not finite or its radius negative.
        """
        middle = (_point("centre", centre) - self.offset) * self.scale
        if not 0.0 <= radius < np.inf or not (np.abs(middle) < 1e100).all():
            raise PackfileError(
                None, "MOPP query", f"sphere: need finite numbers, radius >= 0; got {centre!r}, {radius!r}"
            )
        x, y, z = middle.tolist()
        return mopp_walk.sphere_keys(self.data, x, y, z, float(radius) * self.scale, prune_diagonals)

    def query_ray(self, start: ArrayLike, end: ArrayLike, *, prune_diagonals: bool = False) -> Keys:
        """Return the keys (n,) whose bounds the line `start` to `end` touches, in walk order; both (3,) [m].

        Raises:
            PackfileError: as for `keys`, or a point is not finite.
        """
        first = (_point("start", start) - self.offset) * self.scale
        last = (_point("end", end) - self.offset) * self.scale
        if not (np.abs(first) < 1e100).all() or not (np.abs(last) < 1e100).all():
            raise PackfileError(None, "MOPP query", f"ray: need finite points, got {start!r}, {end!r}")
        return mopp_walk.ray_keys(self.data, first, last - first, prune_diagonals)

    def _units(self, positions: NDArray[np.float64]) -> Keys:
        """Return whole units, as the text's formula has them; held back far outside the frame."""
        units = np.floor((positions - self.offset) * self.scale)
        return np.clip(units, -FAR, FAR).astype(np.int64)


def _point(name: str, value: ArrayLike) -> NDArray[np.float64]:
    point = np.asarray(value, dtype=np.float64)
    if point.shape != (3,):
        raise PackfileError(None, "MOPP query", f"{name}: need three numbers, got shape {point.shape}")
    return point
