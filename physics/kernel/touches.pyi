"""What touches what at the last PSI: for handles, overlays and the curious."""

import numpy as np
from numpy.typing import NDArray

from physics.kernel.world import WorldCore

def contact_count(world: WorldCore, body: int) -> int:
    """Count the contact points of a body, or of all bodies (-1)."""

def contact_rows(
    world: WorldCore, body: int, numbers: NDArray[np.int32], figures: NDArray[np.float64]
) -> None:
    """Fill one row a contact point."""
