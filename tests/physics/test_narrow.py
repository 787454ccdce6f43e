"""Narrow phase: normals, depths and points against independent formulas, and no bumps at inner edges of
meshes."""

import numpy as np
import pytest

from physics.kernel.narrow import contacts
from physics.shapes import (
    Ball,
    Box,
    Capsule,
    Compound,
    ConvexHull,
    Cylinder,
    HeightField,
    Plane,
    TriangleMesh,
    rotation_matrix,
)

EYE, ZERO = np.eye(3), np.zeros(3)
UP = (EYE, ZERO)


def random_rotation(rng):
    q = rng.normal(size=4)
    return rotation_matrix(q / np.linalg.norm(q))


def at(*position):
    return EYE, np.array(position, dtype=float)


def corners(shape):
    if isinstance(shape, Box):
        signs = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        return np.array(signs) * shape.half_extents
    return shape.vertices


def directions(shape):
    """Face normals and edge directions of a polyhedron."""
    if isinstance(shape, Box):
        return np.eye(3), np.eye(3)
    edges = shape._hull.edges
    return shape._hull.planes[:, :3], shape.vertices[edges[:, 1]] - shape.vertices[edges[:, 0]]


def separation_along(a, pose_a, b, pose_b, normals):
    va, vb = corners(a) @ pose_a[0].T + pose_a[1], corners(b) @ pose_b[0].T + pose_b[1]
    return (vb @ normals.T).min(axis=0) - (va @ normals.T).max(axis=0)


def separating_axis(a, pose_a, b, pose_b):
    """The largest separation over all face normals and edge pairs: minus the least penetration of
    overlapping polyhedra."""
    (na, ea), (nb, eb) = directions(a), directions(b)
    crossed = np.cross((ea @ pose_a[0].T)[:, None], (eb @ pose_b[0].T)[None]).reshape(-1, 3)
    lengths = np.linalg.norm(crossed, axis=1)
    normals = np.concatenate(
        [na @ pose_a[0].T, nb @ pose_b[0].T, crossed[lengths > 1e-9] / lengths[lengths > 1e-9, None]]
    )
    return separation_along(a, pose_a, b, pose_b, np.concatenate([normals, -normals])).max()


def test_polyhedra_agree_with_the_separating_axis_theorem():
    rng = np.random.default_rng(1)
    overlapping = 0
    for _ in range(600):
        a, b = (
            Box(rng.uniform(0.2, 1, 3))
            if rng.integers(2)
            else ConvexHull(rng.normal(size=(rng.integers(4, 20), 3)) * 0.5)
            for _ in range(2)
        )
        pose_a, pose_b = (
            (random_rotation(rng), rng.normal(size=3)),
            (random_rotation(rng), rng.normal(size=3)),
        )
        pose_b = (pose_b[0], pose_a[1] + 0.8 * pose_b[1])
        best = separating_axis(a, pose_a, b, pose_b)
        found = contacts(a._data, pose_a, b._data, pose_b, 0.05)
        if best < 0.0:
            overlapping += 1
            ((normal, on_a, on_b, separations, _, _, _),) = found
            mine = separation_along(a, pose_a, b, pose_b, normal[None])[0]
            assert mine == pytest.approx(
                best, abs=0.005
            )  # the axis costs no more than the rounding of the cores
            assert separations.min() == pytest.approx(mine, abs=0.01)
            np.testing.assert_allclose(((on_b - on_a) * normal).sum(axis=1), separations, atol=1e-9)
        elif best > 0.05:
            # The theorem's axes give a lower bound of the distance of separated polyhedra.
            assert not found
    assert overlapping > 200


@pytest.mark.parametrize("swap", [False, True])
def test_box_on_box_gives_four_corners(swap):
    a, b = Box((0.5, 0.5, 0.5)), Box((2.0, 0.5, 2.0))
    pose_a, pose_b = at(0.3, 0.99, 0.0), at(0, 0, 0)
    args = (b._data, pose_b, a._data, pose_a) if swap else (a._data, pose_a, b._data, pose_b)
    ((normal, on_a, on_b, separations, features, _, _),) = contacts(*args, 0.02)
    np.testing.assert_allclose(normal, (0, 1 if swap else -1, 0), atol=1e-12)
    lower = on_b if swap else on_a
    assert {tuple(np.round(p, 9)) for p in lower} == {(x, 0.49, z) for x in (-0.2, 0.8) for z in (-0.5, 0.5)}
    np.testing.assert_allclose(separations, -0.01, atol=1e-12)
    assert len(set(features)) == 4


def test_features_stay_while_a_box_slides():
    a, b = Box((0.5, 0.5, 0.5)), Box((5.0, 0.5, 5.0))
    seen = {
        tuple(sorted(contacts(a._data, at(x, 0.995, 0.2), b._data, UP, 0.02)[0][4]))
        for x in np.linspace(-1, 1, 9)
    }
    assert len(seen) == 1


BALL_CASES = [
    # A ball of radius 1 at (x, y, z) against a shape: direction from the shape's surface to the ball,
    # separation.
    (Ball(2.0), (0, 2.9, 0), (0, 1, 0), -0.1),
    (Box((1, 1, 1)), (0, 1.95, 0.5), (0, 1, 0), -0.05),
    (Box((1, 1, 1)), (1.6, 1.8, 0), (0.6, 0.8, 0), 0.0),  # an edge: 3-4-5
    (Box((1, 1, 1)), (0.1, 0.7, 0), (0, 1, 0), -1.3),  # the centre inside: out of the nearest face
    (Capsule(0.5, 1.0), (1.4, 0.3, 0), (1, 0, 0), -0.1),
    (Capsule(0.5, 1.0), (0, 2.5, 0), (0, 1, 0), 0.0),
    (Cylinder(0.5, 1.0), (1.4, 0.3, 0), (1, 0, 0), -0.1),
    (Cylinder(0.5, 1.0), (0.2, 1.9, 0), (0, 1, 0), -0.1),
    (Cylinder(0.5, 1.0), (1.1, 1.8, 0), (0.6, 0.8, 0), 0.0),  # the rim
    (ConvexHull(corners(Box((1, 1, 1)))), (0, 1.95, 0.5), (0, 1, 0), -0.05),
    (ConvexHull(corners(Box((1, 1, 1)))), (1.6, 1.8, 0), (0.6, 0.8, 0), 0.0),
    (ConvexHull(corners(Box((1, 1, 1)))), (0.1, 0.7, 0), (0, 1, 0), -1.3),
    (Plane((0, 2, 0), 0.25), (3, 1.2, 4), (0, 1, 0), -0.05),
    (HeightField(np.zeros((9, 9)), 1.0), (3.3, 0.9, 4.1), (0, 1, 0), -0.1),
]


@pytest.mark.parametrize("extra", [0.0, 0.125])
@pytest.mark.parametrize(("shape", "position", "direction", "separation"), BALL_CASES)
def test_balls_by_formula(shape, position, direction, separation, extra):
    # An extra radius of either takes from the separation and moves both points along the normal.
    rng = np.random.default_rng(4)
    turn, shift = random_rotation(rng), rng.normal(size=3)
    pose_ball = (random_rotation(rng), turn @ position + shift)
    found = contacts(Ball(1.0)._data, pose_ball, shape._data, (turn, shift), 0.01, extra, extra)
    assert len(found) == 1
    normal, on_a, on_b, separations, _, _, _ = found[0]
    world = turn @ direction
    np.testing.assert_allclose(-normal, world, atol=1e-9)
    assert separations[0] == pytest.approx(separation - 2 * extra, abs=1e-9)
    np.testing.assert_allclose(on_a[0], pose_ball[1] - (1 + extra) * world, atol=1e-9)
    np.testing.assert_allclose(on_b[0] - on_a[0], normal * separations[0], atol=1e-9)


ROUND = [Capsule(0.4, 0.7), Cylinder(0.5, 0.6)]


@pytest.mark.parametrize("shape", ROUND, ids=repr)
@pytest.mark.parametrize("floor", [Box((5, 1, 5)), Plane((0, 1, 0), 1.0)], ids=repr)
def test_round_shapes_lying_and_standing(shape, floor):
    lying = rotation_matrix(np.array([0.5**0.5, 0, 0, 0.5**0.5]))  # its axis along Z
    ((normal, on_a, _, separations, _, _, _),) = contacts(
        shape._data, (lying, np.array([0.2, 0.99 + shape.radius, 0.1])), floor._data, UP, 0.02
    )
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-6)
    assert len(on_a) == 2  # a line of contact: its ends
    np.testing.assert_allclose(
        sorted(on_a[:, 2]), [0.1 - shape.half_length, 0.1 + shape.half_length], atol=1e-6
    )
    np.testing.assert_allclose(separations, -0.01, atol=1e-9)
    top = shape.half_length + (shape.radius if isinstance(shape, Capsule) else 0.0)
    ((normal, on_a, _, separations, _, _, _),) = contacts(
        shape._data, (EYE, np.array([0.2, 0.99 + top, 0.1])), floor._data, UP, 0.02
    )
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-6)
    np.testing.assert_allclose(separations, -0.01, atol=1e-9)
    assert len(on_a) == (1 if isinstance(shape, Capsule) else 4)


def test_tilted_cylinder_touches_with_the_deepest_point_of_its_rim():
    # Tilted by an angle t about Z: the lowest rim point is h cos t + r sin t below the centre.
    shape, tilt = Cylinder(0.5, 0.2), 0.3
    turn = rotation_matrix(np.array([0, 0, np.sin(tilt / 2), np.cos(tilt / 2)]))
    low = 0.2 * np.cos(tilt) + 0.5 * np.sin(tilt)
    ((_, on_a, _, separations, _, _, _),) = contacts(
        shape._data, (turn, np.array([0, 1 + low - 0.003, 0])), Box((5, 1, 5))._data, UP, 0.02
    )
    assert separations.min() == pytest.approx(-0.003, abs=1e-6)
    deepest = on_a[separations.argmin()]
    np.testing.assert_allclose(deepest[[0, 2]], [-0.5 * np.cos(tilt) + 0.2 * np.sin(tilt), 0.0], atol=1e-5)


def flat_mesh(cells=20, size=1.0):
    field = HeightField(np.zeros((cells + 1, cells + 1)), size)
    return TriangleMesh(field.vertices, field.triangles)


def test_ball_over_a_flat_mesh_sees_one_level_floor():
    mesh, ball = flat_mesh(), Ball(0.8)
    rng = np.random.default_rng(2)
    for x, z in np.concatenate([rng.uniform(2, 18, (200, 2)), [[5, 5], [5.5, 5.5], [7, 7.25], [3.3, 9]]]):
        found = contacts(ball._data, at(x, 0.795, z), mesh._data, UP, 0.05)
        assert len(found) == 1
        normal, on_a, _, separations, _, _, _ = found[0]
        np.testing.assert_array_equal(normal, (0, -1, 0))
        np.testing.assert_allclose(on_a[0], (x, -0.005, z), atol=1e-12)
        assert separations[0] == pytest.approx(-0.005, abs=1e-12)


@pytest.mark.parametrize(
    "shape",
    [Box((0.9, 0.5, 0.7)), ConvexHull(corners(Box((0.9, 0.5, 0.7)))), Cylinder(0.8, 0.5)],
    ids=["box", "hull", "cylinder"],
)
def test_flat_shapes_on_a_flat_mesh_have_one_level_manifold(shape):
    mesh = flat_mesh()
    rng = np.random.default_rng(3)
    for x, z, angle in zip(*rng.uniform(2, 18, (2, 60)), rng.uniform(0, 6, 60), strict=True):
        turn = rotation_matrix(np.array([0, np.sin(angle / 2), 0, np.cos(angle / 2)]))
        found = contacts(shape._data, (turn, np.array([x, 0.495, z])), mesh._data, UP, 0.02)
        assert len(found) == 1
        normal, _, on_b, separations, _, _, _ = found[0]
        np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-9)
        assert len(on_b) == 4
        np.testing.assert_allclose(separations, -0.005, atol=1e-9)
        # The points lie around the centre of mass, so that the shape rests.
        away = on_b[:, [0, 2]] - (x, z)
        angles = np.sort(np.arctan2(away[:, 1], away[:, 0]))
        assert np.diff(np.r_[angles, angles[0] + 2 * np.pi]).max() < np.pi


def test_mesh_hit_from_behind_and_at_its_border():
    mesh, ball = flat_mesh(4), Ball(0.5)
    ((normal, *_, separations, _, _, _),) = contacts(ball._data, at(2.2, -0.45, 1.9), mesh._data, UP, 0.02)
    np.testing.assert_allclose(normal, (0, 1, 0), atol=1e-12)  # both sides collide
    assert separations[0] == pytest.approx(-0.05)
    # Beside the border edge x = 4: the edge itself, 3-4-5.
    ((normal, *_, separations, _, _, _),) = contacts(ball._data, at(4.3, 0.4, 2.0), mesh._data, UP, 0.02)
    np.testing.assert_allclose(normal, (-0.6, -0.8, 0), atol=1e-12)
    assert separations[0] == pytest.approx(0.0, abs=1e-12)


def test_ball_on_a_ridge_touches_the_edge_and_in_a_valley_both_sides():
    ridge = TriangleMesh([[0, 0, 0], [0, 0, 4], [3, -3, 2], [-3, -3, 2]], [[0, 1, 2], [1, 0, 3]])
    ((normal, *_, separations, _, _, _),) = contacts(Ball(1.0)._data, at(0, 0.99, 2), ridge._data, UP, 0.02)
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-12)
    assert separations[0] == pytest.approx(-0.01)
    valley = TriangleMesh([[0, 0, -4], [0, 0, 8], [6, 6, 2], [-6, 6, 2]], [[0, 1, 2], [1, 0, 3]])
    found = contacts(Ball(1.0)._data, at(0, 1.4, 2), valley._data, UP, 0.02)
    assert {tuple(np.round(m[0], 6)) for m in found} == {(0.707107, -0.707107, 0), (-0.707107, -0.707107, 0)}
    np.testing.assert_allclose([m[3][0] for m in found], 1.4 / 2**0.5 - 1, atol=1e-12)


def test_compound_parts_and_triangles_are_named():
    dumbbell = Compound([(Ball(0.5), (-1, 0, 0), (0, 0, 0, 1)), (Ball(0.5), (1, 0, 0), (0, 0, 0, 1))])
    found = contacts(dumbbell._data, at(2.5, 0.49, 2.2), flat_mesh(5)._data, UP, 0.02)
    assert sorted(m[5] for m in found) == [(0, 0), (1, 0)]
    for _, on_a, *_, triangles in found:
        cell = int(on_a[0][2]) * 5 + int(on_a[0][0])
        assert triangles[1] // 2 >= 0
        assert triangles[0] == -1
        assert cell < 25
    found = contacts(Ball(0.5)._data, at(1, 0.9, 0), dumbbell._data, UP, 0.0)
    assert [m[5] for m in found] == [(0, 1)]
    np.testing.assert_allclose(found[0][0], (0, -1, 0), atol=1e-12)


def test_degenerate_meshes_are_accepted():
    # A needle, doubles, a zero-area triangle and an edge of three triangles.
    vertices = [[0, 0, 0], [4, 0, 0], [2, 0, 4], [2, 0, 1e-7], [2, 0, -3], [2, 3, 2], [1, 0, 0]]
    mesh = TriangleMesh(
        vertices, [[0, 2, 1], [0, 2, 1], [1, 2, 0], [0, 3, 1], [0, 1, 4], [0, 1, 5], [0, 6, 1]]
    )
    assert sorted(mesh.original.tolist()) == [0, 3, 4, 5]
    for x in np.linspace(1, 3, 41):
        found = contacts(Ball(0.5)._data, at(x, 0.49, 0.9), mesh._data, UP, 0.02)
        for m in found:
            assert np.isfinite(np.concatenate([m[0], m[1][0], m[2][0], m[3]])).all()
            assert np.linalg.norm(m[0]) == pytest.approx(1.0)
        # The floor itself is found, once, whatever else stands there.
        floor = [m[3][0] for m in found if m[0][1] < -0.999]
        np.testing.assert_allclose(floor, [-0.01], atol=1e-9)


SHAPES = [
    lambda r, s: Ball(s * r.uniform(0.2, 1)),
    lambda r, s: Box(s * r.uniform(0.05, 1, 3)),
    lambda r, s: Capsule(*(s * r.uniform(0.05, 1, 2))),
    lambda r, s: Cylinder(*(s * r.uniform(0.05, 1, 2))),
    lambda r, s: ConvexHull(s * r.normal(size=(r.integers(4, 30), 3)) * r.uniform(0.05, 1, 3)),
    lambda r, s: Plane(r.normal(size=3), s * r.normal()),
    lambda r, s: TriangleMesh(
        s * r.normal(size=(30, 3)), r.permuted(np.tile(np.arange(30), (20, 1)), axis=1)[:, :3]
    ),
    lambda r, s: Compound(
        [(Box(s * r.uniform(0.1, 0.5, 3)), s * r.normal(size=3), r.normal(size=4)) for _ in range(6)]
    ),
]


def test_fuzz_all_pairs_at_all_sizes():
    # Any shapes from 1 mm to 1 km: finite, unit normals, points as far apart as told, both orders alike.
    rng = np.random.default_rng(11)
    touched = 0
    for number in range(1600):
        first, second = SHAPES[number % 8], SHAPES[rng.integers(8)]
        size = 10.0 ** rng.uniform(-3, 3)
        a, b = first(rng, size), second(rng, size * 10.0 ** rng.uniform(-1.5, 1.5))
        reach = min(np.abs(a.bounds).max() + np.abs(b.bounds).max(), 2 * size)
        pose_a, pose_b = (random_rotation(rng), rng.normal(size=3) * 5), (random_rotation(rng), ZERO)
        pose_b = (pose_b[0], pose_a[1] + rng.normal(size=3) * reach * rng.uniform(0, 0.7))
        margin = 0.01 * size
        found = contacts(a._data, pose_a, b._data, pose_b, margin)
        touched += bool(found)
        for normal, on_a, on_b, separations, *_ in found:
            assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-6)
            assert 1 <= len(on_a) <= 4
            assert separations.max() <= margin * (1 + 1e-6)
            gap = ((on_b - on_a) * normal).sum(axis=1)
            np.testing.assert_allclose(gap, separations, atol=1e-5 * size + 1e-9)
        mirrored = contacts(b._data, pose_b, a._data, pose_a, margin)
        assert bool(mirrored) == bool(found)
    assert touched > 400


def test_a_compound_of_many_parts_rests_on_its_outermost_points():
    # A raft of 10 x 10 balls on a floor: more contacts than a pair can have become one manifold that spans
    # the raft.
    parts = [(Ball(0.3), (i, 0, j), (0, 0, 0, 1)) for i in range(10) for j in range(9)]
    raft = Compound(parts)
    found = contacts(raft._data, at(0, 0.297, 0), Box((30, 1, 30))._data, at(0, -1, 0), 0.01)
    assert len(found) == 1
    normal, on_a, on_b, separations, _, _, _ = found[0]
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-12)
    np.testing.assert_allclose(separations, -0.003, atol=1e-9)
    assert {tuple(np.round(p[[0, 2]], 6)) for p in on_b} == {(0, 0), (9, 0), (0, 8), (9, 8)}
    np.testing.assert_allclose(on_a[:, 1], -0.003, atol=1e-9)
    # In two directions at once: a corner of floor and wall keeps both.
    corner = Compound(
        [(Box((30, 1, 30)), (0, -1, 0), (0, 0, 0, 1)), (Box((1, 30, 30)), (-1.297, 0, 0), (0, 0, 0, 1))]
    )
    found = contacts(raft._data, at(0, 0.297, 0), corner._data, UP, 0.01)
    assert {tuple(np.round(m[0], 6)) for m in found} == {(0, -1, 0), (-1, 0, 0)}
