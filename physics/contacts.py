"""Contacts as they stood at the last PSI, and lines that show them in any renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics.kernel import touches as _kernel
from physics.kernel.world import WorldCore

if TYPE_CHECKING:
    from physics.body import Body
    from physics.materials import Material
    from physics.world import World

Triple = tuple[float, float, float]

NORMAL_LENGTH = 0.3  # m: of a contact's normal in debug lines
CROSS = 0.05  # m: half a cross at a contact point
PUSHING, NEAR = (255, 70, 90, 255), (255, 190, 70, 255)
AWAKE, ASLEEP = (120, 230, 120, 255), (110, 130, 210, 255)


class Contact(NamedTuple):
    """A contact point of two bodies at the last PSI.

    Attributes:
        a: one body.
        b: the other one.
        point: (3,) half-way between the surfaces, m.
        normal: (3,) unit, from a to b.
        gap: distance of the surfaces along the normal, m; negative where they overlap.
        impulse: normal impulse of the last PSI, N s.
        part_a, part_b: children of compounds, else 0.
        triangle_a, triangle_b: numbers of mesh triangles, or -1.
        material_a, material_b: of the triangle, or of the body.
    """

    a: Body
    b: Body
    point: Triple
    normal: Triple
    gap: float
    impulse: float
    part_a: int
    part_b: int
    triangle_a: int
    triangle_b: int
    material_a: Material
    material_b: Material


def rows_of(world: WorldCore, body: int = -1) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the contact points of one body (its slot) or of all: numbers (n, 8) and figures (n, 8) of the kernel."""
    count = _kernel.contact_count(world, body)
    numbers, figures = np.empty((count, 8), np.int32), np.empty((count, 8))
    _kernel.contact_rows(world, body, numbers, figures)
    return numbers, figures


def contacts_of(world: World, body: int = -1) -> list[Contact]:
    """Return the contact points of one body (its slot), or of all bodies, in the order in which their pairs began."""
    handles = {handle.id[0]: handle for handle in world.bodies}
    numbers, figures = rows_of(world, body)
    found = []
    for row, (x, y, z, nx, ny, nz, gap, impulse) in zip(numbers.tolist(), figures.tolist(), strict=True):
        slot_a, slot_b, part_a, part_b, triangle_a, triangle_b, number_a, number_b = row
        a, b = handles[slot_a], handles[slot_b]
        materials = a._material_at(part_a, number_a), b._material_at(part_b, number_b)
        parts = part_a, part_b, triangle_a, triangle_b
        found.append(Contact(a, b, (x, y, z), (nx, ny, nz), gap, impulse, *parts, *materials))
    return found


def debug_lines(world: World) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return line segments (n, 2, 3) and their colours (n, 4): contact points, and a cross of axes at each body."""
    _, figures = rows_of(world)
    points = figures[:, :3]
    lines = [np.stack([points, points + figures[:, 3:6] * NORMAL_LENGTH], axis=1)]
    for axis in np.eye(3) * CROSS:
        lines.append(np.stack([points - axis, points + axis], axis=1))
    pushing = figures[:, 7] > 0.0
    colours = [np.where(pushing[:, None], PUSHING, NEAR)] * 4
    marks, mark_colours = _body_marks(world)
    segments = np.concatenate([*lines, marks]).astype(np.float32)
    return segments, np.concatenate([*colours, mark_colours]).astype(np.uint8)


def _body_marks(world: World) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the three axes of every body that can move, in the colour of its state."""
    moving = [body for body in world.bodies if not body.fixed]
    segments, colours = np.zeros((3 * len(moving), 2, 3)), np.zeros((3 * len(moving), 4), np.int64)
    for number, body in enumerate(moving):
        position = body.position
        axes = body.matrix[:3, :3].astype(np.float64) * (0.5 * body.core.upper_limit_radius)
        segments[3 * number : 3 * number + 3, 0] = position
        segments[3 * number : 3 * number + 3, 1] = position + axes
        colours[3 * number : 3 * number + 3] = ASLEEP if body.frozen else AWAKE
    return segments, colours
