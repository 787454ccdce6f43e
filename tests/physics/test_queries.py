"""Queries of a world: rays, casts, overlaps, closest points, one at a time and batched."""

import numpy as np
import pytest

from physics import (
    Ball,
    Box,
    Capsule,
    Compound,
    ConvexHull,
    Cylinder,
    HeightField,
    Material,
    PhysicsError,
    Plane,
    TriangleMesh,
    World,
)

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
QUARTER = (0.0, 0.0, 0.5**0.5, 0.5**0.5)  # 90 degrees about Z


def one(shape, **options):
    world = World()
    return world, world.add_body(shape, fixed=True, **options)


RAYS = [
    # From (x, y, z) along a direction, 20 m: distance and normal.
    (Ball(2.0), (0, 10, 0), (0, -1, 0), 8.0, (0, 1, 0)),
    (Ball(5.0), (3, 10, 0), (0, -3, 0), 6.0, (0.6, 0.8, 0)),  # 3-4-5
    (Box((1, 2, 3)), (10, 1, 1), (-1, 0, 0), 9.0, (1, 0, 0)),
    (Box((1, 2, 3)), (0, 0, -10), (0, 0, 1), 7.0, (0, 0, -1)),
    (Capsule(0.5, 1.0), (5, 0.9, 0), (-1, 0, 0), 4.5, (1, 0, 0)),
    (Capsule(0.5, 1.0), (0.3, 5, 0), (0, -1, 0), 3.6, (0.6, 0.8, 0)),  # end ball at y = 1: 0.3-0.4-0.5
    (Cylinder(0.5, 1.0), (5, 0.9, 0), (-1, 0, 0), 4.5, (1, 0, 0)),
    (Cylinder(0.5, 1.0), (0.3, 5, 0.2), (0, -1, 0), 4.0, (0, 1, 0)),
    (ConvexHull(CUBE), (0.5, 0.25, 9), (0, 0, -2), 8.0, (0, 0, 1)),
    (Plane((0, 1, 0), 0.5), (7, 4.5, 7), (0, -1, 0), 4.0, (0, 1, 0)),
    (HeightField(np.ones((5, 5)), 1.0), (2.2, 3, 2.7), (0, -1, 0), 2.0, (0, 1, 0)),
    (HeightField(np.ones((5, 5)), 1.0), (2.2, -3, 2.7), (0, 1, 0), 4.0, (0, -1, 0)),  # from behind
    (Compound([(Ball(1.0), (0, 3, 0), (0, 0, 0, 1)), (Box((1, 1, 1)), (0, 0, 0), (0, 0, 0, 1))]), (0, 9, 0),
     (0, -1, 0), 5.0, (0, 1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "origin", "direction", "distance", "normal"), RAYS)
def test_rays_in_closed_form(shape, origin, direction, distance, normal):
    world, body = one(shape)
    hit = world.raycast(origin, direction, 20.0)
    assert hit.body is body
    assert hit.distance == pytest.approx(distance, abs=1e-12)
    assert hit.fraction == pytest.approx(distance / 20, abs=1e-12)
    np.testing.assert_allclose(hit.normal, normal, atol=1e-12)
    unit = np.array(direction) / np.linalg.norm(direction)
    np.testing.assert_allclose(hit.point, np.array(origin) + distance * unit, atol=1e-12)
    # Just short of it there is nothing, and the same ray turned with the body hits alike.
    assert world.raycast(origin, direction, distance * (1 - 1e-9)) is None
    turned, moved = one(shape, position=(1, 2, 3), rotation=QUARTER)
    spin = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    hit = turned.raycast(spin @ origin + (1, 2, 3), spin @ direction, 20.0)
    assert hit.body is moved
    assert hit.distance == pytest.approx(distance, abs=1e-9)
    np.testing.assert_allclose(hit.normal, spin @ normal, atol=1e-9)


@pytest.mark.parametrize(
    "shape", [Ball(1.0), Box((1, 1, 1)), Capsule(1, 1), Cylinder(1, 1), ConvexHull(CUBE)], ids=repr
)
def test_a_ray_from_inside_hits_at_once(shape):
    world, _ = one(shape)
    hit = world.raycast((0.1, 0.2, 0.1), (0, 0, 2), 5.0)
    assert hit.distance == 0.0
    np.testing.assert_allclose(hit.normal, (0, 0, -1))


def test_rays_slip_through_no_shared_edge_or_corner():
    rng = np.random.default_rng(1)
    heights = rng.uniform(-0.3, 0.3, (17, 17))
    world, _ = one(HeightField(heights, 1.0))
    column, row = (a.ravel() for a in np.meshgrid(np.arange(1, 16), np.arange(1, 16)))
    corners = np.column_stack([column, heights[row, column], row]).astype(float)
    middles = np.column_stack([column + 0.5, 0.5 * (heights[row, column] + heights[row, column + 1]), row])
    targets = np.concatenate([corners, middles])
    origins = targets + rng.normal(size=targets.shape) * 0.3 + (0, 20, 0)
    hits = world.raycast_batch(origins, targets - origins, 100.0)
    assert hits["hit"].all()
    # It may meet the surface a little before the target, not behind it.
    assert (hits["distance"] <= np.linalg.norm(targets - origins, axis=1) + 1e-9).all()


def test_batch_one_call_and_a_plain_search_agree():
    rng = np.random.default_rng(2)
    world = World()
    triangles = rng.normal(size=(300, 3, 3)) * 0.4 + rng.uniform(-8, 8, (300, 1, 3))
    mesh = TriangleMesh(triangles.reshape(-1, 3), np.arange(900).reshape(-1, 3))
    world.add_body(mesh, fixed=True)
    centers, radii = rng.uniform(-8, 8, (60, 3)), rng.uniform(0.1, 0.8, 60)
    for center, radius in zip(centers, radii, strict=True):
        world.add_body(Ball(radius), position=center, fixed=bool(rng.integers(2)))
    origins, directions = rng.uniform(-12, 12, (800, 3)), rng.normal(size=(800, 3))
    hits = world.raycast_batch(origins, directions, 15.0)
    units = directions / np.linalg.norm(directions, axis=1)[:, None]
    for origin, unit, hit in zip(origins, units, hits, strict=True):
        best = 15.0
        a, b, c = (triangles[:, i] - origin for i in range(3))
        normal = np.cross(b - a, c - a)
        t = (normal * a).sum(1) / (normal @ unit)
        inside = [np.cross(q - p, t[:, None] * unit - p) for p, q in ((a, b), (b, c), (c, a))]
        good = (t > 0) & np.logical_and.reduce([(i * normal).sum(1) > 0 for i in inside])
        best = min(best, t[good].min(initial=15.0))
        along = (centers - origin) @ unit
        square = radii**2 - ((centers - origin) ** 2).sum(1) + along**2
        first = along - np.sqrt(np.maximum(square, 0))
        first[((centers - origin) ** 2).sum(1) <= radii**2] = 0.0
        best = min(best, first[(square > 0) & (first >= 0)].min(initial=15.0))
        assert hit["hit"] == (best < 15.0)
        assert hit["distance"] == pytest.approx(best, abs=1e-5)  # balls keep their radius in single precision
        single = world.raycast(origin, unit, 15.0)
        assert (single is None) == (not hit["hit"])
        if single is not None:
            assert single.distance == pytest.approx(hit["distance"], abs=1e-12)
            assert world.bodies[hit["body"]] is single.body
            assert single.triangle == hit["triangle"]
        assert world.raycast_any(origin, unit, 15.0) == hit["hit"]


def test_all_hits_are_sorted_and_once_a_body():
    world = World()
    bodies = [world.add_body(Box((1, 1, 1)), fixed=True, position=(4 * i, 0, 0)) for i in (2, 0, 1)]
    hits = world.raycast_all((-5, 0, 0), (1, 0, 0), 100.0)
    assert [h.body for h in hits] == [bodies[1], bodies[2], bodies[0]]
    np.testing.assert_allclose([h.distance for h in hits], [4, 8, 12])
    assert world.raycast_between((-5, 0, 0), (5, 0, 0)).fraction == pytest.approx(0.4)


def test_layers_ignored_bodies_sensors_and_switched_off_ones():
    world = World()
    near = world.add_body(Ball(1.0), fixed=True, position=(0, 0, 0), layer=3)
    middle = world.add_body(Ball(1.0), fixed=True, position=(5, 0, 0), sensor=True)
    world.add_body(Ball(1.0), fixed=True, position=(10, 0, 0), collide=False)
    far = world.add_body(Ball(1.0), fixed=True, position=(15, 0, 0), layer=4)
    ray = (-5, 0, 0), (1, 0, 0), 100.0
    assert world.raycast(*ray).body is near
    assert world.raycast(*ray, layers=[4, 5]).body is far
    assert world.raycast(*ray, layers=1 << 3).body is near
    assert world.raycast(*ray, ignore=near).body is far
    assert world.raycast(*ray, ignore=near, sensors=True).body is middle
    assert world.raycast(*ray, ignore=[near, far]) is None


def test_hits_name_part_triangle_and_material():
    grass, stone = Material(friction=0.5), Material(friction=0.9)
    field = HeightField(np.zeros((3, 3)), 1.0, materials=[grass, stone], material_ids=[[0, 0], [0, 1]])
    world, _ = one(field, material=Material(friction=0.1))
    hit = world.raycast((1.2, 1, 1.7), (0, -1, 0), 5.0)  # cell 3, its first triangle (z > x there)
    assert (hit.triangle, hit.material) == (6, stone)
    assert world.raycast((1.7, 1, 0.2), (0, -1, 0), 5.0).material is grass
    compound = Compound([(Ball(1.0), (0, 0, 0), (0, 0, 0, 1)), (Box((1, 1, 1)), (5, 0, 0), QUARTER)])
    world, body = one(compound, material=stone)
    hit = world.raycast((5, 5, 0), (0, -1, 0), 9.0)
    assert (hit.part, hit.triangle, hit.material, hit.body) == (1, -1, stone, body)


def test_queries_see_moving_bodies_where_they_are():
    world = World(gravity=(0, 0, 0))
    ball = world.add_body(Ball(1.0), mass=1.0, position=(0, 0, 0), linear_damping=0.0)
    ball.set_velocity((6.6, 0, 0), (0, 0, 0))
    world.simulate(0.515)
    hit = world.raycast((ball.position[0], 10, 0), (0, -1, 0), 20.0)
    assert hit.distance == pytest.approx(9.0, abs=1e-6)
    assert ball.position[0] > 3.0
    before = world.digest()
    world.raycast((0, 10, 0), (0, -1, 0), 20.0)
    world.overlap(Ball(1.0), (0, 0, 0))
    assert world.digest() == before  # queries decide nothing
    ball.set_pose((50, 0, 0), (0, 0, 0, 1))
    assert world.raycast((50, 10, 0), (0, -1, 0), 20.0).body is ball
    saved = world.snapshot()
    world.remove(ball)
    assert world.raycast((50, 10, 0), (0, -1, 0), 20.0) is None
    world.restore(saved)
    assert world.raycast((50, 10, 0), (0, -1, 0), 20.0).body is world.bodies[0]


def test_shape_casts_in_closed_form():
    world = World()
    floor = world.add_body(Box((5, 1, 5)), fixed=True, position=(0, -1, 0))
    hit = world.shape_cast(Ball(0.5), (0, 5, 0), (0, 0, 0, 1), (0, -10, 0))
    assert hit.body is floor
    assert hit.fraction == pytest.approx(0.45, abs=1e-5)
    assert hit.distance == pytest.approx(4.5, abs=1e-4)
    np.testing.assert_allclose(hit.normal, (0, 1, 0), atol=1e-9)
    np.testing.assert_allclose(hit.point, (0, 0, 0), atol=1e-4)
    # A box that stands on its edge reaches sqrt(2) down.
    eighth = (0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8))
    hit = world.shape_cast(Box((1, 1, 1)), (0, 5, 0), eighth, (0, -10, 0))
    assert hit.distance == pytest.approx(5 - 2**0.5, abs=1e-4)
    # Beside the floor it falls past; along it at rest height it slides on, and into it it hits at once.
    assert world.shape_cast(Ball(0.5), (5.6, 5, 0), (0, 0, 0, 1), (0, -10, 0)) is None
    assert world.shape_cast(Ball(0.5), (-4, 0.501, 0), (0, 0, 0, 1), (8, 0, 0)) is None
    assert world.shape_cast(Ball(0.5), (0, 0.2, 0), (0, 0, 0, 1), (0, -1, 0)).fraction == 0.0
    batch = world.shape_cast_batch(
        Ball(0.5), [(0, 5, 0), (5.6, 5, 0)], (0, 0, 0, 1), [(0, -10, 0), (0, -10, 0)]
    )
    assert batch["hit"].tolist() == [True, False]
    assert batch["fraction"][0] == pytest.approx(0.45, abs=1e-5)


def test_shape_cast_over_a_mesh_finds_the_first_hill():
    heights = np.zeros((9, 33))
    heights[:, 20] = 1.0
    world, _ = one(HeightField(heights, 1.0))
    hit = world.shape_cast(Capsule(0.25, 0.25), (2, 0.6, 4), (0, 0, 0, 1), (28, 0, 0))
    # The slope rises from x = 19 to 20 at 45 degrees: the lower end ball (y = 0.35) touches where its
    # distance to
    # the slope, ((0.35 - (x - 19)) / sqrt 2), is 0.25.
    assert 2 + hit.distance == pytest.approx(19 + 0.35 - 0.25 * 2**0.5, abs=1e-3)
    np.testing.assert_allclose(hit.normal, (-(0.5**0.5), 0.5**0.5, 0), atol=1e-6)


def test_overlaps_and_closest_points():
    world = World()
    low = world.add_body(Box((1, 1, 1)), fixed=True)
    high = world.add_body(Ball(1.0), mass=1.0, position=(0, 3, 0))
    hits = world.overlap(Ball(0.5), (0, 1.4, 0))
    assert [h.body for h in hits] == [low]
    assert hits[0].depth == pytest.approx(0.1)
    np.testing.assert_allclose(hits[0].normal, (0, 1, 0), atol=1e-9)
    assert {h.body for h in world.overlap(Ball(1.2), (0, 1.5, 0))} == {low, high}
    assert world.overlap(Ball(0.4), (0, 1.5, 0)) == []
    near = world.closest_points(Ball(0.2), (0, 1.6, 0), max_distance=2.0)
    assert [h.body for h in near] == [high, low]
    np.testing.assert_allclose([h.distance for h in near], [0.2, 0.4], atol=1e-6)
    np.testing.assert_allclose(near[1].point, (0, 1, 0), atol=1e-9)
    np.testing.assert_allclose(near[1].query_point, (0, 1.4, 0), atol=1e-9)
    batch = world.overlap_batch(Ball(0.5), [(0, 1.4, 0), (0, 9, 0)])
    assert batch["hit"].tolist() == [True, False]
    assert batch["distance"][0] == pytest.approx(-0.1)


def test_closest_points_agree_with_samples():
    rng = np.random.default_rng(6)
    points = rng.normal(size=(12, 3))
    world, _ = one(TriangleMesh(rng.normal(size=(30, 3), loc=(4, 0, 0)), np.arange(30).reshape(-1, 3)))
    mesh = world.bodies[0].shape
    weights = rng.dirichlet(np.ones(3), 4000)
    surface = np.concatenate([weights @ mesh.vertices[t] for t in mesh.triangles])
    hull = ConvexHull(points)
    near = world.closest_points(hull, (0, 0, 0), max_distance=10.0)[0]
    inside = surface @ hull._hull.planes[:, :3].T - hull._hull.planes[:, 3]
    assert near.distance <= max(0.0, np.maximum(inside.max(axis=1), 0).min()) + 1e-9 or near.distance < 0
    if near.distance > 0:
        np.testing.assert_allclose(np.linalg.norm(near.point - near.query_point), near.distance, atol=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.raycast((0, 0), (0, 0, 1), 1.0),
        lambda w: w.raycast((0, 0, float("nan")), (0, 0, 1), 1.0),
        lambda w: w.raycast((0, 0, 0), (0, 0, 0), 1.0),
        lambda w: w.raycast((0, 0, 0), (0, 0, 1), 0.0),
        lambda w: w.raycast((0, 0, 0), (0, 0, 1), float("inf")),
        lambda w: w.raycast((0, 0, 0), (0, 0, 1), 1.0, layers=[32]),
        lambda w: w.raycast((0, 0, 0), (0, 0, 1), 1.0, ignore="ball"),
        lambda w: w.raycast_between((1, 1, 1), (1, 1, 1)),
        lambda w: w.raycast_batch(np.zeros((2, 3)), np.ones((3, 3)), 1.0),
        lambda w: w.raycast_batch(np.zeros((2, 2)), np.ones((2, 2)), 1.0),
        lambda w: w.raycast_batch(np.zeros((2, 3)), np.zeros((2, 3)), 1.0),
        lambda w: w.raycast_batch(np.zeros((2, 3)), np.ones((2, 3)), [1.0, -1.0]),
        lambda w: w.shape_cast(Plane((0, 1, 0), 0), (0, 0, 0), (0, 0, 0, 1), (0, 0, 1)),
        lambda w: w.shape_cast(Ball(1), (0, 0, 0), (0, 0, 0, 0), (0, 0, 1)),
        lambda w: w.overlap("ball", (0, 0, 0)),
        lambda w: w.closest_points(Ball(1), (0, 0, 0), max_distance=-1.0),
        lambda w: w.overlap_batch(Ball(1), np.zeros((2, 3)), np.zeros((2, 4))),
    ],
)
def test_refusals(call):
    world, _ = one(Ball(1.0))
    with pytest.raises(PhysicsError):
        call(world)


def test_an_empty_world_and_empty_batches():
    world = World()
    assert world.raycast((0, 0, 0), (0, 0, 1), 1.0) is None
    assert world.overlap(Ball(1.0), (0, 0, 0)) == []
    assert len(world.raycast_batch(np.zeros((0, 3)), np.zeros((0, 3)), 1.0)) == 0
