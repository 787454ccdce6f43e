"""Types of the compiled module physics.kernel.tree."""

from collections.abc import Sequence

from numpy import int64
from numpy.typing import NDArray

class Tree:
    """A dynamic tree of boxes, for tests."""

    def insert(self, lo: Sequence[float], hi: Sequence[float], item: int) -> int:
        """Return the leaf's number."""
    def remove(self, leaf: int) -> None:
        """Take a leaf out."""
    def move(self, leaf: int, lo: Sequence[float], hi: Sequence[float]) -> None:
        """Give a leaf another box."""
    def query(self, lo: Sequence[float], hi: Sequence[float]) -> NDArray[int64]:
        """Return the items whose boxes meet the box."""
    @property
    def height(self) -> int:
        """Levels above the leaves."""
    def check(self) -> None:
        """Raise ValueError unless the tree is sound."""
