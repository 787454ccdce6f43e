"""Glyphs: letters of pygame's own font, baked into one picture when they are first needed at a pixel size."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame
import pygame.font

ATLAS_SIZE = 1024  # pixels a side: about 900 letters of 30 pixels
SMALLEST, LARGEST = 6, 200  # pixel sizes that are worth baking


@dataclass(frozen=True, slots=True)
class Glyph:
    """One baked letter: its rectangle in the atlas, how far the pen moves on, both in pixels."""

    x: int
    y: int
    width: int
    height: int
    advance: float


@lru_cache(maxsize=64)
def _font(pixel_size: int) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(None, pixel_size)


def clamp_size(pixel_size: float) -> int:
    """Return the whole pixel size that is baked for a wanted one."""
    return max(SMALLEST, min(LARGEST, round(pixel_size)))


@lru_cache(maxsize=8192)
def advance(character: str, pixel_size: int) -> float:
    """Return how far `character` moves the pen at `pixel_size`, in pixels."""
    metrics = _font(pixel_size).metrics(character)
    if not metrics or metrics[0] is None:
        return advance("?", pixel_size) if character != "?" else pixel_size * 0.5
    return float(metrics[0][4])


def text_width(text: str, pixel_size: float) -> float:
    """Return the width of one line of `text` at `pixel_size`, in pixels."""
    size = clamp_size(pixel_size)
    return sum(advance(character, size) for character in text)


def line_height(pixel_size: float) -> int:
    """Return the height of a line at `pixel_size`, in pixels."""
    return _font(clamp_size(pixel_size)).get_linesize()


class GlyphAtlas:
    """One 8-bit picture that holds every letter baked so far; a full one starts again.

    `pixels` is (ATLAS_SIZE, ATLAS_SIZE) uint8, row 0 at the top; its first 2 x 2 pixels are solid, for
    rectangles. `version` grows with each letter, so that a copy on the GPU knows when it is old;
    `generation` grows when the atlas was emptied and rectangles handed out before have become wrong.
    """

    def __init__(self) -> None:
        self.pixels: npt.NDArray[np.uint8] = np.zeros((ATLAS_SIZE, ATLAS_SIZE), np.uint8)
        self.version = 0
        self.generation = 0
        self._glyphs: dict[tuple[str, int], Glyph] = {}
        self._clear()

    def _clear(self) -> None:
        self.pixels[:] = 0
        self.pixels[:2, :2] = 255
        self._glyphs.clear()
        self._pen_x, self._pen_y, self._shelf_height = 4, 0, 4

    def glyph(self, character: str, pixel_size: int) -> Glyph:
        """Return the baked `character` at `pixel_size` (whole pixels), baking it first if need be."""
        found = self._glyphs.get((character, pixel_size))
        return found if found is not None else self._bake(character, pixel_size)

    def _bake(self, character: str, pixel_size: int) -> Glyph:
        font = _font(pixel_size)
        drawable = character if character.isprintable() and font.metrics(character)[0] is not None else "?"
        surface = font.render(drawable, True, (255, 255, 255))
        alpha = np.ascontiguousarray(pygame.surfarray.array_alpha(surface).T)
        height, width = alpha.shape
        if self._pen_x + width + 1 > ATLAS_SIZE:
            self._pen_x, self._pen_y, self._shelf_height = 0, self._pen_y + self._shelf_height + 1, 0
        if self._pen_y + height + 1 > ATLAS_SIZE:
            self._clear()
            self.generation += 1
        x, y = self._pen_x, self._pen_y
        self.pixels[y : y + height, x : x + width] = alpha
        self._pen_x += width + 1
        self._shelf_height = max(self._shelf_height, height)
        self.version += 1
        glyph = Glyph(x, y, width, height, advance(drawable, pixel_size))
        self._glyphs[(character, pixel_size)] = glyph
        return glyph
