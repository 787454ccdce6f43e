"""What a frame brought that is seen or heard, told from the events of movement and physics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import physics
from assets_pipeline import Level
from game.character.groups import STEP_SOUND
from game.rules.vectors import Vector
from movement import BodyEvent, Player, RumbleEvent, SoundEvent, SurfaceEvent, Transition
from movement.support import SourceKind

WATER_SOUND = "water"
DEFAULT_SOUND = "stone"


@dataclass(frozen=True)
class Happening:
    """Something that is seen or heard: its kind, where, how strong, and more words.

    Kinds: step (text: what the ground sounds like), stroke, splash, impact (strength: speed that it took away,
    text: the sound of what was hit), shake, message, objective, checkpoint, change, plate, kick, take_ball,
    respawn, and the values of `movement.BodyChange`.
    """

    kind: str
    at: Vector | None = None
    strength: float = 1.0
    text: str = ""


def of_movement(player: Player, level: Level, at: Vector) -> Iterator[Happening]:
    """Yield what the player's last update brought; `at` is where the player is."""
    for event in player.events:
        match event:
            case SoundEvent():
                if event.effect == STEP_SOUND:
                    yield Happening("step", at, text=ground_sound(player, level))
                else:
                    yield Happening("stroke", at)
            case SurfaceEvent():
                if event.transition in (Transition.ENTERED_WATER, Transition.ENTERED_LAVA):
                    yield Happening("splash", at)
            case RumbleEvent():
                if event.shake:
                    yield Happening("shake", at)
            case BodyEvent():
                yield Happening(event.change.value, at, float(event.amount))


def ground_sound(player: Player, level: Level) -> str:
    """Return what the ground under the player sounds like: the sound of a surface, or water."""
    if player.surface in (1, 2, 3, 4):
        return WATER_SOUND
    support = player.support
    if support.kind == SourceKind.TERRAIN:
        x, y, z = player.position
        return terrain_sound(level, level.to_world((x / 256, y / 256, z / 256)))
    if support.placement >= 0 and support.texture < len(level.surfaces):
        return level.surfaces[support.texture].sound or DEFAULT_SOUND  # built levels put the surface there
    return DEFAULT_SOUND


def terrain_sound(level: Level, at: Vector) -> str:
    """Return what the terrain sounds like at a place in world axes."""
    terrain = level.terrain
    column = int((at[0] - terrain.field_corner[0]) / terrain.cell_size)
    row = int((at[2] - terrain.field_corner[2]) / terrain.cell_size)
    rows, columns = terrain.cell_surfaces.shape
    if not (0 <= row < rows and 0 <= column < columns):
        return DEFAULT_SOUND
    return level.surfaces[int(terrain.cell_surfaces[row, column])].sound or DEFAULT_SOUND


def of_physics(world: physics.World, sounds: dict[str, str]) -> Iterator[Happening]:
    """Yield the impacts of the last advance.

    Args:
        world: it has just been advanced.
        sounds: what each body sounds like, by name.
    """
    for event in world.events:
        if isinstance(event, physics.ContactEvent) and event.kind == physics.EventKind.IMPACT:
            lighter = min(event.a, event.b, key=lambda body: float("inf") if body.fixed else body.mass)
            lost = event.impulse / lighter.mass
            yield Happening("impact", event.point, lost, sounds.get(lighter.name, ""))
