"""What a build could not use or had to change: collected, and kept in the level."""

from __future__ import annotations


class Notes:
    """A list of one-line notes without doubles, in the order they were made."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}

    def add(self, where: str, what: str) -> None:
        """Note that `what` happened to the thing at `where`."""
        self._lines.setdefault(f"{where}: {what}")

    def lines(self) -> tuple[str, ...]:
        """Return all notes."""
        return tuple(self._lines)
