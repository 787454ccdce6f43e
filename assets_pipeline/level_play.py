"""The rules half of a level: markers, triggers, objectives, checkpoints, devices, ball course, sky.

Volumes and paths are in metres in the level's world axes; markers are in map units, as their file has them.
"""

from __future__ import annotations

from dataclasses import dataclass

from assets_pipeline.level_bodies import Quaternion, Vector


@dataclass(frozen=True)
class Marker:
    """A named place of the map file: where something enters the world.

    Attributes:
        name: from level.toml, `marker 3` where that gives none.
        index: its place in the map file.
        position: x, y, z in map units (+Y down), as stored.
        heading: 0..2047, from level.toml: the map file holds none.
        available: the marker's auxiliary byte is 1.
    """

    name: str
    index: int
    position: tuple[int, int, int]
    heading: int
    available: bool


@dataclass(frozen=True)
class Trigger:
    """A volume that does something when a thing's origin (the player: the middle of its bounds) enters it.

    Attributes:
        name: unique in a level.
        kind: `box` or `sphere`.
        center: middle of the volume.
        half_extents: of a box, along its own axes; else zeros.
        rotation: of a box.
        radius: of a sphere; else 0.
        watches: `player`, `ball` (the course ball that the player may take), a body's name, `#tag`: every
            body with that tag, or `any`: the player and every body.
        action: what happens: `none` (others look at it), `respawn` (back to the last checkpoint), `reset`
            (the thing itself goes back to its place), `checkpoint`, `message`, `change` (a changer).
        target: of the action: the checkpoint, ball kind, ...; may be empty.
        text: shown on the screen when it fires; may be empty.
        once: fires only the first time.
    """

    name: str
    kind: str
    center: Vector
    half_extents: Vector
    rotation: Quaternion
    radius: float
    watches: str
    action: str
    target: str
    text: str
    once: bool


@dataclass(frozen=True)
class Objective:
    """Something to do.

    Attributes:
        name: unique in a level; the order of `Level.objectives` is the order on the screen.
        text: one line for the player.
        kind: `inside`: `count` of `bodies` lie in the trigger at once; `reach`: what it watches came.
        bodies: names of bodies.
        trigger: name of a trigger.
        count: how many.
        after: name of the objective that must be done first; empty: none.
        message: shown when it is done.
        best_time: whether its time is measured and the best one kept.
    """

    name: str
    text: str
    kind: str
    bodies: tuple[str, ...]
    trigger: str
    count: int
    after: str
    message: str
    best_time: bool


@dataclass(frozen=True)
class Checkpoint:
    """Where one comes back to after falling out.

    Attributes:
        name: unique in a level.
        trigger: the volume that makes it the current one.
        marker: where the player enters again.
        ball: where the course ball is put then, or None: the checkpoint is not for the ball.
        ball_kind: which ball comes back; empty: the kind it has.
    """

    name: str
    trigger: str
    marker: str
    ball: Vector | None
    ball_kind: str


@dataclass(frozen=True)
class Waypoint:
    """A pose on a mover's path and how long it rests there [s]."""

    position: Vector
    rotation: Quaternion
    wait: float


@dataclass(frozen=True)
class Mover:
    """A device that carries a kinematic body along a path: a lift, a sliding gate.

    Attributes:
        name: unique among devices.
        body: name of a kinematic body.
        path: at least two poses; the first is the one at the start.
        speed: m/s between waypoints.
        ease: seconds of soft start and stop at each end.
        mode: `cycle` (to and fro for ever), `held` (towards the last pose while the plate is down, else back
            to the first), `once` (to the last pose when the plate first goes down, and stays), `ride` (to and
            fro while someone stands on it).
        plate: name of the plate that drives it; empty: none.
    """

    name: str
    body: str
    path: tuple[Waypoint, ...]
    speed: float
    ease: float
    mode: str
    plate: str


@dataclass(frozen=True)
class Swing:
    """A device that swings a kinematic body about an axis: a hammer.

    Its angle at time t is `amplitude * sin(2 pi (t / period + phase))` from the body's pose at the start.

    Attributes:
        name: unique among devices.
        body: name of a kinematic body.
        pivot: a point on the axis.
        axis: unit vector.
        amplitude: degrees.
        period: s.
        phase: turns.
        hit_speed: m/s that a blow gives to a player it meets.
    """

    name: str
    body: str
    pivot: Vector
    axis: Vector
    amplitude: float
    period: float
    phase: float
    hit_speed: float


@dataclass(frozen=True)
class Plate:
    """A weight plate: it is down while the masses in its volume add up.

    Attributes:
        name: unique among devices.
        trigger: name of the trigger whose volume it weighs (the player counts as `player_mass`).
        mass: kg needed.
        player_mass: kg that a player standing in it counts.
        static: name of the static that is drawn lower while it is down (walker and bodies stay at its old height);
            may be empty.
        travel: how far down [m].
    """

    name: str
    trigger: str
    mass: float
    player_mass: float
    static: str
    travel: float


@dataclass(frozen=True)
class BallKind:
    """One of the balls that the course ball can be.

    Attributes:
        name: `paper`, `wood`, `stone`, ...
        surface: index into `Level.surfaces`.
        radius: m.
        mass: kg.
        linear_damping: 1/s.
        angular_damping: 1/s.
        push: force while a key is held [N a PSI, as `World.add_force` takes it].
        mesh: index into `Level.meshes`.
    """

    name: str
    surface: int
    radius: float
    mass: float
    linear_damping: float
    angular_damping: float
    push: float
    mesh: int


@dataclass(frozen=True)
class Course:
    """The ball course: which body the player takes with the ball key, and what it can become.

    Attributes:
        ball: name of the body; empty: the level has no course.
        kind: name of the ball kind at the start.
        kinds: all of them.
        take_distance: how near the player must be to take the ball [m].
    """

    ball: str
    kind: str
    kinds: tuple[BallKind, ...]
    take_distance: float


@dataclass(frozen=True)
class Water:
    """A body of water for the physics: what floats in it, and where its surface is drawn.

    Attributes:
        name: unique in a level.
        center: middle of the box that it fills.
        half_extents: of that box; its top is the still surface.
        density: kg/m^3.
        drag: 1/s on a body that is wholly under water.
    """

    name: str
    center: Vector
    half_extents: Vector
    density: float
    drag: float


@dataclass(frozen=True)
class Light:
    """A lamp: where it is, its sRGB colour (0..1) and how far it reaches [m]."""

    name: str
    position: Vector
    colour: Vector
    reach: float


@dataclass(frozen=True)
class Sky:
    """Sun, sky and haze.

    Attributes:
        sun_direction: unit vector from the ground to the sun.
        sun_colour: sRGB, 0..1.
        ambient_colour: light from everywhere, sRGB, 0..1.
        zenith_colour: sky straight up.
        horizon_colour: sky at the horizon.
        haze_colour: what far things fade to.
        haze_start: where haze begins [m].
        haze_end: where nothing but haze is left [m].
        lights: lamps.
    """

    sun_direction: Vector
    sun_colour: Vector
    ambient_colour: Vector
    zenith_colour: Vector
    horizon_colour: Vector
    haze_colour: Vector
    haze_start: float
    haze_end: float
    lights: tuple[Light, ...]
