"""The screens over the game: title, pause, settings, controls. What is on them and what keys and mouse do."""

from __future__ import annotations

from dataclasses import dataclass, field

from game.actions import ACTIONS
from game.setting_keys import BY_PATH
from game.settings import Settings, SettingsError, format_value

# The settings that the settings screen offers: path, words on the screen, and the step of a number.
OFFERED: tuple[tuple[str, str, float], ...] = (
    ("system.volume", "Volume", 15),
    ("cyrus.walk_mode", "Run at first", 1),
    ("camera.camera_distance", "Camera distance", 10),
    ("camera.glide_angle_y", "How fast the camera turns", 0.1),
    ("xngine.haze_depth", "Depth of haze", 64),
    ("xngine.ambient_light", "Light in the shade", 8),
    ("window.fullscreen", "Full screen", 1),
    ("window.vsync", "Wait for the screen (next start)", 1),
)
ACTION_WORDS = {
    "forward": "Forward",
    "back": "Back",
    "left": "Turn left",
    "right": "Turn right",
    "walk_toggle": "Walk or run",
    "jump": "Jump",
    "kick": "Kick",
    "take_ball": "Take the ball",
    "restart": "Back to the checkpoint",
    "rewind": "Rewind",
    "overlay": "Debug overlay",
    "screenshot": "Screenshot",
    "console": "Console",
    "pause": "Pause",
}


@dataclass(frozen=True)
class Row:
    """A line of a screen: its name for keys and mouse, its words, and a value on the right."""

    name: str
    text: str
    value: str = ""


@dataclass(frozen=True)
class Screen:
    """What the picture shows of a menu: its title, its rows, which is chosen, and a line below."""

    name: str
    title: str
    rows: tuple[Row, ...]
    chosen: int
    hint: str = ""


@dataclass
class Menus:
    """The stack of open screens. `command` holds what was chosen until the game takes it."""

    settings: Settings
    title: str = "Fixstep"
    open_screens: list[str] = field(default_factory=list)
    chosen: int = 0
    capturing: str = ""
    notice: str = ""
    command: str = ""

    @property
    def open(self) -> bool:
        """Whether a screen covers the game."""
        return bool(self.open_screens)

    def show(self, name: str) -> None:
        """Open a screen on top: title, pause, settings or controls."""
        self.open_screens.append(name)
        self.chosen, self.capturing, self.notice = 0, "", ""

    def close_all(self) -> None:
        """Close every screen."""
        self.open_screens.clear()
        self.capturing = ""

    def take_command(self) -> str:
        """Return what was chosen since the last call (play, level, resume, restart, quit), or an empty text."""
        command, self.command = self.command, ""
        return command

    def screen(self) -> Screen | None:
        """Return what to draw, or None."""
        if not self.open_screens:
            return None
        name = self.open_screens[-1]
        titles = {"title": self.title, "pause": "Paused", "settings": "Settings", "controls": "Controls"}
        hint = self.notice
        if self.capturing:
            hint = f"Press a key for: {ACTION_WORDS[self.capturing]} (Escape keeps the old one)"
        return Screen(name, titles[name], self._rows(name), self.chosen, hint)

    def key(self, name: str) -> None:
        """Act on a key by its name in the settings file: up, down, left, right, return, escape, ..."""
        if self.capturing:
            self._capture(name)
            return
        rows = self._rows(self.open_screens[-1])
        if name in ("up", "w"):
            self.chosen = (self.chosen - 1) % len(rows)
        elif name in ("down", "s"):
            self.chosen = (self.chosen + 1) % len(rows)
        elif name in ("left", "a", "right", "d"):
            self._change(rows[self.chosen], -1 if name in ("left", "a") else 1)
        elif name in ("return", "enter", "keypad enter", "space"):
            self._activate(rows[self.chosen])
        elif name == "escape":
            self._back()

    def point(self, name: str | None) -> None:
        """The mouse is over the row called `name`, or over none."""
        for index, row in enumerate(self._rows(self.open_screens[-1])):
            if row.name == name and not self.capturing:
                self.chosen = index

    def click(self, name: str | None) -> None:
        """The mouse was clicked over the row called `name`, or over none."""
        if self.capturing:
            self.capturing = ""
            return
        self.point(name)
        rows = self._rows(self.open_screens[-1])
        if rows[self.chosen].name == name:
            self._activate(rows[self.chosen])

    def _rows(self, name: str) -> tuple[Row, ...]:
        if name == "title":
            return (
                Row("play", "Play"),
                Row("level", "Another level"),
                Row("settings", "Settings"),
                Row("controls", "Controls"),
                Row("quit", "Quit"),
            )
        if name == "pause":
            return (
                Row("resume", "Resume"),
                Row("restart", "Restart the level"),
                Row("settings", "Settings"),
                Row("controls", "Controls"),
                Row("quit", "Quit"),
            )
        if name == "settings":
            rows = [Row(path, text, format_value(self.settings[path])) for path, text, _ in OFFERED]
        else:
            rows = [
                Row(action, ACTION_WORDS[action], self.settings.text(f"keys.{action}")) for action in ACTIONS
            ]
        return (*rows, Row("leave", "Back"))

    def _activate(self, row: Row) -> None:
        here = self.open_screens[-1]
        if row.name == "leave":
            self._back()
        elif row.name in ("settings", "controls"):
            self.show(row.name)
        elif here == "settings":
            self._change(row, 1)
        elif here == "controls":
            self.capturing = row.name
        else:
            self.command = row.name
            if row.name not in ("quit", "level"):
                self.close_all()

    def _back(self) -> None:
        self.notice = ""
        if self.open_screens[-1] == "pause":
            self.command = "resume"
            self.close_all()
        elif len(self.open_screens) > 1:
            self.open_screens.pop()
            self.chosen = 0

    def _change(self, row: Row, direction: int) -> None:
        offer = next((offer for offer in OFFERED if offer[0] == row.name), None)
        if offer is None:
            return
        path, _, step = offer
        key, value = BY_PATH[path], self.settings[path]
        if isinstance(value, bool):
            self._save({path: not value})
        elif isinstance(value, int):
            span = int(key.high - key.low) + 1
            wrapped = int(key.low) + (value + direction - int(key.low)) % span
            self._save(
                {path: wrapped if span <= 2 else _clamp(value + direction * int(step), key.low, key.high)}
            )
        elif isinstance(value, float):
            self._save({path: round(min(max(value + direction * step, key.low), key.high), 3)})

    def _capture(self, name: str) -> None:
        action, self.capturing = self.capturing, ""
        if name == "escape":
            return
        if not name or name == "unknown key":
            self.notice = "This key has no name, so it can't be kept"
            return
        changes: dict[str, bool | int | float | str] = {f"keys.{action}": name}
        for other in ACTIONS:  # a key does one thing: whoever had it loses it
            words = [word.strip() for word in self.settings.text(f"keys.{other}").split(",")]
            if other != action and name in words:
                changes[f"keys.{other}"] = ", ".join(word for word in words if word != name)
                self.notice = f"{ACTION_WORDS[other]} has lost this key"
        self._save(changes)

    def _save(self, changes: dict[str, bool | int | float | str]) -> None:
        try:
            self.settings.save(changes)
        except SettingsError as error:
            self.notice = f"Not kept: {error}"


def _clamp(value: int, low: float, high: float) -> int:
    return int(min(max(value, low), high))
