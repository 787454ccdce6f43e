"""Makes the triangles of static geometry by code: blocks, ramps, stairs, rings and the like, with surface ids."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from assets_pipeline.authoring.havok_shapes import Subpart, mesh, tree
from assets_pipeline.havok.mopp_compiler import build_mopp
from assets_pipeline.packfile.objects import HavokObject

Point = Sequence[float]
SIDES = ("west", "east", "bottom", "top", "north", "south")  # -X, +X, -Y, +Y, -Z, +Z


class MeshMaker:
    """Collects triangles into the subparts of one mesh; metres, +Y up, counter-clockwise from outside."""

    def __init__(self) -> None:
        self._vertices: list[list[tuple[float, float, float]]] = [[]]
        self._triangles: list[list[tuple[int, int, int]]] = [[]]
        self._surfaces: list[list[int]] = [[]]

    def next_subpart(self) -> None:
        """Let what follows go into a new subpart."""
        if self._triangles[-1]:
            self._vertices.append([])
            self._triangles.append([])
            self._surfaces.append([])

    def polygon(self, corners: Iterable[Point], surface: int) -> None:
        """Add a flat convex polygon, counter-clockwise seen from its front."""
        vertices = self._vertices[-1]
        start = len(vertices)
        vertices += [(float(x), float(y), float(z)) for x, y, z in corners]
        for index in range(start + 1, len(vertices) - 1):
            self._triangles[-1].append((start, index, index + 1))
            self._surfaces[-1].append(surface)

    def block(
        self, low: Point, high: Point, surface: int, *, top: int | None = None, leave_out: Sequence[str] = ()
    ) -> None:
        """Add a box from its lowest to its highest corner.

        Args:
            low: lowest corner.
            high: highest corner.
            surface: of its sides.
            top: surface of its top; None: as its sides.
            leave_out: names of `SIDES` that are hidden and not made.
        """
        (x0, y0, z0), (x1, y1, z1) = low, high
        faces = {
            "west": ((x0, y0, z0), (x0, y0, z1), (x0, y1, z1), (x0, y1, z0)),
            "east": ((x1, y0, z1), (x1, y0, z0), (x1, y1, z0), (x1, y1, z1)),
            "bottom": ((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)),
            "top": ((x0, y1, z1), (x1, y1, z1), (x1, y1, z0), (x0, y1, z0)),
            "north": ((x1, y0, z0), (x0, y0, z0), (x0, y1, z0), (x1, y1, z0)),
            "south": ((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)),
        }
        for side in SIDES:
            if side not in leave_out:
                self.polygon(faces[side], surface if side != "top" or top is None else top)

    def ramp(
        self,
        low: Point,
        high: Point,
        towards: str,
        surface: int,
        *,
        slope: int | None = None,
        back: bool = True,
    ) -> None:
        """Add a wedge in the box `low`..`high` that rises towards a side: west, east, north or south.

        Args:
            low: lowest corner of the box.
            high: highest corner of the box.
            towards: the side at which it is as high as the box.
            surface: of its upright sides.
            slope: surface of the slope; None: the same.
            back: whether its high side is made; not where it leans on something.
        """
        (x0, y0, z0), (x1, y1, z1) = low, high
        # Made as if rising towards +X, then turned about the vertical in quarter turns.
        turns = {"east": 0, "north": 1, "west": 2, "south": 3}[towards]
        cx, cz = (x0 + x1) / 2, (z0 + z1) / 2
        half, side = (x1 - x0) / 2, (z1 - z0) / 2
        if turns % 2:
            half, side = side, half

        def place(x: float, y: float, z: float) -> tuple[float, float, float]:
            for _ in range(turns):
                x, z = z, -x
            return cx + x, y, cz + z

        toe = [place(-half, y0, z) for z in (-side, side)]
        foot = [place(half, y0, z) for z in (-side, side)]
        head = [place(half, y1, z) for z in (-side, side)]
        self.polygon((toe[1], head[1], head[0], toe[0]), surface if slope is None else slope)
        if back:
            self.polygon((foot[0], head[0], head[1], foot[1]), surface)
        self.polygon((toe[0], head[0], foot[0]), surface)
        self.polygon((toe[1], foot[1], head[1]), surface)
        self.polygon((toe[0], foot[0], foot[1], toe[1]), surface)

    def stairs(self, low: Point, high: Point, towards: str, steps: int, surface: int) -> None:
        """Add stairs in the box `low`..`high` that rise towards a side in equal steps."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        for step in range(steps):
            part, rise = step / steps, (step + 1) / steps
            top = y0 + (y1 - y0) * rise
            first = {
                "east": ((x0 + (x1 - x0) * part, y0, z0), (x1, top, z1)),
                "west": ((x0, y0, z0), (x1 - (x1 - x0) * part, top, z1)),
                "south": ((x0, y0, z0 + (z1 - z0) * part), (x1, top, z1)),
                "north": ((x0, y0, z0), (x1, top, z1 - (z1 - z0) * part)),
            }[towards]
            low_corner, high_corner = first
            # Only what shows: the top strip of each step, its riser and its sides.
            strip = {
                "east": ((low_corner[0], y0, z0), (x0 + (x1 - x0) * rise, top, z1)),
                "west": ((x1 - (x1 - x0) * rise, y0, z0), (high_corner[0], top, z1)),
                "south": ((x0, y0, low_corner[2]), (x1, top, z0 + (z1 - z0) * rise)),
                "north": ((x0, y0, z1 - (z1 - z0) * rise), (x1, top, high_corner[2])),
            }[towards]
            self.block(*strip, surface, leave_out=("bottom",))

    def slab(
        self, corners: Sequence[Point], thickness: float, surface: int, *, top: int | None = None
    ) -> None:
        """Add a plate under a flat polygon: `corners` of its upper side, counter-clockwise seen from above."""
        lower = [(x, y - thickness, z) for x, y, z in corners]
        self.polygon(corners, surface if top is None else top)
        self.polygon(lower[::-1], surface)
        for index, upper_a in enumerate(corners):
            following = (index + 1) % len(corners)
            self.polygon((lower[index], lower[following], corners[following], upper_a), surface)

    def track(
        self,
        start: Point,
        end: Point,
        half_width: float,
        thickness: float,
        surface: int,
        *,
        kerb: tuple[float, float] | None = None,
        kerb_surface: int | None = None,
    ) -> None:
        """Add a straight, perhaps sloping, way between two points in the middle of its upper side.

        Args:
            start: one end.
            end: the other; it may lie higher or lower, not straight above.
            half_width: half of the way's width.
            thickness: downward.
            surface: of the way.
            kerb: (height, width) of a kerb along each side; None: there is none.
            kerb_surface: of the kerbs; None: that of the way.
        """
        a, b = np.asarray(start, float), np.asarray(end, float)
        along = np.array([b[0] - a[0], 0.0, b[2] - a[2]])
        side = np.array([-along[2], 0.0, along[0]]) / np.linalg.norm(along)

        def strip(first: float, second: float, raised: float) -> list[Point]:
            # `first` lies to the right of `second` seen along the way: counter-clockwise from above.
            lift = np.array([0.0, raised, 0.0])
            return [tuple(p + side * w + lift) for p, w in ((a, second), (a, first), (b, first), (b, second))]

        self.slab(strip(half_width, -half_width, 0.0), thickness, surface)
        if kerb is not None:
            height, width = kerb
            colour = surface if kerb_surface is None else kerb_surface
            for inner, outer in ((half_width, half_width + width), (-half_width - width, -half_width)):
                self.slab(strip(outer, inner, height), thickness + height, colour)

    def ring(
        self, center: Point, inner: float, outer: float, height: float, surface: int, *, sides: int = 32
    ) -> None:
        """Add a flat ring (or a disc, `inner` 0) with its outer rim, `height` above `center`."""
        cx, cy, cz = center
        top = cy + height
        angles = [2 * math.pi * index / sides for index in range(sides + 1)]
        for a, b in itertools.pairwise(angles):
            rim_a, rim_b = (math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))
            low = [(cx + outer * c, cy, cz + outer * s) for c, s in (rim_a, rim_b)]
            high = [(cx + outer * c, top, cz + outer * s) for c, s in (rim_a, rim_b)]
            self.polygon((low[1], low[0], high[0], high[1]), surface)
            if inner > 0.0:
                hole = [(cx + inner * c, top, cz + inner * s) for c, s in (rim_a, rim_b)]
                floor = [(cx + inner * c, cy, cz + inner * s) for c, s in (rim_a, rim_b)]
                self.polygon((high[1], high[0], hole[0], hole[1]), surface)
                self.polygon((hole[1], hole[0], floor[0], floor[1]), surface)
            else:
                self.polygon(((cx, top, cz), high[1], high[0]), surface)

    def floor(self, low: Point, high: Point, surface: int, *, cell: float = 8.0) -> None:
        """Add a level rectangle at the height of `high`, cut into squares of at most `cell` metres.

        Paving that lies on the ground needs no sides: where two of them met, sides would stand under the joint,
        and what slides across would stumble over their upper edges.
        """
        (x0, _, z0), (x1, y1, z1) = low, high
        columns, rows = max(1, math.ceil((x1 - x0) / cell)), max(1, math.ceil((z1 - z0) / cell))
        xs, zs = np.linspace(x0, x1, columns + 1), np.linspace(z0, z1, rows + 1)
        for row in range(rows):
            for column in range(columns):
                a, b = (xs[column], xs[column + 1]), (zs[row], zs[row + 1])
                self.polygon(
                    ((a[0], y1, b[1]), (a[1], y1, b[1]), (a[1], y1, b[0]), (a[0], y1, b[0])), surface
                )

    def subparts(self) -> list[Subpart]:
        """Return what was added, one `Subpart` for each."""
        return [
            Subpart(np.array(vertices), np.array(triangles), np.array(surfaces))
            for vertices, triangles, surfaces in zip(
                self._vertices, self._triangles, self._surfaces, strict=True
            )
            if triangles
        ]

    def shape(self) -> HavokObject:
        """Return the mesh under a tree whose code is compiled here."""
        parts = self.subparts()
        code = build_mopp([(part.vertices, part.triangles) for part in parts])
        return tree(mesh(parts), code.data, code.offset, code.scale)
