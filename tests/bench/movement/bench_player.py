"""Updates a second of the player: walking and running with contacts, in levels of 50 and of 10 000 models.

Run with `python -m pytest tests/bench/movement --benchmark-only -o python_files="bench_*.py"
-o python_functions="bench_*"`.
"""

import random

import numpy as np
import pytest

from movement import (
    Actor,
    AnimationGroup,
    Bounds,
    CollisionWorld,
    Command,
    Frame,
    Intent,
    Opcode,
    Placements,
    Player,
)
from movement.models import bake_model

BOUNDS = Bounds((48, 128, 49), (24, 62, 24), (24, 66, 25))
MIDDLE = 32768
UPDATES = 600  # ten seconds at sixty a second


def box(low, high):
    """Return vertices and outward triangles of a box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)], float)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    normals = np.cross(
        corners[triangles[:, 1]] - corners[triangles[:, 0]],
        corners[triangles[:, 2]] - corners[triangles[:, 0]],
    )
    inward = np.einsum("ij,ij->i", normals, corners[triangles[:, 0]] - corners.mean(axis=0)) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    return corners, triangles


def level(count: int) -> CollisionWorld:
    """Return slabs of floor with a box each, `count` models in all, in a square about the middle of the map."""
    slab = bake_model(*box((-256, 0, -256), (256, 32, 256)), 0, name="slab")
    crate = bake_model(*box((-40, -120, -40), (40, 0, 40)), 0, name="crate")
    pick = random.Random(1)
    side = int((count / 2) ** 0.5)
    positions, models = [], []
    for k in range(side * side):
        x = MIDDLE + (k % side - side // 2) * 512 + 256
        z = MIDDLE + (k // side - side // 2) * 512 + 256
        positions += [(x, 0, z), (x + pick.randint(-180, 180), 0, z + pick.randint(-180, 180))]
        models += [0, 1]
    total = len(models)
    rotations = np.broadcast_to(np.eye(3, dtype=np.float32), (total, 3, 3))
    placed = Placements(
        np.array(models), np.array(positions, np.float32), rotations, np.zeros(total, np.uint8)
    )
    return CollisionWorld([slab, crate], placed)


def walker() -> Actor:
    """Return an actor with an idle and a walking group."""
    idle = AnimationGroup(1, 0, ((0, 0), (2, 0)))
    walk = AnimationGroup(1, 1, (Command(Opcode.SHOW_FRAME, (1,)), (0, 2), (3, 4), (2, 0), (1,)))
    attributes = {"attr_forward_walk": 8, "attr_forward_speed": 6144}
    return Actor(BOUNDS, attributes, {0: idle, 20: walk, 21: walk})


def inputs(run: bool) -> list[tuple[Intent, Frame]]:
    """Return ten seconds of going ahead in wide circles, so that boxes come up and the floor does not end."""
    return [
        (Intent(forward=True, left=k % 30 < 12, run=run), Frame(51, int(k % 5 == 4), 1))
        for k in range(UPDATES)
    ]


@pytest.mark.parametrize("count", [50, 10_000])
@pytest.mark.parametrize("gait", ["walk", "run"])
def bench_player_updates(benchmark, gait: str, count: int) -> None:
    world, actor, stream = level(count), walker(), inputs(gait == "run")
    start = (MIDDLE + 20, -200, MIDDLE + 20)

    def ten_seconds() -> Player:
        player = Player.enter(world, start, 0, actor)
        for intent, frame in stream:
            player.refresh_presentation()
            player.update(intent, frame)
        return player

    player = benchmark.pedantic(ten_seconds, rounds=5, warmup_rounds=1)
    benchmark.extra_info["microseconds_an_update"] = benchmark.stats.stats.min / UPDATES * 1e6
    assert player.map_position != (start[0], -64, start[2])
    assert player.map_position[1] == -64  # still on the floor


def bench_snapshot(benchmark) -> None:
    player = Player.enter(level(50), (MIDDLE + 20, -200, MIDDLE + 20), 0, walker())
    blob = benchmark(player.snapshot)
    player.restore(blob)
    assert player.snapshot() == blob
