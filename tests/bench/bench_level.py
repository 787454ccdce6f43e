"""Building a level from its sources, loading the built file, and making a world of it.

Run: python -m pytest tests/bench/bench_level.py -o python_functions="bench_*" -q
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from assets_pipeline import Level, build_level
from assets_pipeline.build import content_key
from game.level_movement import build_collision_world
from game.level_world import build_world

LEVELS = Path(__file__).resolve().parents[2] / "game" / "levels"
NAMES = ("demo", "yard")


@pytest.fixture(params=NAMES)
def manifest(request: pytest.FixtureRequest) -> Path:
    return LEVELS / str(request.param) / "level.toml"


@pytest.fixture
def built(manifest: Path, tmp_path: Path) -> Path:
    path = tmp_path / "level.npz"
    build_level(manifest).save(path)
    return path


def bench_build(benchmark: BenchmarkFixture, manifest: Path) -> None:
    """Sources by code, packfiles written and read, models cut: the whole build."""
    level = benchmark.pedantic(build_level, (manifest,), rounds=3)
    benchmark.extra_info["triangles"] = sum(len(mesh.surfaces) for mesh in level.meshes)
    benchmark.extra_info["movement models"] = len(level.movement.models)
    assert level.statics


def bench_content_key(benchmark: BenchmarkFixture, manifest: Path) -> None:
    """What a start from source costs when nothing has changed."""
    assert len(benchmark(content_key, manifest)) == 64


def bench_load(benchmark: BenchmarkFixture, built: Path) -> None:
    """Map the file, check every checksum, name and index."""
    level = benchmark(Level.load, built)
    benchmark.extra_info["bytes"] = built.stat().st_size
    assert not level.terrain.heights.flags.owndata


def bench_worlds(benchmark: BenchmarkFixture, built: Path) -> None:
    """The physics world and the collision world of a loaded level."""
    level = Level.load(built)

    def make() -> None:
        build_world(level, passes=4, sleeping=True)
        build_collision_world(level)

    benchmark(make)
