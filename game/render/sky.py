"""The sky: a dome of coloured vertices with a sun, low clouds and two ranges of far hills, infinitely far
away."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from game.render.matrices import normalized
from game.render.programs import load_program

if TYPE_CHECKING:
    from game.render.scene import Look

SIDES = 32
RINGS = (-90.0, -12.0, 0.0, 4.0, 10.0, 20.0, 35.0, 55.0, 90.0)  # degrees above the horizon
SKY_VERTEX: np.dtype[np.void] = np.dtype([("direction", "<f4", 3), ("colour", "u1", 4)])

FloatArray = npt.NDArray[np.float64]
SkyArray = npt.NDArray[np.void]


def _direction(azimuth: FloatArray | float, elevation: FloatArray | float) -> FloatArray:
    """Return unit vectors of angles in degrees; azimuth 0 is +X, 90 is +Z."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.stack(np.broadcast_arrays(np.cos(e) * np.cos(a), np.sin(e), np.cos(e) * np.sin(a)), axis=-1)


def _part(directions: FloatArray, colours: FloatArray) -> SkyArray:
    """Return triangles: directions (n, 3), colours (n, 3) or (3,) sRGB 0..1."""
    out = np.zeros(len(directions), SKY_VERTEX)
    out["direction"] = directions
    out["colour"][:, :3] = np.rint(np.clip(np.broadcast_to(colours, directions.shape), 0.0, 1.0) * 255.0)
    return out


def _strip(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return the triangles of a band between two rows of points (n, k) around the sky."""
    a, b, c, d = lower[:-1], lower[1:], upper[:-1], upper[1:]
    return np.stack((a, b, d, a, d, c), axis=1).reshape(-1, lower.shape[1])


def dome_colour(look: Look, directions: FloatArray) -> FloatArray:
    """Return the sky's colour (n, 3) towards unit `directions` (n, 3): horizon to zenith, warm around the
    sun."""
    height = np.clip(directions[:, 1:2], 0.0, 1.0)
    horizon, zenith = np.array(look.horizon_colour), np.array(look.sky_colour)
    colour = horizon + (zenith - horizon) * (1.0 - (1.0 - height) ** 3.2)
    below = np.clip(-directions[:, 1:2] * 6.0, 0.0, 1.0)
    colour = colour + (np.array(look.haze_colour) - colour) * below
    towards = np.clip(directions @ normalized(look.sun), 0.0, 1.0)[:, None]
    return np.asarray(colour + (np.array(look.sun_colour) - colour) * (0.42 * towards**10), np.float64)


def _dome(look: Look) -> SkyArray:
    azimuths = np.linspace(0.0, 360.0, SIDES + 1)
    rings = [_direction(azimuths, elevation) for elevation in RINGS]
    directions = np.concatenate([_strip(low, high) for low, high in pairwise(rings)])
    return _part(directions, dome_colour(look, directions))


def _disc(look: Look) -> SkyArray:
    """Return the sun: a disc in a soft ring."""
    sun = normalized(look.sun)
    side = normalized(np.cross((0.0, 1.0, 0.0) if abs(sun[1]) < 0.99 else (1.0, 0.0, 0.0), sun))
    other = np.cross(sun, side)
    angles = np.linspace(0.0, 2.0 * math.pi, 25)
    circle = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    edges = [np.broadcast_to(sun, circle.shape), sun + 0.045 * circle, sun + 0.16 * circle]
    sky = [dome_colour(look, edge / np.linalg.norm(edge, axis=1, keepdims=True)) for edge in edges]
    bright = np.array([1.0, 0.98, 0.90])
    glow = sky[1] + (bright - sky[1]) * 0.45
    disc = _part(_strip(edges[0], edges[1]), bright)
    ring = _part(_strip(edges[1], edges[2]), _strip(glow, sky[2]))
    return np.concatenate((ring, disc))


def _hills(look: Look, seed: int, height: float, shade: float) -> SkyArray:
    """Return a range of hills around the horizon: `height` degrees at most, `shade` from air to hill."""
    random = np.random.default_rng(seed)
    azimuths = np.linspace(0.0, 360.0, 73)
    turns = np.radians(azimuths)
    ridge = 0.55 + 0.22 * np.sin(3 * turns + seed) + 0.13 * np.sin(7 * turns + 2.1 * seed)
    ridge = height * np.clip(ridge + random.uniform(-0.16, 0.16, len(azimuths)), 0.12, 1.0)
    ridge[-1] = ridge[0]
    low, high = _direction(azimuths, -3.0), _direction(azimuths, ridge)
    air, hill = np.array(look.haze_colour), np.array([0.36, 0.50, 0.52])
    colour = air + (hill - air) * shade
    foot = air
    rows = _strip(
        np.concatenate((low, np.tile(foot, (73, 1))), 1), np.concatenate((high, np.tile(colour, (73, 1))), 1)
    )
    return _part(rows[:, :3], rows[:, 3:])


def _clouds(look: Look) -> SkyArray:
    """Return a few flat-bottomed clouds of facets."""
    random = np.random.default_rng(11)
    horizon = np.array(look.horizon_colour)
    parts = []
    for number in range(11):
        azimuth, elevation = 360.0 * (number + random.uniform(-0.3, 0.3)) / 11, random.uniform(11.0, 30.0)
        width, height = random.uniform(9.0, 19.0), random.uniform(2.2, 4.2)
        points = 9
        across = np.linspace(-1.0, 1.0, points)
        top = height * np.sqrt(1.0 - across**2) * random.uniform(0.6, 1.1, points)
        top[0] = top[-1] = 0.0
        stretch = 1.0 / max(math.cos(math.radians(elevation)), 0.3)
        upper = _direction(azimuth + across * width * 0.5 * stretch, elevation + top)
        lower = _direction(azimuth + across * width * 0.5 * stretch, elevation - 0.16 * top)
        white = np.array([1.0, 0.985, 0.96])
        bright = horizon + (white - horizon) * 0.85
        dim = horizon + (white - horizon) * 0.25
        rows = _strip(
            np.concatenate((lower, np.tile(dim, (points, 1))), 1),
            np.concatenate((upper, np.tile(bright, (points, 1))), 1),
        )
        parts.append(_part(rows[:, :3], rows[:, 3:]))
    return np.concatenate(parts)


def sky_vertices(look: Look) -> SkyArray:
    """Return all triangles of the sky, back to front."""
    return np.concatenate(
        (_dome(look), _disc(look), _clouds(look), _hills(look, 5, 5.2, 0.34), _hills(look, 2, 3.1, 0.62))
    )


class SkyDome:
    """The sky on the GPU; it is made again when the look's colours or sun change."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._program = load_program(context, "sky")
        self._made_for: tuple[object, ...] | None = None
        self._buffer: Any = None
        self._array: Any = None

    def _make(self, look: Look) -> None:
        key = (look.sun, look.sun_colour, look.sky_colour, look.horizon_colour, look.haze_colour)
        if key == self._made_for:
            return
        self.release()
        self._buffer = self._context.buffer(sky_vertices(look).tobytes())
        self._array = self._context.vertex_array(
            self._program, [(self._buffer, "3f4 4f1", "in_direction", "in_colour")]
        )
        self._made_for = key

    def draw(self, look: Look, view_projection: bytes) -> None:
        """Draw the sky wherever nothing nearer was drawn; `view_projection` has no translation."""
        self._make(look)
        self._program["view_projection"].write(view_projection)
        self._array.render()

    def release(self) -> None:
        """Give the buffers back."""
        for thing in (self._array, self._buffer):
            if thing is not None:
                thing.release()
        self._array = self._buffer = None
        self._made_for = None
