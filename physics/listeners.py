"""Listener: the handle of a callback, with `.remove()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Listener:
    """A callback registered with a world.

    Attributes:
        callback: what is called.
    """

    __slots__ = ("_changed", "_list", "callback")

    def __init__(
        self, callback: Callable[..., Any], listeners: list[Any], changed: Callable[[], None]
    ) -> None:
        self.callback = callback
        self._list = listeners
        self._changed = changed
        listeners.append(self)
        changed()

    def remove(self) -> None:
        """Stop calling it; a second removal does nothing."""
        if self in self._list:
            self._list.remove(self)
            self._changed()
