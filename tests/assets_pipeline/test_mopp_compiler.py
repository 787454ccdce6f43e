"""The MOPP compiler, judged by an interpreter of its own: plain Python, from the command table alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok import MoppCode, build_mopp, degenerate_triangles, list_mopp

Mesh = tuple[NDArray[Any], NDArray[Any]]
Box = tuple[NDArray[np.int64], NDArray[np.int64]] | None


# ---------------------------------------------------------------- the other interpreter


def interpret(data: bytes, box: Box = None) -> list[int]:
    """Return the keys of a code: all, or those that a box in whole units reaches. Diagonals go both ways.

    Only the commands that the text found executed; anything else fails the test.
    """
    found: list[int] = []

    def number(address: int, size: int) -> int:
        assert address + size <= len(data), "arguments past the end"
        return int.from_bytes(data[address : address + size], "big")

    def run(at: int, terminal_offset: int, lo: list[int], hi: list[int]) -> None:
        while True:
            assert 0 <= at < len(data), "control leaves the code"
            op = data[at]
            if 0x01 <= op <= 0x04:
                lo = [(lo[k] - (data[at + 1 + k] << 16)) << op for k in range(3)]
                hi = [(hi[k] - (data[at + 1 + k] << 16)) << op for k in range(3)]
                at += 4
            elif op == 0x05:
                at += 2 + number(at + 1, 1)
            elif op == 0x06:
                at += 3 + number(at + 1, 2)
            elif op == 0x70:
                at = number(at + 1, 4)
            elif op == 0x09:
                terminal_offset += number(at + 1, 1)
                at += 2
            elif op == 0x0A:
                terminal_offset += number(at + 1, 2)
                at += 3
            elif op == 0x0B:
                terminal_offset = number(at + 1, 4)
                at += 5
            elif 0x10 <= op <= 0x1C or 0x20 <= op <= 0x25:
                if op <= 0x1C:
                    left_max, right_min = data[at + 1], data[at + 2]
                    left, right = at + 4, at + 4 + number(at + 3, 1)
                elif op <= 0x22:
                    left_max = right_min = data[at + 1]
                    left, right = at + 3, at + 3 + number(at + 2, 1)
                else:
                    left_max, right_min = data[at + 1], data[at + 2]
                    left, right = at + 7 + number(at + 3, 2), at + 7 + number(at + 5, 2)
                axis = op - 0x10 if op < 0x20 else (op - 0x20) % 3
                if axis >= 3 or lo[axis] >> 16 <= left_max:
                    run(left, terminal_offset, lo, hi)
                if not (axis >= 3 or hi[axis] >> 16 >= right_min):
                    return
                at = right
            elif 0x26 <= op <= 0x28:
                if box is not None and (
                    hi[op - 0x26] >> 16 < data[at + 1] or lo[op - 0x26] >> 16 > data[at + 2]
                ):
                    return
                at += 3
            elif 0x30 <= op <= 0x4F:
                found.append(terminal_offset + op - 0x30)
                return
            elif 0x50 <= op <= 0x53:
                found.append(terminal_offset + number(at + 1, op - 0x4F))
                return
            else:
                pytest.fail(f"command 0x{op:02x} at 0x{at:x}")

    everything = ([-(1 << 90)] * 3, [1 << 90] * 3)
    lo, hi = everything if box is None else (box[0].tolist(), box[1].tolist())
    run(0, 0, lo, hi)
    return found


def whole_units(code: MoppCode, positions: NDArray[Any]) -> NDArray[np.int64]:
    return np.floor((positions.astype(float) - code.offset) * code.scale).astype(np.int64)


def single_precision_units(code: MoppCode, positions: NDArray[Any]) -> NDArray[np.int64]:
    """The formula as an interpreter in single precision works it out."""
    offset, scale = np.float32(code.offset), np.float32(code.scale)
    return np.floor((positions.astype(np.float32) - offset) * scale).astype(np.int64)


# ---------------------------------------------------------------- meshes


def terrain(side: int, seed: int = 3) -> Mesh:
    """Hills of (side - 1)**2 * 2 triangles, 2 m a cell."""
    random = np.random.default_rng(seed)
    x, z = np.meshgrid(np.arange(side) * 2.0, np.arange(side) * 2.0, indexing="ij")
    y = 8 * np.sin(x / 17) * np.cos(z / 23) + random.normal(0, 0.1, x.shape)
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]))
    vertices = np.stack((x, y, z), axis=-1).reshape(-1, 3).astype(np.float32)
    return vertices, np.concatenate((np.stack((a, c, b), 1), np.stack((b, c, d), 1)))


def soup(count: int, seed: int = 5, size: float = 1.0) -> Mesh:
    """Triangles of up to `size` metres anywhere in a cube of 100 m."""
    random = np.random.default_rng(seed)
    corners = random.uniform(-50, 50, (count, 1, 3)) + random.uniform(-size, size, (count, 3, 3)) / 2
    return corners.reshape(-1, 3).astype(np.float32), np.arange(3 * count).reshape(-1, 3)


def own_boxes(subparts: list[Mesh]) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
    """Return the keys, corners and opposite corners of every triangle that is not degenerate."""
    keys, low, high = [], [], []
    for index, (vertices, triangles) in enumerate(subparts):
        kept = np.flatnonzero(~degenerate_triangles(vertices, triangles))
        corners = np.asarray(vertices, dtype=np.float32)[np.asarray(triangles)[kept]]
        keys.append((index << 20) + kept)
        low.append(corners.min(axis=1))
        high.append(corners.max(axis=1))
    return np.concatenate(keys), np.concatenate(low), np.concatenate(high)


MESHES: dict[str, list[Mesh]] = {
    "terrain": [terrain(24)],
    "soup": [soup(700)],
    "large and small": [soup(60, 1, 80.0), soup(300, 2, 0.05)],
    "three subparts": [terrain(6), soup(40), soup(500, 9)],
    "one triangle": [(np.eye(3, dtype=np.float32), np.array([[0, 1, 2]]))],
    "the same triangle often": [(np.eye(3, dtype=np.float32) * 4, np.tile([[0, 1, 2]], (90, 1)))],
    "a flat floor": [(terrain(12)[0] * np.float32([1, 0, 1]), terrain(12)[1])],
    "an empty subpart": [(np.zeros((0, 3)), np.zeros((0, 3), int)), soup(5)],
}
BY_MESH = pytest.mark.parametrize("name", MESHES)


# ---------------------------------------------------------------- the compiler


@BY_MESH
def test_terminals_are_the_keys_of_the_mesh_in_both_interpreters(name: str) -> None:
    code = build_mopp(MESHES[name])
    keys = own_boxes(MESHES[name])[0].tolist()
    assert sorted(interpret(code.data)) == keys
    assert interpret(code.data) == code.keys().tolist()


@BY_MESH
def test_a_query_with_a_triangles_own_box_returns_it_in_both_interpreters(name: str) -> None:
    code = build_mopp(MESHES[name])
    keys, low, high = own_boxes(MESHES[name])
    for key, lo, hi in list(zip(keys.tolist(), low, high, strict=True))[:: max(1, len(keys) // 200)]:
        found = interpret(code.data, (whole_units(code, lo), whole_units(code, hi)))
        assert key in found
        assert code.query_box(lo, hi).tolist() == found
        single = (single_precision_units(code, lo), single_precision_units(code, hi))
        assert key in interpret(code.data, single)


@BY_MESH
def test_a_box_far_away_returns_nothing(name: str) -> None:
    code = build_mopp(MESHES[name])
    for axis in range(3):
        for far in (-1e6, 1e6):
            point = np.zeros(3)
            point[axis] = far
            assert code.query_box(point, point + 1).tolist() == []
            assert code.query_sphere(point, 10.0).tolist() == []
            assert code.query_ray(point, point + 1).tolist() == []


@BY_MESH
def test_random_boxes_get_what_they_touch_and_little_more(name: str) -> None:
    code = build_mopp(MESHES[name])
    keys, low, high = own_boxes(MESHES[name])
    random = np.random.default_rng(11)
    extent = float((high.max(axis=0) - low.min(axis=0)).max())
    touched = returned = 0
    for _ in range(150):
        centre = low.min(axis=0) + random.uniform(-0.1, 1.1, 3) * (high.max(axis=0) - low.min(axis=0))
        half = random.uniform(0, 0.1, 3) * extent
        lo, hi = centre - half, centre + half
        hit = keys[((low <= hi) & (high >= lo)).all(axis=1)]
        found = code.query_box(lo, hi)
        assert set(hit.tolist()) <= set(found.tolist())
        touched += len(hit)
        returned += len(found)
    # The bytes round a box outwards by at most a 256th of the frame that its rescales left it.
    assert returned <= 1.25 * touched + 150


def test_offset_and_scale_follow_the_stored_box() -> None:
    vertices, triangles = soup(50)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    code = build_mopp([(vertices, triangles)])
    assert code.offset == tuple(low.tolist())
    # scale * largest extent = 0.99 * 2**24, to the precision of an f32
    assert code.scale * float((high - low).max()) == pytest.approx(0.99 * 2**24, rel=2**-22)
    wide = (low - np.float32(3), high + np.float32(5))
    code = build_mopp([(vertices, triangles)], box=wide)
    assert code.offset == tuple(wide[0].tolist())
    assert code.scale == float(np.float32(0.99 * 2**24 / float((wide[1] - wide[0]).max())))
    assert sorted(code.keys().tolist()) == list(range(50))


def test_keys_hold_the_subpart_in_their_upper_bits() -> None:
    part = soup(3)
    assert sorted(build_mopp([part, part]).keys().tolist()) == [
        0,
        1,
        2,
        1 << 20,
        (1 << 20) + 1,
        (1 << 20) + 2,
    ]
    code = build_mopp([part, part], subpart_bits=4)
    assert sorted(code.keys().tolist()) == [0, 1, 2, 1 << 28, (1 << 28) + 1, (1 << 28) + 2]
    last = build_mopp([(np.zeros((0, 3)), np.zeros((0, 3), int))] * 4095 + [part])
    assert sorted(last.keys().tolist()) == [4095 << 20, (4095 << 20) + 1, (4095 << 20) + 2]


def test_the_same_mesh_gives_the_same_bytes() -> None:
    assert build_mopp([terrain(20)]).data == build_mopp([terrain(20)]).data


def test_a_large_mesh_needs_absolute_jumps_and_no_longer_paths() -> None:
    # 20 000 triangles are about 250 000 bytes: the upper splits are past the 65 535 of a 16-bit jump.
    mesh = [terrain(101)]
    code = build_mopp(mesh)
    assert len(code.data) > 2 * 0xFFFF
    assert any("jump to" in line for line in list_mopp(code))
    assert sorted(interpret(code.data)) == list(range(20_000))
    # As large as the codes of the text's game, 9.3 bytes a triangle, within half as much again.
    assert len(code.data) < 14 * 20_000


def test_boxes_at_all_scales_keep_the_tree_shallow() -> None:
    # Each triangle half the size of the one before, at the same corner: the worst for a split by cost.
    size = 0.5 ** np.arange(12)[:, None, None] * 1000
    vertices = (np.eye(3) * size).reshape(-1, 3).astype(np.float32)
    mesh = [(vertices, np.arange(36).reshape(-1, 3))] * 40
    code = build_mopp(mesh)
    assert sorted(interpret(code.data)) == own_boxes(mesh)[0].tolist()


# ---------------------------------------------------------------- degenerate triangles


def test_a_triangle_is_degenerate_below_a_squared_cross_product_of_1e_7() -> None:
    # Edges (1, 0, 0) and (0, h, 0): the squared cross product is h * h; 3.16e-4 squared is 9.99e-8, 3.17e-4
    # squared 1.005e-7.
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 0.000316, 0], [0, 0.000317, 0]], dtype=np.float32)
    assert degenerate_triangles(vertices, [[0, 1, 2], [0, 1, 3]]).tolist() == [True, False]
    assert build_mopp([(vertices, np.array([[0, 1, 2], [0, 1, 3]]))]).keys().tolist() == [1]


def test_a_triangle_with_a_repeated_vertex_is_degenerate() -> None:
    vertices = np.eye(3, dtype=np.float32)
    triangles = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 2]]
    assert degenerate_triangles(vertices, triangles).tolist() == [True, True, True, False]


def test_the_cross_product_is_taken_from_either_of_the_first_two_vertices() -> None:
    # Of long thin triangles the f32 products round, so that the cross products at two vertices differ and the
    # identity is its own judge. Each triangle is checked against plain f32 arithmetic, in the text's order.
    random = np.random.default_rng(8)
    base = random.uniform(-30, 30, (4000, 1, 3))
    along = random.normal(size=(4000, 1, 3)) * random.uniform(0, 30, (4000, 1, 1))
    place = random.uniform(0, 1, (4000, 3, 1))
    corners = (base + along * place + random.normal(size=(4000, 3, 3)) * 3e-5).astype(np.float32)
    got = degenerate_triangles(corners.reshape(-1, 3), np.arange(12_000).reshape(-1, 3))

    def small(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> bool:
        u, v = b - a, c - a
        x = np.float32(u[1] * v[2]) - np.float32(u[2] * v[1])
        y = np.float32(u[2] * v[0]) - np.float32(u[0] * v[2])
        z = np.float32(u[0] * v[1]) - np.float32(u[1] * v[0])
        return bool(np.float32(np.float32(x * x + y * y) + z * z) < np.float32(1e-7))

    def collinear(u: NDArray[np.float32], v: NDArray[np.float32]) -> bool:
        def dot(p: NDArray[np.float32], q: NDArray[np.float32]) -> np.float32:
            return np.float32(np.float32(p[0] * q[0] + p[1] * q[1]) + p[2] * q[2])

        return bool(np.float32(dot(u, u) * dot(v, v)) - np.float32(dot(u, v) * dot(u, v)) == 0)

    first = second = identity = 0
    for corner, result in zip(corners, got, strict=True):
        a, b, c = corner
        at_a, at_b = small(a, b, c), small(b, c, a)
        line = collinear(b - a, c - a) or collinear(c - b, a - b)
        assert result == (at_a or at_b or line)
        first += at_a and not at_b
        second += at_b and not at_a
        identity += line and not (at_a or at_b)
    assert first > 0
    assert second > 0
    assert identity > 0  # each of the three conditions decided some of them alone


def test_a_mesh_of_degenerate_triangles_alone_has_no_code() -> None:
    with pytest.raises(PackfileError, match="none that is not degenerate"):
        build_mopp([(np.eye(3), np.array([[0, 0, 1]]))])


# ---------------------------------------------------------------- bad meshes


def test_bad_meshes_are_refused_with_their_reason() -> None:
    good = np.eye(3)
    triangle = np.array([[0, 1, 2]])
    cases: list[tuple[list[Mesh], dict[str, Any], str]] = [
        ([], {}, "no vertex"),
        ([(good, np.zeros((0, 3), int))], {}, "no triangle"),
        ([(good[:, :2], triangle)], {}, r"need vertices \(n, 3\)"),
        ([(good, triangle[:, :2])], {}, r"need triangles \(m, 3\)"),
        ([(good, triangle.astype(float))], {}, "of integers"),
        ([(good, np.array([[0, 1, 3]]))], {}, "indices 0 to 3, there are 3 vertices"),
        ([(good, np.array([[0, 1, -1]]))], {}, "indices -1 to 1"),
        ([(good * [[1], [np.nan], [1]], triangle)], {}, "not finite"),
        ([(good * 1e39, triangle)], {}, "not finite"),
        ([(good, triangle)] * 5, {"subpart_bits": 2}, "5 subparts need more than 2 bits"),
        ([(good, np.tile(triangle, (5, 1)))], {"subpart_bits": 30}, "5 triangles need more than 2 bits"),
        ([(good, triangle)], {"subpart_bits": 32}, "need 0 to 31"),
        ([(good, triangle)], {"box": ((0, 0, 0), (1, 1, 0.5))}, "does not hold every vertex"),
        ([(good, triangle)], {"box": ((0, 0, 0), (1, 1, np.inf))}, "finite"),
    ]
    for subparts, options, reason in cases:
        with pytest.raises(PackfileError, match=reason):
            build_mopp(subparts, **options)


# ---------------------------------------------------------------- spheres and rays


def test_spheres_get_every_triangle_they_touch_and_little_more() -> None:
    vertices, triangles = terrain(24)
    code = build_mopp([(vertices, triangles)])
    corners = vertices[triangles].astype(float)
    random = np.random.default_rng(2)
    touched = returned = boxed = 0
    for _ in range(100):
        centre = random.uniform(vertices.min(axis=0) - 2, vertices.max(axis=0) + 2)
        radius = float(random.uniform(0.1, 6))
        nearest = trimesh.triangles.closest_point(corners, np.tile(centre, (len(corners), 1)))
        hit = np.flatnonzero(np.linalg.norm(nearest - centre, axis=1) <= radius)
        found = code.query_sphere(centre, radius)
        assert set(hit.tolist()) <= set(found.tolist())
        touched += len(hit)
        returned += len(found)
        boxed += len(code.query_box(centre - radius, centre + radius))
    assert returned < 1.5 * touched
    assert returned < boxed


def test_rays_get_every_triangle_they_hit_and_little_more() -> None:
    vertices, triangles = terrain(24)
    code = build_mopp([(vertices, triangles)])
    corners = vertices[triangles].astype(float)
    random = np.random.default_rng(4)
    returned = hits = 0
    for _ in range(200):
        start, end = random.uniform(vertices.min(axis=0) - 5, vertices.max(axis=0) + 5, (2, 3))
        found = set(code.query_ray(start, end).tolist())
        # Moeller and Trumbore: start + t d = a + u e + v f.
        direction = end - start
        e, f = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        p = np.cross(direction, f)
        determinant = (e * p).sum(axis=1)
        s = start - corners[:, 0]
        q = np.cross(s, e)
        u, v = (s * p).sum(axis=1) / determinant, q @ direction / determinant
        t = (f * q).sum(axis=1) / determinant
        hit = np.flatnonzero((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1))
        assert set(hit.tolist()) <= found
        hits += len(hit)
        returned += len(found)
    assert hits > 50
    # A ray of some 50 m passes about 25 cells of 2 m, near whose boxes it is only where it meets the ground.
    assert returned / 200 < 12


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.floats(-4, 4), st.floats(-3, 4))
def test_any_mesh_at_any_scale_and_place_answers_its_own_boxes(
    count: int, seed: int, scale: float, distance: float
) -> None:
    random = np.random.default_rng(seed)
    vertices = (random.normal(size=(3 * count, 3)) * 10**scale + 10**distance).astype(np.float32)
    mesh = [(vertices, np.arange(3 * count).reshape(-1, 3))]
    keys, low, high = own_boxes(mesh)
    if not len(keys):
        return
    code = build_mopp(mesh)
    assert sorted(interpret(code.data)) == keys.tolist()
    for key, lo, hi in zip(keys.tolist(), low, high, strict=True):
        assert key in code.query_box(lo, hi)
        assert key in code.query_sphere((lo.astype(float) + hi) / 2, float(np.linalg.norm(hi - lo)) / 2)
        assert key in code.query_ray(*vertices[3 * key : 3 * key + 2])
        assert key in interpret(
            code.data, (single_precision_units(code, lo), single_precision_units(code, hi))
        )


# ---------------------------------------------------------------- a real code with its mesh


@pytest.fixture(scope="module")
def sample() -> tuple[MoppCode, list[Mesh]]:
    folder = os.environ.get("FIXSTEP_SAMPLES")
    path = Path(folder) / "mopp" / "sample.json" if folder else None
    if path is None or not path.is_file():
        pytest.skip("no real MOPP code: FIXSTEP_SAMPLES names no folder with mopp/sample.json")
    text = json.loads(path.read_text())
    mesh = [
        (np.array(part["vertices"], dtype=np.float32), np.array(part["triangles"]))
        for part in text["subparts"]
    ]
    return MoppCode(bytes.fromhex(text["code_hex"]), text["offset"], text["scale"]), mesh


def average(code: MoppCode, mesh: list[Mesh], **options: bool) -> float:
    """Return how many keys the own box of a triangle gets on average; each must get its own."""
    keys, low, high = own_boxes(mesh)
    found, ends = code.query_boxes(low, high, **options)
    for key, part in zip(keys, np.split(found, ends[:-1]), strict=True):
        assert key in part
    return len(found) / len(keys)


def test_the_real_code_has_a_terminal_for_each_triangle(sample: tuple[MoppCode, list[Mesh]]) -> None:
    code, mesh = sample
    assert sorted(code.keys().tolist()) == own_boxes(mesh)[0].tolist()
    assert code.keys().tolist() == interpret(code.data)


def test_the_real_code_answers_like_the_other_interpreter(sample: tuple[MoppCode, list[Mesh]]) -> None:
    code, mesh = sample
    _, low, high = own_boxes(mesh)
    for lo, hi in zip(low, high, strict=True):
        units = (whole_units(code, lo), whole_units(code, hi))
        assert code.query_box(lo, hi).tolist() == interpret(code.data, units)


def test_pruned_diagonals_of_the_real_code_lose_no_key(sample: tuple[MoppCode, list[Mesh]]) -> None:
    code, mesh = sample
    # 17.126 keys a triangle with both sides of its 213 diagonal splits, 16.310 with them pruned.
    assert average(code, mesh) == pytest.approx(17.1258, abs=1e-3)
    assert average(code, mesh, prune_diagonals=True) == pytest.approx(16.3102, abs=1e-3)
    # Spheres and rays too: every triangle that a sphere touches or whose edge a ray follows.
    keys, low, high = own_boxes(mesh)
    corners = np.concatenate([vertices[triangles] for vertices, triangles in mesh]).astype(float)
    for index in range(0, len(keys), 7):
        centre, radius = (low[index].astype(float) + high[index]) / 2, float(index % 5)
        nearest = trimesh.triangles.closest_point(corners, np.tile(centre, (len(corners), 1)))
        hit = keys[np.linalg.norm(nearest - centre, axis=1) <= radius]
        assert set(hit.tolist()) <= set(code.query_sphere(centre, radius, prune_diagonals=True).tolist())
        for a, b in ((0, 1), (1, 2), (2, 0)):
            found = code.query_ray(corners[index, a], corners[index, b], prune_diagonals=True)
            assert keys[index] in found


def test_our_code_for_the_real_mesh_is_more_selective_and_no_longer(
    sample: tuple[MoppCode, list[Mesh]],
) -> None:
    real, mesh = sample
    code = build_mopp(mesh)
    assert sorted(interpret(code.data)) == own_boxes(mesh)[0].tolist()
    assert average(code, mesh) < average(real, mesh)
    assert len(code.data) <= len(real.data)


def test_truncations_of_the_real_code_end_in_errors(sample: tuple[MoppCode, list[Mesh]]) -> None:
    code, _ = sample
    for size in [*range(1, 200), *range(200, len(code.data), 97)]:
        with pytest.raises(PackfileError):
            MoppCode(code.data[:size], code.offset, code.scale).keys()


def test_mutations_of_the_real_code_give_keys_or_errors(sample: tuple[MoppCode, list[Mesh]]) -> None:
    code, mesh = sample
    _, low, high = own_boxes(mesh)
    random = np.random.default_rng(6)
    outcomes = set()
    for _ in range(400):
        data = bytearray(code.data)
        for place in random.integers(0, len(data), random.integers(1, 8)):
            data[place] = random.integers(0, 256)
        damaged = MoppCode(data, code.offset, code.scale)
        for walk in (damaged.keys, lambda d=damaged: d.query_box(low.min(axis=0), high.max(axis=0))):
            try:
                walk()
                outcomes.add("keys")
            except PackfileError as error:
                outcomes.add(error.reason.split(" ")[0])
    assert len(outcomes) > 2
