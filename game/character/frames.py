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
    "kick": (poses.kick, 4, False),
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


def pushing_frame(frame: int) -> int:
    """Return the frame of the push that has come as far as a frame of the walk or run; other frames as they
    are.

    For the eye only: the rules keep playing the gait while a body is pushed.
    """
    for action in ("walk", "run"):
        number = frame - first_frame(action)
        count = ACTIONS[action][1]
        if 0 <= number < count:
            return first_frame("push") + number * ACTIONS["push"][1] // count
    return frame


def rotations(turns: FloatArray) -> FloatArray:
    """Return the rotations (..., 3, 3) of turns (..., 3) in degrees: yaw innermost, then pitch, then roll."""
    cx, cy, cz = np.moveaxis(np.cos(np.radians(turns)), -1, 0)
    sx, sy, sz = np.moveaxis(np.sin(np.radians(turns)), -1, 0)
    rows = (
        (cz * cy - sz * sx * sy, -sz * cx, cz * sy + sz * sx * cy),
        (sz * cy + cz * sx * sy, cz * cx, sz * sy - cz * sx * cy),
        (-cx * sy, sx, cx * cy),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def posed(parts: list[Part], poses: list[Pose]) -> FloatArray:
    """Return the vertices (f, n, 3) of all parts in f poses, +Y up from the ground, -Z forward."""
    names = list(BONES)
    turns = np.array([[pose.turns.get(bone, (0.0, 0.0, 0.0)) for bone in names] for pose in poses])
    own = rotations(turns)
    # A figure that tips as a whole turns about its middle.
    middle = np.array([0.0, HEIGHT / 2.0, 0.0])
    turned: dict[str, tuple[FloatArray, FloatArray]] = {"root": (own[:, 0], middle - own[:, 0] @ middle)}
    for index, (bone, (parent, joint)) in enumerate(BONES.items()):
        if parent is not None:
            above, offset = turned[parent]
            whole = above @ own[:, index]
            place = np.array(joint)
            turned[bone] = (whole, above @ place + offset - whole @ place)
    moved = [
        part.vertices @ turned[part.bone][0].swapaxes(1, 2) + turned[part.bone][1][:, None] for part in parts
    ]
    out = np.concatenate(moved, axis=1)
    grounded = np.array([pose.grounded for pose in poses])
    out[..., 1] -= np.where(grounded, out[..., 1].min(axis=1), 0.0)[:, None]
    return np.asarray(out + np.array([pose.offset for pose in poses])[:, None], np.float64)


@lru_cache(maxsize=1)
def actor_mesh() -> ActorMesh:
    """Return the figure with all its frames, in the actor's axes: +X right, +Y down, +Z forward, about its
    origin."""
    parts = figure()
    table = posed(
        parts,
        [
            function(number / (count if cyclic else max(count - 1, 1)))
            for function, count, cyclic in ACTIONS.values()
            for number in range(count)
        ],
    )
    table = np.stack((table[..., 0], ORIGIN_HEIGHT - table[..., 1], -table[..., 2]), axis=-1)
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    triangles = np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=False)])
    colours = np.concatenate([part.colours for part in parts])
    patterns: npt.NDArray[np.uint8] = np.zeros(len(triangles), np.uint8)
    return ActorMesh(np.asarray(table, np.float32), triangles.astype(np.int32), colours, patterns)
