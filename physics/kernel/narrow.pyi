"""Types of the compiled module physics.kernel.narrow."""

from typing import Any

from numpy import float64
from numpy.typing import NDArray

from physics.kernel.shape import ShapeData

Manifold = tuple[
    NDArray[float64],
    NDArray[float64],
    NDArray[float64],
    NDArray[float64],
    list[int],
    tuple[int, int],
    tuple[int, int],
]

def contacts(
    a: ShapeData,
    pose_a: Any,
    b: ShapeData,
    pose_b: Any,
    margin: float,
    extra_a: float = 0.0,
    extra_b: float = 0.0,
) -> list[Manifold]:
    """Return the manifolds of two shapes."""
