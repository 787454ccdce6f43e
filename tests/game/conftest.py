"""Fixtures of the game's tests: a home of their own, and the demo level, built once."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from assets_pipeline import Level
from game.levels import load_level


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nothing of the user's is read or written; built levels are shared by the test processes."""
    folder = tmp_path_factory.getbasetemp().parent / "game-home"
    before = os.environ.get("FIXSTEP_HOME")
    os.environ["FIXSTEP_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["FIXSTEP_HOME"]
    else:
        os.environ["FIXSTEP_HOME"] = before


@pytest.fixture(scope="session")
def demo(home: Path) -> Level:
    """The demo level."""
    return load_level("demo")
