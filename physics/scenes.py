"""Scenes with known answers: shared by tests and benchmarks, and shown by `python -m game --scene NAME`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from physics.body import Body
from physics.errors import PhysicsError
from physics.materials import Material
from physics.shapes import Ball, Box, Compound, ConvexHull, Cylinder, HeightField, Plane, TriangleMesh
from physics.world import World

G = 9.81
PSI = 1.0 / 66.0
QUARTER_X = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))  # turns the long axis Y to Z


@dataclass(frozen=True)
class Scene:
    """A world ready to run.

    Attributes:
        world: step it.
        bodies: the moving bodies that matter, in the order that the scene's function tells.
        seconds: how long it takes to show what it shows.
        eye, target: where to look from and at, m.
        values: numbers of the set-up that the known answer needs.
    """

    world: World
    bodies: list[Body]
    seconds: float
    eye: tuple[float, float, float] = (0.0, 4.0, 12.0)
    target: tuple[float, float, float] = (0.0, 1.0, 0.0)
    values: dict[str, float] = field(default_factory=dict)


def material(
    friction: float = 0.5, elasticity: float = 0.0, rolling: float = 0.0, spinning: float = 0.0
) -> Material:
    """Return a material whose friction holds as it is against an equal one."""
    return Material(
        friction=friction,
        elasticity=elasticity,
        rolling_friction=rolling,
        spinning_friction=spinning,
        friction_rule="average",
        elasticity_rule="average",
    )


def turn(axis: tuple[float, float, float], degrees: float) -> tuple[float, float, float, float]:
    """Return the quaternion of a turn about a unit axis."""
    half = math.radians(degrees) / 2
    s = math.sin(half)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(half))


def _floor(world: World, surface: Material) -> Body:
    return world.add_body(Box((60, 1, 60)), fixed=True, position=(0, -1, 0), material=surface, name="floor")


def _free(world: World, shape: Ball | Box | Cylinder | ConvexHull | Compound, mass: float, position: object,
          surface: Material, **options: object) -> Body:  # fmt: skip
    """Add a body without damping, so that the textbook's numbers hold."""
    settings: dict[str, object] = {"linear_damping": 0.0, "angular_damping": 0.0, **options}
    return world.add_body(shape, mass, position, material=surface, **settings)  # type: ignore[arg-type]


def incline(degrees: float = 20.0) -> Scene:
    """A ball rolls down a plane without slipping: it accelerates by 5/7 g sin a."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(0.8)
    slope = turn((0, 0, 1), -degrees)
    world.add_body(Box((40, 1, 4)), fixed=True, rotation=slope, material=surface, name="slope")
    a = math.radians(degrees)
    up = np.array([math.sin(a), math.cos(a), 0.0])
    along = np.array([math.cos(a), -math.sin(a), 0.0])
    ball = _free(world, Ball(0.5), 1.0, 1.5 * up - 20 * along, surface)
    return Scene(world, [ball], 3.0, (0, 6, 30), (0, 0, 0), {"angle": a})


def sliding_to_rolling(speed: float = 7.0, friction: float = 0.2) -> Scene:
    """A ball starts sliding without spin: it rolls at 5/7 of its speed after 2/7 v / (friction g)."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(friction)
    _floor(world, surface)
    ball = _free(world, Ball(0.5), 1.0, (-15, 0.5, 0), surface)
    ball.set_velocity((speed, 0, 0), (0, 0, 0))
    return Scene(world, [ball], 4.0, (-5, 5, 20), (-5, 0, 0), {"speed": speed, "friction": friction})


def friction_angle(degrees: float = 26.0, friction: float = 0.5) -> Scene:
    """A box on a slope: it stays while tan a < friction, else slides by g (sin a - friction cos a)."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(friction)
    slope = turn((0, 0, 1), -degrees)
    world.add_body(Box((40, 1, 4)), fixed=True, rotation=slope, material=surface, name="slope")
    a = math.radians(degrees)
    up = np.array([math.sin(a), math.cos(a), 0.0])
    along = np.array([math.cos(a), -math.sin(a), 0.0])
    box = _free(world, Box((0.5, 0.25, 0.5)), 1.0, 1.25 * up - 10 * along, surface, rotation=slope)
    return Scene(world, [box], 3.0, (0, 6, 30), (0, 0, 0), {"angle": a, "friction": friction})


def restitution(count: int = 6) -> Scene:
    """Balls of elasticity 0, 0.2, ... 1 fall from 5 m: the first rebound rises to e^2 times the drop."""
    world, hard = World(gravity=(0, -G, 0), sleeping=False), material(0.5, 1.0)
    _floor(world, hard)
    balls = []
    for i in range(count):
        e = i / (count - 1)
        # minimum against 1 keeps the ball's own number
        own = Material(friction=0.5, elasticity=e, elasticity_rule="minimum", friction_rule="average")
        balls.append(_free(world, Ball(0.5), 1.0, (2.0 * (i - (count - 1) / 2), 5.5, 0), own))
    return Scene(world, balls, 3.0, (0, 5, 16), (0, 2, 0))


def newtons_cradle(count: int = 5) -> Scene:
    """A row of touching steel balls; the first arrives at 2 m/s: only the last leaves, at its speed."""
    world, steel = World(gravity=(0, 0, 0), sleeping=False), material(0.0, 1.0)
    balls = [_free(world, Ball(0.5), 1.0, (1.0 * i, 0, 0), steel) for i in range(count)]
    balls[0].set_pose((-2.0, 0, 0), (0, 0, 0, 1))
    balls[0].set_velocity((2.0, 0, 0), (0, 0, 0))
    return Scene(world, balls, 2.5, (2, 3, 10), (2, 0, 0))


def mass_ratio(ratio: float = 100.0) -> Scene:
    """A heavy box on a light one: the light one is not crushed into the floor."""
    world, surface = World(gravity=(0, -G, 0)), material(0.6)
    _floor(world, surface)
    light = _free(world, Box((0.5, 0.5, 0.5)), 1.0, (0, 0.5, 0), surface)
    heavy = _free(world, Box((0.5, 0.5, 0.5)), ratio, (0, 1.5, 0), surface)
    return Scene(world, [light, heavy], 10.0)


def pyramid(rows: int = 20) -> Scene:
    """Rows of boxes with gaps between them, each on two of the row below; bodies from the bottom left
    upwards."""
    world, surface = World(gravity=(0, -G, 0)), material(0.5)
    _floor(world, surface)
    boxes = [
        _free(world, Box((0.5, 0.5, 0.5)), 1.0, (1.05 * (i - (rows - row - 1) / 2), 0.5 + row, 0), surface)
        for row in range(rows)
        for i in range(rows - row)
    ]
    return Scene(world, boxes, 60.0, (0, 12, 36), (0, 8, 0))


def tower(count: int = 30) -> Scene:
    """Boxes one on the other, bodies from the bottom up: it stands, and freezes as one."""
    world, surface = World(gravity=(0, -G, 0), passes=2), material(0.6)
    _floor(world, surface)
    boxes = [_free(world, Box((0.5, 0.5, 0.5)), 1.0, (0, 0.5 + i, 0), surface) for i in range(count)]
    return Scene(world, boxes, 60.0, (0, 16, 45), (0, 14, 0))


def arch(stones: int = 15) -> Scene:
    """A half circle of wedge-shaped hulls without mortar, between the ground and itself; bodies from left to
    right."""
    world, surface = World(gravity=(0, -G, 0), passes=2), material(0.8)
    _floor(world, surface)
    inner, outer, depth = 5.0, 6.5, 1.0
    bodies = []
    for i in range(stones):
        corners = []
        for angle in (math.pi - math.pi * i / stones, math.pi - math.pi * (i + 1) / stones):
            for r in (inner, outer):
                for z in (-depth, depth):
                    corners.append((r * math.cos(angle), max(r * math.sin(angle), 0.0), z))
        points = np.array(corners)
        center = points.mean(axis=0)
        bodies.append(_free(world, ConvexHull(points - center), 10.0, center, surface))
    return Scene(world, bodies, 20.0, (0, 5, 18), (0, 3, 0))


def dominoes(count: int = 100) -> Scene:
    """A row of standing slabs, the first pushed over; bodies in their order: each knocks over the next."""
    world, surface = World(gravity=(0, -G, 0)), material(0.4, 0.1)
    _floor(world, surface)
    slabs = [
        _free(world, Box((0.05, 0.5, 0.25)), 1.0, (0.4 * (i - count / 2), 0.5, 0), surface)
        for i in range(count)
    ]
    slabs[0].set_velocity((0.5, 0, 0), (0, 0, -2.0))
    return Scene(world, slabs, 15.0, (0, 6, 28), (0, 0, 0))


def drum(sides: int = 24, omega: float = 1.0) -> Scene:
    """A ball in a slowly spinning drum of flat boards: it never gains energy without end, nor gets out."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(0.6, 0.2)
    radius, length = 4.0, 1.5
    half = radius * math.tan(math.pi / sides) + 0.2
    boards: list[tuple[Box, tuple[float, float, float], tuple[float, float, float, float]]] = []
    for i in range(sides):
        a = 2 * math.pi * i / sides
        place = ((radius + 0.2) * math.cos(a), (radius + 0.2) * math.sin(a), 0.0)
        boards.append((Box((0.2, half, length)), place, turn((0, 0, 1), 360.0 * i / sides)))
    for z in (-length - 0.1, length + 0.1):
        boards.append((Box((radius + 0.4, radius + 0.4, 0.1)), (0, 0, z), (0, 0, 0, 1)))
    shell = world.add_body(Compound(boards), 100.0, (0, 5, 0), kinematic=True, material=surface, name="drum")
    shell.set_velocity((0, 0, 0), (0, 0, omega))
    ball = _free(world, Ball(0.5), 1.0, (0, 2.0, 0), surface)
    return Scene(world, [ball, shell], 600.0, (0, 5, 16), (0, 5, 0), {"radius": radius, "omega": omega})


def coin(speed: float = 4.0) -> Scene:
    """A coin on its edge, spun about the vertical: it wobbles down and comes to lie flat."""
    world, surface = World(gravity=(0, -G, 0)), material(0.4, 0.1, 0.002, 0.002)
    _floor(world, surface)
    shape = Cylinder(0.5, 0.02)
    spun = world.add_body(
        shape,
        1.0,
        (0, 0.52, 0),
        turn((1, 0, 0), 80.0),
        material=surface,
        angular_damping=0.1,
        linear_damping=0.05,
    )
    spun.set_velocity((0, 0, 0), (0, 0, speed))  # core axes: about the coin's own diameter that points up
    return Scene(world, [spun], 20.0, (0, 2, 5), (0, 0.3, 0), {"half": shape.half_length})


@cache
def _stone(number: int) -> ConvexHull:
    """Return one of a set of stones: six random points of a sphere and their opposites."""
    points = np.random.default_rng(number).normal(size=(6, 3))
    points *= 0.5 / np.sqrt((points * points).sum(axis=1))[:, None]
    return ConvexHull(np.concatenate([points, -points]))


def hull_pile(count: int = 1000) -> Scene:
    """A dense pile of stones falls into a box: nothing explodes, and all motion dies away."""
    world, surface = World(gravity=(0, -G, 0)), material(0.5)
    half = 0.5 * round(count ** (1 / 3)) + 0.5
    height = 4.0 * half
    _floor(world, surface)
    for sign in (-1, 1):
        for place, size in (
            ((sign * (half + 1), height / 2, 0), (1, height / 2, half + 2)),
            ((0, height / 2, sign * (half + 1)), (half + 2, height / 2, 1)),
        ):
            world.add_body(Box(size), fixed=True, position=place, material=surface, name="wall")
    columns = max(1, int((2 * half - 1.1) / 1.1) + 1)
    shift = np.random.default_rng(1).uniform(-0.04, 0.04, (count, 3))
    bodies = []
    for i in range(count):
        grid = np.array([i % columns, i // columns**2, i // columns % columns], dtype=float)
        place = 1.1 * (grid - np.array([(columns - 1) / 2, -0.7, (columns - 1) / 2])) + shift[i]
        bodies.append(_free(world, _stone(i % 16), 1.0, place, surface))
    return Scene(world, bodies, 30.0, (0, 2 * half, 5 * half), (0, half, 0), {"half": half})


def _flat_mesh(cells: int, size: float) -> TriangleMesh:
    field_ = HeightField(np.zeros((cells + 1, cells + 1)), size)
    return TriangleMesh(field_.vertices, field_.triangles)


def ball_on_flat_mesh(cells: int = 71, speed: float = 10.0) -> Scene:
    """A ball rolls over a flat mesh of 10 082 triangles: straight on, without a bump."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(0.6)
    mesh = _flat_mesh(cells, 1.0)
    world.add_body(mesh, fixed=True, position=(-cells / 2, 0, -cells / 2), material=surface, name="mesh")
    # Turned so that it rolls about a core axis: the integration of ivp 8.2 keeps only such an axis to the
    # last digit.
    angle = 0.23
    ball = _free(
        world, Ball(0.5), 1.0, (-30.0, 0.5, -7.3), surface, rotation=turn((0, 1, 0), -math.degrees(angle))
    )
    way = np.array([math.cos(angle), 0.0, math.sin(angle)])
    ball.set_velocity(speed * way, (0.0, 0.0, -speed / 0.5))
    values = {"speed": speed, "triangles": 2.0 * cells * cells, "angle": angle}
    return Scene(world, [ball], 5.0, (0, 12, 40), (0, 0, 0), values)


def box_on_flat_mesh(cells: int = 71, speed: float = 12.0) -> Scene:
    """A box slides over the same mesh: no edge kicks it, it stops by friction alone."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(0.3)
    mesh = _flat_mesh(cells, 1.0)
    world.add_body(mesh, fixed=True, position=(-cells / 2, 0, -cells / 2), material=surface, name="mesh")
    box = _free(
        world, Box((0.6, 0.3, 0.45)), 1.0, (-30.0, 0.3, -3.3), surface, rotation=turn((0, 1, 0), 17.0)
    )
    box.set_velocity((speed * math.cos(0.1), 0, speed * math.sin(0.1)), (0, 0, 0))
    return Scene(world, [box], 5.0, (0, 12, 40), (0, 0, 0), {"speed": speed, "friction": 0.3})


def bullets(speed: float = 1990.0) -> Scene:
    """Balls at nearly the anomaly limit fly at walls of one triangle: none gets through."""
    world, surface = World(gravity=(0, 0, 0), sleeping=False), material(0.2, 0.5)
    balls = []
    for i in range(9):
        z = 4.0 * (i - 4)
        wall = TriangleMesh([[0, -2, z - 2], [0, -2, z + 2], [0, 2, z]], [[0, 1, 2]])
        world.add_body(wall, fixed=True, material=surface)
        ball = _free(world, Ball(0.1 + 0.05 * i), 1.0, (-40.0 - 3.1 * i, 0, z), surface)
        ball.set_velocity((speed, 0, 0), (0, 0, 0))
        balls.append(ball)
    return Scene(world, balls, 1.0, (0, 20, 60), (-20, 0, 0))


def conveyor(speed: float = 2.0) -> Scene:
    """A box on a belt takes on the speed of its surface."""
    world = World(gravity=(0, -G, 0), sleeping=False)
    belt = Material(friction=0.5, elasticity=0.0, friction_rule="average", surface_velocity=(speed, 0, 0))
    world.add_body(Box((20, 0.5, 1)), fixed=True, position=(0, -0.5, 0), material=belt, name="belt")
    box = _free(world, Box((0.4, 0.3, 0.4)), 1.0, (-10, 0.3, 0), material(0.5))
    return Scene(world, [box], 5.0, (0, 5, 20), (0, 0, 0), {"speed": speed})


def rolling_friction(speed: float = 4.0, rolling: float = 0.01) -> Scene:
    """A rolling ball is braked by a torque of rolling friction times weight: 5/7 g times the length over the
    radius."""
    world, surface = World(gravity=(0, -G, 0), sleeping=False), material(0.8, 0.0, rolling)
    world.add_body(Plane((0, 1, 0), 0.0), fixed=True, material=material(0.8), name="floor")
    ball = _free(world, Ball(0.5), 1.0, (-10, 0.5, 0), surface)
    ball.set_velocity((speed, 0, 0), (0, 0, -speed / 0.5))
    return Scene(world, [ball], 10.0, (0, 5, 25), (0, 0, 0), {"speed": speed, "rolling": rolling})


SCENES: dict[str, Callable[[], Scene]] = {
    scene.__name__: scene
    for scene in (
        incline, sliding_to_rolling, friction_angle, restitution, newtons_cradle, mass_ratio, pyramid, tower, arch,
        dominoes, drum, coin, hull_pile, ball_on_flat_mesh, box_on_flat_mesh, bullets, conveyor, rolling_friction,
    )
}  # fmt: skip


def build(name: str) -> Scene:
    """Return a new scene by its name.

    Raises:
        PhysicsError: there is none of this name.
    """
    if name not in SCENES:
        raise PhysicsError(f"scene: {name!r} is none of {', '.join(sorted(SCENES))}")
    return SCENES[name]()
