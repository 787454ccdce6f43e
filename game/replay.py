"""Recorded runs: the stream of (tick, milliseconds, actions) with checks of the state, a frame a line.

The file is gzip over text: a JSON header, then a JSON list a frame, then the number of frames. What decides
a run is in the header: level, its sources' hashes, settings. Each frame holds a check value of every part
of the state, so that a divergence names its frame and its part; each second holds the whole digest as well.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.actions import ActionState
from game.clock_source import Sample
from game.paths import write_whole

FORMAT = "fixstep replay"
VERSION = 1
LONGEST_FRAME = 1000  # milliseconds: no clock of ours gives a frame more
LONGEST = 64_000_000  # bytes of text: ten hours; more is no replay of ours


class ReplayError(ValueError):
    """A replay can't be read or written, or a run differs from it; the text says where, found and
    expected."""


@dataclass(frozen=True)
class Frame:
    """One recorded frame: its time, its actions, its console lines, and the state after it.

    `checks` holds 16 bits of a CRC of each part of the state (player, clock, world, ...) by name; `digest` the
    digest of everything on the frame that ends a second, else an empty text.
    """

    sample: Sample
    actions: ActionState
    commands: tuple[str, ...]
    checks: dict[str, int]
    digest: str = ""


@dataclass
class Recording:
    """A run: what it started from, its frames a second (for digests and scripts), and its frames."""

    level: str
    sources: dict[str, str]
    settings: dict[str, str]
    rate: int = 60
    frames: list[Frame] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write the run to a file.

        Raises:
            ReplayError: the file can't be written.
        """
        header = {"format": FORMAT, "version": VERSION, "level": self.level}
        names = list(self.frames[0].checks) if self.frames else []
        header |= {"sources": self.sources, "settings": self.settings, "rate": self.rate, "parts": names}
        lines = [json.dumps(header)]
        for frame in self.frames:
            row: list[Any] = [frame.sample.tick, frame.sample.milliseconds, *frame.actions.packed()]
            row += [list(frame.commands), list(frame.checks.values()), frame.digest]
            lines.append(json.dumps(row, separators=(",", ":")))
        lines.append(json.dumps(len(self.frames)))
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
            file.write("\n".join(lines).encode())
        try:
            write_whole(path, packed.getvalue())
        except OSError as error:
            raise ReplayError(f"{path}: can't be written: {error.strerror or error}") from error

    @classmethod
    def load(cls, path: Path) -> Recording:
        """Read a run from a file.

        Raises:
            ReplayError: the file is missing, damaged, or of another version.
        """
        try:
            with gzip.open(path, "rb") as file:
                text = file.read(LONGEST + 1)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error) or "damaged"
            raise ReplayError(f"{path}: can't be read: {reason}") from error
        if len(text) > LONGEST:
            raise ReplayError(f"{path}: expected at most {LONGEST} bytes of text")
        lines = text.split(b"\n")
        header = _parse(lines[0], path, 1, dict)
        if header.get("format") != FORMAT or header.get("version") != VERSION:
            found = f"{header.get('format')!r} version {header.get('version')!r}"
            raise ReplayError(f"{path}: found {found}, expected {FORMAT!r} version {VERSION}")
        if len(lines) < 2 or _parse(lines[-1], path, len(lines), int) != len(lines) - 2:
            raise ReplayError(
                f"{path}: cut short: {max(len(lines) - 2, 0)} frames found, another number expected"
            )
        parts = header.get("parts")
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise ReplayError(f"{path}:1: found parts {parts!r}, expected a list of names")
        rate = header.get("rate")
        if not isinstance(rate, int) or rate < 1:
            raise ReplayError(f"{path}:1: found rate {rate!r}, expected frames a second")
        frames = [_frame(line, path, number, parts) for number, line in enumerate(lines[1:-1], 2)]
        return cls(
            str(header.get("level")), _texts(header, "sources"), _texts(header, "settings"), rate, frames
        )


def _texts(header: dict[str, Any], name: str) -> dict[str, str]:
    value = header.get(name)
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _parse(line: bytes, path: Path, number: int, kind: type) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"{path}:{number}: not JSON") from error
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ReplayError(f"{path}:{number}: found {type(value).__name__}, expected {kind.__name__}")
    return value


def _frame(line: bytes, path: Path, number: int, parts: list[str]) -> Frame:
    row = _parse(line, path, number, list)
    shape: tuple[Any, ...] = (int, (int, float), int, int, list, list, str)
    if len(row) != len(shape) or not all(isinstance(v, k) for v, k in zip(row, shape, strict=True)):
        raise ReplayError(f"{path}:{number}: found {line[:60]!r}, expected a frame of {len(shape)} values")
    tick, milliseconds, held, pressed, commands, checks, digest = row
    if not 0 <= milliseconds <= LONGEST_FRAME:  # also refuses NaN
        raise ReplayError(f"{path}:{number}: found {milliseconds} ms, expected 0 to {LONGEST_FRAME}")
    if len(checks) != len(parts) or not all(type(check) is int for check in checks):
        raise ReplayError(f"{path}:{number}: found checks {checks!r:.60}, expected {len(parts)} numbers")
    sample = Sample(tick, float(milliseconds))
    known = dict(zip(parts, checks, strict=True))
    return Frame(sample, ActionState.unpacked(held, pressed), tuple(map(str, commands)), known, digest)


class ReplayPlayer:
    """Plays a recording: it is the clock source and the input source, and compares the state after each
    frame."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._frame = -1

    @property
    def length(self) -> int:
        """How many frames there are."""
        return len(self.recording.frames)

    def poll(self) -> ActionState:
        """Return the recorded actions of the next frame; after the last one, none."""
        self._frame += 1
        if self._frame >= self.length:
            return ActionState()
        return self.recording.frames[self._frame].actions

    def sample(self) -> Sample:
        """Return the recorded time of the frame that `poll` began."""
        return self.recording.frames[self._frame].sample

    def skip(self) -> None:
        """Go back before the frame that `poll` began: it is not played yet."""
        self._frame -= 1

    def commands(self) -> list[str]:
        """Return the recorded console lines of this frame."""
        if self._frame >= self.length:
            return []
        return list(self.recording.frames[self._frame].commands)

    def compare(self, checks: dict[str, int], digest: Callable[[], str]) -> None:
        """Compare the state after this frame with the recorded one; `digest` is asked where one was recorded.

        Raises:
            ReplayError: it differs; the first differing frame and part are named.
        """
        frame = self.recording.frames[self._frame]
        for part, value in frame.checks.items():
            if checks.get(part) != value:
                raise ReplayError(
                    f"the run left the replay in frame {self._frame}, in {part}:"
                    f" found {checks.get(part, 0):04x}, expected {value:04x}"
                )
        if frame.digest and digest() != frame.digest:
            raise ReplayError(
                f"the run left the replay in frame {self._frame}: found digest {digest()},"
                f" expected {frame.digest}"
            )
