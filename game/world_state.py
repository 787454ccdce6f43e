"""What a level keeps while the player is in another one (the original's .TSG files): saved and restored by the game.

It is not a snapshot: bodies come back where they lay, at rest, and the player's record goes over a fresh spawn
(movement: Initial player animation setup). So it survives a new build of the program, but not of the level.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assets_pipeline import LevelError
from game.paths import data_folder, write_whole
from game.session import Session
from movement import PlayerRecord

FORMAT, VERSION = "fixstep world", 1
SUFFIX = ".tsg"
FARTHEST = 1 << 25  # runtime units: twice the map's width
FULL_TURN = 2048  # angle units
LAST_SURFACE = 255
AT_REST = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class WorldState:
    """A level as it was left.

    Attributes:
        level: its name.
        sources: the hashes of what it was built from.
        player: position, angles, surface and animation (hex text).
        bodies: position and rotation of each moving body by name.
        rules: what the session's rules remember.
    """

    level: str
    sources: dict[str, str]
    player: dict[str, Any]
    bodies: dict[str, list[list[float]]]
    rules: dict[str, Any]


def state_path(level: str) -> Path:
    """Return where a level's state is kept."""
    return data_folder() / "worlds" / f"{level}{SUFFIX}"


def state_of(session: Session) -> WorldState:
    """Return what a session's level keeps."""
    record = session.player.save_record()
    player = {
        "position": list(record.position),
        "angles": list(record.angles),
        "surface": record.surface,
        "animation": record.animation.hex(),
    }
    bodies = {name: [body.position.tolist(), body.rotation.tolist()] for name, body in session.bodies.items()}
    sources = dict(session.level.sources)
    return WorldState(session.level.name, sources, player, bodies, session.rules_state())


def apply_state(session: Session, state: WorldState) -> None:
    """Bring a fresh session of the same level to how it was left.

    Raises:
        LevelError: the state is of another level, or of another build of it.
        MovementError: the player's record is not of this actor.
    """
    if state.level != session.level.name or state.sources != dict(session.level.sources):
        raise LevelError(f"state of {state.level!r}: found another build of the level than it was saved in")
    expected = asdict(state_of(session))
    for part in ("player", "bodies", "rules"):
        _check_shape(getattr(state, part), expected[part], f"state of {state.level!r}: {part}")
    _check_values(session, state)
    try:
        record = PlayerRecord(
            position=tuple(int(value) for value in state.player["position"]),  # type: ignore[arg-type]
            angles=tuple(int(value) for value in state.player["angles"]),  # type: ignore[arg-type]
            surface=int(state.player["surface"]),
            animation=bytes.fromhex(state.player["animation"]),
        )
        session.restore_rules(state.rules)
        for name, (position, rotation) in state.bodies.items():
            body = session.bodies[name]
            body.set_pose(position, rotation)
            body.set_velocity(AT_REST, AT_REST)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise LevelError(f"state of {state.level!r}: damaged ({type(error).__name__}: {error})") from error
    session.resume(record)


def _check_values(session: Session, state: WorldState) -> None:
    """Raise LevelError for numbers and names that no session of this level can have."""
    place = f"state of {state.level!r}"
    farthest = max(map(abs, state.player["position"]))
    if farthest > FARTHEST:
        raise LevelError(f"{place}: found position {farthest}, expected at most {FARTHEST}")
    if not all(0 <= angle < FULL_TURN for angle in state.player["angles"]):
        raise LevelError(f"{place}: found angles {state.player['angles']}, expected 0 to {FULL_TURN - 1}")
    if not 0 <= state.player["surface"] <= LAST_SURFACE:
        raise LevelError(f"{place}: found surface {state.player['surface']}, expected 0 to {LAST_SURFACE}")
    kinds = [kind.name for kind in session.level.course.kinds]
    kind = state.rules["ball"]["kind"]
    if kinds and kind not in kinds:
        raise LevelError(f"{place}: found ball {kind!r}, expected one of {', '.join(kinds)}")


def _check_shape(found: object, expected: object, place: str) -> None:
    """Raise LevelError when a part of a file is built otherwise than the same part of a fresh session.

    Lists of names may be of any length: what is inside a volume, what has fired.
    """
    expected = list(expected) if isinstance(expected, tuple) else expected
    if type(found) is not type(expected):
        raise LevelError(f"{place}: found {type(found).__name__}, expected {type(expected).__name__}")
    if isinstance(found, float) and not math.isfinite(found):
        raise LevelError(f"{place}: found {found}, expected a number")
    if isinstance(found, dict) and isinstance(expected, dict):
        if found.keys() != expected.keys():
            different = ", ".join(sorted(map(str, found.keys() ^ expected.keys())))
            raise LevelError(f"{place}: found other entries than expected: {different}")
        for name, value in found.items():
            _check_shape(value, expected[name], f"{place}.{name}")
    elif isinstance(found, list) and isinstance(expected, list):
        if expected and not isinstance(expected[0], str):
            if len(found) != len(expected):
                raise LevelError(f"{place}: found {len(found)} values, expected {len(expected)}")
            for number, (value, like) in enumerate(zip(found, expected, strict=True)):
                _check_shape(value, like, f"{place}[{number}]")
        elif not all(isinstance(value, str) for value in found):
            raise LevelError(f"{place}: expected a list of names")


def save_state(session: Session) -> Path:
    """Keep the state of a session's level; return its file.

    Raises:
        OSError: the file can't be written.
    """
    path = state_path(session.level.name)
    header = {"format": FORMAT, "version": VERSION}
    write_whole(path, json.dumps(header | asdict(state_of(session))).encode())
    return path


def load_state(level: str) -> WorldState | None:
    """Return the kept state of a level, or None where none is kept.

    Raises:
        LevelError: the file is damaged or of another version.
    """
    path = state_path(level)
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_bytes())
        if found.pop("format") != FORMAT or found.pop("version") != VERSION:
            raise LevelError(f"{path}: expected {FORMAT} version {VERSION}")
        return WorldState(**found)
    except LevelError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LevelError(f"{path}: damaged ({type(error).__name__})") from error


def forget_state(level: str) -> None:
    """Forget the kept state of a level: it was begun anew."""
    state_path(level).unlink(missing_ok=True)
