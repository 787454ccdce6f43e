"""Packfiles: reading with every number touched, writing, verifying, MOPP codes, of two generated levels.

`mesh` is 20 fixed bodies of 5 000 triangles each with their trees, `bodies` 5 000 small moving bodies.

Run: python -m pytest tests/bench/bench_packfile.py -o python_functions="bench_*" -q
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from assets_pipeline import havok, packfile
from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.packfile import HavokObject, Layout, Packfile
from assets_pipeline.packfile.objects import HavokStruct, HavokStructArray
from assets_pipeline.verify import verify
from physics.shapes import TriangleMesh

LAYOUTS = {"4 big": Layout(), "8 little": Layout(8, True)}


def hills(side: int, seed: int, spacing: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Return (vertices, triangles) of a bumpy ground of 2 * (side - 1)**2 triangles."""
    random = np.random.default_rng(seed)
    x, z = np.meshgrid(np.arange(side) * spacing, np.arange(side) * spacing, indexing="ij")
    y = 12 * np.sin(x / 31) * np.cos(z / 43) + random.normal(0, 0.2, x.shape)
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]))
    vertices = np.stack((x, y, z), axis=-1).reshape(-1, 3).astype(np.float32)
    return vertices, np.concatenate((np.stack((a, c, b), 1), np.stack((b, c, d), 1)))


@cache
def level(kind: str) -> Packfile:
    if kind == "mesh":
        bodies = []
        for number in range(20):
            vertices, triangles = hills(51, number)
            surfaces = np.random.default_rng(number).integers(0, 54, len(triangles))
            shape = havok_shapes.mesh([havok_shapes.Subpart(vertices, triangles, surfaces)])
            code = havok.build_mopp([(vertices, triangles)])
            tree = havok_shapes.tree(shape, code.data, code.offset, code.scale)
            bodies.append(havok_bodies.rigid_body(f"Ground\\{number}", tree, position=(100.0 * number, 0, 0)))
    else:
        random = np.random.default_rng(1)
        bodies = [
            havok_bodies.rigid_body(
                f"Props\\crate{number:04}",
                havok_shapes.hull(random.normal(size=(12, 3)), 0.05),
                position=random.uniform(-200, 200, 3).tolist(),
                mass=20.0,
                inertia=(1.0, 2.0, 3.0),
                layer=7,
            )
            for number in range(5000)
        ]
    return Packfile(havok_bodies.physics_file(bodies))


@cache
def data_of(kind: str, layout: str) -> bytes:
    pack = level(kind)
    return packfile.write(packfile.convert(pack, LAYOUTS[layout]))


def touch(value: Any) -> int:
    """Read every member below `value`; return how many there were."""
    if isinstance(value, HavokStruct):
        return sum(1 if isinstance(inner := value[name], HavokObject) else touch(inner) for name in value)
    if isinstance(value, HavokStructArray):
        return sum(touch(one) for one in value)
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, list | tuple):
        return sum(1 if isinstance(one, HavokObject) else touch(one) for one in value)
    return 1


def megabytes(benchmark: BenchmarkFixture, data: bytes) -> None:
    benchmark.extra_info["megabytes"] = round(len(data) / 1e6, 2)
    if benchmark.stats is not None:
        benchmark.extra_info["MB/s"] = round(len(data) / 1e6 / benchmark.stats.stats.min, 1)


@pytest.mark.parametrize("kind", ["mesh", "bodies"])
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_read(benchmark: BenchmarkFixture, kind: str, layout: str) -> None:
    data = data_of(kind, layout)
    pack = benchmark.pedantic(packfile.read, (data,), rounds=5, warmup_rounds=1)
    megabytes(benchmark, data)
    assert len(pack.objects) > 50


@pytest.mark.parametrize("kind", ["mesh", "bodies"])
def bench_read_and_touch_every_member(benchmark: BenchmarkFixture, kind: str) -> None:
    data = data_of(kind, "4 big")
    count = benchmark.pedantic(
        lambda: sum(map(touch, packfile.read(data).objects)), rounds=3, warmup_rounds=1
    )
    megabytes(benchmark, data)
    assert count > 100_000


@pytest.mark.parametrize("kind", ["mesh", "bodies"])
def bench_read_what_it_means(benchmark: BenchmarkFixture, kind: str) -> None:
    data = data_of(kind, "4 big")
    physics = benchmark.pedantic(lambda: havok.physics_of(packfile.read(data)), rounds=3, warmup_rounds=1)
    megabytes(benchmark, data)
    assert len(physics.bodies) in (20, 5000)


@pytest.mark.parametrize("kind", ["mesh", "bodies"])
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_write(benchmark: BenchmarkFixture, kind: str, layout: str) -> None:
    data = data_of(kind, layout)
    pack = packfile.read(data)
    written = benchmark.pedantic(packfile.write, (pack,), rounds=5, warmup_rounds=1)
    megabytes(benchmark, data)
    assert written == data


@pytest.mark.parametrize("kind", ["mesh", "bodies"])
def bench_verify(benchmark: BenchmarkFixture, kind: str) -> None:
    data = data_of(kind, "4 big")
    report = benchmark.pedantic(verify, (data,), rounds=3, warmup_rounds=1)
    megabytes(benchmark, data)
    assert report.findings == []


def bench_mopp_build_100_000_triangles(benchmark: BenchmarkFixture) -> None:
    mesh = hills(225, 3)
    code = benchmark.pedantic(havok.build_mopp, ([mesh],), rounds=5, warmup_rounds=1)
    benchmark.extra_info["bytes a triangle"] = round(len(code.data) / len(mesh[1]), 2)
    assert len(code.keys()) == len(mesh[1])


def bench_bvh_build_100_000_triangles(benchmark: BenchmarkFixture) -> None:
    vertices, triangles = hills(225, 3)
    mesh = benchmark.pedantic(TriangleMesh, (vertices, triangles), rounds=5, warmup_rounds=1)
    assert len(mesh.triangles) == len(triangles)


@pytest.mark.parametrize("size", [0.5, 4.0, 20.0])
def bench_mopp_boxes(benchmark: BenchmarkFixture, size: float) -> None:
    vertices, triangles = hills(225, 3)
    code = havok.build_mopp([(vertices, triangles)])
    centres = vertices[np.random.default_rng(2).integers(0, len(vertices), 10_000)].astype(np.float64)
    low, high = centres - size / 2, centres + size / 2
    keys, _ = benchmark.pedantic(code.query_boxes, (low, high), rounds=5, warmup_rounds=1)
    benchmark.extra_info["keys a box"] = round(len(keys) / len(low), 2)
    if benchmark.stats is not None:
        benchmark.extra_info["us a box"] = round(benchmark.stats.stats.min / len(low) * 1e6, 3)
    assert len(keys) >= len(low)


@cache
def compiled(name: str) -> Any:
    """Compile a .pyx file of this folder, against the kernels' .pxd files, and return the module."""
    root = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(Path(__file__).with_name(f"{name}.pyx"), folder)
        command = [sys.executable, "-m", "Cython.Build.Cythonize", "-i", "-q", f"{folder}/{name}.pyx"]
        subprocess.run(command, check=True, cwd=root, env={**os.environ, "CFLAGS": "-O3"})
        (built,) = (path for path in Path(folder).iterdir() if path.suffix in (".so", ".pyd"))
        spec = importlib.util.spec_from_file_location(name, built)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("size", [0.5, 4.0, 20.0])
def bench_bvh_boxes(benchmark: BenchmarkFixture, size: float) -> None:
    """The same boxes in the tree that our physics collides with: bytes for size against floats for speed."""
    count_items = compiled("bvh_boxes").count_items
    vertices, triangles = hills(225, 3)
    nodes = TriangleMesh(vertices, triangles).to_arrays()["nodes"]
    centres = vertices[np.random.default_rng(2).integers(0, len(vertices), 10_000)].astype(np.float64)
    low, high = centres - size / 2, centres + size / 2
    counts = benchmark.pedantic(count_items, (nodes, low, high), rounds=5, warmup_rounds=1)
    benchmark.extra_info["keys a box"] = round(counts.mean(), 2)
    benchmark.extra_info["bytes a triangle"] = round(nodes.nbytes / len(triangles), 2)
    if benchmark.stats is not None:
        benchmark.extra_info["us a box"] = round(benchmark.stats.stats.min / len(low) * 1e6, 3)
    assert counts.min() >= 1
