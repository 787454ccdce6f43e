"""What happened in a step, as `World.events` lists it."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from physics.body import Body
    from physics.joints import Attachment

Triple = tuple[float, float, float]


class EventKind(IntEnum):
    """What a ContactEvent tells."""

    BEGUN = 1  # the first push between two bodies
    ENDED = 2  # they have parted
    IMPACT = 3  # they met faster than resting bodies can
    SENSOR_BEGUN = 4  # a body overlaps a sensor
    SENSOR_ENDED = 5
    PERSISTED = 6  # still touching; told only while `World.tell_persisted` is True


class ContactEvent(NamedTuple):
    """Something between two bodies.

    Attributes:
        kind: what happened.
        a: one body.
        b: the other one.
        time: of its PSI, s.
        impulse: sum of the normal impulses, N s; 0 where nothing pushes.
        point: (3,) where it pushed hardest, m.
        normal: (3,) unit, from a to b.
    """

    kind: EventKind
    a: Body
    b: Body
    time: float
    impulse: float
    point: Triple
    normal: Triple

    @property
    def bodies(self) -> tuple[Body, Body]:
        """Both bodies."""
        return self.a, self.b

    def other(self, body: Body) -> Body:
        """Return the body that is not `body`."""
        return self.b if body == self.a else self.a


class JointBroken(NamedTuple):
    """A spring or joint gave way.

    Attributes:
        joint: its handle, removed by now.
        time: s.
    """

    joint: Attachment
    time: float

    @property
    def bodies(self) -> tuple[Body | None, ...]:
        """The bodies that it held."""
        return self.joint.bodies
