"""Time of impact: against closed forms, and nothing tunnels at 2000 m/s."""

import numpy as np
import pytest

from physics.kernel.narrow import contacts
from physics.kernel.sweep import impact
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

EYE = np.eye(3)
REST = (EYE, np.zeros(3))
PSI = 2000.0 / 66.0  # the way of one PSI at the anomaly limit, 30.3 m


def at(*position):
    return EYE, np.array(position, dtype=float)


def random_rotation(rng):
    q = rng.normal(size=4)
    return rotation_matrix(q / np.linalg.norm(q))


def turn_about(axis, angle):
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return rotation_matrix(np.r_[np.sin(angle / 2) * axis, np.cos(angle / 2)])


WALL = TriangleMesh([[0, -5, -5], [0, 5, -5], [0, 0, 7]], [[0, 1, 2]])
SOLIDS = [
    Ball(0.3),
    Box((0.2, 0.3, 0.4)),
    Capsule(0.1, 0.3),
    Cylinder(0.3, 0.05),
    ConvexHull([[0.3, 0, 0], [-0.2, 0.2, 0], [-0.2, -0.2, 0.1], [0, 0, -0.3], [0, 0.1, 0.3]]),
    Compound([(Ball(0.1), (0.2, 0, 0), (0, 0, 0, 1)), (Box((0.1, 0.1, 0.1)), (-0.2, 0, 0), (0, 0, 0, 1))]),
]
STATICS = {
    "triangle": WALL,
    "thin box": Box((0.001, 5, 5)),
    "field": HeightField(np.zeros((5, 5)), 3.0),
    "plane": Plane((1, 0, 0), 0.0),
}


@pytest.mark.parametrize("static", STATICS, ids=str)
@pytest.mark.parametrize("shape", SOLIDS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_nothing_tunnels_at_the_anomaly_limit(shape, static, side):
    if static == "plane" and side < 0:
        pytest.skip("a plane has one side")
    rng = np.random.default_rng(8)
    target = STATICS[static]
    pose = REST
    if static == "field":  # stand it up: its front towards +X
        pose = (turn_about((0, 0, 1), -np.pi / 2), np.array([0.0, 6.0, -6.0]))
    for _ in range(25):
        turned = random_rotation(rng)
        y, z = rng.uniform(-1, 1, 2)
        begin = side * rng.uniform(1, PSI - 1)
        start = (turned, np.array([begin, y, z]))
        spin = turn_about(rng.normal(size=3), rng.uniform(0, 1.5)) @ turned
        end = (spin, np.array([begin - side * PSI, y + rng.uniform(-1, 1), z]))
        hit = impact(shape._data, start, end, target._data, pose, pose, 0.002, 0.01)
        assert hit is not None
        t, normal, _, _, _ = hit
        assert 0.0 <= t <= 1.0
        np.testing.assert_allclose(np.abs(normal[0]), 1.0, atol=0.02)
        assert normal[0] * side < 0.0  # from the shape to the wall
        # At that time the centre is still on its side of the wall.
        assert (start[1] + t * (end[1] - start[1]))[0] * side > 0.0


def test_ball_against_plane_box_and_triangle_in_closed_form():
    # Radius 1 from height 5 down by 10: touches a floor at 0 after a fall of 4 - target, a share of 10.
    for floor in (
        Plane((0, 1, 0), 0.0),
        Box((9, 1, 9)),
        TriangleMesh([[-9, 0, -9], [0, 0, 9], [9, 0, -9]], [[0, 1, 2]]),
    ):
        pose = at(0, -1, 0) if isinstance(floor, Box) else REST
        t, normal, point, _, _ = impact(
            Ball(1.0)._data, at(0.5, 5, 0), at(0.5, -5, 0), floor._data, pose, pose, 1e-6, 0.0
        )
        assert t == pytest.approx(0.4, abs=1e-6)
        np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-9)
        np.testing.assert_allclose(point, (0.5, 0, 0), atol=1e-5)


def test_two_moving_balls_meet_in_the_middle():
    # Gap 8 - 2, closing 12 in all: t = 1/2.
    t, normal, _, _, _ = impact(
        Ball(1.0)._data, at(-4, 0, 0), at(2, 0, 0), Ball(1.0)._data, at(4, 0, 0), at(-2, 0, 0), 1e-6, 0.0
    )
    assert t == pytest.approx(0.5, abs=1e-5)
    np.testing.assert_allclose(normal, (1, 0, 0), atol=1e-9)


def test_a_turning_rod_hits_with_its_end():
    # A rod of half length 2 turns a quarter about Z beside a wall at x = 1: its end reaches it at sin(a) =
    # 1/2, a = 30
    # degrees (radius 0.01 aside). The interpolation of rotations is not exactly even, hence the tolerance.
    rod = Box((0.01, 2.0, 0.01))
    end = (turn_about((0, 0, 1), -np.pi / 2), np.array([0.3, 0, 0]))
    hit = impact(rod._data, at(0, 0, 0), end, WALL._data, at(1, 0, 0), at(1, 0, 0), 1e-4, 0.0)
    assert hit is not None
    assert hit[0] == pytest.approx(0.27, abs=0.06)


def test_sliding_over_a_flat_mesh_is_no_impact_but_a_step_is():
    field = HeightField(np.zeros((41, 41)), 1.0)
    flat = TriangleMesh(field.vertices, field.triangles)
    rng = np.random.default_rng(5)
    for shape, low in ((Ball(0.5), 0.5), (Box((0.5, 0.5, 0.5)), 0.5), (Cylinder(0.5, 0.5), 0.5)):
        for _ in range(20):
            x, z = rng.uniform(3, 8, 2)
            height = low + rng.uniform(-0.004, 0.004)
            angle = rng.uniform(0, 6)
            turned = turn_about((0, 1, 0), angle)
            start, end = (
                (turned, np.array([x, height, z])),
                (turned, np.array([x + 27, height - 0.002, z + 20])),
            )
            assert impact(shape._data, start, end, flat._data, REST, REST, 0.005, 0.05) is None
    step = HeightField(np.where(np.arange(41)[None, :] > 20, 2.0, 0.0) * np.ones((41, 1)), 1.0)
    hit = impact(Ball(0.5)._data, at(5, 0.5, 5.3), at(35, 0.5, 5.3), step._data, REST, REST, 0.005, 0.05)
    assert hit is not None
    # The slope from (20, 0) to (21, 2): the ball stops before it.
    assert 14.0 < 30.0 * hit[0] < 16.0


def test_impact_poses_touch_but_do_not_overlap():
    rng = np.random.default_rng(9)
    hits = 0
    for _ in range(150):
        a, b = SOLIDS[rng.integers(5)], SOLIDS[rng.integers(5)]
        start = (random_rotation(rng), rng.normal(size=3) * 3)
        move = -1.5 * start[1] + rng.normal(size=3) * 0.1
        end = (turn_about(rng.normal(size=3), rng.uniform(0, 1)) @ start[0], start[1] + move)
        pose = (random_rotation(rng), np.zeros(3))
        if contacts(a._data, start, b._data, pose, 0.01):
            continue
        hit = impact(a._data, start, end, b._data, pose, pose, 0.002, 0.0)
        if hit is None:
            continue
        hits += 1
        before = impact(a._data, start, end, b._data, pose, pose, 0.05, 0.0)
        assert before is not None
        assert before[0] <= hit[0]  # a larger target is reached first
        assert 0.0 <= hit[0] <= 1.0
    assert hits > 40


def test_a_compound_of_many_parts_is_swept_where_the_way_leads():
    # A comb of thin plates along X: each start lies between two of them, and the next one is hit, by its
    # number.
    plates = [(Box((0.001, 2, 2)), (i, 0, 0), (0, 0, 0, 1)) for i in range(200)]
    comb = Compound(plates)
    rng = np.random.default_rng(3)
    for _ in range(60):
        x = rng.uniform(0.1, 198.9)
        if abs(x - round(x)) < 0.06:
            continue
        turned = random_rotation(rng)
        pose = (turned, rng.normal(size=3))
        start = (turned, turned @ (x, 0.3, -0.2) + pose[1])
        end = (turned, turned @ (x + 30.0, 0.5, -0.1) + pose[1])
        t, normal, _, _, parts = impact(Ball(0.05)._data, start, end, comb._data, pose, pose, 1e-5, 0.001)
        assert parts == (0, int(np.ceil(x)))
        assert 30.0 * t == pytest.approx(np.ceil(x) - x - 0.051, abs=1e-3)
        np.testing.assert_allclose(turned.T @ normal, (1, 0, 0), atol=1e-6)


def test_a_plane_that_is_part_of_a_compound_stands_where_its_part_is():
    quarter = (0.0, 0.0, 0.5**0.5, 0.5**0.5)  # turns +X to +Y
    ground = Compound([(Plane((1, 0, 0), 0.5), (0, 2, 0), quarter), (Ball(0.1), (50, 0, 0), (0, 0, 0, 1))])
    # The surface is y = 2 + 0.5; a ball of radius 1 falls from 10 by 10.
    t, normal, point, _, parts = impact(
        Ball(1.0)._data, at(3, 10, 1), at(3, 0, 1), ground._data, REST, REST, 1e-6, 0.0
    )
    assert t == pytest.approx(0.65, abs=1e-6)
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-12)
    np.testing.assert_allclose(point, (3, 2.5, 1), atol=1e-5)
    assert parts == (0, 0)
    ((normal, *_, separations, _, _, _),) = contacts(Ball(1.0)._data, at(3, 3.4, 1), ground._data, REST, 0.01)
    np.testing.assert_allclose(normal, (0, -1, 0), atol=1e-12)
    assert separations[0] == pytest.approx(-0.1)
