"""Where the game keeps the user's own files: settings, best times, replays, screenshots."""

from __future__ import annotations

import os
from pathlib import Path

NAME = "fixstep"
HOME_VARIABLE = "FIXSTEP_HOME"  # tests and portable copies keep everything in one folder of their own


def config_folder() -> Path:
    """Return the folder of the settings file; it may not exist yet."""
    return _folder("config")


def data_folder() -> Path:
    """Return the folder of best times, replays and saved worlds; it may not exist yet."""
    return _folder("data")


def picture_folder() -> Path:
    """Return the folder of screenshots; it may not exist yet."""
    return data_folder() / "screenshots"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file by way of a temporary name, so that a half-written one is never seen.

    Raises:
        OSError: the folder can't be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        name.write_bytes(data)
        os.replace(name, path)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def _folder(kind: str) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home) / kind
    import platformdirs  # only here: the override needs no platformdirs

    finder = platformdirs.user_config_dir if kind == "config" else platformdirs.user_data_dir
    return Path(finder(NAME, appauthor=False, roaming=kind == "config"))
