"""Quickhull: every point inside, closed surfaces, coplanar faces merged, degenerate input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from physics.errors import PhysicsError
from physics.hull import convex_hull, fan
from physics.shapes import ConvexHull


def check(points, hull):
    extent = np.ptp(points, axis=0).max()
    heights = hull.planes[:, :3] @ points.T - hull.planes[:, 3:]
    assert heights.max() <= 2e-6 * extent  # no point outside
    for loop, plane in zip(hull.faces, hull.planes, strict=True):
        assert np.abs(hull.vertices[list(loop)] @ plane[:3] - plane[3]).max() <= 3e-6 * extent
    # Euler: V - E + F = 2 for a closed polyhedron without handles.
    assert len(hull.vertices) - len(hull.edges) + len(hull.faces) == 2
    assert (
        hull.planes[:, :3] @ hull.core.T - hull.planes[:, 3:]
    ).max() <= 3e-6 * extent  # the core lies inside


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(4, 200),
    st.sampled_from(["cube", "ball", "grid", "flat", "needle"]),
)
def test_random_points(seed, count, kind):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (count, 3))
    if kind == "ball":
        points /= np.linalg.norm(points, axis=1)[:, None]
    elif kind == "grid":
        points = np.round(points * 2) / 2
    elif kind == "flat":
        points[:, 1] *= 1e-3
    elif kind == "needle":
        points[:, 1:] *= 1e-4
    try:
        hull = convex_hull(points)
    except PhysicsError:
        assert np.linalg.matrix_rank(points - points.mean(axis=0), tol=1e-6) < 3
        return
    check(points, hull)


def test_volume_agrees_with_an_independent_hull():
    spatial = pytest.importorskip("scipy.spatial")
    rng = np.random.default_rng(3)
    for count in (5, 12, 100, 1000):
        points = rng.normal(size=(count, 3))
        theirs = spatial.ConvexHull(points)
        ours = ConvexHull(points)
        assert ours.volume == pytest.approx(theirs.volume, rel=1e-9)
        assert len(ours.vertices) == len(theirs.vertices)


def test_coplanar_faces_are_one_polygon_even_with_rounded_points():
    # A 12-sided prism in f32: two 12-gons and twelve quads, with points inside the faces and edges left out.
    angle = np.arange(12) * np.pi / 6
    ring = np.stack([np.cos(angle), np.zeros(12), np.sin(angle)], axis=1)
    up = np.array([0.0, 1.0, 0.0])
    points = np.concatenate([ring - up, ring + up, ring, 0.5 * ring + up]).astype(np.float32)
    hull = convex_hull(points.astype(float))
    assert sorted(len(f) for f in hull.faces) == [4] * 12 + [12] * 2
    assert len(hull.vertices) == 24


def test_core_faces_moved_by_the_core_radius():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(6, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    hull = convex_hull(np.concatenate([points, -points]))
    gap = hull.planes[:, 3] - (hull.planes[:, :3] @ hull.core.T).max(axis=1)
    assert gap.min() >= hull.core_radius * (1 - 1e-6)
    assert np.median(gap) == pytest.approx(hull.core_radius, rel=1e-6)


def test_fan_covers_polygons():
    assert fan([[0, 1, 2, 3]]).tolist() == [[0, 1, 2], [0, 2, 3]]
