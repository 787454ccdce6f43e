"""Shapes: exact mass figures, the figures of ivp 2.4, and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.errors import PhysicsError
from physics.materials import Material, combine
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

CUBE = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
CUBE_TRIANGLES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def sampled(shape, inside, count=400_000):
    """Volume, centre and unit inertia by even random sampling of the shape's box."""
    lo, hi = shape.bounds
    points = np.random.default_rng(7).uniform(lo, hi, (count, 3))
    kept = points[inside(points)]
    center = kept.mean(axis=0)
    away = kept - center
    covariance = away.T @ away / len(kept)
    return np.prod(hi - lo) * len(kept) / count, center, np.trace(covariance) * np.eye(3) - covariance


def test_ball_figures():
    ball = Ball(2.0)
    assert ball.volume == pytest.approx(4 / 3 * math.pi * 8, rel=1e-15)
    np.testing.assert_allclose(ball.unit_inertia, [1.6] * 3, rtol=1e-15)  # 0.4 * 2^2
    assert ball.radius_about((0, 0, 0)) == (2.0, 0.0)
    assert ball.solid


def test_box_figures():
    box = Box((1.0, 2.0, 3.0))
    assert box.volume == 48.0
    np.testing.assert_allclose(box.unit_inertia, [13 / 3, 10 / 3, 5 / 3])  # (b^2 + c^2) / 3
    radius, deviation = box.radius_about((0, 0, 0))
    assert radius == pytest.approx(math.sqrt(14))
    assert deviation == pytest.approx(math.sqrt(14) - 1.0)  # nearest face plane at 1
    # About (0.5, 0, 0): the farthest corner is (-1, 2, 3), the nearest plane x = 1 is 0.5 away.
    radius, deviation = box.radius_about((0.5, 0, 0))
    assert radius == pytest.approx(math.sqrt(1.5**2 + 4 + 9))
    assert radius - deviation == pytest.approx(0.5)


def test_capsule_and_cylinder_by_sampling():
    capsule = Capsule(0.5, 0.75)
    volume, _, inertia = sampled(
        capsule,
        lambda p: np.hypot(np.hypot(p[:, 0], p[:, 2]), np.maximum(np.abs(p[:, 1]) - 0.75, 0.0)) <= 0.5,
    )
    assert capsule.volume == pytest.approx(volume, rel=0.01)
    np.testing.assert_allclose(capsule.unit_inertia_tensor, inertia, atol=0.005)
    assert capsule.radius_about((0, 0, 0)) == pytest.approx((1.25, 0.75))
    cylinder = Cylinder(0.5, 0.75)
    volume, _, inertia = sampled(cylinder, lambda p: np.hypot(p[:, 0], p[:, 2]) <= 0.5)
    assert cylinder.volume == pytest.approx(volume, rel=0.01)
    np.testing.assert_allclose(cylinder.unit_inertia_tensor, inertia, atol=0.005)
    radius, deviation = cylinder.radius_about((0, 0, 0))
    assert radius == pytest.approx(math.hypot(0.5, 0.75))
    assert radius - deviation == pytest.approx(0.5)


def test_capsule_inertia_limits():
    # A long thin one is a rod, m L^2 / 12 across; a short one a ball, 2/5 r^2.
    assert Capsule(1e-4, 1.0).unit_inertia[0] == pytest.approx(1 / 3, rel=1e-3)
    assert Capsule(1.0, 1e-7).unit_inertia[0] == pytest.approx(0.4, rel=1e-6)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0.01, 100.0), min_size=3, max_size=3),
    st.lists(st.floats(-50.0, 50.0), min_size=3, max_size=3),
)
def test_hull_of_a_box_has_the_box_figures(half, offset):
    box = Box(half)
    hull = ConvexHull(CUBE * half + offset)
    assert len(hull.vertices) == 8
    assert sorted(len(f) for f in hull.faces) == [4] * 6
    assert hull.volume == pytest.approx(box.volume, rel=1e-9)
    np.testing.assert_allclose(hull.mass_center, offset, atol=1e-9)
    np.testing.assert_allclose(hull.unit_inertia_tensor, box.unit_inertia_tensor, atol=1e-9 * max(half) ** 2)
    assert hull.radius_about(offset) == pytest.approx(box.radius_about((0, 0, 0)), rel=1e-9)


def test_tetrahedron_by_formula():
    # Corner tetrahedron 0, e1, e2, e3: V = 1/6, centre 1/4; covariance 3/80 diagonal, -1/80 off it.
    hull = ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert hull.volume == pytest.approx(1 / 6)
    np.testing.assert_allclose(hull.mass_center, [0.25] * 3)
    np.testing.assert_allclose(hull.unit_inertia_tensor, np.where(np.eye(3) == 1, 6 / 80, 1 / 80), atol=1e-15)


def test_closed_mesh_has_the_solids_figures_and_an_open_one_none():
    mesh = TriangleMesh(CUBE + 5.0, CUBE_TRIANGLES)
    assert mesh.closed
    assert mesh.volume == pytest.approx(8.0)
    np.testing.assert_allclose(mesh.mass_center, [5.0] * 3)
    np.testing.assert_allclose(mesh.unit_inertia, [2 / 3] * 3)
    assert not mesh.solid
    open_mesh = TriangleMesh(CUBE, CUBE_TRIANGLES[:-1])
    assert not open_mesh.closed
    assert open_mesh.volume == 0.0


def test_mesh_arrays_load_without_building_and_keep_user_numbers():
    triangles = [*CUBE_TRIANGLES, [0, 0, 1], [3, 1, 0]]  # a line and a double of triangle 0
    mesh = TriangleMesh(
        CUBE, triangles, materials=[Material(), Material(friction=0.1)], material_ids=[0] * 13 + [1]
    )
    assert sorted(mesh.original.tolist()) == list(range(12))
    arrays = mesh.to_arrays()
    for array in arrays.values():
        array.flags.writeable = False
    again = TriangleMesh.from_arrays(arrays, materials=mesh.materials)
    assert again.triangles is arrays["triangles"]
    assert again.closed
    assert all(np.array_equal(again.to_arrays()[k], v) for k, v in arrays.items())


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("triangles", lambda a: np.where(a == a.max(), 99, a).astype(np.int32)),
        ("neighbours", lambda a: (a + 100).astype(np.int32)),
        ("nodes", lambda a: np.where(np.arange(32) == 24, 7_000, a).astype(np.int32)),
        ("planes", lambda a: a[:-1]),
        ("vertices", lambda a: a.astype(np.float32)),
        ("vertices", lambda a: a * np.nan),
    ],
)
def test_damaged_mesh_arrays_are_refused(field, change):
    arrays = TriangleMesh(CUBE, CUBE_TRIANGLES).to_arrays()
    arrays[field] = change(arrays[field])
    with pytest.raises(PhysicsError, match=r"TriangleMesh\.from_arrays"):
        TriangleMesh.from_arrays(arrays)


def test_height_field_numbers_and_holes():
    field = HeightField(np.zeros((3, 4)), 2.0, holes=[[False, True, False], [False, False, False]])
    np.testing.assert_allclose(field.bounds, [[0, 0, 0], [6, 0, 4]])
    assert sorted(field.original.tolist()) == [0, 1, 4, 5, 6, 7, 8, 9, 10, 11]  # cell 1 is the hole
    np.testing.assert_allclose(field._arrays.planes, [[0, 1, 0, 0]] * 10)  # the front looks up


def test_compound_of_two_half_boxes_is_the_box():
    turn = (0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4))  # 90 degrees about Y: swaps X and Z
    part = Box((3.0, 2.0, 0.5))
    compound = Compound(
        [(part, (0.5, 0, 0), turn), (Compound([(part, (-0.5, 0, 0), turn)]), (0, 0, 0), (0, 0, 0, 1))]
    )
    box = Box((1.0, 2.0, 3.0))
    assert compound.volume == pytest.approx(box.volume)
    np.testing.assert_allclose(compound.mass_center, 0.0, atol=1e-15)
    np.testing.assert_allclose(compound.unit_inertia_tensor, box.unit_inertia_tensor, atol=1e-12)
    np.testing.assert_allclose(compound.bounds, [[-1, -2, -3], [1, 2, 3]], atol=1e-12)
    assert compound.radius_about((0, 0, 0))[0] == pytest.approx(math.sqrt(14))


def test_rotation_matrix_turns_as_the_text_says():
    # ivp 3: a quarter turn about Z takes X to Y.
    np.testing.assert_allclose(
        rotation_matrix(np.array([0, 0, 0.5**0.5, 0.5**0.5])) @ [1, 0, 0], [0, 1, 0], atol=1e-15
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ball(0.0),
        lambda: Ball(float("nan")),
        lambda: Ball(-1.0),
        lambda: Ball("wide"),
        lambda: Box((1, 0, 1)),
        lambda: Box((1, 1)),
        lambda: Box((1, float("inf"), 1)),
        lambda: Capsule(1.0, 0.0),
        lambda: Cylinder(float("inf"), 1.0),
        lambda: ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        lambda: ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]),
        lambda: ConvexHull([[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]]),
        lambda: ConvexHull([[1, 2, 3]] * 8),
        lambda: ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, float("nan")]]),
        lambda: TriangleMesh(CUBE, [[0, 1, 8]]),
        lambda: TriangleMesh(CUBE, [[0, 1, -1]]),
        lambda: TriangleMesh(CUBE, [[0.0, 1.0, 2.0]]),
        lambda: TriangleMesh(CUBE, [[0, 0, 1]]),
        lambda: TriangleMesh(CUBE, CUBE_TRIANGLES, material_ids=[0] * 12),
        lambda: TriangleMesh(CUBE, CUBE_TRIANGLES, materials=[Material()], material_ids=[1] * 12),
        lambda: HeightField(np.zeros((1, 5)), 1.0),
        lambda: HeightField(np.full((2, 2), np.nan), 1.0),
        lambda: HeightField(np.zeros((2, 2)), 1.0, holes=[[True]]),
        lambda: Plane((0, 0, 0), 1.0),
        lambda: Plane((0, 1, 0), float("nan")),
        lambda: Compound([]),
        lambda: Compound([(Ball(1.0), (0, 0, 0), (0, 0, 0, 0))]),
        lambda: Material(friction=-0.1),
        lambda: Material(elasticity=1.5),
        lambda: Material(friction_rule="mean"),
    ],
)
def test_refusals_name_what_was_found(make):
    with pytest.raises(PhysicsError):
        make()


def test_combine_rules_do_not_depend_on_the_order():
    assert combine("multiply", 0.5, "multiply", 0.8) == pytest.approx(0.4)
    assert combine("average", 0.5, "maximum", 0.8) == combine("maximum", 0.8, "average", 0.5) == 0.8
    assert combine("geometric", 0.25, "average", 1.0) == 0.5
