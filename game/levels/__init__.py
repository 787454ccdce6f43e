"""Where levels are found: built beside a packaged program, else built from their sources and cached."""

from __future__ import annotations

from pathlib import Path

from assets_pipeline import Level, LevelError

FOLDER = Path(__file__).resolve().parent
TOUR_LEVEL = "demo"  # the court, which headless runs enter unless told otherwise
FIRST_SEEN = "yard"  # what a player sees first


def level_names() -> list[str]:
    """Return the names of the levels that come with the game."""
    built = {path.stem for path in (FOLDER / "built").glob("*.npz")}
    return sorted(built | {path.parent.name for path in FOLDER.glob("*/level.toml")})


def load_level(name: str = TOUR_LEVEL) -> Level:
    """Return a level by its name, or by the path of a built file or of a manifest.

    Raises:
        LevelError: there is none, or it can't be loaded or built.
    """
    path = Path(name)
    if path.suffix == ".npz":
        return Level.load(path)
    built = FOLDER / "built" / f"{name}.npz"
    if built.exists():
        return Level.load(built)
    manifest = path if path.suffix == ".toml" else FOLDER / name / "level.toml"
    if not manifest.exists():
        raise LevelError(f"{name}: no such level; there are {', '.join(level_names())}")
    from assets_pipeline import cached_level  # the packaged program has no sources and needs no builder

    return Level.load(cached_level(manifest))
