"""Updates a second of the player in the demo level, walking and running with contacts."""

import random
from pathlib import Path

import pytest

from assets_pipeline import build_level
from game.level_movement import build_actor, build_collision_world
from movement import FrameClock, Intent, Player, bios_tick_count

SOURCES = Path(__file__).parents[3] / "game" / "levels" / "demo" / "level.toml"
UPDATES = 1800  # half a minute at sixty a second


@pytest.fixture(scope="module")
def level():
    return build_level(SOURCES)


@pytest.mark.parametrize("gait", ["walk", "run"])
def bench_demo_level(benchmark, level, gait: str) -> None:
    world, _ = build_collision_world(level)
    actor, marker = build_actor(level), level.marker(level.spawn)
    pick, stream, intent = random.Random(4), [], Intent()
    for k in range(UPDATES):
        if k % 30 == 0:
            side = pick.choice((-1, 0, 1))
            intent = Intent(forward=True, left=side < 0, right=side > 0, run=gait == "run")
        stream.append(intent if k % 30 < 10 else Intent(forward=True, run=gait == "run"))

    def half_a_minute() -> Player:
        player = Player.enter(world, marker.position, marker.heading, actor)
        clock = FrameClock()
        clock.assume_rate(60)
        for k, wanted in enumerate(stream):
            player.refresh_presentation()
            player.update(wanted, clock.update(bios_tick_count(k / 60)))
        return player

    player = benchmark.pedantic(half_a_minute, rounds=5, warmup_rounds=1)
    benchmark.extra_info["microseconds_an_update"] = benchmark.stats.stats.min / UPDATES * 1e6
    assert player.map_position[::2] != tuple(marker.position)[::2]
