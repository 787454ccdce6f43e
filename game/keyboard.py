"""Keys of a window become actions: bindings from the settings, events from pygame."""

from __future__ import annotations

from collections.abc import Iterable

import pygame

from game.actions import ACTIONS, ActionState, ActionTracker
from game.console import Console
from game.settings import Settings, SettingsError, find_key

# Keys whose own names mean something in a settings file: a comma parts keys, a semicolon begins a comment.
SPELLED = {"comma": ",", "semicolon": ";"}
EDITING = {
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "return",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_TAB: "tab",
    pygame.K_ESCAPE: "escape",
}


def key_code(name: str) -> int:
    """Return pygame's code of a key by its name ("w", "left", "f1").

    Raises:
        SettingsError: there is no such key.
    """
    try:
        word = name.strip()
        return int(pygame.key.key_code(SPELLED.get(word.lower(), word)))
    except ValueError:
        raise SettingsError(f"found no key called {name.strip()!r}") from None


def key_name(code: int) -> str:
    """Return the name of a key as the settings file writes it, or an empty text: it has none."""
    name = pygame.key.name(code)
    return next((word for word, key in SPELLED.items() if key == name), name)


def read_bindings(settings: Settings) -> tuple[dict[int, str], list[str]]:
    """Return key code -> action from the [keys] section, and a line for each binding that can't be used.

    An action without a usable key keeps its default keys, unless its text is empty: then it has none.
    """
    bindings: dict[int, str] = {}
    problems: list[str] = []
    for action in ACTIONS:
        path = f"keys.{action}"
        for text in (settings.text(path), str(find_key(path).default)):
            try:
                codes = [key_code(name) for name in text.split(",") if name.strip()]
            except SettingsError as error:
                problems.append(f"{path}: {error}")
                continue
            for code in codes:
                if code in bindings:
                    name = key_name(code)
                    problems.append(f"{path}: {name!r} is also the key of {bindings[code]}, which keeps it")
                else:
                    bindings[code] = action
            break
    return bindings, problems


class Keyboard:
    """The input source of a window: fed with events, asked once a frame."""

    def __init__(self, settings: Settings, console: Console) -> None:
        self._settings = settings
        self._console = console
        self._tracker = ActionTracker()
        self._held_codes: set[int] = set()
        self.problems: list[str] = []
        self._bindings: dict[int, str] = {}
        self.rebind()
        settings.watch(self._changed)

    def _changed(self, paths: frozenset[str]) -> None:
        if any(path.startswith("keys.") for path in paths):
            self.rebind()

    def rebind(self) -> None:
        """Read the bindings again; keys that are down stay with what they did."""
        self.release_all()
        self._bindings, self.problems = read_bindings(self._settings)

    def release_all(self) -> None:
        """Let go of every key: the window lost the keyboard, or a menu opened."""
        self._held_codes.clear()
        self._tracker.release_all()

    def feed(self, event: pygame.event.Event) -> None:
        """Take one event of pygame's queue; what is no key event is left alone."""
        if event.type == pygame.KEYDOWN:
            self._down(event.key)
        elif event.type == pygame.KEYUP:
            if event.key in self._held_codes:
                self._held_codes.discard(event.key)
                self._tracker.release(self._bindings[event.key])
        elif event.type == pygame.TEXTINPUT and self._console.open:
            self._console.type(event.text)

    def _down(self, code: int) -> None:
        action = self._bindings.get(code)
        if self._console.open:
            if action == "console":
                self._console.open = False
            elif code in EDITING:
                self._console.key(EDITING[code])
        elif action is not None and code not in self._held_codes:
            self._held_codes.add(code)
            self._tracker.press(action)

    def poll(self) -> ActionState:
        """Return this frame's actions."""
        return self._tracker.take()

    def commands(self) -> list[str]:
        """Return console lines that come with the input: a keyboard types them into the console instead."""
        return []


def names_of(codes: Iterable[int]) -> str:
    """Return the names of keys as the settings file writes them."""
    return ", ".join(key_name(code) for code in codes)
