"""Line drawings for the debug overlay: spheres, boxes, points, arrows, paths, gathered into one
DebugLines."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from assets_pipeline.vectors import matrix_of
from game.render.matrices import normalized
from game.render.scene import DebugLines

Colour = tuple[int, int, int, int]
Points = npt.ArrayLike

CONTACT: Colour = (255, 90, 70, 255)
SPHERE: Colour = (255, 214, 80, 255)
PROBE: Colour = (90, 220, 255, 255)
AWAKE: Colour = (130, 230, 130, 255)
ASLEEP: Colour = (120, 140, 190, 200)
CIRCLE_SIDES = 20
_EDGES = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7))


class LineSketch:
    """Collects segments; `lines()` hands them to the scene. Places are metres in the world."""

    def __init__(self) -> None:
        self._segments: list[npt.NDArray[np.float64]] = []
        self._colours: list[tuple[Colour, int]] = []

    def _add(self, segments: npt.NDArray[np.float64], colour: Colour) -> None:
        self._segments.append(segments)
        self._colours.append((colour, len(segments)))

    def segment(self, start: Points, end: Points, colour: Colour = PROBE) -> None:
        """Add a straight line."""
        self._add(np.array([[start, end]], np.float64), colour)

    def path(self, points: Points, colour: Colour = PROBE) -> None:
        """Add lines from each of (n, 3) points to the next."""
        places = np.asarray(points, np.float64).reshape(-1, 3)
        self._add(np.stack((places[:-1], places[1:]), axis=1), colour)

    def cross(self, point: Points, size: float = 0.1, colour: Colour = CONTACT) -> None:
        """Add three short lines through a point."""
        arms = np.eye(3) * size
        middle = np.asarray(point, np.float64)
        self._add(np.stack((middle - arms, middle + arms), axis=1), colour)

    def crosses(self, points: Points, size: float = 0.1, colour: Colour = CONTACT) -> None:
        """Add a cross at each of (n, 3) points."""
        middles = np.asarray(points, np.float64).reshape(-1, 1, 3)
        arms = np.eye(3)[None] * size
        self._add(np.stack((middles - arms, middles + arms), axis=2).reshape(-1, 2, 3), colour)

    def arrow(self, start: Points, direction: Points, length: float = 0.5, colour: Colour = CONTACT) -> None:
        """Add a line from `start` along `direction`, with a head."""
        begin, along = np.asarray(start, np.float64), normalized(direction)
        side = normalized(np.cross(along, (0.0, 1.0, 0.0) if abs(along[1]) < 0.9 else (1.0, 0.0, 0.0)))
        end = begin + along * length
        barbs = [end - along * length * 0.25 + side * sign * length * 0.12 for sign in (-1.0, 1.0)]
        self._add(np.array([[begin, end], [end, barbs[0]], [end, barbs[1]]]), colour)

    def sphere(self, centre: Points, radius: float, colour: Colour = SPHERE) -> None:
        """Add three circles."""
        angles = np.linspace(0.0, 2.0 * math.pi, CIRCLE_SIDES + 1)
        across, up, none = np.cos(angles) * radius, np.sin(angles) * radius, np.zeros(len(angles))
        for circle in ((across, up, none), (across, none, up), (none, across, up)):
            self.path(np.stack(circle, axis=1) + np.asarray(centre, np.float64), colour)

    def box(
        self, centre: Points, half_extents: Points, rotation: Points = (0, 0, 0, 1), colour: Colour = AWAKE
    ) -> None:
        """Add the twelve edges of a box turned by a quaternion."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        corners = (signs * np.asarray(half_extents)) @ matrix_of(rotation).T + np.asarray(centre)
        self._add(np.array([[corners[a], corners[b]] for a, b in _EDGES]), colour)

    def boxes(self, boxes: Iterable[tuple[Points, Points]], colour: Colour = AWAKE) -> None:
        """Add upright boxes given as (lowest corner, highest corner)."""
        for low, high in boxes:
            a, b = np.asarray(low, np.float64), np.asarray(high, np.float64)
            self.box((a + b) / 2.0, (b - a) / 2.0, colour=colour)

    def lines(self, *, through_walls: bool = True) -> DebugLines | None:
        """Return everything as one set of lines, or None when there is nothing."""
        if not self._segments:
            return None
        colours = np.concatenate([np.tile(np.array(c, np.uint8), (n, 1)) for c, n in self._colours])
        return DebugLines(np.concatenate(self._segments).astype(np.float32), colours, through_walls)
