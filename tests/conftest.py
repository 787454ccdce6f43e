"""What all tests share: the game's levels, built once a run; hypothesis does not judge how fast a busy machine is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from assets_pipeline import Level, build_level

LEVELS = Path(__file__).resolve().parents[1] / "game" / "levels"

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def demo_level() -> Level:
    """The court, built from its sources."""
    return build_level(LEVELS / "demo" / "level.toml")


@pytest.fixture(scope="session")
def yard_level() -> Level:
    """The yard, built from its sources."""
    return build_level(LEVELS / "yard" / "level.toml")
