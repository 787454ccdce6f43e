"""Collision: building shapes, queries against a terrain, whole steps of the scenes.

Run: python -m pytest tests/bench/bench_physics_collision.py -o python_functions="bench_*" -q
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from physics import Ball, ConvexHull, HeightField, TriangleMesh, World, scenes

CELLS = 128
RAYS = 10_000


def terrain() -> HeightField:
    c = (np.arange(CELLS + 1) - CELLS / 2) * 2.0
    return HeightField(0.5 * np.sin(0.3 * c)[None, :] * np.cos(0.3 * c)[:, None], 2.0)


@pytest.fixture(scope="module")
def world() -> World:
    made = World()
    made.add_body(terrain(), fixed=True, position=(-CELLS, 0, -CELLS))
    return made


def rays() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    origins = np.column_stack(
        [rng.uniform(-100, 100, RAYS), np.full(RAYS, 20.0), rng.uniform(-100, 100, RAYS)]
    )
    ways = np.column_stack([rng.uniform(-10, 10, RAYS), np.full(RAYS, -40.0), rng.uniform(-10, 10, RAYS)])
    return origins, ways


def bench_hull_of_twelve_points(benchmark: BenchmarkFixture) -> None:
    points = np.random.default_rng(2).normal(size=(12, 3))
    assert benchmark(ConvexHull, points).volume > 0.0


def bench_hull_of_ten_thousand_points(benchmark: BenchmarkFixture) -> None:
    points = np.random.default_rng(2).normal(size=(10_000, 3))
    assert benchmark(ConvexHull, points).volume > 0.0


def bench_mesh_of_32768_triangles(benchmark: BenchmarkFixture) -> None:
    field = terrain()
    assert len(benchmark(TriangleMesh, field.vertices, field.triangles).triangles) == 2 * CELLS * CELLS


def bench_mesh_from_arrays(benchmark: BenchmarkFixture) -> None:
    arrays = terrain().to_arrays()
    assert len(benchmark(TriangleMesh.from_arrays, arrays).triangles) == 2 * CELLS * CELLS


def bench_rays_in_one_call(benchmark: BenchmarkFixture, world: World) -> None:
    origins, ways = rays()
    lengths = np.linalg.norm(ways, axis=1)
    assert benchmark(world.raycast_batch, origins, ways, lengths)["hit"].all()


def bench_rays_one_by_one(benchmark: BenchmarkFixture, world: World) -> None:
    origins, ways = rays()
    pairs = list(zip(origins.tolist(), (origins + ways).tolist(), strict=True))[:1000]
    hits = benchmark(lambda: [world.raycast_between(a, b) for a, b in pairs])
    assert all(h is not None for h in hits)


def bench_ball_casts_in_one_call(benchmark: BenchmarkFixture, world: World) -> None:
    origins, ways = rays()
    hits = benchmark(world.shape_cast_batch, Ball(0.5), origins[:1000], (0, 0, 0, 1), ways[:1000])
    assert hits["hit"].all()


def bench_ball_overlaps_in_one_call(benchmark: BenchmarkFixture, world: World) -> None:
    origins, _ = rays()
    places = origins * (1, 0, 1)
    assert benchmark(world.overlap_batch, Ball(0.8), places)["hit"].any()


@pytest.mark.parametrize("name", ["pyramid", "tower", "dominoes", "arch", "ball_on_flat_mesh"])
def bench_scene_steps(benchmark: BenchmarkFixture, name: str) -> None:
    def second() -> scenes.Scene:
        scene = scenes.build(name)
        for _ in range(66):
            scene.world.step()
        return scene

    scene = benchmark.pedantic(second, rounds=5)
    assert np.isfinite(scene.world.positions()).all()  # a fast wrong answer is no result
