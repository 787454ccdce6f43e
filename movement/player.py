"""The player: enters a world, settles, turns, walks; one update is a list of rules in order."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from movement.actor import Actor
from movement.angles import wrap_heading
from movement.animation import Animation, set_up_player_animation
from movement.body import Body, Mode, Push
from movement.clock import Frame
from movement.collision_world import CollisionWorld
from movement.errors import MovementError
from movement.events import MovementEvent
from movement.flight import throw
from movement.intent import Intent
from movement.markers import marker_to_runtime
from movement.orientation import Angles, Matrix, orientation_matrix, refresh_matrix
from movement.settings import LARGEST_SCALE, MovementSettings
from movement.settling import settle
from movement.support import Support
from movement.surfaces import is_in_deep_water
from movement.update import update

Vector = tuple[int, int, int]

LARGEST_THROW = 1 << 16
"""Map units up, or runtime units along, that a throw may have."""


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """What saved world state keeps of the player: position, angles, surface and animation."""

    position: Vector
    angles: Angles
    surface: int
    animation: bytes


class Player:
    """The designated player in a `CollisionWorld`. Make one with `Player.enter`.

    A frame is `refresh_presentation()`, then `update(intent, frame)`, in this order: the forward probes use the
    matrix that the refresh turned.

    Attributes:
        body: the whole moving state (`movement.body.Body`), for tests, debug overlays and the curious.
    """

    __slots__ = ("body", "model_frame")

    def __init__(self, body: Body) -> None:
        self.body = body
        self.model_frame: int | None = None

    # --- entering --------------------------------------------------------------------------------------

    @classmethod
    def enter(
        cls,
        world: CollisionWorld,
        marker: Sequence[int],
        heading: int,
        actor: Actor,
        settings: MovementSettings | None = None,
        *,
        ticks: int = 1,
    ) -> "Player":
        """Return a player placed at a marker, animated and settled on the ground.

        Args:
            world: where to enter.
            marker: map position (x, y, z); its Y is only where settling starts.
            heading: wrapped modulo 2048.
            actor: its definition.
            settings: SYSTEM.INI values; the installed ones when None.
            ticks: the existing shared nominal ticks, which the first animation requests use.

        Raises:
            MovementError: the marker is no 24-bit position, or the heading no integer.

        Source: movement, Marker-based world entry, Startup ground settling, Initial player animation setup.
        """
        position = marker_to_runtime(marker)
        if isinstance(heading, bool) or not hasattr(heading, "__index__"):
            raise MovementError(f"heading: need an integer, found {heading!r}")
        player = cls(Body(world, actor, settings or MovementSettings()))
        player._place(position, int(heading))
        player.body.start_position = position
        player._set_up_animation(ticks)
        player._settle()
        return player

    def place(self, marker: Sequence[int], heading: int, ticks: int = 1) -> None:
        """Put the player back on a marker in the same world: a fresh spawn of everything but the world (ours).

        Raises:
            MovementError: the marker is no 24-bit position.
        """
        body = self.body
        fresh = Player.enter(body.world, marker, heading, body.actor, body.settings, ticks=ticks)
        self.body, self.model_frame = fresh.body, fresh.model_frame

    def _place(self, position: Vector, heading: int) -> None:
        """Assign position and orientation: pitch and roll zero, the matrix from identity."""
        body = self.body
        body.position = body.previous_position = position
        body.pitch = body.roll = 0
        body.heading = wrap_heading(heading)
        body.previous_angles = body.angles
        body.matrix = orientation_matrix(*body.angles)

    def _set_up_animation(self, ticks: int) -> None:
        """Set the playback up; the model reference is cleared until presentation resolves it from the frame."""
        set_up_player_animation(self.body.animation, ticks)
        self.model_frame = None

    def _settle(self) -> None:
        body = self.body
        x, _, z = body.position
        rules = body.rules
        y = settle(body.world, body.position, rules.positive_y, rules.standing_height)
        body.position = body.previous_position = (x, y, z)

    # --- a frame ---------------------------------------------------------------------------------------

    def refresh_presentation(self) -> None:
        """Turn the actor matrix by the angles changed since the last update and resolve the model frame.

        Source: movement, Incremental orientation refresh.
        """
        body = self.body
        body.matrix = refresh_matrix(
            body.matrix, body.angles, body.previous_angles, body.actor.attributes["attr_rotation"]
        )
        self.model_frame = body.animation.frame

    def update(self, intent: Intent, frame: Frame) -> None:
        """Run one actor update; order is part of the result.

        Raises:
            MovementError: the frame's scale is negative or absurdly large, or its ticks are negative.

        Source: movement; modes other than grounded are ours.
        """
        body = self.body
        if not 0 <= frame.scale <= LARGEST_SCALE or frame.ticks < 0:
            raise MovementError(
                f"frame: need a scale in 0..{LARGEST_SCALE} and ticks of 0 or more, found {frame}"
            )
        update(body, intent, frame)

    def throw(self, rise: int, heading: int | None = None, amount: int = 0) -> None:
        """Throw the player into the air, between two updates: a spring under it, a blow (ours).

        Args:
            rise: map units up to the top of the curve.
            heading: the way it flies; None: where it looks.
            amount: runtime units a nominal update along it.

        Raises:
            MovementError: a number is negative or no integer, or the player is dead.
        """
        body = self.body
        for name, value in (("rise", rise), ("amount", amount)):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_THROW:
                raise MovementError(f"throw: {name}: need 0..{LARGEST_THROW}, found {value!r}")
        if body.mode == Mode.DEAD:
            raise MovementError("throw: need a living player, found a dead one")
        throw(body, rise, body.heading if heading is None else wrap_heading(heading), amount)

    # --- what others read ------------------------------------------------------------------------------

    @property
    def position(self) -> Vector:
        """Current position in runtime units (1/256 map unit), +Y down."""
        return self.body.position

    @property
    def map_position(self) -> Vector:
        """Current position in integer map units: the runtime position shifted right by eight."""
        return self.body.map_position()

    @property
    def presented_position(self) -> Vector:
        """Where to draw the player, in runtime units: stairs are smoothed, swimmers sink (ours)."""
        x, y, z = self.body.position
        return x, y + self.body.shown_offset + self.body.sink, z

    @property
    def start_position(self) -> Vector:
        """The spawn position in runtime units; movement and settling do not change it."""
        return self.body.start_position

    @property
    def heading(self) -> int:
        """Heading 0..2047: 0 looks along +Z, right turns decrease it."""
        return self.body.heading

    @property
    def matrix(self) -> Matrix:
        """The actor matrix (rows), as the last refresh left it."""
        return self.body.matrix

    @property
    def mode(self) -> Mode:
        """Which rules move the player."""
        return self.body.mode

    @property
    def surface(self) -> int:
        """The stored surface state."""
        return self.body.support.surface

    @property
    def support(self) -> Support:
        """The last support result."""
        return self.body.support.support

    @property
    def animation(self) -> Animation:
        """The playback state."""
        return self.body.animation

    @property
    def events(self) -> list[MovementEvent]:
        """What happened in the last update."""
        return self.body.events

    @property
    def pushes(self) -> list[Push]:
        """The moving placements that the last update walked against (ours)."""
        return self.body.pushes

    def is_in_deep_water(self) -> int:
        """Return 1 in surface states 2 and 4, else 0. Source: movement, Surface-query state retention."""
        return is_in_deep_water(self.body.support.surface)

    def coordinates(self) -> str:
        """Return start and current position in both representations, as the console's `object coord` shows them."""
        lines = []
        for name, position in (("start", self.start_position), ("current", self.position)):
            x, y, z = position
            lines.append(f"{name}: {x >> 8}, {y >> 8}, {z >> 8} ({x}, {y}, {z})")
        return "\n".join(lines)

    # --- state -----------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything about the player that decides the future: body and animation."""
        frame = -1 if self.model_frame is None else self.model_frame
        body, animation = self.body.snapshot(), self.body.animation.snapshot()
        return frame.to_bytes(4, "little", signed=True) + len(body).to_bytes(4, "little") + body + animation

    def restore(self, blob: bytes) -> None:
        """Return to a snapshot of the same actor in the same world.

        Raises:
            MovementError: the blob is no player snapshot; nothing has changed then.
        """
        length = int.from_bytes(blob[4:8], "little")
        if len(blob) < 8 or len(blob) < 8 + length:
            raise MovementError(
                f"player snapshot: need 8 + {length} bytes and an animation, found {len(blob)}"
            )
        before = self.body.animation.snapshot()
        self.body.animation.restore(blob[8 + length :])
        try:
            self.body.restore(blob[8 : 8 + length])
        except MovementError:
            self.body.animation.restore(before)
            raise
        frame = int.from_bytes(blob[:4], "little", signed=True)
        self.model_frame = None if frame < 0 else frame

    def digest(self) -> str:
        """Return hex text over all state of the player that decides the future."""
        return hashlib.blake2b(self.snapshot(), digest_size=16).hexdigest()

    def save_record(self) -> PlayerRecord:
        """Return the player's record of temporary per-world saved state."""
        body = self.body
        return PlayerRecord(body.position, body.angles, body.support.surface, body.animation.snapshot())

    def restore_record(self, record: PlayerRecord) -> None:
        """Put saved world state over a fresh spawn: position and animation are replaced.

        The start position stays the spawn's, and nothing is settled again.

        Raises:
            MovementError: the record's animation is not this actor's.

        Source: movement, Initial player animation setup (temporary world snapshots).
        """
        body = self.body
        body.animation.restore(record.animation)
        body.position = body.previous_position = record.position
        body.pitch, body.heading, body.roll = record.angles
        body.previous_angles = record.angles
        body.matrix = orientation_matrix(*record.angles)
        body.support = body.support._replace(surface=record.surface)
        body.dry_surface = record.surface
