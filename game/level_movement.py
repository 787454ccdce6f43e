"""A level's movement models, terrain and actor as the player controller takes them."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from assets_pipeline import Level
from assets_pipeline.level_ground import TERRAIN_SET, MovementModel
from game.setting_keys import KEYS
from game.settings import Settings
from movement import (
    Actor,
    AnimationGroup,
    CollisionWorld,
    Model,
    MovementSettings,
    Placements,
    Terrain,
    Waves,
)
from movement.collision_arrays import TEXTURE_IMAGES, TEXTURE_SETS

MOVEMENT_SECTIONS = ("system", "cyrus", "game")


def movement_settings(settings: Settings) -> MovementSettings:
    """Return the controller's settings from the settings in force.

    Raises:
        movement.MovementError: two of them contradict each other.
    """
    names = {field.name for field in fields(MovementSettings)}
    values = {
        key.name: settings[key.path] for key in KEYS if key.section in MOVEMENT_SECTIONS and key.name in names
    }
    return MovementSettings(**values)  # type: ignore[arg-type]


def build_collision_world(level: Level) -> tuple[CollisionWorld, dict[int, str]]:
    """Return the collision world of a level, and the body that each moving placement follows, by its row."""
    placed = level.movement.placements
    placements = Placements(
        models=placed.models,
        positions=placed.positions,
        rotations=placed.rotations,
        flags=placed.flags,
        moving=placed.moving != 0,
    )
    surfaces = np.zeros((TEXTURE_SETS, TEXTURE_IMAGES), np.uint8)
    values = level.terrain.surface_values
    surfaces[TERRAIN_SET, : len(values)] = values
    ground = level.terrain
    waves = Waves(ground.waves.amplitude, ground.waves.frequency, ground.waves.speed)
    terrain = Terrain(
        ground.heights,
        ground.textures,
        water_level=ground.water_level,
        enabled=bool(ground.static),
        waves=waves,
    )
    world = CollisionWorld(
        [model_of(model) for model in level.movement.models], placements, terrain, surfaces
    )
    owners = {row: placed.owners[row] for row in np.flatnonzero(placed.moving).tolist()}
    return world, owners


def model_of(model: MovementModel) -> Model:
    """Return a level's movement model as the collision world takes it."""
    return Model(
        vertices=model.vertices,
        face_sizes=model.face_sizes,
        face_vertices=model.face_vertices,
        face_normals=model.face_normals,
        face_textures=model.face_textures,
        radius=model.radius,
        sub_centers=model.sub_centers,
        sub_radii=model.sub_radii,
        sub_extents=model.sub_extents,
        sub_face_counts=model.sub_face_counts,
        sub_faces=model.sub_faces,
        face_surfaces=model.face_grounds,
        name=model.name,
    )


def build_actor(level: Level) -> Actor:
    """Return the player's actor from the level's actor data."""
    data = level.actor
    bounds = data.bounds
    groups = {g.group: AnimationGroup(g.anim_id, g.kind, g.commands.tobytes()) for g in data.groups}
    return Actor(
        bounds=(bounds.total, bounds.positive, bounds.negative),
        attributes={name: int(data.attributes[index]) for name, index in data.attribute_names.items()},
        animation_groups=groups,
        collision_sphere_scale=data.collision_sphere_scale,
        name=data.name,
    )
