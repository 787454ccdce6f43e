"""The plain arrays that a CollisionWorld is built from, and what they must obey."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from movement.errors import MovementError

MINIMUM_FACE_VERTICES = 3
MAXIMUM_FACE_VERTICES = 10
SUB_OBJECT_VERSION = 5  # other model versions lose their sub-objects when they are loaded
TERRAIN_SIZE = 256  # cells a side, rows and columns of every terrain map
TEXTURE_SETS, TEXTURE_IMAGES = 512, 128  # a packed texture is set << 7 | image

FLAG_ACTOR_STYLE = 0x01  # goes to the actor-style candidate list
FLAG_EXCLUDED = 0x02  # never a candidate
FLAG_SUPPORT_HISTORY = 0x04  # standing on it sets the support history


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

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


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


def floats(where: str, name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.float32]:
    """Return `values` as a float32 array of `shape` (None: any length); raise MovementError if it is not one."""
    try:
        with np.errstate(over="ignore"):
            array = np.array(values, np.float32, order="C")
    except (TypeError, ValueError) as error:
        raise MovementError(f"{where}: {name}: need numbers, got {type(values).__name__} ({error})") from None
    check_shape(where, name, array.shape, shape)
    if not np.isfinite(array).all():
        raise MovementError(
            f"{where}: {name}: need finite numbers, row {first_bad(~np.isfinite(array))} is not"
        )
    return array


def integers(where: str, name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.int32]:
    """Return `values` as an int32 array of `shape` (None: any length); raise MovementError if it is not one."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise MovementError(f"{where}: {name}: need integers, got {array.dtype}")
    check_shape(where, name, array.shape, shape)
    in_range(where, name, array, -(2**31), 2**31 - 1)
    return np.array(array, np.int32, order="C")


def check_shape(where: str, name: str, found: tuple[int, ...], shape: tuple[int | None, ...]) -> None:
    """Raise MovementError unless `found` is `shape`, where None stands for any length."""
    if len(found) != len(shape) or any(
        want is not None and have != want for have, want in zip(found, shape, strict=True)
    ):
        wanted = ", ".join("n" if length is None else str(length) for length in shape)
        raise MovementError(f"{where}: {name}: need shape ({wanted}), got {found}")


def in_range(where: str, name: str, array: NDArray[Any], low: int, high: int) -> None:
    """Raise MovementError when an element of `array` lies outside `low` to `high`."""
    bad = (array < low) | (array > high)
    if bad.any():
        row = first_bad(bad)
        raise MovementError(f"{where}: {name}[{row}]: need {low} to {high}, got {array[row]}")


def same_total(
    where: str, counts_name: str, counts: NDArray[np.int32], name: str, array: NDArray[Any]
) -> None:
    """Raise MovementError unless the counts add up to the length of the array they cut."""
    total = int(counts.sum(dtype=np.int64))
    if total != len(array):
        raise MovementError(f"{where}: {counts_name} add up to {total}, but {name} has {len(array)} entries")


def first_bad(bad: NDArray[np.bool_]) -> int:
    """Return the first row that holds a True."""
    return int(np.argwhere(bad)[0][0])
