"""The walking half of a level: movement models and their placements, terrain, and the actor that walks.

Everything here is in map units (64 a metre; +X right, +Y down, +Z forward at heading 0) unless a field
says otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.level_bodies import Bytes, Vector
from assets_pipeline.level_file import ArrayLayout

ModelPoints = Annotated[NDArray[np.float32], ArrayLayout("<f4", (None, 3))]
Floats = Annotated[NDArray[np.float32], ArrayLayout("<f4", (None,))]
Matrices = Annotated[NDArray[np.float32], ArrayLayout("<f4", (None, 3, 3))]
Indices = Annotated[NDArray[np.int32], ArrayLayout("<i4", (None,))]
Grid = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (256, 256))]
CellColours = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (255, 255, 3))]
CellSurfaces = Annotated[NDArray[np.uint16], ArrayLayout("<u2", (255, 255))]
FieldHeights = Annotated[NDArray[np.float64], ArrayLayout("<f8", (256, 256))]
Commands = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (None, 3))]
SurfaceValues = Annotated[NDArray[np.uint8], ArrayLayout("|u1", (64,))]

TERRAIN_SET = 302  # the texture set that terrain images belong to


@dataclass(frozen=True, eq=False)
class MovementModel:
    """A polygon model that the walker collides with; the arrays are those of `movement.Model`.

    Attributes:
        name: unique in a level.
        radius: bounding radius about the model's origin.
        vertices: (n, 3).
        face_sizes: (m,) corners of each face, 3 to 10.
        face_vertices: vertex indices, face after face, counter-clockwise seen from where the normal points.
        face_normals: (m, 3) unit normals.
        face_textures: (m,) packed textures, `set << 7 | image`. A built level puts the index into
            `Level.surfaces` here, so that a contact's texture names what was touched.
        face_grounds: (m,) value of SURFACE.INI of each face: `movement.Model`'s `face_surfaces`.
        face_surfaces: (m,) index into `Level.surfaces` of each face: for sounds and dust.
        sub_centers: (k, 3) middles of the sub-objects.
        sub_radii: (k,) their radii.
        sub_extents: (k, 3) their extent factors.
        sub_face_counts: (k,) how many faces each has.
        sub_faces: face indices, sub-object after sub-object.
    """

    name: str
    radius: float
    vertices: ModelPoints
    face_sizes: Indices
    face_vertices: Indices
    face_normals: ModelPoints
    face_textures: Indices
    face_grounds: Indices
    face_surfaces: Indices
    sub_centers: ModelPoints
    sub_radii: Floats
    sub_extents: ModelPoints
    sub_face_counts: Indices
    sub_faces: Indices


@dataclass(frozen=True, eq=False)
class Placements:
    """Where the models stand; the arrays are those of `movement.Placements`.

    Attributes:
        models: (p,) index into `MovementData.models`.
        positions: (p, 3) origins.
        rotations: (p, 3, 3) model axes to map axes: `map = rotation @ model + position`.
        flags: (p,) collision flags: 1 actor-style, 2 none, 4 sets the support history.
        moving: (p,) 1: the placement follows the body `owners[i]`.
        owners: name of the body that each placement was cut from; empty: the level's fixed geometry,
            which is cut as one.
    """

    models: Indices
    positions: ModelPoints
    rotations: Matrices
    flags: Bytes
    moving: Bytes
    owners: tuple[str, ...]


@dataclass(frozen=True)
class Waves:
    """How water points move: `base + wave[phase] * amplitude - amplitude / 2`, as `movement.Waves`.

    Attributes:
        amplitude: map units.
        frequency: phase units for each squared grid distance from the middle of the grid.
        speed: phase units a BIOS tick.
    """

    amplitude: int
    frequency: int
    speed: int


@dataclass(frozen=True, eq=False)
class Terrain:
    """The ground, as the terrain file has it and as physics and renderer want it.

    Attributes:
        heights: (256, 256) height indices 0..127 of the file, row 0 first (the far, high-Z edge).
        textures: (256, 256) image index in the low six bits, quarter turns in the high two.
        water_level: added to every height.
        waves: of the water points.
        surface_values: (64,) value of SURFACE.INI of each image of texture set 302.
        field_heights: (256, 256) the same heights in metres, +Y up; a row further is +Z, a column further +X.
        field_corner: metres, world axes: where the grid point [0, 0] is (its Y is 0: heights are absolute).
        cell_size: metres between grid points. The diagonal of a cell joins [r, c] and [r + 1, c + 1].
        cell_surfaces: (255, 255) index into `Level.surfaces` of cell [r, c], between the grid points [r, c]
            and [r + 1, c + 1].
        cell_colours: (255, 255, 3) sRGB bytes of each cell.
        water: (256, 256) 1 where the grid point moves with the waves.
        static: name of the static that is the terrain's height field; empty: the terrain is off.
    """

    heights: Grid
    textures: Grid
    water_level: float
    waves: Waves
    surface_values: SurfaceValues
    field_heights: FieldHeights
    field_corner: Vector
    cell_size: float
    cell_surfaces: CellSurfaces
    cell_colours: CellColours
    water: Grid
    static: str


@dataclass(frozen=True, eq=False)
class MovementData:
    """All that walking collides with: the arrays of the models one after another, cut apart by `models`.

    Hundreds of small models as members of their own would take longer to find in the file than to use.

    Attributes:
        names: (n,) of the models.
        radii: (n,) bounding radii.
        vertex_counts: (n,) rows of `vertices` of each model.
        face_counts: (n,) rows of the arrays of faces of each model.
        sub_counts: (n,) rows of the arrays of sub-objects of each model.
        vertices: of all models, and so on: see `MovementModel` for what each array holds.
        placements: where the models stand.
    """

    names: tuple[str, ...]
    radii: Floats
    vertex_counts: Indices
    face_counts: Indices
    sub_counts: Indices
    vertices: ModelPoints
    face_sizes: Indices
    face_vertices: Indices
    face_normals: ModelPoints
    face_textures: Indices
    face_grounds: Indices
    face_surfaces: Indices
    sub_centers: ModelPoints
    sub_radii: Floats
    sub_extents: ModelPoints
    sub_face_counts: Indices
    sub_faces: Indices
    placements: Placements

    @classmethod
    def of_models(cls, models: Sequence[MovementModel], placements: Placements) -> MovementData:
        """Return the data of models and placements."""

        def joined(name: str, dtype: str, *width: int) -> NDArray[Any]:
            parts = [np.zeros((0, *width), dtype), *(getattr(model, name) for model in models)]
            return np.ascontiguousarray(np.concatenate(parts), dtype)

        columns: dict[str, Any] = {
            "vertex_counts": np.array([len(model.vertices) for model in models], np.int32),
            "face_counts": np.array([len(model.face_sizes) for model in models], np.int32),
            "sub_counts": np.array([len(model.sub_radii) for model in models], np.int32),
            "radii": np.array([model.radius for model in models], np.float32),
            "sub_radii": joined("sub_radii", "<f4"),
        }
        for name in POINT_COLUMNS:
            columns[name] = joined(name, "<f4", 3)
        for name in INDEX_COLUMNS:
            columns[name] = joined(name, "<i4")
        return cls(names=tuple(model.name for model in models), placements=placements, **columns)

    @cached_property
    def models(self) -> tuple[MovementModel, ...]:
        """The models, their arrays views of the joined ones.

        Raises:
            LevelError: the counts do not add up to the lengths of the arrays.
        """
        corner_counts = _sums(self.face_sizes, self.face_counts, "face_counts")
        reference_counts = _sums(self.sub_face_counts, self.sub_counts, "sub_counts")
        cuts: dict[str, NDArray[Any]] = {
            "vertices": self.vertex_counts,
            "face_vertices": corner_counts,
            "sub_faces": reference_counts,
        }
        cuts |= dict.fromkeys(FACE_ROWS, self.face_counts)
        cuts |= dict.fromkeys(SUB_ROWS, self.sub_counts)
        columns: dict[str, list[NDArray[Any]]] = {}
        for name, counts in cuts.items():
            array = getattr(self, name)
            if (
                len(counts) != len(self.names)
                or counts.sum(dtype=np.int64) != len(array)
                or (counts < 0).any()
            ):
                raise LevelError(f"movement: {name}: the models' counts do not add up to {len(array)} rows")
            ends = np.cumsum(counts).tolist()
            columns[name] = [
                array[end - count : end] for end, count in zip(ends, counts.tolist(), strict=True)
            ]
        return tuple(
            MovementModel(
                name, float(self.radii[row]), **{key: column[row] for key, column in columns.items()}
            )
            for row, name in enumerate(self.names)
        )


FACE_ROWS = ("face_sizes", "face_normals", "face_textures", "face_grounds", "face_surfaces")
SUB_ROWS = ("sub_centers", "sub_radii", "sub_extents", "sub_face_counts")
POINT_COLUMNS = ("vertices", "face_normals", "sub_centers", "sub_extents")
INDEX_COLUMNS = (
    "face_sizes",
    "face_vertices",
    "face_textures",
    "face_grounds",
    "face_surfaces",
    "sub_face_counts",
    "sub_faces",
)


def _sums(values: NDArray[np.int32], counts: NDArray[np.int32], name: str) -> NDArray[np.int64]:
    """Return the sum of each run of `counts[i]` values."""
    if (counts < 0).any() or counts.sum(dtype=np.int64) != len(values):
        raise LevelError(f"movement: {name} do not add up to {len(values)} rows")
    totals = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    ends = np.cumsum(counts, dtype=np.int64)
    return np.asarray(totals[ends] - totals[ends - counts])


@dataclass(frozen=True, eq=False)
class AnimationGroup:
    """An animation group of the actor's definition.

    Attributes:
        group: its number, 0..177.
        anim_id: its header word; the low byte is the countdown.
        kind: 0 interruptible, 1 must complete, 2 no revert to the default.
        commands: (n, 3) the three little-endian bytes of each command.
    """

    group: int
    anim_id: int
    kind: int
    commands: Commands


@dataclass(frozen=True)
class Bounds:
    """Bounds of an actor: total = positive + negative on each axis."""

    flags: int
    total: tuple[int, int, int]
    center: tuple[int, int, int]
    positive: tuple[int, int, int]
    negative: tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class ActorData:
    """The definition of the player's actor, as the map file holds it.

    Attributes:
        name: of the definition: `CYRUS` in the demo.
        bounds: the primary bounds.
        attributes: (256,) one byte an attribute.
        attribute_names: name -> index, for the attributes that the file's attribute list names.
        groups: animation groups in stored order.
        frames: (path, number of frames, type letter) of each animation file; their frames, one after another,
            are the frame table.
        collision_sphere_scale: 8 fraction bits; <= 0 means 256.
    """

    name: str
    bounds: Bounds
    attributes: Bytes
    attribute_names: dict[str, int]
    groups: tuple[AnimationGroup, ...]
    frames: tuple[tuple[str, int, str], ...]
    collision_sphere_scale: int
