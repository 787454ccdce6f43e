"""Patterns of surfaces as one small texture of layers: how light each place is against the surface's plain
colour.

A layer is 0..255 with 128 for the plain colour, repeats without a seam, and has mip levels, so that joints
fade with distance instead of flickering.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

SIZE = 128
FloatArray = npt.NDArray[np.float64]


def _grid() -> tuple[FloatArray, FloatArray]:
    """Return u (columns) and v (rows) of all texels, 0..1."""
    v, u = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    return u, v


def _plain() -> FloatArray:
    return np.ones((SIZE, SIZE))


def _tiles() -> FloatArray:
    """Squares of 2 m, every other one darker, with a joint. Repeats every 4 m."""
    u, v = _grid()
    shade = 1.0 + 0.045 * np.where((u < 0.5) == (v < 0.5), 1.0, -1.0)
    joint = (np.minimum(u * 2 % 1, v * 2 % 1) < 1.1 / 64) * 0.20
    return np.asarray(shade - joint, np.float64)


def _planks() -> FloatArray:
    """Eight boards along u, 0.25 m wide, each of its own shade, with ends. Repeats every 2 m."""
    random = np.random.default_rng(4)
    u, v = _grid()
    board = (v * 8).astype(int)
    shade = random.uniform(-0.08, 0.08, 8)[board]
    seam = (v * 8 % 1 < 0.10) * 0.20
    end = np.abs((u - random.uniform(0, 1, 8)[board] + 0.5) % 1 - 0.5) < 0.010
    grain = 0.025 * np.sin(2 * np.pi * (v * 40 + np.round(2 * np.sin(2 * np.pi * u)) * 0.3))
    return np.asarray(1.0 + shade - seam - end * 0.18 + grain, np.float64)


def _grass() -> FloatArray:
    """Blotches of five shades, from waves that fit the layer. Repeats every 8 m."""
    random = np.random.default_rng(9)
    u, v = _grid()
    height = np.zeros_like(u)
    for _ in range(40):
        across, along = random.integers(-11, 12, 2)
        strength = 1.0 / (1.5 + math.hypot(across, along))
        height += strength * np.sin(2 * np.pi * (across * u + along * v) + random.uniform(0, 2 * np.pi))
    shade = np.clip(np.round(height / height.std() * 1.1), -2, 2)
    return np.asarray(1.0 + 0.035 * shade, np.float64)


def _stripes() -> FloatArray:
    """Warning bands across. Repeats every 1 m."""
    u, v = _grid()
    return np.where((u + v) % 1 < 0.5, 1.0, 0.42)


def _stone() -> FloatArray:
    """Courses of blocks, 1 m x 0.5 m, every other course moved by half a block. Repeats every 4 m."""
    random = np.random.default_rng(6)
    u, v = _grid()
    course = (v * 8).astype(int)
    along = u * 4 + 0.5 * (course % 2)
    shade = random.uniform(-0.06, 0.06, (8, 4))[course, along.astype(int) % 4]
    joint = np.maximum(along % 1 < 0.032, v * 8 % 1 < 0.0626) * 0.15
    return np.asarray(1.0 + shade - joint, np.float64)


# In the order of game.render.mesh.PATTERNS: how it is made, and metres until it repeats.
LAYERS: tuple[tuple[Callable[[], FloatArray], float], ...] = (
    (_plain, 4.0),
    (_tiles, 4.0),
    (_planks, 2.0),
    (_grass, 8.0),
    (_plain, 4.0),  # water has a program of its own
    (_stripes, 1.0),
    (_stone, 4.0),
    (_plain, 4.0),  # glow
)
SCALES = tuple(1.0 / metres for _, metres in LAYERS)


def pattern_pixels() -> npt.NDArray[np.uint8]:
    """Return all layers, (8, SIZE, SIZE) bytes, 128 for the plain colour."""
    return np.stack([np.clip(np.rint(make() * 128.0), 0, 255) for make, _ in LAYERS]).astype(np.uint8)


def pattern_texture(context: Any, smooth: bool = True) -> Any:
    """Return the layers as a texture array with mip levels; `smooth` mixes the two nearest ones."""
    texture = context.texture_array((SIZE, SIZE, len(LAYERS)), 1, pattern_pixels().tobytes(), alignment=1)
    texture.build_mipmaps()
    smaller = moderngl.LINEAR_MIPMAP_LINEAR if smooth else moderngl.LINEAR_MIPMAP_NEAREST
    texture.filter = (smaller, moderngl.LINEAR)
    return texture
