"""Shapes: the solids and surfaces that bodies collide with. Immutable; any number of bodies may share one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physics import mesh as _mesh
from physics.errors import PhysicsError
from physics.hull import CORE_SHARE, Hull, MassProperties, convex_hull, fan, polyhedron_mass
from physics.kernel import shape as _kernel
from physics.kernel.bvh import build
from physics.materials import Material
from physics.shape_checks import (
    LARGEST,
    SMALLEST,
    check_finite,
    floats,
    length_of,
    quaternion,
    size,
    triangle_corners,
    vector3,
)
from physics.shape_checks import (
    material_ids as checked_ids,
)
from physics.shape_checks import (
    points as checked_points,
)

Array = NDArray[np.float64]


class Shape(ABC):
    """What all shapes have in common.

    Attributes:
        solid: True when it has a volume, so that a moving body may have it; meshes, fields and planes are
        for fixed ones.
        volume: m^3; 0 for an open surface.
        mass_center: (3,) the centre of volume in shape axes.
        unit_inertia_tensor: (3, 3) inertia for unit mass and even density about that centre, in shape axes.
    """

    solid: bool
    volume: float
    mass_center: Array
    unit_inertia_tensor: Array
    _data: _kernel.ShapeData

    @property
    def unit_inertia(self) -> Array:
        """(3,) the diagonal of `unit_inertia_tensor`."""
        return self.unit_inertia_tensor.diagonal().copy()

    @property
    def bounds(self) -> Array:
        """(2, 3) lowest and highest corner of the box around the shape, in shape axes."""
        return np.asarray(self._data.bounds)

    def radius_about(self, center: ArrayLike) -> tuple[float, float]:
        """Return (radius, radius deviation) about a point, as ivp 2.4 asks them of a surface.

        The radius is the distance of the farthest surface point, the deviation what the nearest face plane
        falls short
        of it.
        """
        point = vector3("radius_about", "center", center)
        farthest, nearest = self._reach(point)
        return farthest, farthest - nearest

    @abstractmethod
    def _reach(self, point: Array) -> tuple[float, float]:
        """Return the distances of the farthest surface point and of the nearest face plane."""

    def _set(self, solid: bool, mass: MassProperties, data: _kernel.ShapeData) -> None:
        self.solid = solid
        self.volume = mass.volume
        self.mass_center = mass.center
        self.unit_inertia_tensor = mass.unit_inertia
        for array in (self.mass_center, self.unit_inertia_tensor):
            array.flags.writeable = False
        self._data = data


class Ball(Shape):
    """A ball about the origin of the shape.

    Args:
        radius: m.
    """

    def __init__(self, radius: float) -> None:
        self.radius = size("Ball", "radius", radius)
        r = self.radius
        mass = MassProperties(4.0 / 3.0 * math.pi * r**3, np.zeros(3), np.diag([0.4 * r * r] * 3))
        self._set(True, mass, _kernel.make_ball(r))

    def _reach(self, point: Array) -> tuple[float, float]:
        away = length_of(point)
        return away + self.radius, abs(self.radius - away) if away > 0.0 else self.radius

    def __repr__(self) -> str:
        return f"Ball({self.radius!r})"


class Box(Shape):
    """A box about the origin of the shape.

    Args:
        half_extents: (3,) half of the length along each axis [m].
    """

    def __init__(self, half_extents: ArrayLike) -> None:
        half = vector3("Box", "half_extents", half_extents)
        for value in half:
            size("Box", "half_extents", value)
        self.half_extents = half
        half.flags.writeable = False
        squares = half**2
        inertia = np.diag([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]]) / 3.0
        mass = MassProperties(8.0 * float(half.prod()), np.zeros(3), inertia)
        self._set(True, mass, _kernel.make_box(half.tolist(), 0.5 * CORE_SHARE * float(half.min())))

    def _reach(self, point: Array) -> tuple[float, float]:
        nearest = np.abs(np.concatenate([self.half_extents - point, self.half_extents + point])).min()
        return length_of(self.half_extents + np.abs(point)), float(nearest)

    def __repr__(self) -> str:
        return f"Box({tuple(self.half_extents.tolist())!r})"


class Capsule(Shape):
    """A cylinder with half a ball on each end, along local Y.

    Args:
        radius: m.
        half_length: half of the distance between the centres of the two ends [m].
    """

    def __init__(self, radius: float, half_length: float) -> None:
        self.radius = r = size("Capsule", "radius", radius)
        self.half_length = h = size("Capsule", "half_length", half_length)
        tube, ends = 2.0 * math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
        along = tube * 0.5 * r * r + ends * 0.4 * r * r
        # Each half ball's centre lies 3/8 r beyond the end of the tube; about it, its cross inertia is
        # 83/320 m r^2.
        across = tube * (0.25 * r * r + h * h / 3.0) + ends * (83.0 / 320.0 * r * r + (h + 0.375 * r) ** 2)
        volume = tube + ends
        mass = MassProperties(volume, np.zeros(3), np.diag([across, along, across]) / volume)
        self._set(True, mass, _kernel.make_capsule(r, h))

    def _reach(self, point: Array) -> tuple[float, float]:
        h = self.half_length
        ends = max(length_of(point - (0.0, h, 0.0)), length_of(point - (0.0, -h, 0.0)))
        axis = length_of(point - (0.0, min(max(point[1], -h), h), 0.0))
        return ends + self.radius, abs(self.radius - axis)

    def __repr__(self) -> str:
        return f"Capsule({self.radius!r}, {self.half_length!r})"


class Cylinder(Shape):
    """A cylinder about the origin of the shape, along local Y.

    Args:
        radius: m.
        half_length: half of the distance between the two flat ends [m].
    """

    def __init__(self, radius: float, half_length: float) -> None:
        self.radius = r = size("Cylinder", "radius", radius)
        self.half_length = h = size("Cylinder", "half_length", half_length)
        across = 0.25 * r * r + h * h / 3.0
        mass = MassProperties(2.0 * math.pi * r * r * h, np.zeros(3), np.diag([across, 0.5 * r * r, across]))
        self._set(True, mass, _kernel.make_cylinder(r, h, 0.75 * CORE_SHARE * min(r, h)))

    def _reach(self, point: Array) -> tuple[float, float]:
        away = math.hypot(point[0], point[2])
        farthest = math.hypot(away + self.radius, abs(point[1]) + self.half_length)
        return farthest, min(abs(self.radius - away), abs(self.half_length - abs(point[1])))

    def __repr__(self) -> str:
        return f"Cylinder({self.radius!r}, {self.half_length!r})"


class ConvexHull(Shape):
    """The convex hull of points, coplanar triangles merged into polygons.

    Args:
        points: (n, 3) with n >= 4, spanning a volume [m].

    Attributes:
        vertices: (m, 3) the corners.
        faces: loops of corner numbers, counter-clockwise from outside.

    Raises:
        PhysicsError: too few points, a coordinate that is not finite, or points in one plane, line or place.
    """

    def __init__(self, points: ArrayLike) -> None:
        array = checked_points("ConvexHull", "points", points, 4)
        extent = float((array.max(axis=0) - array.min(axis=0)).max())
        if extent < SMALLEST:
            raise PhysicsError(
                f"ConvexHull: {len(array)} points that span a volume expected, extent {extent:g} m"
            )
        self._hull: Hull = convex_hull(array)
        hull = self._hull
        self.vertices = hull.vertices
        self.faces = [tuple(loop) for loop in hull.faces]
        self.vertices.flags.writeable = False
        starts = np.cumsum([0] + [len(loop) for loop in hull.faces]).astype(np.int32)
        index = np.concatenate([np.array(loop, dtype=np.int32) for loop in hull.faces])
        inner = float((hull.planes[:, 3] - hull.planes[:, :3] @ hull.mass.center).min())
        data = _kernel.make_hull(
            hull.vertices.copy(),
            np.ascontiguousarray(hull.core),
            np.ascontiguousarray(hull.planes),
            starts,
            index,
            hull.edges,
            hull.core_radius,
            hull.mass.center.tolist(),
            inner,
        )
        self._set(True, hull.mass, data)

    def _reach(self, point: Array) -> tuple[float, float]:
        farthest = np.sqrt(((self.vertices - point) ** 2).sum(axis=1).max())
        planes = self._hull.planes
        return float(farthest), float(np.abs(planes[:, 3] - planes[:, :3] @ point).min())

    def __repr__(self) -> str:
        return f"ConvexHull(<{len(self.vertices)} corners>)"


class TriangleMesh(Shape):
    """A surface of triangles, for fixed bodies. Both sides of a triangle collide.

    Equal vertices are welded; triangles without area and doubles are left out of collision (their numbers
    stay free).

    Args:
        vertices: (n, 3) [m].
        triangles: (m, 3) vertex numbers, counter-clockwise from the front.
        materials: the mesh's own materials; None: the body's material everywhere.
        material_ids: (m,) number into `materials` for each triangle.

    Attributes:
        vertices, triangles: the welded arrays as collision uses them.
        original: (k,) for each used triangle its number in the given array.
        closed: True when the surface bounds a solid; volume, centre and inertia are then that solid's.

    Raises:
        PhysicsError: wrong shapes, numbers outside, coordinates that are not finite, or no triangle with an
        area.
    """

    materials: tuple[Material, ...]

    def __init__(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        materials: Sequence[Material] | None = None,
        material_ids: ArrayLike | None = None,
    ) -> None:
        points = checked_points("TriangleMesh", "vertices", vertices, 3)
        corners = triangle_corners(triangles, len(points))
        ids = checked_ids("TriangleMesh", materials, material_ids, len(corners))
        self._load(_mesh.prepare(points, corners, ids), materials)

    def _load(self, arrays: _mesh.MeshArrays, materials: Sequence[Material] | None) -> None:
        self._arrays = arrays
        self.materials = tuple(materials or ())
        self.vertices, self.triangles, self.original = arrays.vertices, arrays.triangles, arrays.original
        lo, hi = arrays.vertices.min(axis=0), arrays.vertices.max(axis=0)
        data = _kernel.make_mesh(
            arrays.vertices,
            arrays.triangles,
            arrays.neighbours,
            arrays.planes,
            arrays.original,
            arrays.materials if self.materials else np.full(len(arrays.materials), -1, np.int32),
            arrays.nodes,
            lo.tolist(),
            hi.tolist(),
        )
        self.solid = False
        self._data = data

    # Figures that only some ask for, computed when they do: a level's meshes load without them.

    @cached_property
    def closed(self) -> bool:
        """True when the surface bounds a solid; volume, centre and inertia are then that solid's."""
        return _mesh.closed(self._arrays)

    @cached_property
    def _mass(self) -> MassProperties:
        if self.closed:
            return polyhedron_mass(self._arrays.vertices, self._arrays.triangles)
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))

    @property
    def volume(self) -> float:  # type: ignore[override]
        """m^3; 0 for an open surface."""
        return self._mass.volume

    @property
    def mass_center(self) -> Array:  # type: ignore[override]
        """(3,) centre of volume; 0 for an open surface."""
        return self._mass.center.copy()

    @property
    def unit_inertia_tensor(self) -> Array:  # type: ignore[override]
        """(3, 3) for unit mass about the centre; 0 for an open surface."""
        return self._mass.unit_inertia.copy()

    @cached_property
    def _fingerprint(self) -> int:
        """Return 64 bits of what collision reads, for digests."""
        from hashlib import blake2b  # here: it costs a tenth of the import of the package

        hashed = blake2b(type(self).__name__.encode(), digest_size=8)
        for array in (self._arrays.vertices, self._arrays.triangles, self._arrays.materials):
            hashed.update(array.data)
        return int.from_bytes(hashed.digest(), "little")

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that collision uses, ready for a file; `from_arrays` takes them back without
        building."""
        return {name: getattr(self._arrays, name) for name in _mesh.FIELDS}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], materials: Sequence[Material] | None = None
    ) -> TriangleMesh:
        """Return a mesh that uses the given arrays of `to_arrays` in place; they may be read-only and mapped.

        Raises:
            PhysicsError: a field is missing, has another type or shape, or an index leads outside.
        """
        loaded = _mesh.check_arrays(arrays)
        if materials is not None and loaded.materials.max() >= len(materials):
            raise PhysicsError(
                f"TriangleMesh.from_arrays: {len(materials)} materials, number {loaded.materials.max()} used"
            )
        shape = cls.__new__(cls)
        shape._load(loaded, materials)
        return shape

    def _reach(self, point: Array) -> tuple[float, float]:
        farthest = np.sqrt(((self.vertices - point) ** 2).sum(axis=1).max())
        planes = self._arrays.planes
        return float(farthest), float(np.abs(planes[:, 3] - planes[:, :3] @ point).min())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<{len(self.triangles)} triangles>)"


class HeightField(TriangleMesh):
    """A regular grid of heights, for fixed bodies: sample (row, column) stands at (column, height, row)
    cells.

    Each cell is two triangles, numbered 2 c and 2 c + 1 for cell c = row * (columns - 1) + column, that
    share the
    diagonal from the cell's first sample. The front looks up (+Y).

    Args:
        heights: (rows, columns) with at least 2 x 2 samples [m]; rows run along +Z, columns along +X.
        cell_size: distance between samples, one number or (along X, along Z) [m].
        materials, material_ids: as of TriangleMesh; one number a cell, (rows - 1, columns - 1).
        holes: (rows - 1, columns - 1) bool, cells to leave out.

    Raises:
        PhysicsError: wrong shapes or numbers.
    """

    def __init__(
        self,
        heights: ArrayLike,
        cell_size: float | tuple[float, float],
        materials: Sequence[Material] | None = None,
        material_ids: ArrayLike | None = None,
        holes: ArrayLike | None = None,
    ) -> None:
        grid = floats("HeightField", "heights", heights)
        if grid.ndim != 2 or min(grid.shape) < 2:
            raise PhysicsError(f"HeightField: heights must be (rows, columns) of 2 or more, not {grid.shape}")
        check_finite("HeightField", "heights", grid)
        sizes = cell_size if isinstance(cell_size, (tuple, list)) else (cell_size, cell_size)
        if len(sizes) != 2:
            raise PhysicsError(f"HeightField: cell_size must be one or two numbers, not {cell_size!r}")
        self.cell_size = (
            size("HeightField", "cell_size", sizes[0]),
            size("HeightField", "cell_size", sizes[1]),
        )
        self.heights = grid
        grid.flags.writeable = False
        rows, columns = grid.shape
        z, x = np.meshgrid(
            np.arange(rows) * self.cell_size[1], np.arange(columns) * self.cell_size[0], indexing="ij"
        )
        points = np.stack([x, grid, z], axis=-1).reshape(-1, 3)
        corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
        first = np.stack([corner, corner + columns, corner + columns + 1], axis=1)
        second = np.stack([corner, corner + columns + 1, corner + 1], axis=1)
        triangles = np.stack([first, second], axis=1).reshape(-1, 3)
        ids = checked_ids("HeightField", materials, material_ids, len(corner))
        keep = np.ones(len(corner), bool) if holes is None else ~np.asarray(holes, dtype=bool).reshape(-1)
        if len(keep) != len(corner) or not keep.any():
            raise PhysicsError(f"HeightField: holes must be {(rows - 1, columns - 1)} and leave a cell")
        # A hole becomes two lines, which preparing drops, so that the numbers of the others stay.
        triangles[np.repeat(~keep, 2)] = 0
        arrays = _mesh.prepare(points, triangles.astype(np.int32), None if ids is None else np.repeat(ids, 2))
        self._load(arrays, materials)


class Plane(Shape):
    """The half space where normal · x < offset, for fixed bodies: an endless floor or wall.

    Args:
        normal: (3,) outward direction, any length but zero.
        offset: distance of the surface from the origin along the unit normal [m].
    """

    def __init__(self, normal: ArrayLike, offset: float) -> None:
        direction = vector3("Plane", "normal", normal)
        length = length_of(direction)
        if length < 1e-12:
            raise PhysicsError(f"Plane: normal must have a direction, not {direction.tolist()}")
        if not math.isfinite(offset):
            raise PhysicsError(f"Plane: offset must be a finite number, not {offset!r}")
        self.normal = direction / length
        self.normal.flags.writeable = False
        self.offset = float(offset)
        mass = MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
        self._set(False, mass, _kernel.make_plane(self.normal.tolist(), self.offset))

    def _reach(self, point: Array) -> tuple[float, float]:
        return LARGEST, abs(self.offset - float(self.normal @ point))

    def __repr__(self) -> str:
        return f"Plane({tuple(self.normal.tolist())!r}, {self.offset!r})"


class Compound(Shape):
    """Several shapes as one; compounds in it are taken apart. Where parts overlap, mass counts twice.

    Args:
        parts: (shape, position, rotation) each: (3,) in the compound's axes [m] and a quaternion x y z w.
        The part
            number in contacts and hits is the place in this list.

    Attributes:
        parts: the list as given, positions and rotations as arrays.

    Raises:
        PhysicsError: no part, a position that is not finite, or a quaternion of length zero.
    """

    _leaves: tuple[tuple[Shape, Array, Array, int], ...]

    def __init__(self, parts: Sequence[tuple[Shape, ArrayLike, ArrayLike]]) -> None:
        if len(parts) == 0:
            raise PhysicsError("Compound: at least one part expected, none found")
        checked: list[tuple[Shape, Array, Array]] = []
        for number, part in enumerate(parts):
            if len(part) != 3 or not isinstance(part[0], Shape):
                raise PhysicsError(
                    f"Compound: part {number} must be (shape, position, rotation), not {part!r}"
                )
            position = vector3("Compound", f"position of part {number}", part[1])
            checked.append((part[0], position, quaternion("Compound", f"rotation of part {number}", part[2])))
        self.parts = tuple(checked)
        leaves: list[tuple[Shape, Array, Array, int]] = []
        for number, (shape, position, rotation) in enumerate(checked):
            matrix = rotation_matrix(rotation)
            if isinstance(shape, Compound):
                leaves.extend(
                    (leaf, matrix @ p + position, matrix @ r, number) for leaf, p, r, _ in shape._leaves
                )
            else:
                leaves.append((shape, position, matrix, number))
        boxes = [_turned_bounds(shape.bounds, r, p) for shape, p, r, _ in leaves]
        lo, hi = np.array([b[0] for b in boxes]), np.array([b[1] for b in boxes])
        order, nodes = build(*_mesh.round_outwards(lo, hi))
        self._leaves = tuple(leaves[i] for i in order)
        mass = self._mass()
        data = _kernel.make_compound(
            [shape._data for shape, _, _, _ in self._leaves],
            [r.reshape(9).tolist() for _, _, r, _ in self._leaves],
            [p.tolist() for _, p, _, _ in self._leaves],
            np.array([number for _, _, _, number in self._leaves], dtype=np.int32),
            nodes,
            lo.min(axis=0).tolist(),
            hi.max(axis=0).tolist(),
            mass.center.tolist(),
        )
        self._set(all(shape.solid for shape, _, _, _ in leaves), mass, data)

    def _mass(self) -> MassProperties:
        """Sum the parts' volumes, each with its parallel-axis share."""
        volume = sum(shape.volume for shape, _, _, _ in self._leaves)
        if not volume > 0.0:
            return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
        centers = [r @ shape.mass_center + p for shape, p, r, _ in self._leaves]
        weights = [shape.volume / volume for shape, _, _, _ in self._leaves]
        center = np.asarray(sum(w * c for w, c in zip(weights, centers, strict=True)))
        inertia = np.zeros((3, 3))
        for (shape, _, r, _), weight, c in zip(self._leaves, weights, centers, strict=True):
            away = c - center
            inertia += weight * (
                r @ shape.unit_inertia_tensor @ r.T + (away @ away) * np.eye(3) - np.outer(away, away)
            )
        return MassProperties(float(volume), center, 0.5 * (inertia + inertia.T))

    def _reach(self, point: Array) -> tuple[float, float]:
        reaches = [shape._reach(r.T @ (point - p)) for shape, p, r, _ in self._leaves]
        return max(far for far, _ in reaches), min(near for _, near in reaches)

    def __repr__(self) -> str:
        return f"Compound(<{len(self.parts)} parts>)"


def rotation_matrix(quaternion: Array) -> Array:
    """Return the matrix (3, 3) of a unit quaternion x y z w (ivp 3)."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def hull_fan(shape: ConvexHull) -> NDArray[np.int32]:
    """Return the triangles (m, 3) of a hull's faces, for drawing."""
    return fan([list(loop) for loop in shape.faces])


def _turned_bounds(bounds: Array, rotation: Array, position: Array) -> tuple[Array, Array]:
    middle, half = 0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[1] - bounds[0])
    center, reach = rotation @ middle + position, np.abs(rotation) @ half
    return center - reach, center + reach
