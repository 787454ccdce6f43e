"""The collision world: placed models and terrain, and the queries that the player's rules ask of them."""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from movement.angles import ROTATION_TABLE
from movement.array_checks import integers
from movement.candidates import MAP_SIZE, Candidates
from movement.collision_arrays import TEXTURE_IMAGES, TEXTURE_SETS, Model, Placements, Terrain
from movement.contacts import Contact
from movement.errors import MovementError
from movement.kernel.models import ModelSet
from movement.kernel.placements import PlacementGrid
from movement.terrain import HeightField, TerrainSample
from movement.terrain_material import terrain_material, terrain_surface

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]
Sphere = tuple[float, float, float, float]  # centre x, y, z and radius, actor axes [map units]

UNLIMITED = 2**31 - 1
NEAR_LIMIT = 16  # searches kept: the queries of one update ask for the same few places
_LARGEST = float(np.finfo(np.float32).max)
_VIEW = struct.Struct("<iiq")  # camera cell and clock tick


class CollisionWorld:
    """What an actor can stand on and run into, built from plain arrays.

    Args:
        models: polygon models; `Model` lists its arrays. Models without sub-objects, and all of a version other
            than 5, give no contacts.
        placements: where they stand, in record order; `Placements` lists its arrays. None: nothing stands there.
        terrain: the height field; `Terrain` lists its maps. None: no terrain.
        surfaces: (512, 128) surface value of each texture set and image, as SURFACE.INI assigns them
            (0 unknown, 1 water, 2 deepwater, 3 scapewater, 4 scapedeepwater, 5 lava, 6 sand, 7 wood, 8 tile, 9 scape,
            10 rock, 11 gloop). None: all unknown.

    All positions are map units, +Y down; rows are placement indices in record order. The world is not for two
    threads at a time.

    Raises:
        MovementError: a placement names a model that is not there, or `surfaces` has another shape.

    Source: movement: Static collision list order to Segment contact with model faces.
    """

    def __init__(
        self,
        models: Iterable[Model] = (),
        placements: Placements | None = None,
        terrain: Terrain | None = None,
        surfaces: ArrayLike | None = None,
    ) -> None:
        self.models = tuple(models)
        self.placements = Placements.empty() if placements is None else placements
        bad = (self.placements.models < 0) | (self.placements.models >= len(self.models))
        if bad.any():
            row = int(np.argmax(bad))
            raise MovementError(
                f"placements: models[{row}]: need 0 to {len(self.models) - 1}, got {self.placements.models[row]}"
            )
        table = np.zeros((TEXTURE_SETS, TEXTURE_IMAGES), np.uint8) if surfaces is None else surfaces
        self.surfaces = integers("collision world", "surfaces", table, (TEXTURE_SETS, TEXTURE_IMAGES))
        self.terrain = terrain
        self.height_field = None if terrain is None else HeightField(terrain, ROTATION_TABLE)
        self._moved: set[int] = set()
        self.changes = 0  # how often placements have moved, been enabled or restored
        self._near: dict[
            tuple[tuple[int, int, int], float, int], Candidates
        ] = {}  # since placements last moved
        placed = self.placements
        self._moving = np.flatnonzero(placed.is_moving).astype(np.int32)
        self._grid = PlacementGrid(
            pack_models(self.models), placed.models, placed.positions, placed.rotations, placed.flags
        )

    @property
    def placement_count(self) -> int:
        """How many placements there are, enabled or not."""
        return self._grid.count

    # --- moving placements ---------------------------------------------------------------------------------------

    def begin_frame(self) -> None:
        """Start a frame: what moved before is now where it stands, and carries nobody."""
        for index in self._moved:
            self._grid.reset_previous(index)
        self._moved.clear()

    def set_placement(self, index: int, position: Vector, rotation: Matrix, travelled: bool = True) -> None:
        """Move a placement.

        Args:
            index: its row; it must have been declared as moving.
            position: new origin [map units].
            rotation: new matrix, three rows: `world = rotation @ local + position`.
            travelled: what stands on it is carried along, from its transform at `begin_frame`. False: it was put there.

        Raises:
            MovementError: there is no such moving placement, or a number is not finite.
        """
        self._check_moving(index)
        values = [float(value) for value in position] + [float(value) for row in rotation for value in row]
        if len(position) != 3 or len(values) != 12 or not all(abs(value) <= _LARGEST for value in values):
            raise MovementError(
                f"placement {index}: need a finite position (3,) and rotation (3, 3), got {values}"
            )
        self._change()
        self._grid.set_frame(index, values[:3], (values[3:6], values[6:9], values[9:12]))
        if travelled:
            self._moved.add(index)
        else:
            self._grid.reset_previous(index)

    def enable_placement(self, index: int, enabled: bool = True) -> None:
        """Take a moving placement out of every query, or put it back (a broken crate, an opened gate).

        Raises:
            MovementError: there is no such moving placement.
        """
        self._check_moving(index)
        self._change()
        self._grid.set_enabled(index, enabled)

    def placement_pose(self, index: int) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
        """Return position [map units] and rotation rows of a placement; raise MovementError if there is none."""
        self._check_index(index)
        return self._grid.frame(index)

    def carried_point(self, index: int, point: Vector) -> tuple[float, float, float]:
        """Return where a point that stood fast on a placement when the frame began is now [map units].

        Raises:
            MovementError: there is no such placement.
        """
        self._check_index(index)
        return self._grid.carried(index, point)

    def _change(self) -> None:
        self._near.clear()
        self.changes += 1

    def _check_index(self, index: int) -> None:
        if not 0 <= index < self.placement_count:
            raise MovementError(f"placement {index}: there are {self.placement_count} of them")

    def _check_moving(self, index: int) -> None:
        self._check_index(index)
        if not self.placements.is_moving[index]:
            raise MovementError(f"placement {index}: is static; declare it in Placements.moving")

    # --- queries ---------------------------------------------------------------------------------------------------

    def candidates(self, origin: tuple[int, int, int], radius: float, own: int = -1) -> Candidates:
        """Return the placements near an integer map position, in list order.

        Args:
            origin: query origin; its X and Z are also the window's centre [map units].
            radius: search radius [map units].
            own: placement to leave out: the actor's own model.

        Source: movement: Static collision list order, Model-distance candidate test, Static candidate list separation.
        """
        key = ((origin[0], origin[1], origin[2]), radius, own)
        near = self._near.get(key)
        if near is None:
            x, _, z = origin
            # Every centre off the map has the window of the map's edge.
            window_x, window_z = min(max(x, 0), MAP_SIZE - 1), min(max(z, 0), MAP_SIZE - 1)
            near = Candidates(*self._grid.candidates(window_x, window_z, origin, radius, own))
            if len(self._near) == NEAR_LIMIT:
                self._near.clear()
            self._near[key] = near
        return near

    def segment_contacts(
        self, placements: Sequence[int], start: Vector, end: Vector, sided: bool = True
    ) -> list[Contact]:
        """Return the contacts of a world segment, in candidate order and each model's contact order.

        Args:
            placements: candidates, such as `Candidates.face_models`.
            start: where rank 0 lies [map units].
            end: where rank 32768 lies [map units].
            sided: refuse faces that the start lies more than 4 map units behind.

        Source: movement: Segment model admission to Segment contact with model faces.
        """
        return [Contact._make(row) for row in self._grid.segment_contacts(placements, start, end, sided)]

    def sphere_contacts(
        self,
        placements: Sequence[int],
        origin: Vector,
        rotation: Matrix,
        spheres: Sequence[Sphere],
        sided: bool = True,
        limit: int = UNLIMITED,
    ) -> list[Contact]:
        """Return the contacts of an actor's spheres, in candidate order and each model's contact order.

        Args:
            placements: candidates, such as `Candidates.face_models`.
            origin: actor origin in whole map units.
            rotation: actor matrix, three rows; it turns the spheres' centres.
            spheres: centre x, y, z and radius of each, actor axes [map units].
            sided: refuse faces that a centre lies more than 4 map units behind.
            limit: stop after this many contacts in all (each model stops after 32).

        Source: movement: Sphere model admission, Collision face traversal, Sphere contact with model faces.
        """
        rows = self._grid.sphere_contacts(placements, origin, rotation, spheres, sided, limit)
        return [Contact._make(row) for row in rows]

    def terrain_sample(self, map_x: int, map_z: int) -> TerrainSample | None:
        """Return height and normal of the terrain at an integer map position, or None where there is none.

        Source: movement: Terrain support sampling.
        """
        return None if self.height_field is None else self.height_field.sample(map_x, map_z)

    def look_from(self, map_x: int, map_z: int, bios_tick: int) -> None:
        """Place the camera whose surroundings show waves, at a clock tick (movement: Terrain support sampling)."""
        if self.height_field is not None:
            self.height_field.look_from(map_x, map_z, bios_tick)

    # --- what things are made of -----------------------------------------------------------------------------------

    def terrain_surface(self, map_x: int, map_z: int) -> int:
        """Return the surface value of the terrain at an integer map position; 0 where there is no terrain.

        Source: movement: Terrain material lookup, Terrain material blend coverage.
        """
        if self.terrain is None or not self.terrain.enabled:
            return 0
        return terrain_surface(
            terrain_material(self.terrain.textures, map_x, map_z), map_x, map_z, self.surfaces
        )

    def face_texture(self, placement: int, face: int) -> int:
        """Return the packed texture of a placement's face."""
        return int(self.models[self.placements.models[placement]].face_textures[face])

    def face_surface(self, placement: int, face: int) -> int:
        """Return the surface value of a placement's face, by its packed texture."""
        model = self.models[self.placements.models[placement]]
        if model.face_surfaces is not None:
            return int(model.face_surfaces[face])
        texture = int(model.face_textures[face])
        return int(self.surfaces[texture >> 7, texture & 0x7F])

    def collision_flags(self, placement: int) -> int:
        """Return the collision flag byte of a placement: the support metadata of standing on it."""
        return int(self.placements.flags[placement])

    # --- state -----------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything about the world that changes: moving transforms, what is enabled, camera and waves."""
        return self._grid.state(self._moving) + _VIEW.pack(*self._view())

    def restore(self, blob: bytes) -> None:
        """Return to a `snapshot` of this world.

        Raises:
            MovementError: the snapshot is of a world with other placements.
        """
        need = len(self.snapshot())
        if len(blob) != need:
            raise MovementError(f"collision world snapshot: need {need} bytes, got {len(blob)}")
        self._change()
        self._grid.set_state(self._moving, blob[: -_VIEW.size])
        self._moved = set(self._moving.tolist())
        i, j, tick = _VIEW.unpack(blob[-_VIEW.size :])
        if self.height_field is not None:
            self.height_field.camera_cell, self.height_field.bios_tick = (i, j), tick

    def mark(self) -> tuple[int, ...]:
        """Return a value that stays the same while queries answer the same: nothing moved, no wave rolled on."""
        waves = self.terrain is not None and self.terrain.waves.amplitude != 0
        return (self.changes, *self._view()) if waves else (self.changes,)

    def digest(self) -> str:
        """Return hex text over all state of the world that decides what queries answer next."""
        return hashlib.blake2b(self.snapshot(), digest_size=16).hexdigest()

    def _view(self) -> tuple[int, int, int]:
        if self.height_field is None:
            return 0, 0, 0
        return *self.height_field.camera_cell, self.height_field.bios_tick


def pack_models(models: Sequence[Model]) -> ModelSet:
    """Return the kernel's arrays of all models; sub-objects of versions other than 5 are left out.

    Source: movement: Collision subobject admission.
    """
    kept = [model.version == 5 for model in models]
    face_bases = starts([len(model.face_sizes) for model in models])
    subs = [model for model, keep in zip(models, kept, strict=True) if keep]
    references = [
        model.sub_faces + base for model, base, keep in zip(models, face_bases, kept, strict=False) if keep
    ]
    corners = [model.vertices[model.face_vertices] for model in models]
    return ModelSet(
        np.array([model.radius for model in models], np.float32),
        starts([len(model.sub_radii) if keep else 0 for model, keep in zip(models, kept, strict=True)]),
        joined([model.sub_centers for model in subs], np.zeros((0, 3), np.float32)),
        joined([model.sub_radii for model in subs], np.zeros(0, np.float32)),
        joined([model.sub_extents for model in subs], np.zeros((0, 3), np.float32)),
        starts(joined([model.sub_face_counts for model in subs], np.zeros(0, np.int32))),
        joined(references, np.zeros(0, np.int32)),
        face_bases,
        starts(joined([model.face_sizes for model in models], np.zeros(0, np.int32))),
        joined(corners, np.zeros((0, 3), np.float32)),
        joined([model.face_normals for model in models], np.zeros((0, 3), np.float32)),
    )


def starts(counts: Sequence[int] | NDArray[np.int32]) -> NDArray[np.int32]:
    """Return where each run of `counts` entries begins, and behind the last one where it ends."""
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).astype(np.int32)


def joined(arrays: Sequence[NDArray[Any]], empty: NDArray[Any]) -> NDArray[Any]:
    """Return the arrays one after another, in memory order; `empty` gives dtype and shape where there is none."""
    return np.ascontiguousarray(np.concatenate([empty, *arrays]), empty.dtype)
