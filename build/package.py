"""Package the demo as a one-folder program in dist/fixstep, and check it against the unpackaged one.

Usage: python3 build/package.py [--no-check]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from environment import ROOT, WORK, SetupError, prepare, run_main, say

DIST = ROOT / "dist"
CHECKED_FRAMES = 120


def main() -> int:
    """Build the levels, freeze the program, compare its state with the unpackaged one."""
    python = prepare(["build"])
    freeze(python, build_levels(python))
    program = DIST / "fixstep" / ("fixstep.exe" if os.name == "nt" else "fixstep")
    size = sum(
        path.stat().st_size for path in program.parent.rglob("*") if path.is_file() and not path.is_symlink()
    )
    say(f"{program.parent}: {size / 1e6:.0f} MB")
    if "--no-check" not in sys.argv[1:]:
        compare(python, program)
    return 0


def build_levels(python: Path) -> Path:
    """Build every level that the game ships into one folder; return the folder."""
    folder = WORK / "levels"
    folder.mkdir(parents=True, exist_ok=True)
    for manifest in sorted((ROOT / "game" / "levels").glob("*/level.toml")):
        target = folder / f"{manifest.parent.name}.npz"
        command = [str(python), "-m", "assets_pipeline", "build", str(manifest), "-o", str(target)]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            raise SetupError(f"{manifest.parent.name}: the level could not be built: the line above says why")
    return folder


def freeze(python: Path, levels: Path) -> None:
    """Run PyInstaller on build/fixstep.spec."""
    log = WORK / "package.log"
    say(f"freezing (log: {log})")
    shutil.rmtree(DIST / "fixstep", ignore_errors=True)
    command = [
        str(python),
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--clean",
        "--workpath",
        str(ROOT / ".pyi-work"),
    ]
    with log.open("w") as out:
        done = subprocess.run(
            [
                *command,
                "--workpath",
                str(ROOT / ".pyi-work"),
                "--distpath",
                str(DIST),
                str(ROOT / "build" / "fixstep.spec"),
            ],
            cwd=ROOT,
            env={**os.environ, "FIXSTEP_BUILT_LEVELS": str(levels)},
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        raise SetupError(f"PyInstaller failed (see {log})")


def compare(python: Path, program: Path) -> None:
    """Run both programs headless, outside the tree, and raise SetupError when their states differ."""
    arguments = ["--headless", "--frames", str(CHECKED_FRAMES), "--print-state"]
    with tempfile.TemporaryDirectory() as folder:
        moved = Path(folder) / "fixstep"
        shutil.copytree(program.parent, moved)
        packaged = printed_state([str(moved / program.name), *arguments], folder)
        if sys.platform.startswith("linux"):  # elsewhere a window would be seen
            drawn = ["--frames", "2", "--print-state", "--screenshot", "shot.png"]
            printed_state([str(moved / program.name), *drawn], folder)
            if not (Path(folder) / "shot.png").exists():
                raise SetupError("the packaged program drew no picture")
        source = printed_state([str(python), "-m", "game", *arguments], folder)
    if packaged != source:
        different = sorted(key for key in source if packaged.get(key) != source[key])
        raise SetupError(f"packaged and unpackaged states differ in {', '.join(different)}")
    digest = source["digest"]
    say(f"the packaged program ran {CHECKED_FRAMES} frames outside the tree: same state, digest {digest}")


def printed_state(command: list[str], folder: str) -> dict[str, Any]:
    """Run one program in `folder` with a home of its own and return the state it prints."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    environment = {**kept, "FIXSTEP_HOME": str(Path(folder) / "home")}
    environment |= {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}  # a window that nobody sees
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"{command[0]} failed with status {done.returncode}: {done.stderr.strip()[-300:]}")
    state: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return state


if __name__ == "__main__":
    run_main(main)
