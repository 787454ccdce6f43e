"""Movement models from triangle meshes: convex faces, sub-objects with extent factors, one model a cell."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from movement.array_checks import floats, in_range, integers
from movement.collision_arrays import Model, Placements
from movement.errors import MovementError
from movement.model_faces import Polygon, cut_large, grown, merge_triangles

CELL = 512  # map units a side of the cubes that static geometry is split into
LAST_VISITED = 126  # last column and row of cells that a window reaches
LARGEST_FACE = 1024  # map units along an axis; larger faces are cut
REACH = 64  # map units: the largest sphere radius for which no contact is lost to the admission tests
FACES_OF_A_SUB_OBJECT = 12

Floats = NDArray[np.float64]


class BakedModels(NamedTuple):
    """Static geometry as a CollisionWorld takes it."""

    models: tuple[Model, ...]
    placements: Placements


def bake_model(
    vertices: ArrayLike,
    triangles: ArrayLike,
    surface_ids: ArrayLike,
    textures: ArrayLike | None = None,
    *,
    reach: float = REACH,
    name: str = "",
) -> Model:
    """Return one movement model of a triangle mesh, about the mesh's own origin (a crate, a door, a lift).

    Args:
        vertices: (n, 3) positions [map units, +Y down].
        triangles: (m, 3) vertex indices, counter-clockwise seen from outside.
        surface_ids: (m,) surface value of each triangle (0 unknown to 11), or one for all.
        textures: (m,) packed textures (`set << 7 | image`), or one for all; None: 0.
        reach: largest sphere radius that will query it [map units].
        name: for messages.

    Raises:
        MovementError: shapes differ, an index is out of range, or a number is not finite.
    """
    return model_of_faces(bake_faces(vertices, triangles, surface_ids, textures, name), reach, name)


def bake_models(
    vertices: ArrayLike,
    triangles: ArrayLike,
    surface_ids: ArrayLike,
    textures: ArrayLike | None = None,
    *,
    flags: int = 0,
    reach: float = REACH,
    name: str = "",
) -> BakedModels:
    """Return static geometry as models of at most 512-unit cubes, each with one placement.

    Bake all static geometry in one go: a query looks at 64 models, and its window reaches 4608 units.

    Args:
        vertices: (n, 3) positions in map space [map units, +Y down].
        triangles: (m, 3) vertex indices, counter-clockwise seen from outside.
        surface_ids: (m,) surface value of each triangle (0 unknown to 11), or one for all.
        textures: (m,) packed textures (`set << 7 | image`), or one for all; None: 0.
        flags: collision flag byte of every placement.
        reach: largest sphere radius that will query them [map units].
        name: for messages; each model's name adds its cell.

    Raises:
        MovementError: shapes differ, an index is out of range, or a number is not finite.
    """
    cells: dict[tuple[int, ...], list[Polygon]] = {}
    for face in bake_faces(vertices, triangles, surface_ids, textures, name):
        middle = (face.corners.min(axis=0) + face.corners.max(axis=0)) / 2
        x, y, z = (int(value) for value in np.floor(middle / CELL))
        cells.setdefault((z, x, y), []).append(face)
    models: list[Model] = []
    origins: list[Floats] = []
    for z, x, y in sorted(cells):
        # The middle of the cube, so that the placement lies in the cell that the window looks at.
        column, row = visited_cell(x, z)
        origin = np.array([column, y, row]) * CELL + CELL / 2.0
        faces = [Polygon(face.corners - origin, face.normal, face.label) for face in cells[z, x, y]]
        models.append(model_of_faces(faces, reach, f"{name}[{x},{y},{z}]"))
        origins.append(origin)
    count = len(models)
    return BakedModels(
        tuple(models),
        Placements(
            np.arange(count, dtype=np.int32),
            np.array(origins, np.float32).reshape(count, 3),
            np.tile(np.eye(3, dtype=np.float32), (count, 1, 1)),
            np.full(count, flags, np.int32),
        ),
    )


def visited_cell(column: int, row: int) -> tuple[int, int]:
    """Return the nearest cell of the map that some window visits.

    Windows leave out their corners and end at cell 126, so that the last column and row and the corners of the rest
    are never looked at (quirk); geometry there, or off the map, is placed from next to it.
    """
    column, row = (min(max(cell, 0), LAST_VISITED) for cell in (column, row))
    if column in (0, LAST_VISITED) and row in (0, LAST_VISITED):
        column = 1 if column == 0 else LAST_VISITED - 1
    return column, row


def bake_faces(
    vertices: ArrayLike, triangles: ArrayLike, surface_ids: ArrayLike, textures: ArrayLike | None, name: str
) -> list[Polygon]:
    """Return the faces of a mesh; a face's label is `texture << 8 | surface`."""
    where = f"mesh {name!r}" if name else "mesh"
    points = floats(where, "vertices", vertices, (None, 3)).astype(np.float64)
    if np.abs(points).max(initial=0.0) > 1 << 24:
        raise MovementError(f"{where}: vertices: need map units below 2**24, got {np.abs(points).max()}")
    corners = integers(where, "triangles", np.asarray(triangles).reshape(-1, 3), (None, 3)).astype(np.int64)
    in_range(where, "triangles", corners.reshape(-1), 0, len(points) - 1)
    count = len(corners)
    surfaces = integers(where, "surface_ids", broadcast(where, "surface_ids", surface_ids, count), (count,))
    packed = integers(
        where, "textures", broadcast(where, "textures", 0 if textures is None else textures, count), (count,)
    )
    in_range(where, "surface_ids", surfaces, 0, 255)
    in_range(where, "textures", packed, 0, 65535)
    labels = packed.astype(np.int64) << 8 | surfaces
    return cut_large(merge_triangles(points, corners, labels), LARGEST_FACE)


def broadcast(where: str, name: str, values: ArrayLike, count: int) -> NDArray[np.int64]:
    """Return one value a triangle, from one for all or from as many as there are triangles."""
    array = np.asarray(values)
    if array.ndim and array.shape != (count,):
        raise MovementError(f"{where}: {name}: need one value or {count}, got shape {array.shape}")
    return np.broadcast_to(array, (count,))


def model_of_faces(faces: list[Polygon], reach: float, name: str) -> Model:
    """Return a model of convex faces about the origin, with bounds that admit every sphere up to `reach`."""
    groups = spatial_groups(faces)
    ordered = [grown(faces[index]) for group in groups for index in group]
    corners = [face.corners for face in ordered]
    sizes = [len(loop) for loop in corners]
    everything = np.concatenate([np.zeros((0, 3)), *corners])
    vertices, face_vertices = np.unique(everything, axis=0, return_inverse=True)
    bounds = [sub_object_bounds([faces[index].corners for index in group], reach) for group in groups]
    counts = [len(group) for group in groups]
    farthest = float(np.linalg.norm(everything, axis=1).max(initial=0.0))
    return Model(
        vertices=vertices.astype(np.float32),
        face_sizes=np.array(sizes, np.int32),
        face_vertices=face_vertices.reshape(-1).astype(np.int32),
        face_normals=np.array([face.normal for face in ordered], np.float32).reshape(-1, 3),
        face_textures=np.array([face.label >> 8 for face in ordered], np.int32),
        radius=admitting_radius(farthest, reach),
        sub_centers=np.array([center for center, _, _ in bounds], np.float32).reshape(-1, 3),
        sub_radii=np.array([radius for _, radius, _ in bounds], np.float32),
        sub_extents=np.array([extents for _, _, extents in bounds], np.float32).reshape(-1, 3),
        sub_face_counts=np.array(counts, np.int32),
        sub_faces=np.arange(len(ordered), dtype=np.int32),
        face_surfaces=np.array([face.label & 0xFF for face in ordered], np.int32),
        name=name,
    )


def admitting_radius(farthest: float, reach: float) -> float:
    """Return the model radius for which every touching sphere passes the sphere model admission.

    That test adds squared radii, so the plain radius would miss spheres that touch the outermost faces from outside:
    R^2 + r^2 >= (farthest + r)^2 needs R^2 >= farthest^2 + 2 farthest r.
    """
    return float(np.sqrt(farthest * farthest + 2.0 * farthest * reach)) * 1.001 + 1.0


def sub_object_bounds(loops: list[Floats], reach: float) -> tuple[Floats, float, Floats]:
    """Return centre, radius and extent factors of a sub-object whose admissions lose no contact.

    With half sizes h of the faces' box the semi-axes a obey a_i^2 = 3 h_i^2 + 2 |h| r: the ellipsoid then holds the
    box (for segments), and leaves room for spheres that touch it from outside.
    """
    points = np.concatenate(loops)
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2
    axes = np.sqrt(3.0 * half * half + 2.0 * float(np.linalg.norm(half)) * reach) * 1.001 + 1.0
    radius = float(axes.max())
    return (low + high) / 2, radius, axes / radius


def spatial_groups(faces: list[Polygon]) -> list[list[int]]:
    """Return face indices in groups of at most twelve neighbours, by halving along the longest axis."""
    middles = np.array([face.corners.mean(axis=0) for face in faces]).reshape(-1, 3)
    done: list[list[int]] = []
    waiting = [list(range(len(faces)))] if faces else []
    while waiting:
        group = waiting.pop()
        if len(group) <= FACES_OF_A_SUB_OBJECT:
            done.append(group)
            continue
        axis = int(np.argmax(np.ptp(middles[group], axis=0)))
        group.sort(key=lambda index: (float(middles[index, axis]), index))
        waiting += [group[len(group) // 2 :], group[: len(group) // 2]]
    return done
