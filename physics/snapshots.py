"""Snapshot: the state of a world at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from physics.body import Body
    from physics.events import ContactEvent
    from physics.materials import Material


class Snapshot:
    """What `World.snapshot` returns and `World.restore` takes back, any number of times.

    Attributes:
        data: the state as bytes.
    """

    __slots__ = ("_controllers", "_events", "_handles", "_materials", "_world", "data")

    def __init__(
        self,
        world: Any,
        data: bytes,
        handles: tuple[Body | None, ...],
        controllers: tuple[Any, ...],
        events: tuple[ContactEvent, ...] = (),
        materials: tuple[tuple[tuple[int, int], Material], ...] = (),
    ) -> None:
        self._world = world
        self.data = data
        self._handles = handles
        self._controllers = controllers
        self._materials = materials  # of bodies that were given another, by id
        self._events = events  # what the next call's list begins with

    def __len__(self) -> int:
        return len(self.data)

    def __bytes__(self) -> bytes:
        return self.data
