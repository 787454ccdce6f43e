"""The console: a line of text in, lines of text out; commands are registered by whoever can carry them
out."""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

KEPT_LINES = 200
Answer = str | list[str] | None


class ConsoleError(ValueError):
    """A command can't be carried out; the text says what was found and what was expected."""


@dataclass(frozen=True)
class Command:
    """A console command: what is typed, what it does, and the function that does it."""

    name: str
    usage: str
    text: str
    run: Callable[[list[str]], Answer]


class Console:
    """Commands, the line being typed, what was typed before, and the lines that came out.

    Commands wait until `run_pending`, so that they change the game only between frames.
    """

    def __init__(self) -> None:
        self.open = False
        self.line = ""
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._commands: dict[str, Command] = {}
        self._pending: list[str] = []
        self._history: list[str] = []
        self._place = 0
        self.register("help", "help [COMMAND]", "what there is, or how one is used", self._help)

    def register(self, name: str, usage: str, text: str, run: Callable[[list[str]], Answer]) -> None:
        """Add a command. `run` gets the words after its name and returns what to print."""
        self._commands[name] = Command(name, usage, text, run)

    def enter(self, line: str) -> None:
        """Queue a line as if it had been typed."""
        if line.strip():
            self._pending.append(line.strip())

    def run_pending(self) -> list[str]:
        """Carry out what was entered; return the lines that were carried out (a replay keeps them)."""
        due, self._pending = self._pending, []
        for line in due:
            self.lines.append(f"> {line}")
            for text in self._answer(line):
                self.lines.append(text)
        return due

    def say(self, text: str) -> None:
        """Show a line that no command asked for."""
        self.lines.append(text)

    def type(self, text: str) -> None:
        """Add typed characters to the line."""
        self.line += "".join(character for character in text if character.isprintable())

    def key(self, name: str) -> None:
        """Act on an editing key: return, backspace, up, down, tab, escape."""
        if name == "return":
            self.enter(self.line)
            if self.line.strip():
                self._history.append(self.line)
            self.line, self._place = "", 0
        elif name == "backspace":
            self.line = self.line[:-1]
        elif name in ("up", "down"):
            step = 1 if name == "up" else -1
            self._place = min(max(self._place + step, 0), len(self._history))
            self.line = self._history[-self._place] if self._place else ""
        elif name == "tab":
            self._complete()
        elif name == "escape":
            self.open = False

    def _complete(self) -> None:
        matches = [name for name in sorted(self._commands) if name.startswith(self.line)]
        if len(matches) == 1:
            self.line = matches[0] + " "
        elif matches:
            self.lines.append("  ".join(matches))

    def _answer(self, line: str) -> list[str]:
        name, words = self._split(line)
        command = self._commands.get(name)
        if command is None:
            near = difflib.get_close_matches(name, self._commands, n=1)
            hint = f"did you mean {near[0]}?" if near else "help lists what there is"
            return [f"{name}: no such command; {hint}"]
        try:
            answer = command.run(words)
        except ValueError as error:  # every named error of the project is one
            return [f"{name}: {error}"]
        except OSError as error:  # a name too long for a file, a full disk
            return [f"{name}: {error.strerror or error}"]
        if answer is None:
            return []
        return [answer] if isinstance(answer, str) else answer

    def _split(self, line: str) -> tuple[str, list[str]]:
        """Return the longest command name that begins the line (names may be two words), and the rest."""
        words = line.split()
        for count in (2, 1):
            name = " ".join(words[:count]).lower()
            if name in self._commands:
                return name, words[count:]
        return words[0].lower(), words[1:]

    def _help(self, words: list[str]) -> Answer:
        if words:
            command = self._commands.get(" ".join(words).lower())
            if command is None:
                raise ConsoleError(f"found no command {' '.join(words)!r}")
            return f"{command.usage}: {command.text}"
        return [f"{c.usage}: {c.text}" for _, c in sorted(self._commands.items())]
