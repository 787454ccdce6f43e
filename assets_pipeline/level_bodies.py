"""The solid half of a level: surfaces, shapes, statics, bodies, joints and the meshes that are drawn.

Everything here is in metres, kilograms, seconds and radians unless a field says otherwise, with +Y up, in the
level's world axes. Quaternions are (x, y, z, w). A `surface` is an index into `Level.surfaces`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.level_file import ArrayLayout

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

Points = Annotated[NDArray[np.float64], ArrayLayout("<f8", (None, 3))]
Points32 = Annotated[NDArray[np.float32], ArrayLayout("<f4", (None, 3))]
Triangles = Annotated[NDArray[np.int32], ArrayLayout("<i4", (None, 3))]
SurfaceIndices = Annotated[NDArray[np.uint16], ArrayLayout("<u2", (None,))]
Colours = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (None, 3))]
Planes = Annotated[NDArray[np.float64], ArrayLayout("<f8", (None, 4))]
Integers = Annotated[NDArray[np.int32], ArrayLayout("<i4", (None,))]
Nodes = Annotated[NDArray[np.int32], ArrayLayout("<i4", (None, 32))]
Bytes = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (None,))]


@dataclass(frozen=True)
class Surface:
    """What something is made of: how it rubs, looks, sounds, and what walking on it means.

    Attributes:
        id: the surface id of the packfiles' triangles, 0..63.
        name: `paving`, `grass`, ...; unique in a level.
        friction: sliding friction, as in `physics.Material`.
        elasticity: restitution.
        rolling_friction: as in `physics.Material`.
        spinning_friction: as in `physics.Material`.
        surface_velocity: speed of a moving belt in the body's axes [m/s].
        colour: sRGB, three numbers from 0 to 1.
        sound: which family of sounds it makes: `stone`, `wood`, `metal`, `sand`, `grass`, ...
        ground: the value of SURFACE.INI that movement sees (0 unknown .. 11 gloop).
    """

    id: int
    name: str
    friction: float
    elasticity: float
    rolling_friction: float
    spinning_friction: float
    surface_velocity: Vector
    colour: Vector
    sound: str
    ground: int


# ---------------------------------------------------------------------------------------------------------
# Shapes: plain data, one class for each class of `physics`


@dataclass(frozen=True)
class BallShape:
    """A ball about the origin of its body."""

    radius: float


@dataclass(frozen=True)
class BoxShape:
    """A box about the origin of its body, sides along the axes."""

    half_extents: Vector


@dataclass(frozen=True)
class CapsuleShape:
    """A capsule about the origin, long axis Y; `half_length` reaches to the centre of an end ball."""

    radius: float
    half_length: float


@dataclass(frozen=True)
class CylinderShape:
    """A cylinder about the origin, long axis Y."""

    radius: float
    half_length: float


@dataclass(frozen=True, eq=False)
class HullShape:
    """The convex hull of (n, 3) points."""

    points: Points


@dataclass(frozen=True, eq=False)
class MeshShape:
    """A triangle mesh, for fixed bodies only: the baked arrays of `physics.TriangleMesh.to_arrays`.

    Attributes:
        vertices: (n, 3).
        triangles: (m, 3) indices of vertices, counter-clockwise seen from the outside, in the tree's order.
        neighbours: (m, 3) the triangle across each edge, or -1.
        planes: (m, 4) unit normal and offset of each triangle.
        original: (m,) its number before the tree sorted it; for the terrain, `cell * 2 + half`.
        materials: (m,) its surface.
        nodes: (k, 32) nodes of the tree.
    """

    vertices: Points
    triangles: Triangles
    neighbours: Triangles
    planes: Planes
    original: Integers
    materials: Integers
    nodes: Nodes

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name, as `physics.TriangleMesh.from_arrays` takes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, eq=False)
class CompoundPart:
    """One shape of a compound, and where it is in the body's axes."""

    shape: SolidShape
    position: Vector
    rotation: Quaternion


@dataclass(frozen=True, eq=False)
class CompoundShape:
    """Several solid shapes in one body."""

    parts: tuple[CompoundPart, ...]


SolidShape = BallShape | BoxShape | CapsuleShape | CylinderShape | HullShape
Shape = SolidShape | CompoundShape | MeshShape


# ---------------------------------------------------------------------------------------------------------
# What stands in the world


@dataclass(frozen=True, eq=False)
class RenderMesh:
    """Triangles to draw, each with its own three corners, so that flat shading needs nothing else.

    Attributes:
        name: unique in a level.
        positions: (3 n, 3) corners, counter-clockwise seen from the outside, in the axes of what is drawn.
        normals: (3 n, 3) unit normals: the face's, or smooth ones where the thing is round.
        colours: (n, 3) sRGB bytes of each triangle: the surface's colour, lightly varied.
        surfaces: (n,) surface of each triangle.
    """

    name: str
    positions: Points32
    normals: Points32
    colours: Colours
    surfaces: SurfaceIndices


@dataclass(frozen=True, eq=False)
class Static:
    """A fixed body.

    Attributes:
        name: unique among statics and bodies.
        shape: any shape.
        position: of the shape's origin.
        rotation: of the shape's axes.
        surface: of the whole shape; a mesh names one per triangle instead.
        layer: 0..31, the layer bits of the packfile's filter word.
        mesh: index into `Level.meshes`, or -1: not drawn (an invisible wall, the terrain).
        source: where it came from, as `file: name`.
    """

    name: str
    shape: Shape
    position: Vector
    rotation: Quaternion
    surface: int
    layer: int
    mesh: int
    source: str


@dataclass(frozen=True, eq=False)
class Body:
    """A body that moves: by the physics, or (kinematic) by a device of the level.

    Attributes:
        name: unique among statics and bodies.
        shape: a solid shape or a compound.
        mass: kg.
        mass_center: in the body's axes, or None: the shape's own.
        unit_inertia: inertia for unit mass about the mass centre, body axes, or None: the shape's own.
        position: of the body's origin at the start.
        rotation: at the start.
        linear_damping: 1/s.
        angular_damping: 1/s about each axis of the body.
        surface: what it is made of.
        layer: 0..31.
        collision_group: bodies of one (non-empty) group pass through each other.
        start_frozen: asleep until something touches it.
        kinematic: moved by a mover or swing, not by forces.
        continuous: continuous collision also against other bodies.
        extra_radius: as in `physics.World.add_body`.
        mesh: index into `Level.meshes`, or -1.
        tags: free words that triggers and objectives select by: `ball`, `crate`, ...
        source: where it came from, as `file: name`.
        friction: sliding friction, instead of the surface's.
        elasticity: restitution, instead of the surface's.
    """

    name: str
    shape: SolidShape | CompoundShape
    mass: float
    mass_center: Vector | None
    unit_inertia: Vector | None
    position: Vector
    rotation: Quaternion
    linear_damping: float
    angular_damping: Vector
    surface: int
    layer: int
    collision_group: str
    start_frozen: bool
    kinematic: bool
    continuous: bool
    extra_radius: float
    mesh: int
    tags: tuple[str, ...]
    source: str
    friction: float = 0.7
    elasticity: float = 0.3


@dataclass(frozen=True)
class RagdollLimits:
    """The limits of a ragdoll joint, kept as data: the runtime joins it as a ball joint.

    Attributes:
        twist: lowest and highest twist [degrees].
        cone: half angle of the cone [degrees].
        planes: lowest and highest angle out of the plane [degrees].
        twist_axis: twist axis in world axes at the start.
        plane_axis: normal of the plane in world axes at the start.
        friction_torque: N m.
    """

    twist: tuple[float, float]
    cone: float
    planes: tuple[float, float]
    twist_axis: Vector
    plane_axis: Vector
    friction_torque: float


@dataclass(frozen=True)
class Joint:
    """A constraint between two bodies, or a body and the world, given in world coordinates at the start.

    Attributes:
        name: unique in a level.
        kind: `ball`, `hinge` or `slider`.
        a: name of a body.
        b: name of a body or static; empty: the world.
        anchor: the point that stays together; of a slider, its first point.
        axis: unit axis of a hinge or slider.
        second_point: of a slider: a point further along the axis; else equal to `anchor`.
        limits: lowest and highest turn of `a` against `b` about the axis [degrees], or way of `a` along it [m],
            0 at the start; None: free.
        friction_torque: torque that brakes a hinge [N m].
        break_impulse: impulse in one PSI above which the joint breaks [N s]; None: it never does.
        ragdoll: limits of what was a ragdoll constraint.
        source: where it came from, as `file: name`.
    """

    name: str
    kind: str
    a: str
    b: str
    anchor: Vector
    axis: Vector
    second_point: Vector
    limits: tuple[float, float] | None
    friction_torque: float
    break_impulse: float | None
    ragdoll: RagdollLimits | None
    source: str


@dataclass(frozen=True)
class Spring:
    """A spring as `physics.World.add_spring` takes it; anchors in world coordinates at the start.

    Attributes:
        name: unique in a level.
        a: name of a body.
        b: name of a body or static; empty: the world.
        anchor_a: on a.
        anchor_b: on b.
        rest_length: m.
        stiffness: as in `add_spring`.
        damping: as in `add_spring`.
        relative_damping: as in `add_spring`.
    """

    name: str
    a: str
    b: str
    anchor_a: Vector
    anchor_b: Vector
    rest_length: float
    stiffness: float
    damping: float
    relative_damping: float
