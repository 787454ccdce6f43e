"""Settings in the style of SYSTEM.INI: read, checked, set at run time, read again when the file changes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path

from game.paths import config_folder, write_whole
from game.setting_keys import BY_PATH, KEYS, SECTIONS, Key, Value

FILE_NAME = "system.ini"
WIDTH = 100
TRUE, FALSE = ("yes", "on", "1", "true"), ("no", "off", "0", "false")


class SettingsError(ValueError):
    """A setting or a settings file can't be used; the text names file, line or key, found and expected."""


def default_path() -> Path:
    """Return where the user's settings file lies, or would lie."""
    return config_folder() / FILE_NAME


def default_text() -> str:
    """Return the commented settings file with every key at its default."""
    lines = [
        "; Fixstep settings. Lines that start with ; are comments; a key that is left out keeps its default.",
        "",
    ]
    for section, text in SECTIONS.items():
        lines += [f"; {text}", f"[{section}]"]
        for key in KEYS:
            if key.section == section:
                lines.append(f"{key.name} = {format_value(key.default)}".ljust(34) + f"; {key.text}")
        lines.append("")
    return "\n".join(lines)


def format_value(value: Value) -> str:
    """Return a value as the file writes it: yes and no for a bool."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def find_key(path: str) -> Key:
    """Return the key called `section.key` (any case).

    Raises:
        SettingsError: there is none; the text offers the nearest valid name.
    """
    key = BY_PATH.get(path.strip().lower())
    if key is None:
        near = difflib.get_close_matches(path.strip().lower(), BY_PATH, n=1, cutoff=0.4)
        hint = f"; did you mean {near[0]}?" if near else f"; sections are {', '.join(SECTIONS)}"
        raise SettingsError(f"found no setting {path.strip()!r}{hint}")
    return key


def parse_value(key: Key, text: str) -> Value:
    """Return the value that `text` gives to `key`.

    Raises:
        SettingsError: it is of another kind, or out of range.
    """
    word = text.strip()
    if key.kind is bool:
        if word.lower() in TRUE + FALSE:
            return word.lower() in TRUE
        raise SettingsError(f"{key.path}: found {word!r}, expected yes or no")
    if key.kind is str:
        return word
    try:
        number = int(word) if key.kind is int else float(word)
    except ValueError:
        kind = "a whole number" if key.kind is int else "a number"
        raise SettingsError(f"{key.path}: found {word!r}, expected {kind}") from None
    if not key.low <= number <= key.high:  # also refuses NaN
        raise SettingsError(f"{key.path}: found {word}, expected {key.low:g} to {key.high:g}")
    return number


def parse_text(text: str, name: str) -> tuple[dict[str, Value], list[str]]:
    """Return the values of a settings file, and one line for each thing in it that can't be used.

    Args:
        text: the file's contents; keys and sections in any case, `;` starts a comment.
        name: the file's name, for the messages.
    """
    values: dict[str, Value] = {}
    problems: list[str] = []
    section = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split(";", 1)[0].strip()
        if not line:
            continue
        try:
            if line.startswith("["):
                section = ""  # the keys under an unknown section are not another section's
                section = _section(line)
            elif "=" not in line:
                raise SettingsError(f"found {line!r}, expected key = value")
            elif section in SECTIONS:
                word, _, value = line.partition("=")
                key = find_key(f"{section}.{word.strip()}")
                values[key.path] = parse_value(key, value)
        except SettingsError as error:
            problems.append(f"{name}:{number}: {error}")
    return values, problems


def _section(line: str) -> str:
    section = line.strip("[]").strip().lower()
    if not line.endswith("]") or section not in SECTIONS:
        near = difflib.get_close_matches(section, SECTIONS, n=1)
        hint = f"; did you mean [{near[0]}]?" if near else ""
        raise SettingsError(f"found section {line!r}, expected one of {', '.join(SECTIONS)}{hint}")
    return section


def update_text(text: str, changes: dict[str, Value]) -> str:
    """Return a settings file with `changes` (by section.key) made in place: comments and order stay."""
    left = dict(changes)
    lines = text.splitlines()
    section, end_of = "", dict[str, int]()
    for index, raw in enumerate(lines):
        body, mark, comment = raw.partition(";")
        line = body.strip().lower()
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif "=" in line:
            path = f"{section}.{line.split('=', 1)[0].strip()}"
            if path in left:
                name = body.split("=", 1)[0].strip()
                lines[index] = f"{name} = {format_value(left.pop(path))}".ljust(len(body)) + mark + comment
        if line:
            end_of[section] = index
    for path, value in left.items():
        section, _, name = path.partition(".")
        if section not in end_of:
            lines += ["", f"[{section}]"]
            end_of[section] = len(lines) - 1
        place = end_of[section] + 1
        lines.insert(place, f"{name} = {format_value(value)}")
        end_of = {other: at + (at >= place) for other, at in end_of.items()} | {section: place}
    return "\n".join(lines) + "\n"


class Settings:
    """The values in force. A file gives some, `set` overrides it, the rest are defaults.

    `problems` holds one line for each thing that the file got wrong the last time it was read.
    """

    def __init__(
        self, path: Path | None = None, overrides: Iterable[str] = (), *, optional: bool = False
    ) -> None:
        """Read `path` (None: no file) and apply `section.key=value` words.

        With `optional`, the file need not be there yet, and one that can't be read is a problem, not an error:
        the defaults hold, and `save` makes a new one.

        Raises:
            SettingsError: the file is not optional and can't be read, or an override can't be used.
        """
        self.path = path
        self.problems: list[str] = []
        self._file: dict[str, Value] = {}
        self._set: dict[str, Value] = {}
        self._watchers: list[Callable[[frozenset[str]], None]] = []
        self._seen: tuple[int, int] | None = None
        if path is not None and (path.exists() or not optional):
            try:
                self._read()
            except SettingsError as error:
                if not optional:
                    raise
                self.problems, self._seen = [str(error)], self._stamp()
        for word in overrides:
            name, equals, value = word.partition("=")
            if not equals:
                raise SettingsError(f"found {word!r}, expected section.key=value")
            self.set(name, value)

    def __getitem__(self, path: str) -> Value:
        key = find_key(path)
        return self._set.get(key.path, self._file.get(key.path, key.default))

    def integer(self, path: str) -> int:
        """Return a whole number."""
        value = self[path]
        assert isinstance(value, int)
        return value

    def real(self, path: str) -> float:
        """Return a number."""
        return float(self[path])

    def flag(self, path: str) -> bool:
        """Return a yes or no."""
        return bool(self[path])

    def text(self, path: str) -> str:
        """Return a text."""
        return str(self[path])

    def set(self, path: str, text: str) -> Value:
        """Give a setting a value for this run; return the value.

        Raises:
            SettingsError: the key or the value can't be used; nothing changes.
        """
        key = find_key(path)
        value = parse_value(key, text)
        before = self[key.path]
        self._set[key.path] = value
        if value != before:
            self._tell(frozenset((key.path,)))
        return value

    def watch(self, callback: Callable[[frozenset[str]], None]) -> None:
        """Call `callback` with the paths of the settings that changed, each time some did."""
        self._watchers.append(callback)

    def unwatch(self, callback: Callable[[frozenset[str]], None]) -> None:
        """Call `callback` no longer; nothing happens when it was not called."""
        self._watchers = [watcher for watcher in self._watchers if watcher != callback]

    def reload_if_changed(self) -> bool:
        """Read the file again when it was changed since; return whether that was so.

        A file that has gone, or can't be read at the moment, changes nothing.
        """
        if self.path is None or self._stamp() in (self._seen, None):
            return False
        before = {key.path: self[key.path] for key in KEYS}
        try:
            self._read()
        except SettingsError as error:
            self.problems = [str(error)]
            self._seen = self._stamp()
            return False
        changed = frozenset(path for path, value in before.items() if self[path] != value)
        if changed:
            self._tell(changed)
        return True

    def save(self, changes: dict[str, Value]) -> None:
        """Give settings new values for good: here and in the file, whose comments stay.

        A file that is no text is kept beside the new one, as `.damaged`.

        Raises:
            SettingsError: the file can't be read or written; the values hold for this run all the same.
        """
        for path, value in changes.items():
            self.set(path, format_value(value))
        if self.path is None:
            return
        try:
            text = self._text_to_change(self.path)
            write_whole(self.path, update_text(text, changes).encode())
        except OSError as error:
            raise SettingsError(f"{self.path}: can't be written: {error.strerror or error}") from error
        for path in changes:
            self._set.pop(path, None)
        self._read()

    def _text_to_change(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return default_text()
        except UnicodeDecodeError:
            path.replace(path.with_suffix(".damaged"))
            return default_text()

    def _read(self) -> None:
        assert self.path is not None
        try:
            text = self.path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text file"
            raise SettingsError(f"{self.path}: can't be read: {reason}") from error
        self._seen = self._stamp()
        self._file, self.problems = parse_text(text, str(self.path))

    def _stamp(self) -> tuple[int, int] | None:
        assert self.path is not None
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def _tell(self, changed: frozenset[str]) -> None:
        for callback in self._watchers:
            callback(changed)
