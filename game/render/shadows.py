"""The sun's shadow map: depth seen from the sun over a square around what the camera looks at."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from game.render.matrices import Matrix, look_at, normalized, orthographic

REACH = 26.0  # metres from the middle of the square to its edge
DISTANCE = 90.0  # metres from the middle to the light's eye: higher things still throw shadows


def shadow_matrices(sun: npt.ArrayLike, focus: npt.ArrayLike, size: int, reach: float = REACH) -> Matrix:
    """Return the projection (4, 4) from the world to the shadow map's -1..1.

    The square moves in whole texels over the ground, so that the edges of shadows don't crawl when the
    camera moves.
    """
    towards = normalized(sun)
    turned = look_at(towards, (0.0, 0.0, 0.0))
    texel = 2.0 * reach / size
    place = turned[:3, :3] @ np.asarray(focus, np.float64)
    place[:2] = np.floor(place[:2] / texel) * texel
    view = np.eye(4)
    view[:3, :3] = turned[:3, :3]
    view[:3, 3] = -place
    view[2, 3] -= DISTANCE
    return orthographic(reach, reach, 1.0, 2.0 * DISTANCE) @ view


class ShadowMap:
    """A square depth texture with hardware comparison, and the framebuffer that fills it."""

    def __init__(self, context: Any, size: int) -> None:
        self._context = context
        self.size = size
        self.texture = context.depth_texture((size, size))
        self.texture.compare_func = "<="
        self.texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self._framebuffer = context.framebuffer(depth_attachment=self.texture)
        self.matrix = np.eye(4)

    def begin(self, sun: npt.ArrayLike, focus: npt.ArrayLike) -> None:
        """Aim the map at `focus`, clear it and make it the target of drawing."""
        self.matrix = shadow_matrices(sun, focus, self.size)
        self._framebuffer.use()
        self._context.viewport = (0, 0, self.size, self.size)
        self._framebuffer.clear(depth=1.0)
        self._context.polygon_offset = (1.5, 3.0)

    def end(self) -> None:
        """Finish the map."""
        self._context.polygon_offset = (0.0, 0.0)

    @property
    def lookup(self) -> Matrix:
        """The matrix from the world to the 0..1 of the texture and of its depth."""
        half = np.diag([0.5, 0.5, 0.5, 1.0])
        half[:3, 3] = 0.5
        return np.asarray(half @ self.matrix, np.float64)

    def release(self) -> None:
        """Give the texture back."""
        self._framebuffer.release()
        self.texture.release()
