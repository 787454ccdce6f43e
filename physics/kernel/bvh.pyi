"""Types of the compiled module physics.kernel.bvh."""

from numpy import float32, int32
from numpy.typing import NDArray

def build(lo: NDArray[float32], hi: NDArray[float32]) -> tuple[NDArray[int32], NDArray[int32]]:
    """Return the items in leaf order and the nodes of a tree over n boxes."""
