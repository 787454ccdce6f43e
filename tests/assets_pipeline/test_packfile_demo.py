"""The demo's own packfiles: clean by every rule, and the same bytes again in all eight layouts."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets_pipeline import havok, packfile
from assets_pipeline.build import make_sources
from assets_pipeline.verify import verify
from tests.assets_pipeline.packfile_contents import LAYOUTS

DEMO = Path(__file__).resolve().parents[2] / "game" / "levels" / "demo"


@pytest.fixture(scope="module")
def demo_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    make_sources(DEMO / "make_sources.py", folder)
    files = sorted(folder.rglob("*.hk?"))
    assert files
    return files


def test_they_are_clean(demo_files):
    for path in demo_files:
        assert [str(finding) for finding in verify(path).findings] == []


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_they_come_back_in_every_layout(demo_files, layout):
    for path in demo_files:
        original = path.read_bytes()
        made = packfile.read(original)
        assert packfile.write(made) == original
        converted = packfile.write(packfile.convert(made, layout))
        assert packfile.write(packfile.read(converted)) == converted
        assert packfile.write(packfile.convert(packfile.read(converted), made.layout)) == original
        described = packfile.write(packfile.describe(packfile.read(converted)))
        assert packfile.write(packfile.read(described)) == described


def test_what_they_hold_can_be_used(demo_files):
    found = [havok.physics_of(packfile.read(path)) for path in demo_files]
    assert sum(len(one.bodies) for one in found) > 10
    assert all(one.unsupported == () for one in found)
