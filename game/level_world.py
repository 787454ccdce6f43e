"""A level's bodies, joints and springs as a physics world."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

import physics
from assets_pipeline import Level
from assets_pipeline.level_bodies import (
    BallShape,
    Body,
    BoxShape,
    CapsuleShape,
    CompoundShape,
    CylinderShape,
    HullShape,
    Joint,
    MeshShape,
    Shape,
    Static,
    Surface,
)

PSIS_A_SECOND = 66.0  # an impulse a PSI times this is a force


@dataclass
class LevelWorld:
    """A physics world filled from a level; handles by the names of the level."""

    world: physics.World
    bodies: dict[str, physics.Body]
    statics: dict[str, physics.Body]
    materials: list[physics.Material]


def build_world(level: Level, *, passes: int, sleeping: bool) -> LevelWorld:
    """Return a new world with everything of `level` in it, in the level's order.

    Raises:
        physics.PhysicsError: the level holds what no world can take.
    """
    world = physics.World(gravity=level.gravity, passes=passes, sleeping=sleeping)
    materials = [material_of(surface) for surface in level.surfaces]
    statics = {static.name: _add_static(world, static, materials) for static in level.statics}
    bodies = {body.name: _add_body(world, body, materials) for body in level.bodies}
    handles = statics | bodies
    for joint in level.joints:
        _add_joint(world, joint, handles)
    for spring in level.springs:
        world.add_spring(
            handles[spring.a],
            handles[spring.b] if spring.b else None,
            spring.anchor_a,
            spring.anchor_b,
            rest_length=spring.rest_length,
            stiffness=spring.stiffness,
            damping=spring.damping,
            relative_damping=spring.relative_damping,
        )
    return LevelWorld(world, bodies, statics, materials)


def material_of(surface: Surface) -> physics.Material:
    """Return the material of a surface."""
    return physics.Material(
        friction=surface.friction,
        elasticity=surface.elasticity,
        rolling_friction=surface.rolling_friction,
        spinning_friction=surface.spinning_friction,
        surface_velocity=surface.surface_velocity,
    )


def shape_of(shape: Shape, materials: list[physics.Material]) -> physics.Shape:
    """Return the physics shape of a level's shape; baked trees are used as they are."""
    match shape:
        case BallShape():
            return physics.Ball(shape.radius)
        case BoxShape():
            return physics.Box(shape.half_extents)
        case CapsuleShape():
            return physics.Capsule(shape.radius, shape.half_length)
        case CylinderShape():
            return physics.Cylinder(shape.radius, shape.half_length)
        case HullShape():
            return _hull(shape.points.tobytes())
        case MeshShape():
            return physics.TriangleMesh.from_arrays(shape.arrays(), materials)
        case CompoundShape():
            parts = [(shape_of(p.shape, materials), p.position, p.rotation) for p in shape.parts]
            return physics.Compound(parts)


@lru_cache(maxsize=256)
def _hull(points: bytes) -> physics.Shape:
    """Return the hull of packed (n, 3) f64 points; a level's trees and stones share a few."""
    return physics.ConvexHull(np.frombuffer(points, np.float64).reshape(-1, 3))


def _add_static(world: physics.World, static: Static, materials: list[physics.Material]) -> physics.Body:
    return world.add_body(
        shape_of(static.shape, materials),
        fixed=True,
        position=static.position,
        rotation=static.rotation,
        material=materials[static.surface],
        layer=static.layer,
        name=static.name,
    )


def _add_body(world: physics.World, body: Body, materials: list[physics.Material]) -> physics.Body:
    return world.add_body(
        shape_of(body.shape, materials),
        mass=body.mass,
        mass_center=body.mass_center,
        unit_inertia=body.unit_inertia,
        position=body.position,
        rotation=body.rotation,
        linear_damping=body.linear_damping,
        angular_damping=body.angular_damping,
        material=replace(materials[body.surface], friction=body.friction, elasticity=body.elasticity),
        layer=body.layer,
        collision_group=body.collision_group,
        start_frozen=body.start_frozen,
        kinematic=body.kinematic,
        continuous=body.continuous,
        extra_radius=body.extra_radius,
        name=body.name,
    )


def _add_joint(world: physics.World, joint: Joint, handles: dict[str, physics.Body]) -> None:
    a = handles[joint.a]
    b = handles[joint.b] if joint.b else None
    # A level counts the turn or way of a against b, the world's joints that of b against a.
    limits = None if joint.limits is None else (-joint.limits[1], -joint.limits[0])
    made: physics.BallJoint | physics.Hinge | physics.Slider
    if joint.kind == "ball":
        made = world.add_ball_joint(a, b, joint.anchor)
    elif joint.kind == "hinge":
        made = world.add_hinge(a, b, joint.anchor, axis=joint.axis, limits=limits)
    else:
        made = world.add_slider(a, b, joint.anchor, joint.second_point, limits=limits)
    if joint.break_impulse is not None:
        made.set_break(force=joint.break_impulse * PSIS_A_SECOND)
    if joint.kind == "hinge" and joint.friction_torque > 0.0:
        assert isinstance(made, physics.Hinge)
        made.set_motor(0.0, joint.friction_torque)
