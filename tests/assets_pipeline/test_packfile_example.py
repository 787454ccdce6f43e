"""The packfile example runs as it stands."""

from __future__ import annotations

import runpy
from pathlib import Path

from assets_pipeline import packfile
from assets_pipeline.packfile import Layout
from assets_pipeline.verify import verify

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "packfile_objects.py"


def test_the_example_makes_two_clean_files(tmp_path, capsys):
    runpy.run_path(str(EXAMPLE))["main"](tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("0 findings")
    assert lines[1:4] == [f"  crate {i}: 12 kg at height {i + 1}" for i in range(3)]
    assert lines[4].endswith("the heavy one weighs 120 kg")
    second = packfile.read(tmp_path / "crates64.hkw")
    assert second.layout == Layout(8, True)
    assert verify(tmp_path / "crates64.hkw").findings == []
