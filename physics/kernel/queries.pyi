"""Types of the compiled module physics.kernel.queries."""

from collections.abc import Iterable
from typing import Any

from numpy.typing import ArrayLike, NDArray

from physics.kernel.hits import Hit
from physics.kernel.world import WorldCore

Layers = int | Iterable[int] | None

class QueryCore(WorldCore):
    """The part of `World` that answers queries."""

    def raycast(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: float,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> Hit | None:
        """Return the nearest hit of a ray."""
    def raycast_between(
        self,
        start: ArrayLike,
        end: ArrayLike,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> Hit | None:
        """Return the nearest hit between two points."""
    def raycast_any(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: float,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> bool:
        """Tell whether a ray hits anything."""
    def raycast_all(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        max_distance: float,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> list[Hit]:
        """Return every body that a ray meets."""
    def shape_cast(
        self,
        shape: Any,
        position: ArrayLike,
        rotation: ArrayLike,
        motion: ArrayLike,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> Hit | None:
        """Return the first hit of a moving shape."""
    def overlap(
        self,
        shape: Any,
        position: ArrayLike,
        rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> list[Hit]:
        """Return what a shape overlaps."""
    def closest_points(
        self,
        shape: Any,
        position: ArrayLike,
        rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        max_distance: float = 1.0,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> list[Hit]:
        """Return the closest points of a shape and near bodies."""
    def raycast_batch(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        max_distance: ArrayLike,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
        any_hit: bool = False,
    ) -> NDArray[Any]:
        """Cast many rays."""
    def shape_cast_batch(
        self,
        shape: Any,
        positions: ArrayLike,
        rotations: ArrayLike,
        motions: ArrayLike,
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> NDArray[Any]:
        """Cast a shape along many ways."""
    def overlap_batch(
        self,
        shape: Any,
        positions: ArrayLike,
        rotations: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        layers: Layers = None,
        *,
        ignore: Any = None,
        sensors: bool = False,
    ) -> NDArray[Any]:
        """Tell what a shape overlaps at many places."""
