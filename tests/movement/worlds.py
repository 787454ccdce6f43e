"""Worlds and actors for the player's tests, built from boxes and wedges in map units (+Y down)."""

import numpy as np

from movement import Actor, AnimationGroup, Bounds, CollisionWorld, Command, Opcode, Placements
from movement.models import bake_model, bake_models

CYRUS = Bounds((48, 128, 49), (24, 62, 24), (24, 66, 25))
FLOOR = 0  # map Y of the floor's top
STANDING = FLOOR - 62 - 2  # actor map Y of standing on it: less the positive Y extent, plus standing_height


def box(low, high):
    """Return vertices and outward triangles of an axis-aligned box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)], float)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def wedge(low, high):
    """Return a ramp that rises (toward -Y) along +Z: full height at the far end."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array(
        [(x0, y1, z0), (x1, y1, z0), (x0, y1, z1), (x1, y1, z1), (x0, y0, z1), (x1, y0, z1)], float
    )
    faces = [(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 5), (2, 5, 4), (0, 2, 4), (1, 5, 3)]
    return oriented(corners, np.array(faces))


def oriented(corners, triangles):
    """Turn every triangle outward, as seen from the middle of the (convex) corners."""
    middle = corners.mean(axis=0)
    result = []
    for a, b, c in triangles:
        normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
        result.append((a, b, c) if normal @ (corners[a] - middle) > 0 else (a, c, b))
    return corners, np.array(result)


def joined(parts):
    """Return all parts as one mesh."""
    vertices, triangles, base = [], [], 0
    for corners, faces in parts:
        vertices.append(corners)
        triangles.append(faces + base)
        base += len(corners)
    return np.concatenate(vertices), np.concatenate(triangles)


def world_of(parts, moving=(), terrain=None, surface=0, flags=0):
    """Return a world of static parts and of moving ones, each (mesh, position)."""
    baked = bake_models(*joined([oriented(*part) for part in parts]), surface, flags=flags) if parts else None
    models = list(baked.models) if baked else []
    placed = baked.placements if baked else Placements.empty()
    count = len(placed)
    for mesh, _ in moving:
        models.append(bake_model(*oriented(*mesh), surface))
    extra = len(moving)
    identity = np.broadcast_to(np.eye(3, dtype=np.float32), (extra, 3, 3))
    placements = Placements(
        np.concatenate([placed.models, np.arange(len(models) - extra, len(models), dtype=np.int32)]),
        np.concatenate([placed.positions, np.array([at for _, at in moving], np.float32).reshape(-1, 3)]),
        np.concatenate([placed.rotations, identity.astype(np.float32)]),
        np.concatenate([placed.flags, np.zeros(extra, np.uint8)]),
        np.array([False] * count + [True] * extra),
    )
    return CollisionWorld(models, placements, terrain)


def floor(half=2000, middle=(8192, 8192), y=FLOOR):
    x, z = middle
    return box((x - half, y, z - half), (x + half, y + 64, z + half))


def show(*frames):
    return tuple(Command(Opcode.SHOW_FRAME, (frame,)) for frame in frames)


def loop(target):
    return Command(Opcode.GO_TO_PREVIOUS, (target,))


def leave(target):
    return Command(Opcode.GO_TO_FUTURE, (target,))


END = Command(Opcode.END_ANIMATION)
BREAK = Command(Opcode.BREAK_POINT)

IDLE_GROUP = AnimationGroup(1, 0, (*show(0, 1, 2), loop(0)))
# Two frames of walking, an exit test, two exit frames that hold the feet.
WALK_GROUP = AnimationGroup(
    1, 1, (*show(10), leave(4), *show(11), loop(0), BREAK, *show(18), BREAK, *show(19), END)
)
RUN_GROUP = AnimationGroup(1, 1, (*show(30), leave(4), *show(31), loop(0), *show(38), END))


def cyrus(walk=8, run=0, groups=None, **attributes):
    """Return an actor of the text's bounds."""
    values = {"attr_forward_walk": walk, "attr_forward_speed": run, **attributes}
    if groups is None:
        groups = {0: IDLE_GROUP, 20: WALK_GROUP, 21: RUN_GROUP}
    return Actor(bounds=CYRUS, attributes=values, animation_groups=groups)
