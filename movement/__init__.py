"""Frame clock, headings and the integer-unit player controller."""

from movement.candidates import Candidates
from movement.collision_arrays import Model, Placements, Terrain, Waves
from movement.collision_world import CollisionWorld
from movement.contacts import Contact
from movement.errors import MovementError
from movement.terrain import TerrainSample

__all__ = [
    "Candidates",
    "CollisionWorld",
    "Contact",
    "Model",
    "MovementError",
    "Placements",
    "Terrain",
    "TerrainSample",
    "Waves",
]
