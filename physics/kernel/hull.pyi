"""Types of the compiled module physics.kernel.hull."""

from numpy import float64, int32
from numpy.typing import NDArray

def first_tetrahedron(points: NDArray[float64], tolerance: float) -> tuple[int, int, int, int] | int:
    """Return four points that span a volume, or how many dimensions the points span."""

def hull_triangles(points: NDArray[float64], tolerance: float) -> NDArray[int32] | int | None:
    """Return the hull's triangles; a number of dimensions for flat points; None when rounding broke it."""

def merge_coplanar(points: NDArray[float64], triangles: NDArray[int32], tolerance: float) -> list[list[int]]:
    """Return the hull's polygons."""

def face_planes(vertices: NDArray[float64], start: NDArray[int32], index: NDArray[int32]) -> NDArray[float64]:
    """Return the plane of each face."""

def shrink(
    vertices: NDArray[float64],
    start: NDArray[int32],
    index: NDArray[int32],
    planes: NDArray[float64],
    center: NDArray[float64],
    radius: float,
) -> NDArray[float64]:
    """Return the corners after every face moved in by `radius`."""
