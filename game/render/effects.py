"""What is drawn without light after the solids: particles, rings of light, debug lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
import numpy.typing as npt

from game.render.programs import load_program, set_uniforms

if TYPE_CHECKING:
    from game.render.scene import DebugLines, Marker, Particles

COLOURED: np.dtype[np.void] = np.dtype([("position", "<f4", 3), ("colour", "u1", 4)])
SPRITE: np.dtype[np.void] = np.dtype([("position", "<f4", 3), ("size", "<f4"), ("colour", "u1", 4)])
RING_SIDES = 40
_STEPS = np.linspace(0.0, 2.0 * math.pi, RING_SIDES + 1)
_CIRCLE = np.stack((np.cos(_STEPS), np.zeros_like(_STEPS), np.sin(_STEPS)), axis=1)


class _Stream:
    """A buffer that is written anew for each picture and grows when it must."""

    def __init__(self, context: Any, stride: int) -> None:
        self._context, self._stride = context, stride
        self.buffer = context.buffer(reserve=256 * stride, dynamic=True)

    def write(self, data: npt.NDArray[np.void]) -> int:
        """Write `data`; return the number of items."""
        if data.nbytes > self.buffer.size:
            self.buffer.orphan(2 * data.nbytes)  # keeps the name, so vertex arrays stay right
        if data.nbytes:
            self.buffer.write(data.tobytes())
        return len(data)


def ring_vertices(marker: Marker, seconds: float) -> npt.NDArray[np.void]:
    """Return the triangles of a ring of light: a low wall that fades upwards, with bands that wander
    round."""
    steps = _STEPS
    foot = _CIRCLE * marker.radius + np.asarray(marker.position)
    height = 1.1 if marker.active else 0.25
    top = foot + np.array([0.0, height, 0.0])
    rgb = np.clip(np.array(marker.colour) * 255.0, 0, 255)
    wave = 0.5 + 0.5 * np.cos(4.0 * steps - 2.5 * seconds) if marker.active else np.full(len(steps), 0.3)
    low = np.concatenate((np.tile(rgb, (len(steps), 1)), (40.0 + 62.0 * wave)[:, None]), axis=1)
    high = np.concatenate((np.tile(rgb, (len(steps), 1)), np.zeros((len(steps), 1))), axis=1)
    out = np.zeros((RING_SIDES, 6), COLOURED)
    for corner, (points, colours, later) in enumerate(
        ((foot, low, 0), (foot, low, 1), (top, high, 1), (foot, low, 0), (top, high, 1), (top, high, 0))
    ):
        out["position"][:, corner] = points[later : later + RING_SIDES]
        out["colour"][:, corner] = colours[later : later + RING_SIDES]
    return out.reshape(-1)


class Effects:
    """Particles, rings and lines on the GPU."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._plain = load_program(context, "plain")
        self._particle = load_program(context, "particle")
        self._coloured = _Stream(context, COLOURED.itemsize)
        self._sprites = _Stream(context, SPRITE.itemsize)
        corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32)
        self._corners = context.buffer(corners.tobytes())
        self._coloured_array = context.vertex_array(
            self._plain, [(self._coloured.buffer, "3f4 4f1", "in_position", "in_colour")]
        )
        self._sprite_array = context.vertex_array(
            self._particle,
            [
                (self._corners, "2f4", "in_corner"),
                (self._sprites.buffer, "3f4 1f4 4f1/i", "in_position", "in_size", "in_colour"),
            ],
        )

    def draw_markers(self, markers: tuple[Marker, ...], seconds: float, view_projection: bytes) -> None:
        """Draw rings of light; they add to what is behind them."""
        if not markers:
            return
        count = self._coloured.write(np.concatenate([ring_vertices(marker, seconds) for marker in markers]))
        self._plain["view_projection"].write(view_projection)
        self._context.blend_func = (moderngl.SRC_ALPHA, moderngl.ONE)
        self._coloured_array.render(vertices=count)
        self._context.blend_func = moderngl.DEFAULT_BLENDING

    def draw_particles(
        self,
        particles: Particles | None,
        view_projection: bytes,
        right: tuple[float, ...],
        up: tuple[float, ...],
    ) -> None:
        """Draw round sprites that face the camera, whose axes in the world are `right` and `up`."""
        if particles is None or not len(particles.positions):
            return
        data = np.zeros(len(particles.positions), SPRITE)
        data["position"], data["size"], data["colour"] = (
            particles.positions,
            particles.sizes,
            particles.colours,
        )
        count = self._sprites.write(data)
        set_uniforms(self._particle, view_projection=view_projection, right=right, up=up)
        self._sprite_array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=count)

    def draw_lines(self, lines: DebugLines | None, view_projection: bytes) -> None:
        """Draw line segments."""
        if lines is None or not len(lines.points):
            return
        data = np.zeros((len(lines.points), 2), COLOURED)
        data["position"] = lines.points
        data["colour"] = np.broadcast_to(lines.colours, (len(lines.points), 4))[:, None]
        count = self._coloured.write(data.reshape(-1))
        self._plain["view_projection"].write(view_projection)
        self._coloured_array.render(moderngl.LINES, vertices=count)

    def release(self) -> None:
        """Give the buffers back."""
        for thing in (
            self._coloured_array,
            self._sprite_array,
            self._corners,
            self._coloured.buffer,
            self._sprites.buffer,
        ):
            thing.release()
