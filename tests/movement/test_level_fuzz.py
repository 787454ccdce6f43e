"""Random input in the game's levels: nobody sinks into walls or ground, and a second run is the same."""

import random

import pytest

from assets_pipeline import Level
from game.level_movement import build_actor, build_collision_world
from movement import FrameClock, Intent, Mode, Player, bios_tick_count

DEEPEST = 10  # map units: the text's separation moves by sixteen at once, but rarely into something else
MINUTE = 3600  # updates


def wander(level: Level, seed: int, updates: int) -> tuple[list[str], int]:
    """Play random input; return the digest of every 10 000th and of the last update, and how often it was deep."""
    world, _ = build_collision_world(level)
    actor = build_actor(level)
    starts = [marker for marker in level.markers if marker.available]
    pick = random.Random(seed)
    start = pick.choice(starts)
    player = Player.enter(world, start.position, start.heading, actor)
    clock, intent, digests, deep = FrameClock(), Intent(), [], 0
    clock.assume_rate(60)
    shrunk = [(x, y, z, radius - DEEPEST) for x, y, z, radius in player.body.spheres]
    for k in range(updates):
        if k % 40 == 0:
            side, roll = pick.choice((-1, 0, 0, 1)), pick.random()
            intent = Intent(
                forward=roll < 0.8,
                backward=0.8 < roll < 0.9,
                left=side < 0,
                right=side > 0,
                run=pick.random() < 0.7,
                jump=pick.random() < 0.2,
            )
        player.refresh_presentation()
        player.update(intent, clock.update(bios_tick_count(k / 60)))
        x, y, z = player.map_position
        where = (level.name, seed, k, player.map_position, player.mode.name, intent)
        terrain = world.terrain_sample(x, z)
        if terrain is not None:
            assert y + actor.bounds.positive[1] <= terrain.height + 1, where  # never under the ground
        near = world.candidates((x, y, z), 200).face_models
        deep += bool(world.sphere_contacts(near, (x, y, z), player.matrix, shrunk))
        if player.mode == Mode.DEAD:
            start = pick.choice(starts)
            player.place(start.position, start.heading)
        if k % 10_000 == 9_999:
            digests.append(player.digest())
    return [*digests, player.digest()], deep


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_minute_in_the_demo_level(demo_level: Level, seed: int) -> None:
    digests, deep = wander(demo_level, seed, MINUTE)
    assert deep <= MINUTE // 500
    assert wander(demo_level, seed, MINUTE)[0] == digests


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_an_hour_in_the_demo_level(demo_level: Level, seed: int) -> None:
    digests, deep = wander(demo_level, seed, 15 * MINUTE)
    assert deep <= 15 * MINUTE // 500
    assert wander(demo_level, seed, 15 * MINUTE)[0] == digests


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_quarter_of_an_hour_in_the_yard(yard_level: Level, seed: int) -> None:
    digests, deep = wander(yard_level, seed, 15 * MINUTE)
    assert deep <= 15 * MINUTE // 500
    assert len(digests) == 6
