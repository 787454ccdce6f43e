"""From a terrain file to the level's terrain and the mesh that bodies collide with."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring.manifest import Manifest
from assets_pipeline.building.notes import Notes
from assets_pipeline.level_bodies import MeshShape, Static
from assets_pipeline.level_ground import TERRAIN_SET, Terrain
from assets_pipeline.scene.surface_ini import SurfaceTable
from assets_pipeline.scene.wld import CELL, SIZE, Wld
from assets_pipeline.vectors import UPRIGHT
from physics.materials import Material
from physics.shapes import HeightField

TERRAIN_NAME = "terrain"
TERRAIN_LAYER = 1
TINT = 0.04  # how much lighter or darker a cell may be drawn


def build_terrain(
    wld: Wld, surfaces: SurfaceTable | None, manifest: Manifest, notes: Notes
) -> tuple[Terrain, Static]:
    """Return the terrain, and the static of the part that bodies collide with.

    Args:
        wld: the terrain file.
        surfaces: the read SURFACE.INI; None: every image is surface 0 (unknown).
        manifest: origin, scale, images, water.
        notes: takes the notes.
    """
    indices = {surface.name: index for index, surface in enumerate(manifest.surfaces)}
    of_image = np.zeros(64, np.uint16)
    for image in np.unique(wld.images[:-1, :-1]).tolist():
        if image in manifest.images:
            of_image[image] = indices[manifest.images[image]]
        else:
            notes.add(manifest.terrain, f"image {image} is not in level.toml: the first surface is used")
    cell_surfaces = of_image[wld.images[:-1, :-1]]
    ox, oy, oz = manifest.origin
    # Row r of the file is runtime row 256 - r, at Z = 256 * (256 - r): a row further is -Z there, +Z in the world.
    heights = -(wld.map_heights(manifest.water_level).astype(np.float64) - oy) / manifest.scale
    corner = (-ox / manifest.scale, 0.0, -(CELL * SIZE - oz) / manifest.scale)
    static = _solid_part(wld, manifest, heights, cell_surfaces, corner)
    terrain = Terrain(
        heights=np.ascontiguousarray(wld.maps[0]),
        textures=np.ascontiguousarray(wld.maps[2]),
        water_level=manifest.water_level,
        waves=manifest.waves,
        surface_values=np.zeros(64, np.uint8)
        if surfaces is None
        else surfaces.values[TERRAIN_SET, :64].copy(),
        field_heights=heights,
        field_corner=corner,
        cell_size=CELL / manifest.scale,
        cell_surfaces=cell_surfaces,
        cell_colours=_colours(manifest, cell_surfaces),
        water=wld.water_points(),
        static=static.name,
    )
    return terrain, static


def flat_terrain(manifest: Manifest) -> Terrain:
    """Return the terrain of a level that has none: flat, and off."""
    return Terrain(
        heights=np.zeros((SIZE, SIZE), np.uint8),
        textures=np.zeros((SIZE, SIZE), np.uint8),
        water_level=manifest.water_level,
        waves=manifest.waves,
        surface_values=np.zeros(64, np.uint8),
        field_heights=np.zeros((SIZE, SIZE)),
        field_corner=(0.0, 0.0, 0.0),
        cell_size=CELL / manifest.scale,
        cell_surfaces=np.zeros((SIZE - 1, SIZE - 1), np.uint16),
        cell_colours=np.zeros((SIZE - 1, SIZE - 1, 3), np.uint8),
        water=np.zeros((SIZE, SIZE), np.uint8),
        static="",
    )


def _solid_part(
    wld: Wld,
    manifest: Manifest,
    heights: NDArray[np.float64],
    cell_surfaces: NDArray[np.uint16],
    corner: tuple[float, float, float],
) -> Static:
    """Return the static of the cells within `solid_radius` of the origin; at least one cell."""
    cell = CELL / manifest.scale
    reach = manifest.solid_radius
    first, last = [], []
    for axis in (2, 0):
        low = min(max(math.floor((-reach - corner[axis]) / cell), 0), SIZE - 2)
        first.append(low)
        last.append(min(max(math.ceil((reach - corner[axis]) / cell), low + 1), SIZE - 1))
    rows, columns = slice(first[0], last[0] + 1), slice(first[1], last[1] + 1)
    cells = cell_surfaces[first[0] : last[0], first[1] : last[1]]
    ground = heights - _depths(wld, manifest)
    field = HeightField(
        ground[rows, columns], cell, [Material()] * (int(cells.max()) + 1), cells.astype(np.int32)
    )
    place = (corner[0] + first[1] * cell, 0.0, corner[2] + first[0] * cell)
    shape = MeshShape(**field.to_arrays())
    return Static(TERRAIN_NAME, shape, place, UPRIGHT, 0, TERRAIN_LAYER, -1, f"{manifest.terrain}: terrain")


def _depths(wld: Wld, manifest: Manifest) -> NDArray[np.float64]:
    """Return (256, 256): how far below the stored height the ground lies for bodies [m].

    A water image's height is that of the water; bodies sink to its bed. A grid point is as deep as the
    shallowest of the four cells around it, so that shores stay where they are.
    """
    of_image = np.zeros(64)
    for image, depth in manifest.depths.items():
        of_image[image] = depth
    cells = of_image[wld.images]
    deep = np.zeros((SIZE, SIZE))
    inner = np.minimum(np.minimum(cells[:-1, :-1], cells[1:, :-1]), np.minimum(cells[:-1, 1:], cells[1:, 1:]))
    deep[1:, 1:] = inner
    deep[0], deep[:, 0] = deep[1], deep[:, 1]
    return deep


def _colours(manifest: Manifest, cell_surfaces: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return the sRGB bytes of each cell: its surface's colour, a little lighter or darker cell by cell."""
    palette = np.array([surface.colour for surface in manifest.surfaces])
    rows, columns = np.indices(cell_surfaces.shape, dtype=np.uint64)
    mixed = (rows * np.uint64(73856093)) ^ (columns * np.uint64(19349663))
    mixed = (mixed ^ (mixed >> np.uint64(13))) * np.uint64(0x5BD1E995)
    tint = np.asarray(mixed >> np.uint64(8) & np.uint64(0xFF), np.float64) / 127.5 - 1
    factors: NDArray[np.float64] = 1.0 + TINT * tint
    shades: NDArray[np.float64] = palette[cell_surfaces] * factors[..., None]
    return np.asarray(np.rint(shades.clip(0.0, 1.0) * 255), np.uint8)
