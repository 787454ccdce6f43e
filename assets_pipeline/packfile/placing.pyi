from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.placement import Placement
from assets_pipeline.packfile.plan import Link
from assets_pipeline.packfile.slots import ViewClass

class Integers:
    def array(self) -> NDArray[np.int64]: ...

class Group:
    offsets: Integers
    records: list[Any]

class Placing:
    end: int
    local: Integers
    sources: Integers
    sizes: Integers
    text_starts: Integers
    object_offsets: Integers
    targets: list[HavokObject]
    texts: list[bytes]
    classes: list[ViewClass]
    groups: dict[Placement, Group]
    pointed: dict[int, tuple[Link, dict[ViewClass, HavokObject]]]
    numbers: dict[Link, tuple[Integers, list[NDArray[Any]]]]
    def __init__(self, pointer_size: int, placement_of: Callable[[ViewClass], Placement]) -> None: ...
    def place(self, objects: list[HavokObject], places: dict[int, tuple[int, int]], index: int) -> None: ...

def walk(roots: Iterable[HavokObject]) -> list[HavokObject]: ...
def pointers(leads: tuple[tuple[int, int], ...], values: list[Any]) -> list[HavokObject]: ...
def scatter(
    out: NDArray[np.uint8] | bytearray,
    packed: NDArray[np.uint8] | bytes,
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> None: ...
def gather(
    data: NDArray[np.uint8] | bytearray,
    starts: NDArray[np.int64],
    lengths: NDArray[np.int64],
    out: NDArray[np.uint8],
) -> None: ...
