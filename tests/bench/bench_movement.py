"""Updates of a walking player, and single queries, in worlds of 0 to 10 000 static models.

Run: python -m pytest tests/bench/bench_movement.py -o python_functions="bench_*" -q
"""

import itertools

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from movement import Actor, Bounds, CollisionWorld, Frame, Intent, Placements, Player, Terrain, bake_model

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
SPHERES = [(0, -42, 0, 24), (0, -12, 0, 24)]


def box_world(count: int, spacing: int = 170) -> CollisionWorld:
    """Level ground at 500 with `count` boxes of 120 units on it, in rows; the player walks among them."""
    corners = np.array(list(itertools.product((-60, 60), repeat=3)), np.float64)
    triangles = np.array([t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))])
    side = max(1, round(count**0.5))
    spots = [(3000 + spacing * (k % side), 480, 3000 + spacing * (k // side)) for k in range(count)]
    placements = Placements(
        np.zeros(count, int),
        np.array(spots, np.float32).reshape(-1, 3),
        np.tile(np.eye(3), (count, 1, 1)),
        np.zeros(count, int),
    )
    ground = Terrain(np.full((256, 256), 500, np.float32), np.full((256, 256), 9, np.uint8))
    return CollisionWorld([bake_model(corners, triangles, 6)], placements, ground)


def walker(world: CollisionWorld) -> Player:
    actor = Actor(
        bounds=Bounds((48, 128, 49), (24, 62, 24), (24, 66, 25)),
        attributes={"attr_forward_walk": 8, "attr_forward_speed": 4096},
        model_radius=70.0,
    )
    return Player.enter(world, (4100, 430, 4080), 0, actor)


@pytest.mark.parametrize("count", [0, 100, 10_000])
def bench_updates_of_a_walker_among_boxes(benchmark: BenchmarkFixture, count: int) -> None:
    """1000 updates at 60 frames a second, turning now and then, mostly touching boxes."""
    world = box_world(count)
    frame = Frame(51, 0, 1)

    def walk() -> Player:
        player = walker(world)
        for k in range(1000):
            player.refresh_presentation()
            player.update(Intent(forward=True, left=k % 5 == 0), frame)
        return player

    player = benchmark.pedantic(walk, rounds=5, warmup_rounds=1)
    assert player.position != player.start_position  # a player that stands still costs nothing


@pytest.mark.parametrize("count", [100, 10_000])
def bench_candidate_scan(benchmark: BenchmarkFixture, count: int) -> None:
    world = box_world(count)
    assert world.candidates((4100, 430, 4100), 140).face_models
    benchmark(world.candidates, (4100, 430, 4100), 140)


def bench_segment_and_sphere_contacts(benchmark: BenchmarkFixture) -> None:
    world = box_world(10_000)
    near = world.candidates((4080, 430, 4080), 140).face_models

    def query() -> int:
        segment = world.segment_contacts(near, (4080, 380, 4080), (4080, 480, 4080))
        return len(segment) + len(world.sphere_contacts(near, (4080, 430, 4080), UPRIGHT, SPHERES))

    assert benchmark(query) > 0
