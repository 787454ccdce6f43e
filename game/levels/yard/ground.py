"""The yard's terrain: an island with the walled yard on its plateau, a pond inside, hills and cliffs around."""

from __future__ import annotations

import numpy as np

from assets_pipeline.scene.wld import make_wld, write_wld
from game.levels.landscape import Array, grid, height_indices, heights_of, noise, smooth
from game.levels.yard import plan

POND_DROP = 0.7  # m of the pond's surface below the plateau
STEEP, BEACH = 1.9, 2.6  # m between grid points that make a cliff; m above the sea below which there is sand


def terrain() -> bytes:
    """Return the terrain file."""
    x, z = grid(plan.ORIGIN)
    height = island(x, z)
    pond = np.hypot(x - plan.POND[0], z - plan.POND[1]) + 2.0 * (noise(x, z, 9.0, 7) - 0.5)
    inside = np.maximum(np.abs(x), np.abs(z)) < plan.HALF
    height = np.where(inside & (pond < plan.POND_REACH), plan.PLATEAU - POND_DROP, height)
    indices = height_indices(height)
    metres = heights_of(indices)
    steep = np.maximum(np.abs(np.gradient(metres, axis=0)), np.abs(np.gradient(metres, axis=1)))
    images = np.full(x.shape, plan.GRASS_IMAGE)
    images[noise(x, z, 14.0, 11) > 0.78] = plan.EARTH_IMAGE
    images[steep > STEEP] = plan.CLIFF_IMAGE
    images[(metres < BEACH) & (steep <= STEEP)] = plan.SAND_IMAGE
    images[_all_corners(indices == 0)] = plan.SEA_IMAGE
    shore = inside & (pond < plan.POND_REACH + 5.0)
    images[shore] = plan.SAND_IMAGE
    images[_all_corners(inside & (pond < plan.POND_REACH))] = plan.SHALLOW_IMAGE
    images[_all_corners(inside & (pond < plan.POND_DEEP))] = plan.SEA_IMAGE
    return write_wld(make_wld(indices, images))


def island(x: Array, z: Array) -> Array:
    """Return the height above the sea [m]."""
    rough = noise(x, z, 27.0, 1) - 0.5
    distance = np.maximum(np.abs(x), np.abs(z)) * 0.55 + np.hypot(x, z) * 0.45 + 10.0 * rough
    east = smooth(0.3, 0.9, x / np.maximum(np.hypot(x, z), 1.0))
    shore = 84.0 + 8.0 * noise(x, z, 41.0, 2) + 30.0 * east
    height = plan.PLATEAU * (1.0 - smooth(0.0, 1.0, (distance - 76.0) / (shore - 76.0)))
    edge = np.maximum(np.abs(x), np.abs(z))
    hills = smooth(plan.HALF + 3.0, plan.HALF + 14.0, edge) * (1 - smooth(66.0, 76.0, distance))
    height += hills * 5.0 * noise(x, z, 15.0, 3)
    return np.asarray(np.where(distance > shore + 2.0, 0.0, height))


def ground_height(x: float, z: float) -> float:
    """Return the height of the island at a point, world Y; for what is planted outside the yard."""
    at = (np.array([[x]]), np.array([[z]]))
    return float(heights_of(height_indices(island(*at)))[0, 0]) - plan.PLATEAU + plan.GROUND


def _all_corners(
    points: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return the cells, named by their first corner, all of whose four corners are marked."""
    cells = points.copy()
    cells[:-1] &= points[1:]
    cells[:, :-1] &= points[:, 1:]
    cells[:-1, :-1] &= points[1:, 1:]
    return cells
