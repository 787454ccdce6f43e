"""Our own elementary functions against a reference of 40 digits: better than 1 ulp over the range that a step uses."""

import math
import random

import mpmath
import pytest

from physics.kernel import probe

mpmath.mp.dps = 40


def worst(function, reference, arguments):
    """The greatest error in units of the last place of the right result."""
    error = 0.0
    for argument in arguments:
        right = reference(*argument)
        unit = math.ulp(float(right))
        error = max(error, float(abs(mpmath.mpf(function(*argument)) - right) / unit))
    return error


def spread(low, high, count=4000, seed=1):
    random_numbers = random.Random(seed)
    return [(random_numbers.uniform(low, high),) for _ in range(count)]


@pytest.mark.parametrize(("low", "high"), [(-0.79, 0.79), (-math.pi, math.pi), (-1e4, 1e4), (-1e-9, 1e-9)])
def test_sine_and_cosine(low, high):
    assert worst(probe.sine, mpmath.sin, spread(low, high)) < 1.0
    assert worst(probe.cosine, mpmath.cos, spread(low, high)) < 1.0


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 1.0), (0.0, 0.999), (0.49, 0.51), (-0.51, -0.49), (0.9, 0.99999)]
)
def test_arc_cosine(low, high):
    assert worst(probe.arc_cosine, mpmath.acos, spread(low, high)) < 1.0


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (-50.0, 0.0), (-700.0, 700.0)])
def test_exponential(low, high):
    assert worst(probe.exponential, mpmath.exp, spread(low, high)) < 1.0


@pytest.mark.parametrize(("y", "x"), [(1.0, 1.0), (1e-3, 1.0), (1.0, 1e-3), (1e-9, 1.0)])
def test_arc_tangent(y, x):
    random_numbers = random.Random(2)
    points = [(random_numbers.uniform(-y, y), random_numbers.uniform(-x, x)) for _ in range(4000)]
    assert worst(probe.arc_tangent2, mpmath.atan2, points) < 1.0


def test_ends_of_the_ranges():
    assert probe.sine(0.0) == 0.0
    assert probe.cosine(0.0) == 1.0
    assert probe.arc_cosine(1.0) == probe.arc_cosine(1.5) == 0.0
    assert probe.arc_cosine(-1.0) == math.pi
    assert probe.exponential(0.0) == 1.0
    assert probe.exponential(-800.0) == 0.0
    assert probe.exponential(710.0) == math.inf
    assert 0.0 < probe.exponential(-740.0) < 1e-300
    assert math.isnan(probe.exponential(math.nan))
    assert probe.arc_tangent2(0.0, 0.0) == 0.0
    assert probe.arc_tangent2(0.0, -1.0) == math.pi
    assert probe.arc_tangent2(-1.0, 0.0) == -math.pi / 2
