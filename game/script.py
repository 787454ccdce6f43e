"""Input scripts: `FRAME ACTION down|up|tap` or `FRAME console COMMAND`, a line an entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from game.actions import ACTIONS, ActionState, ActionTracker


class ScriptError(ValueError):
    """A script can't be used; the text names file and line, found and expected."""


@dataclass(frozen=True)
class Entry:
    """One line: at `frame`, `action` goes down, up, or both (tap), or a console command runs."""

    frame: int
    action: str
    what: str


def parse_script(text: str, name: str = "script") -> list[Entry]:
    """Return the entries of a script in frame order; `#` starts a comment.

    Raises:
        ScriptError: a line can't be read; it is named.
    """
    entries = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.split("#", 1)[0].split(maxsplit=2)
        if not words:
            continue
        where = f"{name}:{number}"
        if len(words) < 3 or not words[0].isdecimal():
            raise ScriptError(f"{where}: found {raw.strip()!r}, expected FRAME ACTION down|up|tap")
        frame, action, what = int(words[0]), words[1], words[2].strip()
        if action != "console" or what in ("down", "up", "tap"):
            if action not in ACTIONS:
                raise ScriptError(f"{where}: found action {action!r}, expected one of {', '.join(ACTIONS)}")
            if what not in ("down", "up", "tap"):
                raise ScriptError(f"{where}: found {what!r}, expected down, up or tap")
        entries.append(Entry(frame, action, what))
    return sorted(entries, key=lambda entry: entry.frame)


def read_script(path: Path) -> list[Entry]:
    """Return the entries of a script file.

    Raises:
        ScriptError: the file or a line of it can't be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise ScriptError(f"{path}: can't be read: {reason}") from error
    return parse_script(text, str(path))


class ScriptInput:
    """Plays a script: the input source of headless runs."""

    def __init__(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._next = 0
        self._frame = 0
        self._tracker = ActionTracker()
        self._commands: list[str] = []

    @property
    def length(self) -> int:
        """Frames until the last entry has run."""
        return self._entries[-1].frame + 1 if self._entries else 0

    def poll(self) -> ActionState:
        """Return the actions of the next frame."""
        released = []
        while self._next < len(self._entries) and self._entries[self._next].frame <= self._frame:
            entry = self._entries[self._next]
            self._next += 1
            if entry.what == "up":
                self._tracker.release(entry.action)
            elif entry.what in ("down", "tap"):
                self._tracker.press(entry.action)
                if entry.what == "tap":
                    released.append(entry.action)
            else:
                self._commands.append(entry.what)
        self._frame += 1
        state = self._tracker.take()
        for action in released:
            self._tracker.release(action)
        return state

    def commands(self) -> list[str]:
        """Return the console commands that fell due since the last call."""
        due, self._commands = self._commands, []
        return due
