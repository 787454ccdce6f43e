"""The follow camera: glides behind what it follows, keeps out of walls, and is part of the state that
decides the future.

Keys push the taken ball in the camera's directions, so the camera is updated by the same rules everywhere:
no wall clock, no sine of a C library, only the four operations, square roots and movement's rotation table.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from game.render.scene import MAP_UNITS_PER_METRE, CameraPose, Vector
from movement.angles import ROTATION_TABLE

if TYPE_CHECKING:
    from game.settings import Settings

TURN = 2048.0
NOMINAL_SCALE = 256
NOMINAL_RATE = 12.0  # nominal ticks a second, for the limits of speed
LARGEST_LAG = 150.0  # heading units that the view may trail a turning player: about 26 degrees
REST_PITCH = 104.0  # heading units that the view looks down by: about 18 degrees
LOOK_PITCH = -60.0  # while looking up
ABOVE_PITCH, ABOVE_DISTANCE = 160.0, 1.5  # over a ball that is played: about 28 degrees, farther back
STEEPEST_PITCH = 380.0
SHOULDER = 0.62  # metres above what is followed
LARGEST_DROP = 0.55  # metres that the pivot may be above or below its place, in jumps and falls
AHEAD, LOWER = 1.2, 0.22  # metres before it and below the pivot: where the view aims, so that feet are seen
SHAKE_SECONDS = 0.45
JUMP = 12.0  # metres in one update: no glide leads there (a new start, a marker), so the camera goes at once

# How far a ball of a radius gets from a point along a motion, both in metres: 1.0 all the way, 0.0 not at
# all.
Sweep = Callable[[Vector, Vector, float], float]
_STATE = struct.Struct("<4s12d?")
_TAG = b"CAM1"


class CameraSettings:
    """The [camera] values in metres, heading units and shares of the way that is closed in a nominal tick.

    Reading: a glide is the share of the remaining way that one nominal tick closes: glide_x 0.9 follows
    closely, glide_angle_y 0.1 comes round slowly.
    """

    __slots__ = (
        "acceleration",
        "camera_size",
        "distance",
        "glide",
        "glide_angle",
        "least_distance",
        "obstacle_size",
        "run_distance",
        "speed",
        "vertical_speed",
    )  # fmt: skip

    def __init__(
        self,
        *,
        camera_distance: float = 250,
        run_distance: float = 200,
        camera_min_distance: float = 120,
        obstacle_size: float = 20,
        camera_size: float = 10,
        glide: Vector = (0.9, 0.2, 0.9),
        glide_angle: Vector = (0.7, 0.1, 0.7),
        max_vel: float = 8000,
        max_y_vel: float = 5000,
        max_acc: float = 5000,
    ) -> None:
        self.distance = camera_distance / MAP_UNITS_PER_METRE
        self.run_distance = run_distance / MAP_UNITS_PER_METRE
        self.least_distance = min(camera_min_distance / MAP_UNITS_PER_METRE, self.distance)
        self.camera_size = max(camera_size, 1.0) / MAP_UNITS_PER_METRE
        self.obstacle_size = max(obstacle_size / MAP_UNITS_PER_METRE, self.camera_size)
        self.glide, self.glide_angle = glide, glide_angle
        self.speed = max_vel / MAP_UNITS_PER_METRE
        self.vertical_speed = max_y_vel / MAP_UNITS_PER_METRE
        self.acceleration = max_acc / MAP_UNITS_PER_METRE

    @classmethod
    def from_settings(cls, settings: Settings) -> CameraSettings:
        """Return the values of the settings file."""
        names = (
            "camera_distance",
            "camera_min_distance",
            "obstacle_size",
            "camera_size",
            "max_vel",
            "max_y_vel",
            "max_acc",
        )
        values = {name: settings.real(f"camera.{name}") for name in names}
        x, y, z = (settings.real(f"camera.glide_{axis}") for axis in "xyz")
        pitch, heading, roll = (settings.real(f"camera.glide_angle_{axis}") for axis in "xyz")
        return cls(
            run_distance=settings.real("cyrus.camera_distance"),
            glide=(x, y, z),
            glide_angle=(pitch, heading, roll),
            **values,
        )


def closed_share(glide: float, scale: int) -> float:
    """Return the share of the way that an update of a frame scale closes, if a nominal tick closes `glide`.

    1 - (1 - glide) ** (scale / 256), by square roots alone: the same bits on every machine. So any frame
    rate follows along the same curve.
    """
    left = min(max(1.0 - glide, 0.0), 1.0)
    kept = 1.0
    for _ in range(min(scale >> 8, 64)):  # no power of a C library: its last bit is not the same everywhere
        kept *= left
    root = left
    for bit in range(7, -1, -1):
        root = math.sqrt(root)
        if scale >> bit & 1:
            kept *= root
    return 1.0 - kept


def sine(angle: float) -> float:
    """Return the sine of heading units, between the samples of movement's rotation table."""
    angle %= TURN
    whole = int(angle)
    share = angle - whole
    return ROTATION_TABLE[whole] + (ROTATION_TABLE[whole + 1] - ROTATION_TABLE[whole]) * share


def cosine(angle: float) -> float:
    """Return the cosine of heading units."""
    return sine(angle + TURN / 4.0)


def angle_between(wanted: float, current: float) -> float:
    """Return the turn from `current` to `wanted` in heading units, -1024..1024."""
    difference = (wanted - current) % TURN
    return difference - TURN if difference > TURN / 2.0 else difference


@dataclass(frozen=True, slots=True)
class Directions:
    """The level directions of the view in the world: `forward` away from the camera, `right` to its right."""

    forward: Vector
    right: Vector


def directions(heading: float) -> Directions:
    """Return the level directions of a movement heading in world axes: 0 looks along -Z, growing headings
    turn left."""
    s, c = sine(heading), cosine(heading)
    return Directions((-s, 0.0, -c), (c, 0.0, -s))


class FollowCamera:
    """A camera behind a player or a ball. Call `reset` once, then `update` every frame; read `pose` and
    `directions`.

    Attributes:
        settings: may be replaced at any time.
        heading: where the view looks, 0..2048 (movement's headings, with fractions).
        pitch: how far it looks down, heading units.
        distance: metres from the pivot to the eye.
        pivot: the gliding point above what is followed.
        eye: where the camera is.
    """

    def __init__(self, settings: CameraSettings | None = None) -> None:
        self.settings = settings if settings is not None else CameraSettings()
        self.heading, self.pitch, self.distance = 0.0, REST_PITCH, self.settings.distance
        self.pivot: Vector = (0.0, SHOULDER, 0.0)
        self.eye: Vector = (0.0, SHOULDER, self.distance)
        self._velocity: Vector = (0.0, 0.0, 0.0)
        self._fresh = True

    def reset(self, target: Vector, heading: float, sweep: Sweep | None = None) -> None:
        """Go behind `target` at once, looking along `heading`; `sweep` keeps it out of walls there too."""
        self.heading, self.pitch, self.distance = heading % TURN, REST_PITCH, self.settings.distance
        self.pivot = (target[0], target[1] + SHOULDER, target[2])
        if sweep is not None:
            self.pivot = _stopped(target, self.pivot, self.settings.camera_size, sweep)
            self.distance = self._room(self.pitch, self.distance, sweep)
        self.eye = self._eye_at(self.pitch, self.distance)
        self._velocity = (0.0, 0.0, 0.0)
        self._fresh = False

    def update(
        self,
        target: Vector,
        heading: float,
        scale: int,
        sweep: Sweep,
        *,
        running: bool = False,
        looking: bool = False,
        above: bool = False,
    ) -> None:
        """Follow for one frame.

        Args:
            target: origin of what is followed, metres (the player's middle, the ball's centre).
            heading: where it looks, movement headings; for a ball: where the view shall turn.
            scale: the frame's eight-bit scale: 256 is a nominal tick. 0 leaves everything as it is.
            sweep: how far a ball gets through the still world (see `Sweep`).
            running: keep the distance of a running player ([cyrus] camera_distance).
            looking: the look key is held: look up instead of down.
            above: look from higher up and farther back, as a ball on narrow rails needs it.
        """
        if self._fresh or _length(_minus(target, self.pivot)) > JUMP:
            self.reset(target, heading, sweep)
            return
        if scale <= 0:
            return
        use = self.settings
        self._follow(target, scale, sweep)
        self._turn(heading, scale)
        wanted = use.distance * ABOVE_DISTANCE if above else use.run_distance if running else use.distance
        rest = LOOK_PITCH if looking else ABOVE_PITCH if above else REST_PITCH
        pitch = self._clear_pitch(rest, wanted, sweep)
        self.pitch += (pitch - self.pitch) * closed_share(use.glide_angle[0], scale)
        room = self._room(self.pitch, max(wanted, self.distance), sweep)
        out = self.distance + (wanted - self.distance) * closed_share(0.5 * use.glide[2], scale)
        self.distance = min(out, room)  # in at once, out slowly
        self._move(self._eye_at(self.pitch, self.distance), scale, sweep)

    def _follow(self, target: Vector, scale: int, sweep: Sweep) -> None:
        """Let the pivot glide after the point above the target; a wall between the two stops it."""
        above = (target[0], target[1] + SHOULDER, target[2])
        x, y, z = (
            old + (new - old) * closed_share(glide, scale)
            for old, new, glide in zip(self.pivot, above, self.settings.glide, strict=True)
        )
        y = min(max(y, above[1] - LARGEST_DROP), above[1] + LARGEST_DROP)
        self.pivot = _stopped(target, (x, y, z), self.settings.camera_size, sweep)

    def _turn(self, heading: float, scale: int) -> None:
        """Let the view come round behind the heading, never more than LARGEST_LAG behind it once it has
        caught up."""
        before = angle_between(heading, self.heading)
        after = before * (1.0 - closed_share(self.settings.glide_angle[1], scale))
        if abs(after) > LARGEST_LAG:
            # A long way round (a half turn on the spot) is swept quickly, not jumped.
            fast = before * (1.0 - closed_share(0.45, scale))
            after = math.copysign(max(abs(fast), min(LARGEST_LAG, abs(after))), before)
        self.heading = (heading - after) % TURN

    def _clear_pitch(self, pitch: float, distance: float, sweep: Sweep) -> float:
        """Return the pitch nearest to the wanted one that leaves the least distance free: from above, if
        need be."""
        least = min(self.settings.least_distance, distance)
        best, most = pitch, -1.0
        for raised in (0.0, 70.0, 150.0, 240.0):
            tried = min(pitch + raised, STEEPEST_PITCH)
            room = self._room(tried, distance, sweep)
            if room >= least:
                return tried
            if room > most + 0.1:
                best, most = tried, room
        return best

    def _backward(self, pitch: float) -> Vector:
        """Return the unit vector from the pivot to the eye."""
        level = cosine(pitch)
        return sine(self.heading) * level, sine(pitch), cosine(self.heading) * level

    def _eye_at(self, pitch: float, distance: float) -> Vector:
        x, y, z = self._backward(pitch)
        return self.pivot[0] + x * distance, self.pivot[1] + y * distance, self.pivot[2] + z * distance

    def _room(self, pitch: float, distance: float, sweep: Sweep) -> float:
        """Return how far behind the pivot the camera may go: the obstacle's radius first, its own where
        that is stuck."""
        x, y, z = self._backward(pitch)
        motion = (x * distance, y * distance, z * distance)
        wide = sweep(self.pivot, motion, self.settings.obstacle_size) * distance
        if wide >= min(self.settings.least_distance, distance):
            return wide
        return max(wide, sweep(self.pivot, motion, self.settings.camera_size) * distance)

    def _move(self, wanted: Vector, scale: int, sweep: Sweep) -> None:
        """Go to the wanted eye within the limits of speed and acceleration, and out of walls in any case."""
        use, seconds = self.settings, scale / NOMINAL_SCALE / NOMINAL_RATE
        asked = _over(_minus(wanted, self.eye), seconds)
        # The speed may only grow so fast; it may drop at once, so the eye never swings past its place.
        vx, vy, vz = _shortened(asked, _length(self._velocity) + use.acceleration * seconds)
        level = math.sqrt(vx * vx + vz * vz)
        if level > use.speed:
            vx, vz = vx * use.speed / level, vz * use.speed / level
        vy = min(max(vy, -use.vertical_speed), use.vertical_speed)
        self._velocity = (vx, vy, vz)
        reached = (self.eye[0] + vx * seconds, self.eye[1] + vy * seconds, self.eye[2] + vz * seconds)
        # The way from the old eye may lead through a corner that neither end is behind.
        self.eye = _stopped(self.pivot, reached, use.camera_size, sweep)

    @property
    def pose(self) -> CameraPose:
        """The pose for the renderer: from the eye, over the pivot, a little ahead."""
        ahead = directions(self.heading).forward
        target = (
            self.pivot[0] + ahead[0] * AHEAD,
            self.pivot[1] - LOWER,
            self.pivot[2] + ahead[2] * AHEAD,
        )
        return CameraPose(self.eye, target)

    @property
    def directions(self) -> Directions:
        """The level directions that keys push a ball in."""
        return directions(self.heading)

    def snapshot(self) -> bytes:
        """Return everything that the next `update` depends on; settings are not part of it."""
        numbers = (self.heading, self.pitch, self.distance, *self.pivot, *self.eye, *self._velocity)
        return _STATE.pack(_TAG, *numbers, self._fresh)

    def restore(self, blob: bytes) -> None:
        """Return to a snapshot. ValueError: the bytes are no camera snapshot; nothing changes then."""
        if len(blob) != _STATE.size or blob[:4] != _TAG:
            raise ValueError(
                f"camera snapshot: expected {_STATE.size} bytes with tag {_TAG!r}, found {len(blob)} bytes"
            )
        _, heading, pitch, distance, px, py, pz, ex, ey, ez, vx, vy, vz, fresh = _STATE.unpack(blob)
        self.heading, self.pitch, self.distance = heading, pitch, distance
        self.pivot, self.eye, self._velocity, self._fresh = (px, py, pz), (ex, ey, ez), (vx, vy, vz), fresh


def shaken(pose: CameraPose, age: float, strength: float = 1.0) -> CameraPose:
    """Return a pose as it is `age` seconds after a blow: it trembles for SHAKE_SECONDS (presentation
    only)."""
    if not 0.0 <= age < SHAKE_SECONDS:
        return pose
    left = strength * 0.11 * (1.0 - age / SHAKE_SECONDS) ** 2
    x, y = left * math.sin(age * 61.0), left * math.sin(age * 47.0 + 1.0)
    eye, target = pose.eye, pose.target
    return CameraPose(
        (eye[0] + x * 0.4, eye[1] + y, eye[2] + x * 0.4),
        (target[0] + x, target[1] - y, target[2] - x),
        pose.field_of_view,
    )


def orbit_pose(centre: Vector, radius: float, height: float, seconds: float) -> CameraPose:
    """Return a pose that circles `centre` once in 90 s, for the title screen (presentation only)."""
    angle = seconds / 90.0 * TURN
    return CameraPose(
        (centre[0] + radius * sine(angle), centre[1] + height, centre[2] + radius * cosine(angle)),
        centre,
        50.0,
    )


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _over(a: Vector, divisor: float) -> Vector:
    return a[0] / divisor, a[1] / divisor, a[2] / divisor


def _length(a: Vector) -> float:
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def _shortened(a: Vector, limit: float) -> Vector:
    """Return `a`, made as short as `limit` if it is longer."""
    length = _length(a)
    return a if length <= limit else _over(a, length / limit)


def _stopped(start: Vector, end: Vector, radius: float, sweep: Sweep) -> Vector:
    """Return how far a ball gets from `start` to `end`."""
    motion = _minus(end, start)
    share = sweep(start, motion, radius)
    if share >= 1.0:
        return end
    share = max(share, 0.0)
    return start[0] + motion[0] * share, start[1] + motion[1] * share, start[2] + motion[2] * share
