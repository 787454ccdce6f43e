"""Play the demo: sets everything up on the first run, builds the level, opens the game.

Usage: python3 build/play.py [arguments of python -m game]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from environment import ROOT, SetupError, prepare, run_main, say

LEVELS = ROOT / "game" / "levels"


def main() -> int:
    """Set up, build the level when its sources changed, and start the game."""
    python = prepare(["game"])
    for manifest in sorted(LEVELS.glob("*/level.toml")):
        build = [str(python), "-m", "assets_pipeline", "build", str(manifest)]
        if subprocess.run(build, check=False, cwd=ROOT).returncode != 0:
            raise SetupError(f"{manifest.parent.name}: could not be built: the line above says why")
    command = [str(python), "-m", "game", *sys.argv[1:]]
    if not has_display() and not {"--headless", "--version", "--help", "-h"} & set(sys.argv[1:]):
        picture = Path.cwd() / "demo.png"
        say(f"no display here: running the scripted tour without a window; picture: {picture}")
        tour = [
            "--headless",
            "--script",
            str(LEVELS / "demo" / "tour.txt"),
            "--screenshot",
            str(picture),
            "--print-state",
        ]
        command += tour
    return subprocess.run(command, check=False).returncode


def has_display() -> bool:
    """Return whether a window can be opened."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


if __name__ == "__main__":
    run_main(main)
