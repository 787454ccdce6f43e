"""Files in, runtime levels out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.level import Level

if TYPE_CHECKING:
    from assets_pipeline.build import build_level, cached_level

__all__ = ["Level", "LevelError", "PackfileError", "build_level", "cached_level"]


def __getattr__(name: str) -> Any:
    """Import the builder when it is asked for: a game that only loads levels starts without it."""
    if name in ("build_level", "cached_level"):
        from assets_pipeline import build

        return getattr(build, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
