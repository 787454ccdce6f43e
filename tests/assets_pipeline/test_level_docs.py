"""docs/levels.md: its Python runs, and its tables name every key that level.toml may hold."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assets_pipeline import packfile
from assets_pipeline.authoring.manifest import read_manifest
from assets_pipeline.authoring.tables import Table
from assets_pipeline.havok.contents import physics_of

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "levels.md").read_text("utf-8")


def test_the_example_of_geometry_by_code_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (example,) = [block for block in blocks if "MeshMaker" in block]
    names: dict[str, Any] = {}
    exec(compile(example, "docs/levels.md", "exec"), names)
    bodies = physics_of(packfile.read(names["data"])).bodies
    assert [(body.name, body.fixed) for body in bodies] == [("ground", True), ("crate", False)]


def test_the_command_that_shows_the_sources_runs(tmp_path: Path) -> None:
    assert "python -m game.levels.demo.make_sources FOLDER" in TEXT
    command = [sys.executable, "-m", "game.levels.demo.make_sources", str(tmp_path / "made")]
    subprocess.run(command, cwd=ROOT, check=True)
    assert {path.name for path in (tmp_path / "made").iterdir()} >= {"court.hkx", "court.WLD", "court.RGM"}


@pytest.mark.parametrize("level", ["demo", "yard"])
def test_every_key_of_the_levels_is_in_the_table(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    ask = Table._value

    def listen(self: Table, key: str, *rest: Any) -> Any:
        asked.add(key)
        return ask(self, key, *rest)

    monkeypatch.setattr(Table, "_value", listen)
    read_manifest(ROOT / "game" / "levels" / level / "level.toml")
    section = TEXT.split("### level.toml", 1)[1].split("### ", 1)[0]
    words = set(re.findall(r"[a-z_]+", section))
    free = {"kinds"}  # an array of tables inside [course], named [[course.kinds]]
    missing = {key for key in asked if not key.isdigit() and not key.startswith("attr_")} - words - free
    # Colours and distances of [sky] and [[light]] are told in words.
    assert {key for key in missing if not re.search(r"colour|haze|sun|reach|position", key)} == set()
