"""The kernel's own elementary functions against mpmath: less than 1 ulp of error over the ranges that a step uses."""

from __future__ import annotations

import math
import random

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.kernel import probe

COUNT = 4000


def ulps_off(found: float, wanted: mpmath.mpf) -> float:
    """The error in units of the last place of the correctly rounded result."""
    return float(abs(mpmath.mpf(found) - wanted) / mpmath.mpf(math.ulp(float(wanted))))


def sample(low: float, high: float, seed: int) -> list[float]:
    """Even and near-the-ends points of a range, and small magnitudes where it holds 0."""
    rng = random.Random(seed)
    points = [rng.uniform(low, high) for _ in range(COUNT)]
    points += [low, high, low + (high - low) * 1e-12, high - (high - low) * 1e-12]
    if low <= 0.0 <= high:
        points += [rng.choice((-1, 1)) * 10.0 ** rng.uniform(-300, 0) for _ in range(COUNT // 4)]
    return [x for x in points if low <= x <= high]


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-0.7853981633974483, 0.7853981633974483),  # 8.2: half the largest turn of a PSI is pi/4 (9)
        (-math.pi, math.pi),  # slerp of 3 with t in 0..1
        (-1e4, 1e4),  # pose_at a time far away
    ],
)
@pytest.mark.parametrize("name", ["sine", "cosine"])
def test_sine_and_cosine_are_within_an_ulp(name: str, low: float, high: float) -> None:
    function = getattr(probe, name)
    exact = {"sine": mpmath.sin, "cosine": mpmath.cos}[name]
    with mpmath.workprec(200):
        assert max(ulps_off(function(x), exact(mpmath.mpf(x))) for x in sample(low, high, 1)) < 1.0


def test_arc_cosine_is_within_an_ulp() -> None:
    # slerp asks for 0 <= d < 0.999; the whole domain is tested, and both sides of the split at one half
    points = [
        *sample(-1.0, 1.0, 2),
        0.5,
        math.nextafter(0.5, 1),
        -0.5,
        math.nextafter(-0.5, -1),
        0.9989999999525025,
    ]
    with mpmath.workprec(200):
        assert max(ulps_off(probe.arc_cosine(x), mpmath.acos(mpmath.mpf(x))) for x in points) < 1.0


def test_exponential_is_within_an_ulp() -> None:
    # 7.3: exp(-x) from x = 0.25 on; damping of 40000/s and more gives numbers that f32 cannot hold
    with mpmath.workprec(200):
        points = sample(-700.0, 0.0, 3) + sample(-3.0, 3.0, 4) + sample(0.0, 700.0, 5)
        assert max(ulps_off(probe.exponential(x), mpmath.exp(mpmath.mpf(x))) for x in points) < 1.0


def test_arc_tangent_is_within_an_ulp_in_all_quadrants() -> None:
    rng = random.Random(6)
    with mpmath.workprec(300):
        worst = 0.0
        for _ in range(COUNT):
            x = rng.choice((-1, 1)) * 10.0 ** rng.uniform(-12, 3)
            y = rng.choice((-1, 1)) * 10.0 ** rng.uniform(-12, 3)
            worst = max(worst, ulps_off(probe.arc_tangent2(y, x), mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))))
        for k in range(1, 48):  # around the seams of the table
            for nudge in (-math.inf, math.inf):
                y = math.nextafter(k / 32, nudge)
                worst = max(worst, ulps_off(probe.arc_tangent2(y, 1.0), mpmath.atan2(mpmath.mpf(y), 1)))
    assert worst < 1.0


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (probe.sine(0.0), 0.0),
        (probe.cosine(0.0), 1.0),
        (probe.exponential(0.0), 1.0),
        (probe.exponential(-1000.0), 0.0),
        (probe.exponential(1000.0), math.inf),
        (probe.arc_cosine(1.0), 0.0),
        (probe.arc_cosine(1.0 + 1e-15), 0.0),
        (probe.arc_cosine(-1.0), math.pi),
        (probe.arc_cosine(0.0), math.pi / 2),
        (probe.arc_tangent2(0.0, 0.0), 0.0),
        (probe.arc_tangent2(0.0, -1.0), math.pi),
        (probe.arc_tangent2(1.0, 0.0), math.pi / 2),
        (probe.arc_tangent2(-1.0, 0.0), -math.pi / 2),
        (probe.arc_tangent2(1.0, 1.0), math.pi / 4),
        (probe.arc_tangent2(-1.0, -1.0), -3 * math.pi / 4),
    ],
)
def test_exact_values(found: float, wanted: float) -> None:
    assert found == wanted


@given(st.floats(-0.7853981633974483, 0.7853981633974483))
def test_sine_is_odd_and_cosine_is_even(x: float) -> None:
    # opposite spins then mirror each other bit for bit
    assert probe.sine(-x) == -probe.sine(x)
    assert probe.cosine(-x) == probe.cosine(x)


@given(st.floats(0.0, 1e3), st.floats(-1e3, 1e3))
def test_arc_tangent_is_odd(y: float, x: float) -> None:
    assert probe.arc_tangent2(-y, x) == (-probe.arc_tangent2(y, x) if y else probe.arc_tangent2(y, x))
