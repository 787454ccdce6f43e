"""Types of the compiled module physics.kernel.shape."""

from collections.abc import Sequence
from typing import Any

from numpy import float64, int32
from numpy.typing import NDArray

class ShapeData:
    """The kernel's side of a shape."""

    @property
    def bounds(self) -> NDArray[float64]:
        """Lowest and highest corner, (2, 3)."""
    @property
    def kind(self) -> int:
        """The shape_type number."""

def make_ball(radius: float) -> ShapeData:
    """Return the data of a ball."""

def make_box(half: Sequence[float], core_radius: float) -> ShapeData:
    """Return the data of a box."""

def make_capsule(radius: float, half_length: float) -> ShapeData:
    """Return the data of a capsule."""

def make_cylinder(radius: float, half_length: float, core_radius: float) -> ShapeData:
    """Return the data of a cylinder."""

def make_hull(
    vertices: NDArray[float64],
    core: NDArray[float64],
    planes: NDArray[float64],
    face_start: NDArray[int32],
    face_index: NDArray[int32],
    edges: NDArray[int32],
    core_radius: float,
    center: Any,
    inner_radius: float,
) -> ShapeData:
    """Return the data of a hull."""

def make_plane(normal: Sequence[float], offset: float) -> ShapeData:
    """Return the data of a plane."""

def make_mesh(
    vertices: NDArray[float64],
    triangles: NDArray[int32],
    neighbours: NDArray[int32],
    planes: NDArray[float64],
    original: NDArray[int32],
    materials: NDArray[int32],
    nodes: NDArray[int32],
    lo: Any,
    hi: Any,
) -> ShapeData:
    """Return the data of a mesh."""

def make_compound(
    children: Sequence[ShapeData],
    rotations: Any,
    positions: Any,
    originals: NDArray[int32],
    nodes: NDArray[int32],
    lo: Any,
    hi: Any,
    center: Any,
) -> ShapeData:
    """Return the data of a compound."""
