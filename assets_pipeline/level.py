"""Level: the runtime level, one file that game, renderer and session read and nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assets_pipeline.errors import LevelError
from assets_pipeline.level_bodies import Body, Joint, MeshShape, RenderMesh, Spring, Static, Surface
from assets_pipeline.level_file import read_tree, tree_bytes, write_tree
from assets_pipeline.level_ground import ActorData, MovementData, Terrain
from assets_pipeline.level_play import (
    Checkpoint,
    Course,
    Marker,
    Mover,
    Objective,
    Plate,
    Sky,
    Swing,
    Trigger,
    Water,
)

FORMAT_VERSION = 2  # raise it with every change of a dataclass of the level: older files are then built again
MAP_UNITS_A_METRE = 64.0


@dataclass(frozen=True, eq=False)
class Level:
    """A level, ready to run: every array is what its user takes, nothing is computed at load.

    Where a field is an index, it points into the tuple of that name here; where it is a name, names are
    unique among what they name. `load` checks both.

    Attributes:
        format_version: `FORMAT_VERSION` of the program that wrote it.
        name: short name, as in file names: `demo`.
        title: as shown to the player.
        sources: file name -> SHA-256 of each source, in hex.
        origin: map units: the point that is the world's origin.
        scale: map units a metre. `world = ((x - ox) / scale, -(y - oy) / scale, -(z - oz) / scale)`.
        gravity: m/s^2, world axes.
        surfaces: what things are made of.
        meshes: what is drawn.
        statics: fixed bodies; the terrain is one of them.
        bodies: moving bodies.
        joints: between bodies.
        springs: between bodies.
        movement: models that walking collides with.
        terrain: the ground.
        actor: the player's definition.
        markers: places to enter at; the player enters at `spawn`.
        spawn: name of that marker.
        triggers: volumes.
        objectives: in the order they are shown.
        checkpoints: where one comes back to.
        movers: lifts and gates.
        swings: hammers.
        plates: weight plates.
        waters: for floating.
        course: the ball course.
        sky: light.
        notes: what the build could not use or had to change, one line each; never empty silently.
    """

    format_version: int
    name: str
    title: str
    sources: dict[str, str]
    origin: tuple[int, int, int]
    scale: float
    gravity: tuple[float, float, float]
    surfaces: tuple[Surface, ...]
    meshes: tuple[RenderMesh, ...]
    statics: tuple[Static, ...]
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    springs: tuple[Spring, ...]
    movement: MovementData
    terrain: Terrain
    actor: ActorData
    markers: tuple[Marker, ...]
    spawn: str
    triggers: tuple[Trigger, ...]
    objectives: tuple[Objective, ...]
    checkpoints: tuple[Checkpoint, ...]
    movers: tuple[Mover, ...]
    swings: tuple[Swing, ...]
    plates: tuple[Plate, ...]
    waters: tuple[Water, ...]
    course: Course
    sky: Sky
    notes: tuple[str, ...]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the level to `path`: under a temporary name first, then renamed.

        Raises:
            LevelError: a field holds what it may not; nothing is written then.
            OSError: the folder can't be written.
        """
        self.check()
        write_tree(path, self)

    def to_bytes(self) -> bytes:
        """Return the bytes that `save` writes: the same level gives the same bytes."""
        self.check()
        return tree_bytes(self)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Level:
        """Return the level in the file at `path`; its arrays are read-only views of the mapped file.

        Raises:
            LevelError: the file is missing, damaged, of another format version, or its parts do not fit.
        """
        level = read_tree(path, Level, format_version=FORMAT_VERSION)
        try:
            level.check()
        except LevelError as error:
            raise LevelError(f"{Path(path)}: {error}") from error
        return level

    def check(self) -> None:
        """Raise LevelError where a name or an index leads nowhere, or a name is there twice."""
        _check(self)

    def marker(self, name: str) -> Marker:
        """Return the marker called `name`; LevelError where there is none."""
        for marker in self.markers:
            if marker.name == name:
                return marker
        names = ", ".join(marker.name for marker in self.markers)
        raise LevelError(f"marker {name!r}: expected one of {names}")

    def to_world(self, position: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return the point in metres, world axes, of a point in map units."""
        x, y, z = position
        return (
            (x - self.origin[0]) / self.scale,
            -(y - self.origin[1]) / self.scale,
            -(z - self.origin[2]) / self.scale,
        )

    def to_map(self, position: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return the point in map units of a point in metres, world axes."""
        x, y, z = position
        return (
            x * self.scale + self.origin[0],
            -y * self.scale + self.origin[1],
            -z * self.scale + self.origin[2],
        )


def _unique(kind: str, names: list[str]) -> set[str]:
    """Return the names as a set; LevelError where one is there twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise LevelError(f"{kind} {name!r}: there twice")
        seen.add(name)
    return seen


def _known(where: str, name: str, known: set[str]) -> None:
    """Raise LevelError unless `name` is among `known`."""
    if name not in known:
        raise LevelError(f"{where}: nothing is called {name!r}")


def _below(where: str, index: int, count: int, lowest: int = 0) -> None:
    """Raise LevelError unless `lowest <= index < count`."""
    if not lowest <= index < count:
        raise LevelError(f"{where}: expected an index from {lowest} to {count - 1}, found {index}")


def _check(level: Level) -> None:
    """Check every name and index of `level`."""
    _unique("surface", [surface.name for surface in level.surfaces])
    statics = {static.name for static in level.statics}
    moving = {body.name for body in level.bodies}
    solids = _unique("body", [static.name for static in level.statics] + [body.name for body in level.bodies])
    markers = _unique("marker", [marker.name for marker in level.markers])
    triggers = _unique("trigger", [trigger.name for trigger in level.triggers])
    objectives = _unique("objective", [objective.name for objective in level.objectives])
    checkpoints = _unique("checkpoint", [checkpoint.name for checkpoint in level.checkpoints])
    plates = {plate.name for plate in level.plates}
    devices: tuple[Mover | Swing | Plate, ...] = (*level.movers, *level.swings, *level.plates)
    _unique("device", [device.name for device in devices])
    _unique("joint", [joint.name for joint in level.joints] + [spring.name for spring in level.springs])
    kinds = _unique("ball kind", [kind.name for kind in level.course.kinds])
    _check_geometry(level)
    for owner in filter(None, level.movement.placements.owners):
        _known("movement placements, owners", owner, solids)
    _below("terrain, cell surfaces", int(level.terrain.cell_surfaces.max()), len(level.surfaces))
    if level.terrain.static:
        _known("terrain, static", level.terrain.static, statics)
    joints: tuple[Joint | Spring, ...] = (*level.joints, *level.springs)
    for joint in joints:
        _known(f"joint {joint.name!r}, a", joint.a, moving)
        if joint.b:
            _known(f"joint {joint.name!r}, b", joint.b, solids)
    _known("spawn", level.spawn, markers)
    for trigger in level.triggers:
        watched = trigger.watches
        if watched not in ("player", "ball", "any") and not watched.startswith("#"):
            _known(f"trigger {trigger.name!r}, watches", watched, moving)
        if trigger.action == "checkpoint":
            _known(f"trigger {trigger.name!r}, target", trigger.target, checkpoints)
        if trigger.action == "change":
            _known(f"trigger {trigger.name!r}, target", trigger.target, kinds)
    for objective in level.objectives:
        _known(f"objective {objective.name!r}, trigger", objective.trigger, triggers)
        for name in objective.bodies:
            _known(f"objective {objective.name!r}, bodies", name, moving)
        if objective.after:
            _known(f"objective {objective.name!r}, after", objective.after, objectives)
    for checkpoint in level.checkpoints:
        _known(f"checkpoint {checkpoint.name!r}, trigger", checkpoint.trigger, triggers)
        _known(f"checkpoint {checkpoint.name!r}, marker", checkpoint.marker, markers)
        if checkpoint.ball_kind:
            _known(f"checkpoint {checkpoint.name!r}, ball kind", checkpoint.ball_kind, kinds)
    for plate in level.plates:
        _known(f"plate {plate.name!r}, trigger", plate.trigger, triggers)
        if plate.static:
            _known(f"plate {plate.name!r}, static", plate.static, statics)
    kinematic = {body.name for body in level.bodies if body.kinematic}
    carriers: tuple[Mover | Swing, ...] = (*level.movers, *level.swings)
    for device in carriers:
        _known(f"device {device.name!r}, kinematic body", device.body, kinematic)
    for mover in level.movers:
        if mover.plate:
            _known(f"mover {mover.name!r}, plate", mover.plate, plates)
        if len(mover.path) < 2:
            raise LevelError(f"mover {mover.name!r}: expected at least 2 waypoints, found {len(mover.path)}")
    if level.course.ball:
        _known("course, ball", level.course.ball, moving)
        _known("course, kind", level.course.kind, kinds)


def _check_geometry(level: Level) -> None:
    """Check the indices of meshes, statics, bodies, terrain and movement models."""
    surfaces, meshes = len(level.surfaces), len(level.meshes)
    for mesh in level.meshes:
        corners = len(mesh.surfaces) * 3
        if not len(mesh.positions) == len(mesh.normals) == corners == len(mesh.colours) * 3:
            raise LevelError(f"mesh {mesh.name!r}: its arrays differ in length")
        if len(mesh.surfaces):
            _below(f"mesh {mesh.name!r}, surfaces", int(mesh.surfaces.max()), surfaces)
    everything: tuple[Static | Body, ...] = (*level.statics, *level.bodies)
    for solid in everything:
        _below(f"{solid.name!r}, surface", solid.surface, surfaces)
        _below(f"{solid.name!r}, mesh", solid.mesh, meshes, lowest=-1)
        shape = solid.shape
        if isinstance(shape, MeshShape) and len(shape.triangles):
            _below(f"{solid.name!r}, triangles", int(shape.triangles.max()), len(shape.vertices))
            _below(f"{solid.name!r}, triangles", int(shape.triangles.min()), len(shape.vertices))
            _below(f"{solid.name!r}, materials", int(shape.materials.max()), surfaces)
            _below(f"{solid.name!r}, materials", int(shape.materials.min()), surfaces)
            if len(shape.materials) != len(shape.triangles):
                raise LevelError(
                    f"{solid.name!r}: {len(shape.triangles)} triangles, {len(shape.materials)} materials"
                )
    for kind in level.course.kinds:
        _below(f"ball kind {kind.name!r}, surface", kind.surface, surfaces)
        _below(f"ball kind {kind.name!r}, mesh", kind.mesh, meshes, lowest=-1)
    placements = level.movement.placements
    columns = (
        placements.positions,
        placements.rotations,
        placements.flags,
        placements.moving,
        placements.owners,
    )
    if any(len(column) != len(placements.models) for column in columns):
        raise LevelError("movement placements: their arrays differ in length")
    if len(placements.models):
        _below("movement placements, models", int(placements.models.max()), len(level.movement.models))
        _below("movement placements, models", int(placements.models.min()), len(level.movement.models))
    for model in level.movement.models:
        for what, counts, items, limit in (
            ("faces", model.face_sizes, model.face_vertices, len(model.vertices)),
            ("sub-objects", model.sub_face_counts, model.sub_faces, len(model.face_sizes)),
        ):
            if counts.sum(dtype=np.int64) != len(items):
                raise LevelError(f"movement model {model.name!r}: the sizes of its {what} do not add up")
            if len(items):
                _below(f"movement model {model.name!r}, {what}", int(items.max()), limit)
                _below(f"movement model {model.name!r}, {what}", int(items.min()), limit)
