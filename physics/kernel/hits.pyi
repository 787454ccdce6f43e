"""Types of the compiled module physics.kernel.hits."""

from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray

HIT: np.dtype[np.void]

class Hit:
    """What a query found."""

    body: Any
    part: int
    query_part: int
    triangle: int
    fraction: float
    distance: float

    @property
    def point(self) -> NDArray[float64]:
        """The point on the body's surface."""
    @property
    def normal(self) -> NDArray[float64]:
        """The body's outward unit normal there."""
    @property
    def query_point(self) -> NDArray[float64]:
        """The point on the query's own shape."""
    @property
    def depth(self) -> float:
        """How deep the shapes overlap."""
    @property
    def material(self) -> Any:
        """The material there."""
