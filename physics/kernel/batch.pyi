"""Array calls over all bodies: no loop in Python, and the interpreter lock let go when there are many."""

import numpy as np
from numpy.typing import NDArray

from physics.kernel.world import WorldCore

Array = NDArray[np.float64]
Triple = tuple[float, float, float]

def positions(world: WorldCore, out: Array) -> None:
    """Fill the positions of all bodies, in slot order."""

def rotations(world: WorldCore, out: Array) -> None:
    """Fill the rotations of all bodies, in slot order."""

def velocities(world: WorldCore, out: Array, angular: bool) -> None:
    """Fill the linear or the angular velocities of all bodies, in slot order."""

def sim_units(world: WorldCore) -> list[tuple[int, list[int]]]:
    """Return (state, slots of its cores) of every unit: the active list, then the frozen one, newest
    first."""

def set_scalars(world: WorldCore, gravity: Triple, sleeping: bool, passes: int, seed: int) -> None:
    """Set the options of a new world."""

def gravity_of(world: WorldCore) -> Triple:
    """Gravity as the world keeps it."""

def set_gravity(world: WorldCore, gravity: Triple) -> None:
    """Set the gravity."""

def passes_of(world: WorldCore) -> int:
    """How often contacts and joints are solved in a PSI."""

def set_passes(world: WorldCore, passes: int) -> None:
    """Set how often contacts and joints are solved in a PSI."""

def sleeping_of(world: WorldCore) -> bool:
    """Whether bodies at rest freeze."""

def set_sleeping(world: WorldCore, sleeping: bool) -> None:
    """Set whether bodies at rest freeze; what is frozen stays so until it is woken."""

def last_duration(world: WorldCore) -> float:
    """Seconds of the last simulate or advance."""

def add_impulses(world: WorldCore, impulses: Array) -> None:
    """Push bodies at their mass centres: a row a body, or one row for all."""

def add_impulse_to_all(world: WorldCore, x: float, y: float, z: float) -> None:
    """The same push at the mass centre of every body."""
