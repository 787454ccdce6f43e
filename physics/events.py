"""What happened in a step, as `World.events` lists it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from physics.body import Body
    from physics.joints import Attachment


@dataclass(frozen=True, slots=True)
class JointBroken:
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
