"""The moving state of one actor in one world, and the queries that its rules share."""

import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from movement.actor import COLLISION_BIT, Actor
from movement.animation import Animation
from movement.candidates import search_radius
from movement.collision_world import CollisionWorld
from movement.errors import MovementError
from movement.events import MovementEvent
from movement.orientation import IDENTITY, Angles, Matrix
from movement.settings import MovementSettings
from movement.spheres import collision_shape
from movement.support import SourceKind, Support, SupportRules, SupportState

Vector = tuple[int, int, int]

MAP_UNIT = 256
COORDINATE_LIMIT = 1 << 31
"""Runtime coordinates are 32-bit integers."""


class Mode(IntEnum):
    """Which rules move the actor. Only GROUNDED is the text's; the others are ours."""

    GROUNDED = 0
    AIRBORNE = 1
    SLIDING = 2
    SWIMMING = 3
    CLIMBING = 4
    DEAD = 5


@dataclass(frozen=True, slots=True)
class Push:
    """A moving placement that the actor walked against (ours): what the game turns into an impulse.

    `position` is the contact in map units, `normal` its normal times 256, `distance` the runtime units that the
    actor wanted to go against it in this update.
    """

    placement: int
    position: Vector
    normal: Vector
    distance: int


_INTEGERS = (
    "pitch",
    "heading",
    "roll",
    "left_turn",
    "right_turn",
    "phase",
    "mode",
    "top_y",
    "air_time",
    "air_heading",
    "air_amount",
    "drift_x",
    "drift_z",
    "recovery",
    "shown_offset",
    "sink",
    "dry_surface",
    "deflection",
    "carried_turn",
)
_VECTORS = ("position", "previous_position", "start_position", "previous_angles", "climb_target")
_FLAGS = ("accepted", "blocked", "separated")
_LAYOUT = struct.Struct(f"<4s{len(_INTEGERS) + 3 * len(_VECTORS) + len(_FLAGS) + 13}q9d")
_TAG = b"FXB1"


class Body:
    """State that movement rules read and write, in runtime units; the rules are functions in other modules.

    Attributes:
        position, previous_position, start_position: runtime (x, y, z).
        pitch, heading, roll, previous_angles, matrix: orientation, the snapshot of it, the actor matrix.
        left_turn, right_turn: turn accumulators. phase: forward startup phase 0..3.
        support: last support, history counter, surface and shared veto.
        accepted, blocked, separated: transient results of the update.
        mode: which rules apply. top_y, air_time: the curve of a jump or fall. air_heading, air_amount: its
        horizontal motion. drift_x, drift_z: motion inherited from what it stood on. recovery: nominal 1/256
        updates before a hard landing lets go. climb_target: where a climb ends.
        carried_turn: 1/256 heading units of a turntable's turn that are still to come.
        deflection: heading units by which the last glide went round something.
        shown_offset, sink: presentation only: what the shown height is off by, and how deep it swims.
    """

    __slots__ = (
        "actor",
        "animation",
        "blocked_at",
        "collision_bit",
        "events",
        "groups",
        "matrix",
        "moving",
        "pushes",
        "query_radius",
        "rules",
        "settings",
        "shape",
        "spheres",
        "support",
        "was_blocked",
        "wide_spheres",
        "world",
        *_INTEGERS,
        *_VECTORS,
        *_FLAGS,
    )

    def __init__(self, world: CollisionWorld, actor: Actor, settings: MovementSettings) -> None:
        bounds = actor.bounds
        self.world, self.actor, self.settings = world, actor, settings
        self.shape = collision_shape(
            bounds.total,
            bounds.positive,
            bounds.negative,
            settings.post_collide_height,
            actor.collision_sphere_scale,
        )
        self.spheres = self.shape.spheres
        self.wide_spheres = tuple((x, y, z, radius + CLEARANCE) for x, y, z, radius in self.spheres)
        self.query_radius = search_radius(actor.model_radius)
        self.collision_bit = bool(actor.attribute("attr_collision") & COLLISION_BIT)
        self.rules = SupportRules(
            positive_y=bounds.positive[1],
            search_distance=settings.post_collide_height,
            standing_height=settings.standing_height,
            collision_bit=self.collision_bit,
            center_offset=bounds.center,
            query_radius=self.query_radius,
        )
        self.moving = frozenset(np.flatnonzero(world.placements.is_moving).tolist())
        self.animation = Animation(actor.animation_groups)
        self.groups = frozenset(actor.animation_groups)
        self.events: list[MovementEvent] = []
        self.pushes: list[Push] = []
        self.blocked_at: tuple[object, ...] | None = None  # see gliding.is_free; never decides anything
        self.matrix: Matrix = IDENTITY
        self.support = SupportState()
        self.position: Vector = (0, 0, 0)
        self.previous_position: Vector = (0, 0, 0)
        self.start_position: Vector = (0, 0, 0)
        self.climb_target: Vector = (0, 0, 0)
        self.previous_angles: Angles = (0, 0, 0)
        self.pitch = self.heading = self.roll = 0
        self.left_turn = self.right_turn = self.phase = 0
        self.mode: Mode = Mode.GROUNDED
        self.top_y = self.air_time = self.air_heading = self.air_amount = 0
        self.drift_x = self.drift_z = self.recovery = 0
        self.shown_offset = self.sink = self.dry_surface = 0
        self.deflection = self.carried_turn = 0
        self.accepted = self.blocked = self.separated = self.was_blocked = False

    @property
    def angles(self) -> Angles:
        """Current pitch, heading and roll."""
        return self.pitch, self.heading, self.roll

    @property
    def animated(self) -> bool:
        """Whether the actor has animation groups; without any, no request, gate or marker holds it (ours)."""
        return bool(self.animation.groups)

    def map_position(self) -> Vector:
        """Return the position in integer map units (arithmetic shift by eight)."""
        return self.position[0] >> 8, self.position[1] >> 8, self.position[2] >> 8

    def face_models(self, position: Vector) -> tuple[int, ...]:
        """Return the face-model candidates near a runtime position."""
        origin = (position[0] >> 8, position[1] >> 8, position[2] >> 8)
        return self.world.candidates(origin, self.query_radius).face_models

    def snapshot(self) -> bytes:
        """Return every field that decides the future; animation and definitions are not part of it."""
        numbers = [int(getattr(self, name)) for name in _INTEGERS]
        for name in _VECTORS:
            numbers.extend(getattr(self, name))
        numbers.extend(int(getattr(self, name)) for name in _FLAGS)
        support = self.support.support
        numbers.extend(
            (support.kind, support.classification, support.placement, support.face, *support.normal)
        )
        numbers.extend((support.texture, support.metadata, support.height))
        numbers.extend((self.support.history, self.support.surface, self.support.veto))
        return _LAYOUT.pack(_TAG, *numbers, *(value for row in self.matrix for value in row))

    def restore(self, blob: bytes) -> None:
        """Return to a snapshot of the same actor in the same world.

        Raises:
            MovementError: the blob is no body snapshot, or stands on a placement that is not there.
        """
        if len(blob) != _LAYOUT.size or blob[:4] != _TAG:
            found = f"{len(blob)} bytes that begin with {blob[:4]!r}"
            raise MovementError(f"body snapshot: need {_LAYOUT.size} bytes with tag {_TAG!r}, found {found}")
        values = list(_LAYOUT.unpack(blob)[1:])
        integers = [int(value) for value in values[:-9]]
        at = len(_INTEGERS)
        vectors = [tuple(integers[at + 3 * n : at + 3 * n + 3]) for n in range(len(_VECTORS))]
        at += 3 * len(_VECTORS)
        flags = integers[at : at + len(_FLAGS)]
        rest = integers[at + len(_FLAGS) :]
        mode = integers[_INTEGERS.index("mode")]
        if mode not in tuple(Mode) or rest[0] not in tuple(SourceKind):
            raise MovementError(f"body snapshot: need a known mode and support, found {mode} and {rest[0]}")
        if rest[2] >= self.world.placement_count:
            raise MovementError(
                f"body snapshot: stands on placement {rest[2]}, the world has {self.world.placement_count}"
            )
        for name, value in zip(_INTEGERS, integers, strict=False):
            setattr(self, name, value)
        for name, vector in zip(_VECTORS, vectors, strict=True):
            setattr(self, name, vector)
        for name, flag in zip(_FLAGS, flags, strict=True):
            setattr(self, name, bool(flag))
        self.mode = Mode(mode)
        normal = (rest[4], rest[5], rest[6])
        self.support = SupportState(
            Support(SourceKind(rest[0]), rest[1], rest[2], rest[3], normal, rest[7], rest[8], rest[9]),
            *rest[10:13],
        )
        m = values[-9:]
        self.matrix = ((m[0], m[1], m[2]), (m[3], m[4], m[5]), (m[6], m[7], m[8]))
        self.events, self.pushes, self.blocked_at = [], [], None


CLEARANCE = 2
"""Map units that our own rules keep between spheres and walls, so that the text's separation has nothing to do."""
