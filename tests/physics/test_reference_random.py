"""Random scenarios: the package against the plain-Python reference, PSI by PSI."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.physics.reference_pair import Pair

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # shrinking replays hundreds of worlds
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def numbers(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit, width=32)


def vectors(limit: float) -> st.SearchStrategy[tuple[float, float, float]]:
    return st.tuples(numbers(limit), numbers(limit), numbers(limit))


rotations = st.tuples(numbers(2), numbers(2), numbers(2), numbers(2)).filter(
    lambda q: sum(c * c for c in q) > 1e-3
)
sizes = st.floats(0.125, 3.0, width=32)
boxes = st.fixed_dictionaries({"kind": st.just("box"), "size": st.tuples(sizes, sizes, sizes)})
balls = st.fixed_dictionaries({"kind": st.just("ball"), "size": sizes})
options = st.fixed_dictionaries(
    {
        "position": vectors(20),
        "rotation": rotations,
        "mass": st.sampled_from([1e-9, 0.2, 1.0, 1.9, 10.0]),
        "linear_damping": st.sampled_from([0.0, 0.01, 0.1, 6.0, 30.0]),
        "angular_damping": st.sampled_from([0.0, 0.01, 0.1, 6.0, 60.0, (0.0, 40.0, 1.0)]),
        "inertia_factor": st.sampled_from([(1.0, 1.0, 1.0), (1.0, 2.0, 0.5)]),
        "start_frozen": st.booleans(),
    },
    optional={"mass_center": vectors(0.5), "inertia_check": st.sampled_from([0.0, 0.03, 0.5])},
)


@st.composite
def steps(draw: Any, bodies: int) -> tuple[str, Any]:
    """One entry of a script."""
    kind = draw(
        st.sampled_from(
            ["step", "step", "step", "simulate", "advance", "wake", "impulse", "at", "own", "velocity", "turn", "force",
             "drop"]
        )
    )  # fmt: skip
    i = draw(st.integers(0, bodies - 1))
    value: Any = (i,)
    if kind == "step":
        value = draw(st.sampled_from([1, 2, 5, 17]))
    elif kind == "simulate":
        value = draw(st.sampled_from([0.0, 1e-9, 0.001, 0.0151515, 1 / 66, 1 / 60, 0.05, 0.31]))
    elif kind == "advance":
        value = draw(st.sampled_from([0.0, 5.0, 16.7, 40.0]))
    elif kind in ("impulse", "velocity", "turn"):
        value = (i, draw(vectors(8)))
    elif kind in ("at", "own", "force"):
        value = (i, draw(vectors(4)), draw(vectors(2)))
    return kind, value


def play(pair: Pair, script: list[tuple[str, Any]]) -> None:
    """Carry out a script on both sides; each step compares."""
    forces: list[Any] = []
    for kind, value in script:
        if kind == "step":
            pair.step(value)
        elif kind == "simulate":
            pair.simulate(value)
        elif kind == "advance":
            pair.advance(value)
        elif kind == "wake":
            pair.wake(*value)
        elif kind == "impulse":
            pair.impulse(*value)
        elif kind == "at":
            i, impulse, offset = value
            position = pair.cores[i].pos_last
            pair.impulse(i, impulse, at=tuple(p + o for p, o in zip(position, offset, strict=True)))
        elif kind == "own":
            pair.impulse(value[0], value[1], at=value[2], own=True)
        elif kind == "velocity":
            pair.add_velocity(*value)
        elif kind == "turn":
            pair.add_angular_velocity(*value)
        elif kind == "force":
            i, force, point = value
            forces.append(pair.force(i, tuple(0.1 * f for f in force), at=point, own=True))
        elif kind == "drop" and forces:
            pair.remove(forces.pop(0))
    pair.step(25)


@st.composite
def free_scripts(draw: Any) -> tuple[list[dict[str, Any]], list[tuple[str, Any]], bool]:
    bodies = [draw(st.one_of(balls, boxes)) | draw(options) for _ in range(draw(st.integers(1, 5)))]
    script = draw(st.lists(steps(len(bodies)), min_size=3, max_size=12))
    return bodies, script, draw(st.booleans())


def play_free(example: tuple[list[dict[str, Any]], list[tuple[str, Any]], bool]) -> None:
    bodies, script, weightless = example
    pair = Pair(gravity=(0.0, 0.0, 0.0) if weightless else (0.0, -9.81, 0.0))
    for body in bodies:
        pair.add(**body)
    play(pair, script)


@settings(max_examples=30, derandomize=True, suppress_health_check=QUIET, phases=PHASES)
@given(free_scripts())
def test_random_free_bodies(example: Any) -> None:
    play_free(example)


@pytest.mark.slow
@settings(max_examples=800, suppress_health_check=QUIET, phases=PHASES)
@given(free_scripts())
def test_many_random_free_bodies(example: Any) -> None:
    play_free(example)


@st.composite
def joined_scripts(draw: Any) -> Any:
    """A few bodies on a line, tied to each other, to a fixed body or to the world."""
    n = draw(st.integers(2, 4))
    bodies = []
    for k in range(n):
        body = draw(st.one_of(balls, boxes)) | {
            "position": (4.0 * k, draw(numbers(1)), draw(numbers(1))),
            "rotation": draw(rotations),
            "mass": draw(st.sampled_from([0.2, 1.0, 1.9, 10.0])),
            "fixed": k == 0 and draw(st.booleans()),
        }
        if draw(st.booleans()):
            body["mass_center"] = draw(vectors(0.25))
        bodies.append(body)
    ties = []
    for k in range(1, n):
        kind = draw(st.sampled_from(["spring", "ball", "hinge", "slider"]))
        limits = draw(st.sampled_from([None, (-10.0, 10.0), (-0.25, 0.5)]))
        ties.append(
            (kind, k, draw(vectors(0.5)), draw(vectors(1).filter(lambda v: math.hypot(*v) > 0.1)), limits)
        )
    world = draw(st.booleans())
    script = draw(st.lists(steps(n).filter(lambda s: s[0] not in ("own", "force")), min_size=2, max_size=6))
    return bodies, ties, world, script


def play_joined(example: Any) -> None:
    bodies, ties, world, script = example
    # A joint turns one f32 ulp of an arm of some metres, where its rounding ties, into 66 times that in speed.
    pair = Pair(ulps=1000.0, least=1.0)
    for body in bodies:
        pair.add(**body)
    if world and not bodies[0]["fixed"]:
        pair.joint("ball", 0, None, (-1.0, 0.0, 0.0))
    handles = []
    for kind, k, offset, axis, limits in ties:
        at = tuple(c + o for c, o in zip((4.0 * k - 2.0, 0.0, 0.0), offset, strict=True))
        if kind == "spring":
            handles.append(
                pair.spring(k, k - 1, at, (4.0 * k - 4.0, 0.25, 0.0), stiffness=6.0, rest_length=2.0)
            )
        elif kind == "ball":
            handles.append(pair.joint("ball", k, k - 1, at))
        elif kind == "hinge":
            handles.append(pair.joint("hinge", k, k - 1, at, axis, limits))
        else:
            end = tuple(p + a for p, a in zip(at, axis, strict=True))
            handles.append(pair.joint("slider", k, k - 1, at, end, limits))
    play(pair, [s for s in script if not (bodies[0]["fixed"] and isinstance(s[1], tuple) and s[1][0] == 0)])
    pair.remove(handles[-1])
    pair.step(10)


@settings(max_examples=20, derandomize=True, suppress_health_check=QUIET, phases=PHASES)
@given(joined_scripts())
def test_random_joined_bodies(example: Any) -> None:
    play_joined(example)


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=QUIET, phases=PHASES)
@given(joined_scripts())
def test_many_random_joined_bodies(example: Any) -> None:
    play_joined(example)
