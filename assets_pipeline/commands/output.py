"""What the commands share: printing that can't fail on odd text, and errors as one line."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

FOUND, UNREADABLE = 1, 2


def say(text: str) -> None:
    """Print a line; characters that the terminal can't show are escaped."""
    _write(sys.stdout, text)


def complain(error: Exception) -> int:
    """Print an error as one line to the error stream; return the exit status of an unreadable file."""
    _write(sys.stderr, f"error: {' '.join(str(error).split())}")
    return UNREADABLE


def say_json(value: Any) -> None:
    """Print plain values, numpy numbers and arrays as indented JSON; what isn't finite becomes null."""
    say(json.dumps(_plain(value), indent=1, ensure_ascii=True, allow_nan=False))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, bool):
        return value
    return int(value) if isinstance(value, int) else value


def _write(stream: Any, text: str) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def workers(files: int, asked: int | None) -> int:
    """Return how many processes work on `files` files: as many as asked for, or as the machine has, at most
    one each.
    """
    return max(1, min(files, asked if asked is not None else os.cpu_count() or 1))
