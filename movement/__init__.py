"""Frame clock, headings and the integer-unit player controller."""

from movement.actor import Actor, Bounds
from movement.animation import Animation
from movement.animation_commands import AnimationGroup, Command, GroupType, Opcode
from movement.body import Mode, Push
from movement.candidates import Candidates
from movement.clock import Frame, FrameClock, SavedTiming, bios_tick_count
from movement.collision_arrays import Model, Placement, Placements, SubObject, Terrain, Waves
from movement.collision_world import CollisionWorld
from movement.contacts import Contact
from movement.errors import MovementError
from movement.events import (
    BodyChange,
    BodyEvent,
    MovementEvent,
    RumbleEvent,
    SoundEvent,
    SurfaceEvent,
    Transition,
)
from movement.intent import Intent
from movement.markers import select_marker
from movement.models import BakedModels, bake_model, bake_models
from movement.player import Player, PlayerRecord
from movement.settings import MovementSettings
from movement.terrain import TerrainSample

__all__ = [
    "Actor",
    "Animation",
    "AnimationGroup",
    "BakedModels",
    "BodyChange",
    "BodyEvent",
    "Bounds",
    "Candidates",
    "CollisionWorld",
    "Command",
    "Contact",
    "Frame",
    "FrameClock",
    "GroupType",
    "Intent",
    "Mode",
    "Model",
    "MovementError",
    "MovementEvent",
    "MovementSettings",
    "Opcode",
    "Placement",
    "Placements",
    "Player",
    "PlayerRecord",
    "Push",
    "RumbleEvent",
    "SavedTiming",
    "SoundEvent",
    "SubObject",
    "SurfaceEvent",
    "Terrain",
    "TerrainSample",
    "Transition",
    "Waves",
    "bake_model",
    "bake_models",
    "bios_tick_count",
    "select_marker",
]
