"""The frame table: every pose of every action as vertices, in the order in which the groups number them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from game.character import poses
from game.character.figure import BONES, HEIGHT, FloatArray, Part, figure
from game.character.poses import Pose, PoseFunction
from game.render.actor import ActorMesh

# Action -> the function of its poses, how many frames, whether the last one leads back to the first.
ACTIONS: dict[str, tuple[PoseFunction, int, bool]] = {
    "idle": (poses.idle, 16, True),
    "look": (poses.look_about, 18, True),
    "walk": (poses.walk, 10, True),
    "run": (poses.run, 8, True),
    "march": (poses.march, 8, True),
    "push": (poses.push, 12, True),
    "jump": (poses.jump, 4, False),
    "fall": (poses.fall, 8, True),
    "land": (poses.land, 4, False),
    "swim": (poses.swim, 14, True),
    "tread": (poses.tread, 12, True),
    "slide": (poses.slide, 8, True),
    "climb": (poses.climb, 6, False),
    "kick": (poses.kick, 7, False),
    "hurt": (poses.hurt, 6, False),
    "collapse": (poses.collapse, 9, False),
}

# As an actor's definition lists them: (path, frames, type letter), one after another in the frame table.
FRAME_FILES: tuple[tuple[str, int, str], ...] = tuple(
    (f"{name.upper()}.3DC", count, "c") for name, (_, count, _) in ACTIONS.items()
)
ORIGIN_HEIGHT = 64.0  # of the actor's origin above its soles: positive Y extent 62, and standing_height -2


def first_frame(action: str) -> int:
    """Return the number of an action's first frame in the frame table; KeyError if there is no such
    action."""
    if action not in ACTIONS:
        raise KeyError(action)
    names = list(ACTIONS)
    return sum(ACTIONS[name][1] for name in names[: names.index(action)])


def _rotation(turns: tuple[float, float, float]) -> FloatArray:
    """Return the rotation (3, 3) that yaws, then pitches, then rolls, innermost first."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(np.radians(turns)), np.sin(np.radians(turns))
    pitch = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    yaw = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    roll = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(roll @ pitch @ yaw, np.float64)


def posed(parts: list[Part], pose: Pose) -> FloatArray:
    """Return the vertices (n, 3) of all parts in a pose, +Y up from the ground, -Z forward."""
    turned: dict[str, tuple[FloatArray, FloatArray]] = {}
    for bone, (parent, joint) in BONES.items():
        rotation = _rotation(pose.turns.get(bone, (0.0, 0.0, 0.0)))
        place = np.array(joint)
        if bone == "root":
            # A figure that tips as a whole turns about its middle.
            middle = np.array([0.0, HEIGHT / 2.0, 0.0])
            turned[bone] = (rotation, middle - rotation @ middle)
            continue
        assert parent is not None
        above, offset = turned[parent]
        whole = above @ rotation
        turned[bone] = (whole, above @ place + offset - whole @ place)
    vertices = []
    lowest = np.inf
    for part in parts:
        rotation, offset = turned[part.bone]
        moved = part.vertices @ rotation.T + offset
        lowest = min(lowest, float(moved[:, 1].min()))
        vertices.append(moved)
    out = np.concatenate(vertices)
    if pose.grounded:
        out[:, 1] -= lowest
    return np.asarray(out + pose.offset, np.float64)


@lru_cache(maxsize=1)
def actor_mesh() -> ActorMesh:
    """Return the figure with all its frames, in the actor's axes: +X right, +Y down, +Z forward, about its
    origin."""
    parts = figure()
    frames = []
    for function, count, cyclic in ACTIONS.values():
        for number in range(count):
            frames.append(posed(parts, function(number / (count if cyclic else max(count - 1, 1)))))
    table = np.array(frames)
    table = np.stack((table[..., 0], ORIGIN_HEIGHT - table[..., 1], -table[..., 2]), axis=-1)
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    triangles = np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=False)])
    colours = np.concatenate([part.colours for part in parts])
    patterns: npt.NDArray[np.uint8] = np.zeros(len(triangles), np.uint8)
    return ActorMesh(np.asarray(table, np.float32), triangles.astype(np.int32), colours, patterns)
