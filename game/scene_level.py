"""A physics scene as a level that the renderer can draw: what stands in its world, in plain colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import physics
from assets_pipeline.building.render_meshes import MeshList
from assets_pipeline.building.triangles import Soup, face_normals, soup_of
from assets_pipeline.level_bodies import (
    BallShape,
    Body,
    BoxShape,
    CapsuleShape,
    CompoundPart,
    CompoundShape,
    CylinderShape,
    HullShape,
    RenderMesh,
    SolidShape,
    Static,
    Surface,
)
from assets_pipeline.level_ground import Terrain, Waves
from assets_pipeline.level_play import Plate, Sky

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
PALETTE = ("#d9a05b", "#7fa7c9", "#c9705f", "#8fb573", "#b58fc4", "#d8c46a")
GROUND_COLOUR = "#b9b2a6"
PLANE_SIZE = 200.0  # m: of what is drawn of an endless plane
SKY = Sky(
    sun_direction=(0.39, 0.81, 0.43),
    sun_colour=(1.0, 0.95, 0.84),
    ambient_colour=(0.53, 0.6, 0.71),
    zenith_colour=(0.29, 0.55, 0.82),
    horizon_colour=(0.84, 0.9, 0.93),
    haze_colour=(0.81, 0.88, 0.92),
    haze_start=120.0,
    haze_end=500.0,
    lights=(),
)


@dataclass(frozen=True)
class SceneLevel:
    """What the renderer needs of a level."""

    title: str
    surfaces: tuple[Surface, ...]
    meshes: tuple[RenderMesh, ...]
    statics: tuple[Static, ...]
    bodies: tuple[Body, ...]
    terrain: Terrain
    plates: tuple[Plate, ...] = ()
    sky: Sky = SKY


def level_of_world(name: str, world: physics.World) -> SceneLevel:
    """Return a level that shows a world: its moving bodies in the order of their handles."""
    surfaces = tuple(
        _surface(number, f"colour {number}", colour)
        for number, colour in enumerate((GROUND_COLOUR, *PALETTE))
    )
    meshes = MeshList(surfaces)
    statics: list[Static] = []
    bodies: list[Body] = []
    for number, body in enumerate(world.bodies):
        position, rotation = tuple(body.position.tolist()), tuple(body.rotation.tolist())
        if body.fixed:
            mesh = meshes.add_soup(f"static {number}", soup_of_shape(body.shape, 0))
            shape = BoxShape((1.0, 1.0, 1.0))  # never made: the world is there already
            statics.append(Static(f"static {number}", shape, position, rotation, 0, 0, mesh, "scene"))
        else:
            surface = 1 + len(bodies) % len(PALETTE)
            mesh = meshes.add_soup(f"body {number}", soup_of_shape(body.shape, surface))
            bodies.append(_body(f"body {number}", position, rotation, surface, mesh))
    title = name.replace("_", " ").capitalize()
    return SceneLevel(title, surfaces, tuple(meshes.meshes), tuple(statics), tuple(bodies), _no_terrain())


def soup_of_shape(shape: physics.Shape, surface: int) -> Soup:
    """Return the triangles of a physics shape in its own axes."""
    if isinstance(shape, physics.TriangleMesh):
        return _flat(shape.vertices[shape.triangles], surface)
    if isinstance(shape, physics.Plane):
        return _flat(_plane_corners(shape), surface)
    if isinstance(shape, physics.Compound):
        parts = tuple(
            CompoundPart(_solid(part), tuple(position), tuple(rotation))
            for part, position, rotation in shape.parts
        )
        return soup_of(CompoundShape(parts), surface)
    return soup_of(_solid(shape), surface)


def _solid(shape: physics.Shape) -> SolidShape:
    match shape:
        case physics.Ball():
            return BallShape(shape.radius)
        case physics.Box():
            x, y, z = (float(value) for value in shape.half_extents)
            return BoxShape((x, y, z))
        case physics.Capsule():
            return CapsuleShape(shape.radius, shape.half_length)
        case physics.Cylinder():
            return CylinderShape(shape.radius, shape.half_length)
        case physics.ConvexHull():
            return HullShape(np.ascontiguousarray(shape.vertices, np.float64))
    raise physics.PhysicsError(f"scene: found a {type(shape).__name__}, expected a shape that can be drawn")


def _flat(corners: np.ndarray, surface: int) -> Soup:
    corners = np.asarray(corners, np.float64)
    normals = np.repeat(face_normals(corners)[:, None], 3, axis=1)
    count = len(corners)
    return Soup(corners, normals, np.full(count, surface, np.uint16), np.ones(count))


def _plane_corners(plane: physics.Plane) -> np.ndarray:
    normal = np.asarray(plane.normal, np.float64)
    side = np.cross(normal, (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 0.0, 1.0))
    side *= PLANE_SIZE / np.linalg.norm(side)
    other = np.cross(normal, side)
    middle = normal * plane.offset
    a, b, c, d = middle - side - other, middle + side - other, middle + side + other, middle - side + other
    return np.array([(a, b, c), (a, c, d)])


def _surface(number: int, name: str, colour: str) -> Surface:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return Surface(number, name, 0.5, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), (red, green, blue), "stone", 0)


def _body(
    name: str,
    position: tuple[float, float, float],
    rotation: tuple[float, float, float, float],
    surface: int,
    mesh: int,
) -> Body:
    return Body(
        name=name,
        shape=BallShape(1.0),
        mass=1.0,
        mass_center=None,
        unit_inertia=None,
        position=position,
        rotation=rotation,
        linear_damping=0.0,
        angular_damping=(0.0, 0.0, 0.0),
        surface=surface,
        layer=0,
        collision_group="",
        start_frozen=False,
        kinematic=False,
        continuous=False,
        extra_radius=0.0,
        mesh=mesh,
        tags=(),
        source="scene",
    )


def _no_terrain() -> Terrain:
    """Return a terrain without ground: physics scenes bring their own."""
    grid = np.zeros((256, 256), np.uint8)
    return Terrain(
        heights=grid,
        textures=grid,
        water_level=0.0,
        waves=Waves(0, 0, 0),
        surface_values=grid[0, :64],
        field_heights=np.zeros((256, 256)),
        field_corner=(0.0, 0.0, 0.0),
        cell_size=4.0,
        cell_surfaces=np.zeros((255, 255), np.uint16),
        cell_colours=np.zeros((255, 255, 3), np.uint8),
        water=grid,
        static="",
    )
