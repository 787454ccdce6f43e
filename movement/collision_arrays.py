"""The plain arrays that a CollisionWorld is built from, and what they must obey."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from movement.array_checks import check_shape, floats, in_range, integers, same_total
from movement.errors import MovementError

MINIMUM_FACE_VERTICES = 3
MAXIMUM_FACE_VERTICES = 10
SUB_OBJECT_VERSION = 5  # other model versions lose their sub-objects when they are loaded
TERRAIN_SIZE = 256  # cells a side, rows and columns of every terrain map
TEXTURE_SETS, TEXTURE_IMAGES = 512, 128  # a packed texture is set << 7 | image

FLAG_ACTOR_STYLE = 0x01  # goes to the actor-style candidate list
FLAG_EXCLUDED = 0x02  # never a candidate
FLAG_SUPPORT_HISTORY = 0x04  # standing on it sets the support history


class SubObject(NamedTuple):
    """A part of a model that queries test before its faces.

    Attributes:
        center: [map units].
        radius: [map units].
        extents: factors per axis: the bound is the ellipsoid of semi-axes `radius * extents`.
        faces: face indices, in the order in which they are tested; an index may repeat.
    """

    center: Sequence[float]
    radius: float
    extents: Sequence[float]
    faces: Sequence[int]


@dataclass(frozen=True, eq=False)
class Model:
    """One polygon model, in map units (+Y down), as a dozen flat arrays.

    Faces are convex polygons of 3 to 10 vertices, counter-clockwise when seen from the side that
    `face_normals` points to: `((A - p) x (B - p)) . N >= 0` for a point p inside and each edge A to B.

    Args:
        vertices: (n, 3) float32 positions [map units].
        face_sizes: (m,) number of vertices of each face, 3 to 10.
        face_vertices: (sum of face_sizes,) vertex indices, face after face.
        face_normals: (m, 3) float32 stored unit normals; used as they are, never recomputed.
        face_textures: (m,) packed textures, `set << 7 | image`; the surface table turns them into surfaces.
        radius: bounding radius about the model's origin [map units].
        sub_centers: (k, 3) float32 sub-object centres [map units].
        sub_radii: (k,) float32 sub-object radii [map units].
        sub_extents: (k, 3) float32 extent factors: a sub-object's bound is the ellipsoid `radius * extent` per axis.
        sub_face_counts: (k,) number of face references of each sub-object.
        sub_faces: (sum of sub_face_counts,) face indices in authored order. Faces in no list never touch anything.
        version: model file version; only 5 keeps its sub-objects.
        face_surfaces: (m,) surface values that replace the lookup of `face_textures`, or None.
        name: for messages.

    Raises:
        MovementError: an array has the wrong shape or dtype, an index is out of range, a number is not finite.

    Source: movement: Collision face traversal, Collision subobject admission.
    """

    vertices: NDArray[np.float32]
    face_sizes: NDArray[np.int32]
    face_vertices: NDArray[np.int32]
    face_normals: NDArray[np.float32]
    face_textures: NDArray[np.int32]
    radius: float
    sub_centers: NDArray[np.float32]
    sub_radii: NDArray[np.float32]
    sub_extents: NDArray[np.float32]
    sub_face_counts: NDArray[np.int32]
    sub_faces: NDArray[np.int32]
    version: int = SUB_OBJECT_VERSION
    face_surfaces: NDArray[np.int32] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Convert the arrays to their dtypes and check them against each other."""
        where = f"model {self.name!r}" if self.name else "model"
        faces = len(np.asarray(self.face_sizes))
        subs = len(np.asarray(self.sub_radii))
        self._set("vertices", floats(where, "vertices", self.vertices, (None, 3)))
        self._set("face_sizes", integers(where, "face_sizes", self.face_sizes, (None,)))
        self._set("face_vertices", integers(where, "face_vertices", self.face_vertices, (None,)))
        self._set("face_normals", floats(where, "face_normals", self.face_normals, (faces, 3)))
        self._set("face_textures", integers(where, "face_textures", self.face_textures, (faces,)))
        self._set("sub_centers", floats(where, "sub_centers", self.sub_centers, (subs, 3)))
        self._set("sub_radii", floats(where, "sub_radii", self.sub_radii, (subs,)))
        self._set("sub_extents", floats(where, "sub_extents", self.sub_extents, (subs, 3)))
        self._set("sub_face_counts", integers(where, "sub_face_counts", self.sub_face_counts, (subs,)))
        self._set("sub_faces", integers(where, "sub_faces", self.sub_faces, (None,)))
        if self.face_surfaces is not None:
            self._set("face_surfaces", integers(where, "face_surfaces", self.face_surfaces, (faces,)))
            in_range(where, "face_surfaces", self.face_surfaces, 0, 255)
        in_range(where, "face_sizes", self.face_sizes, MINIMUM_FACE_VERTICES, MAXIMUM_FACE_VERTICES)
        in_range(where, "face_vertices", self.face_vertices, 0, len(self.vertices) - 1)
        in_range(where, "face_textures", self.face_textures, 0, TEXTURE_SETS * TEXTURE_IMAGES - 1)
        in_range(where, "sub_face_counts", self.sub_face_counts, 0, len(self.sub_faces))
        in_range(where, "sub_faces", self.sub_faces, 0, faces - 1)
        same_total(where, "face_sizes", self.face_sizes, "face_vertices", self.face_vertices)
        same_total(where, "sub_face_counts", self.sub_face_counts, "sub_faces", self.sub_faces)
        radius = float(np.float32(self.radius))
        if not 0.0 <= radius < np.inf:
            raise MovementError(f"{where}: radius: need a finite number >= 0, got {self.radius}")
        self._set("radius", radius)

    @staticmethod
    def of(
        vertices: ArrayLike,
        faces: Sequence[Sequence[int]],
        normals: ArrayLike,
        sub_objects: Sequence[SubObject],
        radius: float,
        textures: ArrayLike = 0,
        *,
        version: int = SUB_OBJECT_VERSION,
        name: str = "",
    ) -> "Model":
        """Return a model from faces and sub-objects given one by one.

        Args:
            vertices: (n, 3) positions [map units].
            faces: vertex indices of each face, 3 to 10.
            normals: (m, 3) stored face normals.
            sub_objects: in stored order.
            radius: bounding radius about the origin [map units].
            textures: (m,) packed textures, or one for all.
            version: model file version.
            name: for messages.

        Raises:
            MovementError: as for the arrays.
        """
        return Model(
            vertices=floats("model", "vertices", vertices, (None, 3)),
            face_sizes=np.array([len(face) for face in faces], np.int32),
            face_vertices=integers("model", "faces", [index for face in faces for index in face], (None,)),
            face_normals=floats("model", "normals", normals, (None, 3)),
            face_textures=integers(
                "model", "textures", np.broadcast_to(textures, (len(faces),)), (len(faces),)
            ),
            radius=radius,
            sub_centers=floats("model", "centers", [sub.center for sub in sub_objects], (None, 3)),
            sub_radii=floats("model", "radii", [sub.radius for sub in sub_objects], (None,)),
            sub_extents=floats("model", "extents", [sub.extents for sub in sub_objects], (None, 3)),
            sub_face_counts=np.array([len(sub.faces) for sub in sub_objects], np.int32),
            sub_faces=integers(
                "model", "faces", [face for sub in sub_objects for face in sub.faces], (None,)
            ),
            version=version,
            name=name,
        )

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


class Placement(NamedTuple):
    """One placed model, as `Placements.of` takes it.

    Attributes:
        model: index of the model.
        position: origin [map units].
        rotation: three rows: `world = rotation @ local + position`.
        flags: collision flag byte.
        moving: may change its transform later.
    """

    model: int
    position: Sequence[float]
    rotation: Sequence[Sequence[float]] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    flags: int = 0
    moving: bool = False


@dataclass(frozen=True, eq=False)
class Placements:
    """Where models stand: one record a row, in record order.

    Args:
        models: (p,) model index of each record.
        positions: (p, 3) float32 origins [map units].
        rotations: (p, 3, 3) float32 matrices: `world = rotation @ local + position`.
        flags: (p,) collision flag bytes: 1 actor-style list, 2 excluded, 4 sets the support history.
        moving: (p,) bool: may change its transform later (`CollisionWorld.set_placement`); None: none does.

    Raises:
        MovementError: shapes differ, or a number is not finite.

    Source: movement: Static collision list order, Static candidate list separation.
    """

    models: NDArray[np.int32]
    positions: NDArray[np.float32]
    rotations: NDArray[np.float32]
    flags: NDArray[np.uint8]
    moving: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        """Convert the arrays to their dtypes and check their shapes."""
        count = len(np.asarray(self.models))
        where = "placements"
        flags = integers(where, "flags", self.flags, (count,))
        in_range(where, "flags", flags, 0, 255)
        check_shape(where, "moving", self.is_moving.shape, (count,))
        object.__setattr__(self, "models", integers(where, "models", self.models, (None,)))
        object.__setattr__(self, "positions", floats(where, "positions", self.positions, (count, 3)))
        object.__setattr__(self, "rotations", floats(where, "rotations", self.rotations, (count, 3, 3)))
        object.__setattr__(self, "flags", np.ascontiguousarray(flags, np.uint8))

    @property
    def is_moving(self) -> NDArray[np.bool_]:
        """`moving`, or all False where that is None."""
        return np.zeros(len(self), np.bool_) if self.moving is None else np.asarray(self.moving, np.bool_)

    def __len__(self) -> int:
        return len(self.models)

    @staticmethod
    def of(placements: Iterable[Placement]) -> "Placements":
        """Return the arrays of placements given one by one, in record order; raise MovementError for bad numbers."""
        rows = list(placements)
        if not rows:
            return Placements.empty()
        models, positions, rotations, flags, moving = zip(*rows, strict=True)
        return Placements(
            integers("placements", "models", models, (None,)),
            floats("placements", "positions", positions, (None, 3)),
            floats("placements", "rotations", rotations, (None, 3, 3)),
            np.array(flags),
            np.array(moving, np.bool_),
        )

    @staticmethod
    def empty() -> "Placements":
        """Return no placements at all."""
        return Placements(
            np.zeros(0, np.int32),
            np.zeros((0, 3), np.float32),
            np.zeros((0, 3, 3), np.float32),
            np.zeros(0, np.uint8),
        )


@dataclass(frozen=True)
class Waves:
    """How water vertices near the camera move: `base + wave[phase] * amplitude - amplitude / 2`.

    Args:
        amplitude: A [map units].
        frequency: F, phase units for each squared grid distance from the middle of the grid.
        speed: S, phase units a BIOS tick.

    Source: redguard formats: WLD.
    """

    amplitude: int = 0
    frequency: int = 0
    speed: int = 0


@dataclass(frozen=True, eq=False)
class Terrain:
    """The height field under a map of 65536 x 65536 map units, in WLD source row order.

    Runtime grid row j (Z = 256 j) is source row 256 - j; column i lies at X = 256 i.

    Args:
        heights: (256, 256) uint8 height bytes (the low seven bits index the height table), or float32 map heights.
        textures: (256, 256) uint8: low six bits the image of texture set 302, high two bits its quarter turns.
        water_level: added to every height decoded from bytes [map units, +Y down].
        enabled: False: nothing samples it.
        waves: of the water vertices near the camera.

    Raises:
        MovementError: a map has another shape or dtype, or a height is not finite.

    Source: movement: Terrain support sampling, Terrain material lookup.
    """

    heights: NDArray[Any]
    textures: NDArray[np.uint8]
    water_level: float = 0.0
    enabled: bool = True
    waves: Waves = Waves()

    def __post_init__(self) -> None:
        """Check the maps."""
        shape = (TERRAIN_SIZE, TERRAIN_SIZE)
        heights = np.asarray(self.heights)
        if heights.dtype != np.uint8:
            heights = floats("terrain", "heights", heights, shape)
        textures = np.asarray(self.textures)
        for name, array in (("heights", heights), ("textures", textures)):
            if array.shape != shape:
                raise MovementError(f"terrain: {name}: need shape {shape}, got {array.shape}")
        if textures.dtype != np.uint8:
            raise MovementError(f"terrain: textures: need uint8, got {textures.dtype}")
        if not np.isfinite(self.water_level):
            raise MovementError(f"terrain: water_level: need a finite number, got {self.water_level}")
        object.__setattr__(self, "heights", np.ascontiguousarray(heights))
        object.__setattr__(self, "textures", np.ascontiguousarray(textures))
