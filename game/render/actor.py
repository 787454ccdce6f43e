"""The player's body on the GPU: frames of vertices, blended over one nominal tick so that steps look like
motion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from game.render.mesh import VERTEX, flat_vertices
from game.render.scene import MAP_UNITS_PER_METRE
from game.render.solids import Batch

if TYPE_CHECKING:
    from game.render.scene import PlayerPose

BLEND_SECONDS = 1.0 / 12.0  # one nominal tick: a frame of animation stands that long at least
TURN = 2048.0  # heading units

Float32Array = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ActorMesh:
    """A body with vertex animation.

    Attributes:
        frames: (f, n, 3) float32, map units in the actor's axes: +X right, +Y down, +Z forward, about the
        actor's origin. triangles: (m, 3) corners, counter-clockwise seen from outside. colours: (m, 3) sRGB
        bytes. patterns: (m,) numbers out of `game.render.mesh.PATTERNS`.
    """

    frames: Float32Array
    triangles: npt.NDArray[np.int32]
    colours: npt.NDArray[np.uint8]
    patterns: npt.NDArray[np.uint8]


class PoseBlender:
    """Turns stepped frame numbers into continuous motion; presentation only, no rule depends on it."""

    def __init__(self, frames: Float32Array) -> None:
        self._frames = frames
        self._frame = -1
        self._start: Float32Array = frames[0]
        self._shown: Float32Array = frames[0]
        self._since = 0.0

    def pose(self, frame: int, seconds: float) -> Float32Array:
        """Return the vertices (n, 3) to show at a time for the frame that the rules have selected.

        A new frame is approached from what was shown, evenly over one nominal tick. A number outside the
        table shows the nearest frame; time that runs backwards (a rewind) shows the frame itself at once.
        """
        frame = min(max(int(frame), 0), len(self._frames) - 1)
        if self._frame < 0 or seconds < self._since:
            self._start = self._frames[frame]
            self._frame, self._since = frame, seconds
        elif frame != self._frame:
            self._start = self._shown
            self._frame, self._since = frame, seconds
        share = min((seconds - self._since) / BLEND_SECONDS, 1.0)
        target = self._frames[frame]
        if share >= 1.0:
            self._shown = target
        else:
            self._shown = np.asarray(self._start + (target - self._start) * np.float32(share), np.float32)
        return self._shown


def heading_rotation(heading: float, lean: float = 0.0) -> tuple[float, float, float, float]:
    """Return the quaternion x y z w that turns a model facing -Z to a movement heading, leaning forward by
    degrees.

    Heading 0 looks along map +Z, which is world -Z; growing headings turn left, counter-clockwise from above.
    """
    half = heading / TURN * math.pi
    tilt = -math.radians(lean) / 2.0
    sin_y, cos_y, sin_x, cos_x = math.sin(half), math.cos(half), math.sin(tilt), math.cos(tilt)
    return cos_y * sin_x, sin_y * cos_x, -sin_y * sin_x, cos_y * cos_x


class ActorView:
    """Draws one actor."""

    def __init__(self, context: Any, programs: tuple[Any, Any], mesh: ActorMesh) -> None:
        self._mesh = mesh
        metres = mesh.frames * np.array([1.0, -1.0, -1.0], np.float32) / np.float32(MAP_UNITS_PER_METRE)
        self._blender = PoseBlender(metres)
        self._batch = Batch(context, programs, self._vertices(metres[0]))
        self.visible = False

    def _vertices(self, pose: Float32Array) -> npt.NDArray[np.void]:
        return flat_vertices(pose, self._mesh.triangles, self._mesh.colours, self._mesh.patterns)

    def place(self, player: PlayerPose | None, seconds: float) -> None:
        """Take the pose to draw; None: nobody is there."""
        self.visible = player is not None and player.visible
        if player is None:
            return
        pose = self._blender.pose(player.frame, seconds)
        if not self.visible:
            return
        self._batch.vertices.write(self._vertices(pose).tobytes())
        rotation = heading_rotation(player.heading, player.lean)
        self._batch.place(np.array([[*player.position, *rotation]], np.float32))

    def draw(self, shadow: bool = False) -> None:
        """Draw the actor if it is visible."""
        if self.visible:
            self._batch.draw(shadow)

    @property
    def triangles(self) -> int:
        """How many triangles one `draw` sends."""
        return self._batch.vertices.size // VERTEX.itemsize // 3 if self.visible else 0

    def release(self) -> None:
        """Give the buffers back."""
        self._batch.release()
