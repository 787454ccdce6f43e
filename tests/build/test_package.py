"""What the packaged program leaves out is not missed: the game runs where none of it can be imported."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from game import VERSION

ROOT = Path(__file__).resolve().parents[2]
BLOCKED = """
import sys
excluded = set(sys.argv.pop(1).split(","))
class Refuser:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if any(".".join(parts[:count]) in excluded for count in range(1, len(parts) + 1)):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuser())
for name in [name for name in sys.modules if name.split(".")[0] in excluded]:
    del sys.modules[name]
from game.__main__ import main
sys.exit(main())
"""


def excluded() -> list[str]:
    """Return the modules that the recipe leaves out."""
    tree = ast.parse((ROOT / "build" / "fixstep.spec").read_text())
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "EXCLUDES":
            names: list[str] = ast.literal_eval(statement.value)
            return names
    raise AssertionError("the recipe has no EXCLUDES")


def run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "FIXSTEP_HOME": str(tmp_path),
        "SDL_VIDEODRIVER": "offscreen",
        "SDL_AUDIODRIVER": "dummy",
    }
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, ",".join(excluded()), *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def level(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A built level, as the packaged program holds one: building needs modules that it has not."""
    from assets_pipeline import build_level

    path = tmp_path_factory.mktemp("built") / "demo.npz"
    build_level(ROOT / "game" / "levels" / "demo" / "level.toml").save(path)
    return str(path)


def test_the_refuser_refuses(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED.replace("from game", "import email.message; from game"), "email"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "No module named 'email'" in done.stderr


def test_the_game_plays_and_draws_without_what_is_left_out(tmp_path: Path, level: str) -> None:
    headless = run(
        tmp_path, level, "--headless", "--frames", "5", "--print-state", "--screenshot", "shot.png"
    )
    assert headless.returncode == 0, headless.stderr
    assert json.loads(headless.stdout)["frames"] == 5
    assert (tmp_path / "shot.png").stat().st_size > 10_000
    window = run(tmp_path, level, "--frames", "2", "--record", "run.replay", "--print-state")
    assert window.returncode == 0, window.stderr
    replay = run(tmp_path, level, "--headless", "--replay", "run.replay", "--print-state")
    assert replay.returncode == 0, replay.stderr
    assert json.loads(replay.stdout)["digest"] == json.loads(window.stdout)["digest"]


def test_version_is_the_project_file_s(tmp_path: Path) -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    assert run(tmp_path, "--version").stdout == f"fixstep {VERSION}\n"
