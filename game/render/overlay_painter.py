"""Draws an Overlay: all its rectangles and letters in one call, from one atlas."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from game.render.font import ATLAS_SIZE, GlyphAtlas, clamp_size
from game.render.overlay import Overlay, Rectangle, Text
from game.render.programs import load_program

OVERLAY_VERTEX: np.dtype[np.void] = np.dtype(
    [
        ("place", "<f4", 2),
        ("texture", "<f4", 2),
        ("colour", "u1", 4),
        ("box", "<f4", 4),
        ("from_middle", "<f4", 2),
    ]
)
# The corners of two triangles: 0 left, 1 right; 0 top, 1 bottom.
ACROSS = np.array([0, 1, 1, 0, 1, 0])
DOWN = np.array([0, 0, 1, 0, 1, 1])


def overlay_vertices(overlay: Overlay, atlas: GlyphAtlas) -> npt.NDArray[np.void]:
    """Return the triangles of `overlay` in window pixels, baking the letters that it needs.

    Letters stand on whole pixels, so they are as sharp as they were baked.
    """
    for _ in range(2):
        generation = atlas.generation
        left, top, width, height, texture, first, second, across, boxes = [], [], [], [], [], [], [], [], []
        scale = overlay.scale
        for item in overlay.items:
            if isinstance(item, Rectangle):
                left.append(item.x * scale)
                top.append(item.y * scale)
                width.append(item.width * scale)
                height.append(item.height * scale)
                texture.append((1.0, 1.0, 0.0, 0.0))  # the solid pixels of the atlas
                first.append(item.colour)
                second.append(item.second)
                across.append(item.across)
                boxes.append(min(item.radius * scale, width[-1] / 2, height[-1] / 2))
            else:
                _letters(item, scale, atlas, left, top, width, height, texture, first, second, across, boxes)
        if atlas.generation == generation:
            break  # else the atlas was emptied on the way: its first letters are gone, lay out once more
    count = len(left)
    out = np.zeros((count, 6), OVERLAY_VERTEX)
    if not count:
        return out.reshape(-1)
    x, y, w, h = (np.array(values)[:, None] for values in (left, top, width, height))
    out["place"][..., 0], out["place"][..., 1] = x + w * ACROSS, y + h * DOWN
    source = np.array(texture)
    out["texture"][..., 0] = source[:, 0:1] + source[:, 2:3] * ACROSS
    out["texture"][..., 1] = source[:, 1:2] + source[:, 3:4] * DOWN
    share = np.where(np.array(across)[:, None], ACROSS, DOWN)[..., None]
    out["colour"] = np.where(share == 0, np.array(first)[:, None], np.array(second)[:, None])
    out["box"][..., 0], out["box"][..., 1], out["box"][..., 2] = w / 2, h / 2, np.array(boxes)[:, None]
    out["from_middle"][..., 0], out["from_middle"][..., 1] = w * (ACROSS - 0.5), h * (DOWN - 0.5)
    return out.reshape(-1)


def _letters(
    item: Text,
    scale: float,
    atlas: GlyphAtlas,
    left: list[float],
    top: list[float],
    width: list[float],
    height: list[float],
    texture: list[tuple[float, float, float, float]],
    first: list[tuple[int, int, int, int]],
    second: list[tuple[int, int, int, int]],
    across: list[bool],
    boxes: list[float],
) -> None:
    """Add the letters of one line of text."""
    size = clamp_size(item.size * scale)
    pen, line = float(round(item.x * scale)), float(round(item.y * scale))
    for character in item.text:
        glyph = atlas.glyph(character, size)
        if character != " ":
            left.append(pen)
            top.append(line)
            width.append(glyph.width)
            height.append(glyph.height)
            texture.append((glyph.x, glyph.y, glyph.width, glyph.height))
            first.append(item.colour)
            second.append(item.colour)
            across.append(False)
            boxes.append(0.0)
        pen += glyph.advance


class OverlayPainter:
    """The overlay's program, atlas texture and buffer on the GPU."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._program = load_program(context, "overlay")
        self.atlas = GlyphAtlas()
        self._texture = context.texture((ATLAS_SIZE, ATLAS_SIZE), 1, dtype="f1", alignment=1)
        self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._uploaded = -1
        self._buffer = context.buffer(reserve=4096 * OVERLAY_VERTEX.itemsize, dynamic=True)
        names = ("in_place", "in_texture", "in_colour", "in_box", "in_from_middle")
        self._array = context.vertex_array(self._program, [(self._buffer, "2f4 2f4 4f1 4f4 2f4", *names)])

    def draw(self, overlay: Overlay) -> None:
        """Draw `overlay` over what is there; blending is on, depth testing off."""
        vertices = overlay_vertices(overlay, self.atlas)
        if not len(vertices):
            return
        if self._uploaded != self.atlas.version:
            self._texture.write(self.atlas.pixels.tobytes())
            self._uploaded = self.atlas.version
        if vertices.nbytes > self._buffer.size:
            self._buffer.orphan(2 * vertices.nbytes)
        self._buffer.write(vertices.tobytes())
        self._texture.use(0)
        self._program["atlas"].value = 0
        self._program["atlas_size"].value = float(ATLAS_SIZE)
        self._program["window"].value = (float(overlay.pixel_width), float(overlay.pixel_height))
        self._array.render(vertices=len(vertices))

    def release(self) -> None:
        """Give the buffers back."""
        for thing in (self._array, self._buffer, self._texture):
            thing.release()
