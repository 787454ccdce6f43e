"""The colours of the terrain's grid points: land, water and how wet each point is, mixed from the cells
around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from game.render.props import covered_cells

if TYPE_CHECKING:
    from game.render.scene import DrawnLevel

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
WATER_SOUND, GRASS_SOUND = "water", "grass"
DEFAULT_WATER = (56.0, 128.0, 148.0)


def _around(cells: FloatArray) -> FloatArray:
    """Return the sum of the cells around each grid point: four, two at the edges, one at the corners."""
    rows, columns, *rest = cells.shape
    out = np.zeros((rows + 1, columns + 1, *rest))
    out[:-1, :-1] += cells
    out[1:, :-1] += cells
    out[:-1, 1:] += cells
    out[1:, 1:] += cells
    return out


class TerrainPaint:
    """What colours a level's terrain.

    Attributes:
        water_cells: (255, 255) whether a cell is water: its surface sounds like water. wetness: (256, 256)
        the share of the cells around a point that are water, 0..1. The shore runs where it is a half. land:
        (256, 256, 3) the mean colour of the dry cells around a point, 0..255; of all cells where none is
        dry. water: (256, 256, 3) the mean colour of the water cells around a point; open water's where none
        is. grassy: (255, 255) where tufts grow: green grass, no water at its corners, nothing standing on
        it. open_colour: (3,) mean colour of all water.
    """

    def __init__(self, level: DrawnLevel) -> None:
        terrain, surfaces = level.terrain, level.surfaces
        sounds = [surface.sound.lower() for surface in surfaces] or [""]
        self.water_cells: BoolArray = np.array([sound == WATER_SOUND for sound in sounds])[
            terrain.cell_surfaces
        ]
        colours = terrain.cell_colours.astype(np.float64)
        wet = self.water_cells.astype(np.float64)
        count = _around(np.ones_like(wet))
        wet_count = _around(wet)
        dry_count = count - wet_count
        self.wetness: FloatArray = wet_count / count
        everything = _around(colours)
        of_water = _around(colours * wet[..., None])
        of_land = everything - of_water
        self.open_colour: FloatArray = np.array(DEFAULT_WATER)
        if self.water_cells.any():
            self.open_colour = colours[self.water_cells].mean(axis=0)
        some_dry, some_wet = (dry_count > 0)[..., None], (wet_count > 0)[..., None]
        self.land: FloatArray = np.where(
            some_dry, of_land / np.maximum(dry_count, 1.0)[..., None], everything / count[..., None]
        )
        self.water: FloatArray = np.where(
            some_wet, of_water / np.maximum(wet_count, 1.0)[..., None], self.open_colour
        )
        green = np.array(
            [
                surface.sound.lower() == GRASS_SOUND
                and surface.colour[1] > max(surface.colour[0], surface.colour[2])
                for surface in surfaces
            ]
            or [False]
        )
        damp = self.wetness > 0
        corners = damp[:-1, :-1] | damp[1:, :-1] | damp[:-1, 1:] | damp[1:, 1:]
        self.grassy: BoolArray = green[terrain.cell_surfaces] & ~corners & ~covered_cells(level)
