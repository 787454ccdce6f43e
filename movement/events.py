"""What an update tells the game: sounds, shakes, surface transitions, falls."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class SoundEvent:
    """A PlaySound command ran: effect number and sample rate in hertz (0: the effect's own)."""

    effect: int
    rate: int


@dataclass(frozen=True, slots=True)
class RumbleEvent:
    """A Rumble command ran; bit 4 of the mask shakes the screen."""

    mask: int

    @property
    def shake(self) -> bool:
        """Whether the screen shakes."""
        return bool(self.mask & 0x10)


class Transition(Enum):
    """Water and lava transitions of the support wrapper."""

    ENTERED_WATER = "entered water"
    LEFT_WATER = "left water"
    CHANGED_WATER = "changed water"  # between two water surfaces: shallow to deep, for instance
    ENTERED_LAVA = "entered lava"
    LEFT_LAVA = "left lava"


@dataclass(frozen=True, slots=True)
class SurfaceEvent:
    """A water or lava transition, with the surface values before and after."""

    transition: Transition
    previous: int
    current: int


class BodyChange(Enum):
    """Steps of a jump, a fall or a push (ours)."""

    JUMPED = "jumped"
    THROWN = "thrown"  # a spring or a blow sent it into the air
    FELL = "fell"  # the ground ended under the feet
    LANDED = "landed"
    BOUNCED = "bounced"
    HURT = "hurt"
    DIED = "died"
    PUSHED = "pushed"
    SLID = "slid"
    SWAM = "swam"
    LEDGE = "ledge"


@dataclass(frozen=True, slots=True)
class BodyEvent:
    """A change of the actor's own state (ours): what, and by how many map units (fall height, push length)."""

    change: BodyChange
    amount: int = 0


MovementEvent = SoundEvent | RumbleEvent | SurfaceEvent | BodyEvent
