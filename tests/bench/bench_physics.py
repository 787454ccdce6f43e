"""Dynamics: steps of falling bodies, an empty step, snapshots, array calls, the import.

Run: python -m pytest tests/bench/bench_physics.py -o python_functions="bench_*" -q
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from physics import Ball, Box, World


def falling(count: int) -> World:
    """Balls in a grid, far apart, with spin and without damping, awake for good."""
    world = World(sleeping=False)
    side = round(count ** (1 / 3)) + 1
    for i in range(count):
        spot = (4.0 * (i % side), 4.0 * (i // side % side), 4.0 * (i // side // side))
        body = world.add_body(Ball(0.5), position=spot, linear_damping=0.0, angular_damping=0.0)
        body.set_velocity((0, 0, 0), (1, 2, 3))
    world.step()
    return world


def heap(count: int = 100) -> World:
    """Boxes that lie on each other, awake: with contacts, the state of a snapshot is at its largest."""
    world = World(sleeping=False)
    world.add_body(Box((20, 0.5, 20)), fixed=True, position=(0, -0.5, 0))
    for i in range(count - 1):
        world.add_body(
            Box((0.3, 0.2, 0.4)), position=(1.0 * (i % 5), 0.3 + 0.5 * (i // 25), 1.0 * (i // 5 % 5))
        )
    world.simulate(2.0)
    return world


@pytest.mark.parametrize("count", [1, 100, 1000, 10_000])
def bench_step_of_falling_balls(benchmark: BenchmarkFixture, count: int) -> None:
    world = falling(count)
    iterations = max(1, 20_000 // count)
    benchmark.pedantic(world.step, rounds=10, iterations=iterations, warmup_rounds=1)
    assert world.positions()[0, 1] < 0.0


def bench_empty_step(benchmark: BenchmarkFixture) -> None:
    world = World()
    benchmark.pedantic(world.step, rounds=20, iterations=100_000, warmup_rounds=1)
    assert world.psi_count > 100_000


@pytest.mark.parametrize("kind", ["falling", "heap"])
def bench_snapshot_of_100_bodies(benchmark: BenchmarkFixture, kind: str) -> None:
    world = falling(100) if kind == "falling" else heap()
    saved = benchmark.pedantic(world.snapshot, rounds=50, iterations=1000, warmup_rounds=2)
    assert len(saved) > 100 * 384


@pytest.mark.parametrize("kind", ["falling", "heap"])
def bench_restore_of_100_bodies(benchmark: BenchmarkFixture, kind: str) -> None:
    world = falling(100) if kind == "falling" else heap()
    saved, digest = world.snapshot(), world.digest()
    world.step()
    benchmark.pedantic(lambda: world.restore(saved), rounds=50, iterations=1000, warmup_rounds=2)
    assert world.digest() == digest


def bench_digest_of_100_bodies(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(falling(100).digest)) == 32


@pytest.mark.parametrize("count", [100, 10_000])
def bench_positions(benchmark: BenchmarkFixture, count: int) -> None:
    world = falling(count)
    out = np.empty((count, 3))
    benchmark(world.positions, out)
    assert np.isfinite(out).all()


def bench_import_on_top_of_numpy(benchmark: BenchmarkFixture) -> None:
    """A process that has imported numpy imports physics, from byte code: see the extra_info, in ms."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    code = "import numpy, time; t = time.perf_counter(); import physics; print(time.perf_counter() - t)"

    def run() -> float:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        return 1000 * float(done.stdout)

    run()  # writes the byte code
    times = [run() for _ in range(9)]
    benchmark.extra_info["import_ms"] = sorted(times)[len(times) // 2]
    benchmark.pedantic(run, rounds=3, iterations=1)
    print(f"import physics: median {benchmark.extra_info['import_ms']:.1f} ms, least {min(times):.1f} ms")
