"""Movement models baked from triangle meshes: faces, sub-objects, cells, and that no contact gets lost."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movement import CollisionWorld, Model, MovementError, Placements
from movement.model_faces import Polygon, at_most_ten_corners, cut_large, grown, merge_triangles, newell
from movement.models import LARGEST_FACE, bake_model, bake_models, sub_object_bounds

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

CUBE = np.array(list(itertools.product((-20, 20), repeat=3)), np.float64)
# Corner index = 4 x + 2 y + z; each quad is counter-clockwise seen from outside.
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_TRIANGLES = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))])


def grid_mesh(heights: np.ndarray, step: float = 64.0) -> tuple[np.ndarray, np.ndarray]:
    """A height grid as triangles that face up (-Y); heights are +Y down, rows along +Z."""
    rows, columns = heights.shape
    z, x = np.mgrid[0:rows, 0:columns]
    vertices = np.stack((x * step, heights, z * step), axis=-1).reshape(-1, 3)
    triangles = []
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b, d, e = (
                r * columns + c,
                r * columns + c + 1,
                (r + 1) * columns + c,
                (r + 1) * columns + c + 1,
            )
            triangles += [(a, b, e), (a, e, d)]
    return vertices, np.array(triangles)


def faces_of(model: Model) -> list[np.ndarray]:
    ends = np.cumsum(model.face_sizes)
    return [
        model.vertices[model.face_vertices[end - size : end]]
        for end, size in zip(ends, model.face_sizes, strict=True)
    ]


def test_a_cube_becomes_six_quads() -> None:
    model = bake_model(CUBE, CUBE_TRIANGLES, 7)
    assert model.face_sizes.tolist() == [4] * 6
    assert model.face_surfaces.tolist() == [7] * 6
    outward = sorted(tuple(int(v) for v in normal) for normal in model.face_normals)
    assert outward == [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
    for corners, normal in zip(faces_of(model), model.face_normals, strict=True):
        assert corners.mean(axis=0) @ normal == pytest.approx(20.0)  # each normal points out of the cube
        assert newell(corners.astype(np.float64)) @ normal == pytest.approx(2 * (40 + 2 / 128) ** 2)


def test_faces_keep_their_surfaces_apart() -> None:
    vertices, triangles = grid_mesh(np.zeros((2, 3)))
    # two quads side by side: one surface merges to one face, two surfaces to two
    assert len(bake_model(vertices, triangles, [6, 6, 6, 6]).face_sizes) == 1
    two = bake_model(vertices, triangles, [6, 6, 7, 7])
    assert sorted(two.face_surfaces.tolist()) == [6, 7]
    assert two.face_sizes.tolist() == [4, 4]


def test_textures_and_surfaces_are_both_kept() -> None:
    model = bake_model(CUBE, CUBE_TRIANGLES, 8, textures=302 << 7 | 5)
    assert set(model.face_textures.tolist()) == {302 << 7 | 5}
    assert set(model.face_surfaces.tolist()) == {8}


def test_degenerate_triangles_are_dropped() -> None:
    flat = [(0, 0, 0), (10, 0, 0), (20, 0, 0), (0, 0, 10)]
    model = bake_model(flat, [(0, 1, 2), (0, 0, 3), (0, 1, 3)], 0)
    assert len(model.face_sizes) == 1
    empty = bake_models(flat, [(0, 1, 2)], 0)
    assert empty.models == ()
    assert len(empty.placements) == 0


def test_a_regular_12_gon_is_two_faces_of_at_most_ten_corners() -> None:
    angles = np.arange(12) * np.pi / 6
    corners = np.stack((100 * np.cos(angles), np.zeros(12), 100 * np.sin(angles)), axis=1)
    faces = at_most_ten_corners(Polygon(corners, np.array([0.0, -1.0, 0.0]), 0))
    assert [len(face.corners) for face in faces] == [
        10,
        4,
    ]  # 10 corners, then the first, the tenth and two more
    area = sum(np.linalg.norm(newell(face.corners)) for face in faces)
    assert area == pytest.approx(np.linalg.norm(newell(corners)))


def test_merging_keeps_the_area_of_a_fan() -> None:
    # 16 triangles around a middle: no convex face may have more than 10 corners
    angles = np.arange(16) * np.pi / 8
    rim = np.stack((100 * np.cos(angles), np.zeros(16), 100 * np.sin(angles)), axis=1)
    vertices = np.concatenate((np.zeros((1, 3)), rim))
    triangles = np.array([(0, 1 + k, 1 + (k + 1) % 16) for k in range(16)])
    faces = merge_triangles(vertices, triangles, np.zeros(16, np.int64))
    assert all(3 <= len(face.corners) <= 10 for face in faces)
    whole = sum(np.linalg.norm(newell(vertices[t])) for t in triangles)
    assert sum(np.linalg.norm(newell(face.corners)) for face in faces) == pytest.approx(whole, rel=1e-4)


def test_large_faces_are_cut_at_512() -> None:
    square = np.array([(0, 0, 0), (3000, 0, 0), (3000, 0, 700), (0, 0, 700)], np.float64)
    faces = cut_large([Polygon(square, np.array([0.0, -1.0, 0.0]), 3)], LARGEST_FACE)
    spans = sorted((face.corners[:, 0].min(), face.corners[:, 0].max()) for face in faces)
    # 3000 is cut at 1536 (the multiple of 512 nearest 1500), the halves at 1024 or 512, and 2048 or 2560
    assert all(high - low <= LARGEST_FACE for low, high in spans)
    assert spans[0][0] == 0
    assert spans[-1][1] == 3000
    assert all(a[1] == b[0] and a[1] % 512 == 0 for a, b in itertools.pairwise(spans))
    assert all(face.label == 3 for face in faces)


def test_a_cut_beside_a_corner_makes_no_edge_of_length_zero() -> None:
    # the cut at 1024 crosses the long edges 0.001 from the corner at 1024: rounded to 1/256 it is that corner
    sliver = np.array([(0, 0, 0), (1024.0009765625, 0, 0), (2048, 0, 300), (0, 0, 300)], np.float64)
    faces = cut_large([Polygon(sliver, np.array([0.0, -1.0, 0.0]), 0)], LARGEST_FACE)
    for face in faces:
        edges = np.linalg.norm(face.corners - np.roll(face.corners, 1, axis=0), axis=1)
        assert edges.min() > 0
    area = sum(np.linalg.norm(newell(face.corners)) for face in faces)
    assert area == pytest.approx(np.linalg.norm(newell(sliver)), rel=1e-3)


def test_static_geometry_is_split_into_512_cubes() -> None:
    vertices, triangles = grid_mesh(np.zeros((20, 20)), 100.0)
    baked = bake_models(vertices + np.array([1000, 0, 2000]), triangles, 6, flags=4, name="floor")
    assert len(baked.models) == len(baked.placements) > 1
    assert set(baked.placements.flags.tolist()) == {4}
    # every placement is the middle of its cube
    assert set((baked.placements.positions % 512).reshape(-1).tolist()) == {256.0}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"triangles": [(0, 1, 9)]}, "triangles.*0 to 7"),
        ({"surface_ids": [1, 2]}, "need one value or 12"),
        ({"surface_ids": 256}, "surface_ids.*0 to 255"),
        ({"vertices": [(0, 0, float("nan"))] * 8}, "finite"),
    ],
)
def test_bad_meshes_are_refused(change: dict[str, object], message: str) -> None:
    arguments = {"vertices": CUBE, "triangles": CUBE_TRIANGLES, "surface_ids": 0, **change}
    with pytest.raises(MovementError, match=message):
        bake_models(**arguments)


def brute(model: Model) -> Model:
    """The same faces in one sub-object whose bounds admit everything."""
    count = len(model.face_sizes)
    everything = {
        "sub_centers": np.zeros((1, 3)),
        "sub_radii": np.array([1e6]),
        "sub_extents": np.ones((1, 3)),
    }
    return Model(
        model.vertices, model.face_sizes, model.face_vertices, model.face_normals, model.face_textures, 1e6,
        **everything, sub_face_counts=np.array([count]), sub_faces=np.arange(count),
    )  # fmt: skip


def world_of(model: Model) -> CollisionWorld:
    return CollisionWorld([model], Placements([0], [(30000, 0, 30000)], [np.eye(3)], [0]))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    radius=st.integers(1, 64),
    shape=st.sampled_from([(1, 200), (3, 60), (6, 40), (2, 2000)]),
)
def test_no_contact_is_lost_to_the_admission_tests(seed: int, radius: int, shape: tuple[int, int]) -> None:
    # Spheres up to the reach of 64 and vertical segments find the same faces with and without bounds.
    cells, spread = shape
    random = np.random.default_rng(seed)
    vertices, triangles = grid_mesh(
        random.integers(-spread, spread, (cells + 1, cells + 1)).astype(np.float64)
    )
    model = bake_model(vertices - vertices.mean(axis=0).round(), triangles, 0)
    bounded, unbounded = world_of(model), world_of(brute(model))
    for _ in range(20):
        anchor = model.vertices[random.integers(len(model.vertices))] + random.normal(0, radius, 3)
        origin = tuple(int(v) for v in np.round(anchor + np.array([30000, 0, 30000])))
        sphere = [(0, 0, 0, radius)]
        found = bounded.sphere_contacts([0], origin, IDENTITY, sphere)
        assert sorted(found) == sorted(unbounded.sphere_contacts([0], origin, IDENTITY, sphere))
        x, y, z = origin
        start, end = (x, y - 50, z), (x, y + 50, z)
        assert sorted(bounded.segment_contacts([0], start, end)) == sorted(
            unbounded.segment_contacts([0], start, end)
        )


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_baked_floor_has_no_holes(seed: int) -> None:
    # A flat floor of random rectangles, split, merged, cut and placed: every vertical segment meets it.
    random = np.random.default_rng(seed)
    xs, zs = (np.unique(random.integers(0, 6000, 12)).astype(np.float64) for _ in range(2))
    grid = np.array([(x, 100.0, z) for z in zs for x in xs])
    n = len(xs)
    triangles = [
        t
        for r in range(len(zs) - 1)
        for c in range(n - 1)
        for a in [r * n + c]
        for t in ((a, a + 1, a + n + 1), (a, a + n + 1, a + n))
    ]
    baked = bake_models(grid, triangles, random.integers(0, 2, len(triangles)))
    world = CollisionWorld(baked.models, baked.placements)
    for _ in range(30):
        x, z = (int(random.integers(int(line[0]), int(line[-1]) + 1)) for line in (xs, zs))
        near = world.candidates((x, 80, z), 200).face_models
        contacts = world.segment_contacts(near, (x, 50, z), (x, 150, z))
        assert {c.position for c in contacts} == {(x, 100, z)}
        assert {c.rank for c in contacts} == {16384}


@pytest.mark.parametrize(
    "corner", [(0, 0), (0, 65536), (65536, 0), (65536, 65536), (-900, 30000), (30000, 66000)]
)
def test_geometry_at_the_edge_of_the_map_is_found(corner: tuple[int, int]) -> None:
    # Cells (0, 0), (0, 126), ... and all of column and row 127 are in no window: the baker places models beside them.
    x, z = corner
    vertices, triangles = grid_mesh(np.zeros((5, 5)), 100.0)
    baked = bake_models(vertices + np.array([x - 200, 100, z - 200]), triangles, 0)
    world = CollisionWorld(baked.models, baked.placements)
    for at in ((x, 90, z), (x - 150, 90, z + 150)):
        near = world.candidates(at, 200).face_models
        assert world.segment_contacts(near, (at[0], 50, at[2]), (at[0], 150, at[2]))


def test_segments_through_the_seams_of_slopes_meet_a_face() -> None:
    # whole coordinates on the grid lines and diagonals of a rough mesh: without growth a fifth of them miss both faces
    random = np.random.default_rng(3)
    vertices, triangles = grid_mesh(random.integers(-40, 40, (20, 20)).astype(np.float64))
    baked = bake_models(vertices + np.array([20000, 0, 20000]), triangles, 0)
    world = CollisionWorld(baked.models, baked.placements)
    for _ in range(600):
        line, along = 64 * int(random.integers(0, 20)), int(random.integers(0, 19 * 64))
        for x, z in ((line, along), (along, line), (along, along)):
            origin = (20000 + x, 0, 20000 + z)
            near = world.candidates(origin, 200).face_models
            assert world.segment_contacts(near, (origin[0], -200, origin[2]), (origin[0], 200, origin[2]))


def test_growth_is_small_even_at_sharp_corners() -> None:
    sliver = Polygon(
        np.array([(0, 0, 0), (300, 0, 0.5), (0, 0, 1)], np.float64), np.array([0.0, -1.0, 0.0]), 0
    )
    sliver = Polygon(
        sliver.corners[::-1] if newell(sliver.corners)[1] > 0 else sliver.corners, sliver.normal, 0
    )
    moved = np.linalg.norm(grown(sliver).corners - sliver.corners, axis=1)
    assert moved.max() <= 4.0001 / 128
    square = Polygon(np.array([(0, 0, 0), (9, 0, 0), (9, 0, 9), (0, 0, 9)], np.float64), sliver.normal, 0)
    # every corner moves by 1/128 along both axes
    assert np.abs(grown(square).corners - square.corners).tolist() == [[1 / 128, 0, 1 / 128]] * 4


def test_sub_object_bounds_hold_their_faces() -> None:
    corners = np.array([(0, 0, 0), (300, 0, 0), (300, 10, 40), (0, 10, 40)], np.float64)
    center, radius, extents = sub_object_bounds([corners], 64)
    inside = (((corners - center) / (radius * extents)) ** 2).sum(axis=1)
    assert inside.max() < 1.0
    assert extents.max() == 1.0


def test_the_same_mesh_gives_the_same_model() -> None:
    vertices, triangles = grid_mesh(np.random.default_rng(3).integers(0, 90, (9, 9)).astype(np.float64))
    first, second = (bake_model(vertices, triangles, 0) for _ in range(2))
    for field in ("vertices", "face_vertices", "face_normals", "sub_centers", "sub_faces", "sub_extents"):
        assert np.array_equal(getattr(first, field), getattr(second, field))
