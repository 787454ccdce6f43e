"""The lit triangles of a level on the GPU: what stands still in one buffer, what moves in one instance
each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assets_pipeline.level_bodies import BoxShape
from assets_pipeline.vectors import matrix_of
from game.render.mesh import PATTERNS, VERTEX, VERTEX_ATTRIBUTES, VERTEX_FORMAT, VertexArray, packed_normals
from game.render.props import crate_vertices, is_crate

if TYPE_CHECKING:
    from assets_pipeline.level_bodies import RenderMesh, Surface
    from game.render.scene import DrawnLevel, FloatArray, Scene

INSTANCE_FORMAT = "3f4 4f4/i"
INSTANCE_ATTRIBUTES = ("instance_position", "instance_rotation")
POST_COLOUR = (70, 66, 72)
STANDING = np.array([[0, 0, 0, 0, 0, 0, 1]], np.float32)  # one instance, where its vertices say

# Patterns by the surface's name, else by the family of its sound.
NAMED_PATTERNS = {"wall": "stone", "rock": "plain", "warning": "stripes", "plate": "stripes", "lamp": "glow"}
SOUND_PATTERNS = {"stone": "tiles", "wood": "planks", "grass": "grass", "sand": "grass", "water": "water"}


def surface_pattern(surface: Surface) -> int:
    """Return the number of the pattern that a surface is drawn with."""
    by_name = NAMED_PATTERNS.get(surface.name.lower())
    if by_name is None and surface.name.lower() in PATTERNS:
        by_name = surface.name.lower()
    return PATTERNS[by_name if by_name is not None else SOUND_PATTERNS.get(surface.sound.lower(), "plain")]


def mesh_vertices(mesh: RenderMesh, patterns: npt.NDArray[np.uint8]) -> VertexArray:
    """Return a level mesh as vertices of dtype VERTEX; `patterns` holds the number for each surface index."""
    out = np.zeros((len(mesh.surfaces), 3), VERTEX)
    out["position"] = mesh.positions.reshape(-1, 3, 3)
    out["normal"][..., :3] = packed_normals(mesh.normals.reshape(-1, 3, 3))
    out["colour"][..., :3] = mesh.colours[:, None]
    numbers = patterns[mesh.surfaces]
    # Of a lamp only the round glows; its post is dark.
    post = (numbers == PATTERNS["glow"]) & (np.ptp(mesh.normals.reshape(-1, 3, 3), axis=1).max(axis=1) < 1e-3)
    out["colour"][..., 3] = np.where(post, PATTERNS["plain"], numbers)[:, None]
    out["colour"][post, :, :3] = POST_COLOUR
    return out.reshape(-1)


def placed(vertices: VertexArray, position: Iterable[float], rotation: Iterable[float]) -> VertexArray:
    """Return a copy of `vertices` turned by a quaternion and moved."""
    matrix = matrix_of(list(rotation))
    out = vertices.copy()
    out["position"] = vertices["position"] @ matrix.T + np.asarray(list(position))
    out["normal"][:, :3] = packed_normals((vertices["normal"][:, :3] - 128.0) / 127.0 @ matrix.T)
    return out


class Batch:
    """One mesh on the GPU with its instances, drawable by the solid and by the shadow program."""

    def __init__(
        self, context: Any, programs: tuple[Any, Any], vertices: VertexArray, instances: int = 1
    ) -> None:
        self.context = context
        self.count = 0
        self.capacity = max(instances, 1)
        self.vertices = context.buffer(vertices.tobytes())
        self.instances = context.buffer(reserve=self.capacity * 28)
        solid, shadow = programs
        moved = (self.instances, INSTANCE_FORMAT, *INSTANCE_ATTRIBUTES)
        self.arrays = (
            context.vertex_array(solid, [(self.vertices, VERTEX_FORMAT, *VERTEX_ATTRIBUTES), moved]),
            context.vertex_array(shadow, [(self.vertices, "3f4 8x", "in_position"), moved]),
        )

    def place(self, instances: npt.NDArray[np.float32]) -> None:
        """Set where the instances are: (n, 7) float32, position and quaternion; n at most the capacity."""
        self.count = len(instances)
        if self.count:
            self.instances.write(np.ascontiguousarray(instances, np.float32).tobytes())

    def draw(self, shadow: bool = False) -> None:
        """Draw all instances, in colour or (in the shadow pass) in depth."""
        if self.count:
            self.arrays[shadow].render(instances=self.count)

    def release(self) -> None:
        """Give the buffers back."""
        for thing in (*self.arrays, self.vertices, self.instances):
            thing.release()


class Solids:
    """All meshes of a level but the terrain."""

    def __init__(self, context: Any, programs: tuple[Any, Any], level: DrawnLevel) -> None:
        self.patterns = np.array([surface_pattern(surface) for surface in level.surfaces] or [0], np.uint8)
        self._level = level
        self._meshes = [mesh_vertices(mesh, self.patterns) for mesh in level.meshes]
        self._dress(level)
        movable = {plate.static for plate in level.plates if plate.static}
        standing, self._loose = [], []
        for row, static in enumerate(level.statics):
            if static.mesh < 0:
                continue
            if static.name in movable:
                batch = Batch(context, programs, self._meshes[static.mesh])
                self._loose.append((row, batch))
            else:
                standing.append(placed(self._meshes[static.mesh], static.position, static.rotation))
        self.standing: Batch | None = None
        if standing:
            self.standing = Batch(context, programs, np.concatenate(standing))
            self.standing.place(STANDING)
        self._context, self._programs = context, programs
        self._moving: dict[int, Batch] = {}
        self._rows: dict[int, npt.NDArray[np.int64]] = {}
        self._grouped: tuple[frozenset[int], dict[int, int]] | None = None

    def _dress(self, level: DrawnLevel) -> None:
        """Choose the mesh of each moving body: its own, or a crate for chunky boxes of wood."""
        self._mesh_of_row = [body.mesh for body in level.bodies]
        crates: dict[tuple[float, ...], int] = {}
        for row, body in enumerate(level.bodies):
            shape, surface = body.shape, level.surfaces[body.surface]
            if body.mesh < 0 or surface.sound != "wood" or not isinstance(shape, BoxShape):
                continue
            if is_crate(shape.half_extents):
                key = (*shape.half_extents, *surface.colour)
                if key not in crates:
                    crates[key] = len(self._meshes)
                    colour = np.array(surface.colour) * 255.0
                    self._meshes.append(crate_vertices(shape.half_extents, colour))
                self._mesh_of_row[row] = crates[key]

    def _group(self, hidden: frozenset[int], other: Mapping[int, int]) -> None:
        """Sort the rows of moving bodies by the mesh that draws them."""
        by_mesh: dict[int, list[int]] = {}
        for row, own in enumerate(self._mesh_of_row):
            mesh = other.get(row, own)
            if mesh >= 0 and row not in hidden:
                by_mesh.setdefault(mesh, []).append(row)
        self._rows = {mesh: np.array(rows, np.int64) for mesh, rows in by_mesh.items()}
        for mesh, rows in by_mesh.items():
            batch = self._moving.get(mesh)
            if batch is None or batch.capacity < len(rows):
                if batch is not None:
                    batch.release()
                self._moving[mesh] = Batch(self._context, self._programs, self._meshes[mesh], len(rows))
        self._grouped = (hidden, dict(other))

    def place(self, scene: Scene) -> None:
        """Take the poses of `scene`: moving bodies, and statics that are pressed down."""
        if self._grouped != (scene.hidden_bodies, scene.body_meshes):
            self._group(scene.hidden_bodies, scene.body_meshes)
        poses = instance_poses(scene.body_positions, scene.body_rotations)
        for mesh, batch in self._moving.items():
            rows = self._rows.get(mesh)
            batch.place(poses[rows[rows < len(poses)]] if rows is not None else poses[:0])
        for row, batch in self._loose:
            static = self._level.statics[row]
            offset = scene.static_offsets.get(row, (0.0, 0.0, 0.0))
            position = np.add(static.position, offset)
            batch.place(np.concatenate((position, static.rotation)).astype(np.float32)[None])

    def draw(self, shadow: bool = False) -> None:
        """Draw everything, in colour or in depth."""
        if self.standing is not None:
            self.standing.draw(shadow)
        for _, batch in self._loose:
            batch.draw(shadow)
        for batch in self._moving.values():
            batch.draw(shadow)

    @property
    def triangles(self) -> int:
        """How many triangles one `draw` sends."""
        batches = [batch for _, batch in self._loose] + list(self._moving.values())
        if self.standing is not None:
            batches.append(self.standing)
        return sum(batch.vertices.size // VERTEX.itemsize // 3 * batch.count for batch in batches)

    def release(self) -> None:
        """Give the buffers back."""
        for batch in ([self.standing] if self.standing else []) + [b for _, b in self._loose]:
            batch.release()
        for batch in self._moving.values():
            batch.release()


def instance_poses(positions: FloatArray, rotations: FloatArray) -> npt.NDArray[np.float32]:
    """Return positions (n, 3) and quaternions (n, 4) as one float32 array (n, 7)."""
    out = np.empty((len(positions), 7), np.float32)
    out[:, :3] = positions
    out[:, 3:] = rotations
    return out
