from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from movement.kernel.models import ModelSet

Vector = tuple[float, float, float]
Rows = Sequence[Sequence[float]]
Row = tuple[tuple[int, int, int], tuple[int, int, int], int, int, int]

def window_first_cell(center: int) -> int: ...
def within_distance(
    position: Sequence[float], radius: float, origin: Sequence[float], query_radius: float
) -> bool: ...
def separate_lists(
    flags: Sequence[int], passes: Sequence[bool]
) -> tuple[tuple[int, ...], tuple[int, ...]]: ...

class PlacementGrid:
    models: ModelSet
    count: int
    def __init__(
        self,
        models: ModelSet,
        model: NDArray[np.int32],
        positions: NDArray[np.float32],
        rotations: NDArray[np.float32],
        flags: NDArray[np.uint8],
    ) -> None: ...
    def settle_frames(self) -> None: ...
    def set_frame(self, index: int, position: Sequence[float], rotation: Rows) -> None: ...
    def reset_previous(self, index: int) -> None: ...
    def set_enabled(self, index: int, enabled: bool) -> None: ...
    def is_enabled(self, index: int) -> bool: ...
    def frame(self, index: int) -> tuple[Vector, tuple[Vector, Vector, Vector]]: ...
    def previous_frame(self, index: int) -> tuple[Vector, tuple[Vector, Vector, Vector]]: ...
    def carried(self, index: int, point: Sequence[float]) -> Vector: ...
    def candidates(
        self, center_x: int, center_z: int, origin: Sequence[float], radius: float, own: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]: ...
    def sphere_contacts(
        self,
        indices: Sequence[int],
        origin: Sequence[float],
        rotation: Rows,
        spheres: Sequence[tuple[float, float, float, float]],
        sided: bool,
        limit: int,
    ) -> list[Row]: ...
    def segment_contacts(
        self, indices: Sequence[int], start: Sequence[float], end: Sequence[float], sided: bool
    ) -> list[Row]: ...
