"""What one picture shows: plain data that the session fills each frame and the renderer only reads.

The renderer gets a `Level` once (what never changes: meshes, terrain, surfaces, the actor's frames) and a
`Scene` for each picture (what does change). Nothing here needs OpenGL or pygame, so a session without a
window can fill a scene too.

Lengths are metres in the world of physics (+Y up, right-handed); headings are movement's, 2048 a turn. How
the parts reach it:

    scene = Scene()                                          # once
    scene.camera = camera.pose                               # game.camera.FollowCamera, every frame
    scene.body_positions = world.positions()[rows]           # in the order of level.bodies
    scene.body_rotations = world.rotations()[rows]
    scene.player = PlayerPose(position, heading, frame)      # bridge: metres; movement: heading, frame number
    scene.look = Look.from_settings(...)                     # [xngine], when settings change
    scene.ticks, scene.seconds = bios_ticks, clock_seconds   # phase of the water; blends and turning rings
    scene.lines = DebugLines(...) or None                    # F1
    scene.particles = particle_system.particles()            # dust and splashes
    scene.overlay = overlay                                  # HUD, menus: game.render.overlay, game.hud
    renderer.draw(scene)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from assets_pipeline.level_bodies import Body, RenderMesh, Static, Surface
    from assets_pipeline.level_ground import Terrain
    from assets_pipeline.level_play import Plate, Sky, Trigger
    from game.render.overlay import Overlay

Vector = tuple[float, float, float]
FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
ByteArray = npt.NDArray[np.uint8]

MAP_UNITS_PER_METRE = 64.0
LARGEST_RING = 2.2  # metres: the ring of a box
INSTALLED_BACK_PLANE, INSTALLED_HAZE_DEPTH = 3800.0, 768.0  # [xngine], map units


class DrawnLevel(Protocol):
    """What the renderer needs of a level: `assets_pipeline.Level` has it, and so has a physics scene."""

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """What things are made of."""

    @property
    def meshes(self) -> tuple[RenderMesh, ...]:
        """What is drawn."""

    @property
    def statics(self) -> tuple[Static, ...]:
        """Fixed bodies."""

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Moving bodies."""

    @property
    def terrain(self) -> Terrain:
        """The ground."""

    @property
    def plates(self) -> tuple[Plate, ...]:
        """Weight plates."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """Where the picture is taken from: `eye` and `target` in metres, the vertical field of view in
    degrees."""

    eye: Vector = (0.0, 3.0, 8.0)
    target: Vector = (0.0, 1.0, 0.0)
    field_of_view: float = 58.0


@dataclass(frozen=True, slots=True)
class PlayerPose:
    """The actor: origin in metres, heading (2048 a turn, fractions allowed), frame of the actor's frame
    table.

    `frame` is the number that the animation's last ShowFrame selected. The renderer blends from the frames
    shown before to this one over one nominal tick, so stepped animation looks continuous and no state
    depends on it. `lean` tilts the body forward, in degrees; `visible` False leaves it out (playing the
    ball, title screen).
    """

    position: Vector
    heading: float = 0.0
    frame: int = 0
    lean: float = 0.0
    visible: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """Light and air. Distances in metres, colours sRGB 0..1, `sun` the direction from the ground to the sun.

    `ambient` is 0..1 ([xngine] ambient_light 32 of 255). What lies between `front` and `back - haze` is
    clear, then the air takes on the haze's colour until `back`, where nothing is drawn any more (reading
    of haze_depth: the depth of the zone of haze before the back plane).
    """

    ambient: float = 0.125
    haze: float = 12.0
    front: float = 7.0 / MAP_UNITS_PER_METRE
    back: float = 3800.0 / MAP_UNITS_PER_METRE
    sun: Vector = (0.45, 0.80, 0.40)
    sun_colour: Vector = (1.0, 0.93, 0.80)
    ambient_colour: Vector = (0.72, 0.82, 1.0)
    sky_colour: Vector = (0.30, 0.55, 0.82)
    horizon_colour: Vector = (0.82, 0.88, 0.88)
    haze_colour: Vector = (0.82, 0.88, 0.88)

    @classmethod
    def from_settings(
        cls,
        sky: Sky | None = None,
        *,
        ambient_light: float = 32,
        haze_depth: float = INSTALLED_HAZE_DEPTH,
        front_plane: float = 7,
        back_plane: float = INSTALLED_BACK_PLANE,
    ) -> Look:
        """Return the look of a level's `sky` (None: a clear day) with the [xngine] values.

        The values are map units, ambient_light 0..255. A level that says where its haze begins and ends
        means that for the installed values: others move the end by back_plane / 3800 and stretch the zone
        by haze_depth / 768. Without a sky the values count as they are. What can't be drawn is brought into
        range: a front plane of at least one map unit, a back plane at least two units behind it, haze no
        deeper than the space between them.
        """
        front = max(float(front_plane), 1.0)
        back, depth = float(back_plane), float(haze_depth)
        if sky is not None and sky.haze_end > sky.haze_start >= 0.0:
            back *= sky.haze_end * MAP_UNITS_PER_METRE / INSTALLED_BACK_PLANE
            depth *= (sky.haze_end - sky.haze_start) * MAP_UNITS_PER_METRE / INSTALLED_HAZE_DEPTH
        back = max(back, front + 2.0)
        depth = min(max(depth, 1.0), back - front)
        look = cls(
            ambient=min(max(ambient_light / 255.0, 0.0), 1.0),
            haze=depth / MAP_UNITS_PER_METRE,
            front=front / MAP_UNITS_PER_METRE,
            back=back / MAP_UNITS_PER_METRE,
        )
        if sky is None:
            return look
        return replace(
            look,
            sun=sky.sun_direction,
            sun_colour=sky.sun_colour,
            ambient_colour=sky.ambient_colour,
            sky_colour=sky.zenith_colour,
            horizon_colour=sky.horizon_colour,
            haze_colour=sky.haze_colour,
        )


@dataclass(frozen=True, slots=True)
class DebugLines:
    """Line segments drawn over the picture: `points` (n, 2, 3) metres, `colours` (n, 4) 0..255 (or (4,) for
    all)."""

    points: Float32Array
    colours: ByteArray
    through_walls: bool = True


@dataclass(frozen=True, slots=True)
class Particles:
    """Round sprites: `positions` (n, 3) metres, `sizes` (n,) diameters in metres, `colours` (n, 4) 0..255."""

    positions: Float32Array
    sizes: Float32Array
    colours: ByteArray


@dataclass(frozen=True, slots=True)
class Marker:
    """A standing ring of light (ring, goal, checkpoint): centre and radius in metres, colour sRGB 0..1.

    `active` rings glow and turn; the others are dim outlines on the ground.
    """

    position: Vector
    radius: float
    colour: Vector = (1.0, 0.78, 0.25)
    active: bool = True

    @classmethod
    def of_trigger(
        cls, trigger: Trigger, colour: Vector = (1.0, 0.78, 0.25), *, active: bool = True
    ) -> Marker:
        """Return the ring that shows where a level's trigger is, just above the foot of its volume; a box
        may be large, its ring stays within LARGEST_RING."""
        x, y, z = trigger.center
        if trigger.kind == "sphere":
            return cls((x, y + 0.03, z), trigger.radius, colour, active)
        half = trigger.half_extents
        radius = min(half[0], half[2], LARGEST_RING)
        return cls((x, y - half[1] + 0.03, z), radius, colour, active)


def _no_positions() -> FloatArray:
    return np.zeros((0, 3))


def _no_rotations() -> FloatArray:
    return np.zeros((0, 4))


@dataclass(slots=True)
class Scene:
    """Everything that changes from one picture to the next. Arrays belong to the caller and are only read."""

    camera: CameraPose = field(default_factory=CameraPose)
    look: Look = field(default_factory=Look)
    body_positions: FloatArray = field(default_factory=_no_positions)  # (n, 3), in the order of level.bodies
    body_rotations: FloatArray = field(default_factory=_no_rotations)  # (n, 4), x y z w
    hidden_bodies: frozenset[int] = (
        frozenset()
    )  # rows that are not drawn (a ball that was changed into another)
    # row -> other mesh of level.meshes (ball kinds)
    body_meshes: Mapping[int, int] = field(default_factory=dict)
    # row of level.statics -> metres (plates)
    static_offsets: Mapping[int, Vector] = field(default_factory=dict)
    player: PlayerPose | None = None
    ticks: float = 0.0  # BIOS ticks: phase of the water
    seconds: float = 0.0  # time of the show: blends, turning rings; stands still while paused
    particles: Particles | None = None
    markers: tuple[Marker, ...] = ()
    lines: DebugLines | None = None
    overlay: Overlay | None = None
