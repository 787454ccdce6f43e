"""Types of the compiled module physics.kernel.sweep."""

from typing import Any

from numpy import float64
from numpy.typing import NDArray

from physics.kernel.shape import ShapeData

def impact(
    a: ShapeData,
    start_a: Any,
    end_a: Any,
    b: ShapeData,
    start_b: Any,
    end_b: Any,
    target: float,
    allowed: float,
    center_a: Any = (0, 0, 0),
    hold: bool = False,
    touching: bool = False,
) -> tuple[float, NDArray[float64], NDArray[float64], int, tuple[int, int]] | None:
    """Return time, normal, point, triangle and parts of the first impact, or None."""
