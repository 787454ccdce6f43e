"""Particles, debug lines and rings: what they are made of, and that the same events make the same show."""

from __future__ import annotations

import numpy as np
import pytest

from game.dust import raise_particles
from game.happenings import Happening
from game.render.debug_shapes import ASLEEP, CONTACT, LineSketch
from game.render.effects import RING_SIDES, ring_vertices
from game.render.particles import CAPACITY, ParticleSystem
from game.render.scene import Marker


def show(frames: int) -> ParticleSystem:
    system = ParticleSystem()
    for frame in range(frames):
        if frame % 7 == 0:
            system.dust((1.0, 0.0, frame * 0.1), 0.5, "grass")
        if frame == 10:
            system.splash((0.0, 0.0, 0.0), 2.0)
        system.update()
    return system


def test_the_same_events_make_the_same_particles() -> None:
    one, two = show(25).particles(), show(25).particles()
    assert one is not None
    assert two is not None
    assert (one.positions == two.positions).all()
    assert (one.colours == two.colours).all()


def test_particles_die_and_fade() -> None:
    system = ParticleSystem()
    assert system.particles() is None
    system.dust((0, 0, 0), 1.0)
    born = system.particles()
    assert born is not None
    assert len(born.positions) == 7  # 2 and 5 for the strength
    assert born.colours[0].tolist() == [205, 192, 168, 87]  # 0.34 of 255
    for _ in range(40):
        system.update()
    old = system.particles()
    assert old is not None
    assert old.colours[:, 3].max() < 70
    assert (old.sizes > born.sizes[: len(old.sizes)]).all()  # dust spreads
    for _ in range(60):
        system.update()
    assert len(system) == 0


def test_drops_fall_by_gravity() -> None:
    system = ParticleSystem()
    system.splash((0, 5, 0), 0.0)
    first = system.particles()
    assert first is not None
    heights = []
    for _ in range(25):
        system.update()
        now = system.particles()
        assert now is not None
        heights.append(float(now.positions[0, 1]))
    rise = np.diff(heights)
    # Speed changes by about g / 60 a frame, so steps shrink by g / 3600 m.
    assert np.diff(rise)[5:] == pytest.approx(-9.81 / 3600, rel=0.35)


def test_pausing_moves_nothing_and_clear_empties() -> None:
    system = show(12)
    before = system.particles()
    system.update(0.0)
    after = system.particles()
    assert before is not None
    assert after is not None
    assert (before.positions == after.positions).all()
    system.clear()
    assert len(system) == 0


def test_the_oldest_give_way_at_the_capacity() -> None:
    system = ParticleSystem()
    for place in range(60):
        system.spark((float(place), 0, 0), count=24)
    assert len(system) == CAPACITY
    left = system.particles()
    assert left is not None
    assert left.positions[:, 0].min() == 60 - 22  # 512 / 24 = 21.3: the youngest 22 handfuls


def test_sketch_gathers_segments_with_their_colours() -> None:
    sketch = LineSketch()
    assert sketch.lines() is None
    sketch.segment((0, 0, 0), (1, 0, 0))
    sketch.cross((1, 1, 1), 0.5)
    sketch.crosses([(1, 1, 1), (2, 2, 2)], 0.5)
    sketch.sphere((0, 0, 0), 2.0)
    sketch.box((0, 0, 0), (1, 2, 3), colour=ASLEEP)
    sketch.boxes([((0, 0, 0), (2, 2, 2))])
    sketch.arrow((0, 0, 0), (0, -3, 0), 1.0)
    lines = sketch.lines(through_walls=False)
    assert lines is not None
    assert len(lines.points) == len(lines.colours) == 1 + 3 + 6 + 60 + 12 + 12 + 3
    assert not lines.through_walls
    assert lines.points[1:4].mean(axis=1).tolist() == [[1, 1, 1]] * 3
    assert lines.colours[1].tolist() == list(CONTACT)
    sphere = lines.points[10:70].reshape(-1, 3)
    assert np.linalg.norm(sphere, axis=1) == pytest.approx(2.0)
    box = lines.points[70:82].reshape(-1, 3)
    assert np.abs(box).max(axis=0).tolist() == [1, 2, 3]
    lengths = np.linalg.norm(lines.points[70:82, 0] - lines.points[70:82, 1], axis=1)
    assert sorted(lengths.tolist()) == [2] * 4 + [4] * 4 + [6] * 4
    assert lines.points[-3, 1].tolist() == [0, -1, 0]


def test_a_turned_box_has_turned_edges() -> None:
    sketch = LineSketch()
    sketch.box((5, 0, 0), (1, 2, 3), (0, np.sqrt(0.5), 0, np.sqrt(0.5)))
    lines = sketch.lines()
    assert lines is not None
    # A quarter turn about +Y changes X and Z.
    assert np.ptp(lines.points.reshape(-1, 3), axis=0) == pytest.approx([6, 4, 2], abs=1e-5)


def test_rings_stand_on_their_place_and_turn_only_when_active() -> None:
    ring = ring_vertices(Marker((1, 2, 3), 4.0), 0.0)
    assert len(ring) == 6 * RING_SIDES
    radii = np.hypot(ring["position"][:, 0] - 1, ring["position"][:, 2] - 3)
    assert radii == pytest.approx(4.0, abs=1e-5)
    assert ring["position"][:, 1].min() == 2.0
    still = Marker((0, 0, 0), 1.0, active=False)
    assert (ring_vertices(still, 0.0) == ring_vertices(still, 1.0)).all()
    assert (ring_vertices(Marker((0, 0, 0), 1.0), 0.0) != ring_vertices(Marker((0, 0, 0), 1.0), 1.0)).any()


@pytest.mark.parametrize(
    ("happening", "count"),
    [
        (Happening("step", (0, 1, 0), text="grass"), 3),  # dust: 2 and round(5 * 0.12)
        (Happening("step", (0, 1, 0), text="water"), 16),  # drops: 6 and round(12 * 0.15); spray: 8
        (Happening("landed", (0, 1, 0), 112.0), 7),  # strength 0.3 + 0.7
        (Happening("impact", (0, 1, 0), 5.0, "wood"), 7),
        (Happening("impact", (0, 1, 0), 1.9, "wood"), 0),  # too soft
        (Happening("objective", text="Done"), 70),
        (Happening("message", text="Hello"), 0),
    ],
)
def test_happenings_raise_what_they_should(happening: Happening, count: int) -> None:
    system = ParticleSystem()
    raise_particles(system, happening, (5.0, 2.0, 5.0))
    assert len(system) == count
    shown = system.particles()
    if shown is not None:
        # At its place, or where the camera looks if it has none; dust of steps lies at the soles.
        place = (5.0, 2.8, 5.0) if happening.at is None else happening.at
        assert np.abs(shown.positions[:, [0, 2]] - (place[0], place[2])).max() < 0.01
    if happening.text == "grass" and shown is not None:
        assert shown.positions[0, 1] == pytest.approx(0.06)
