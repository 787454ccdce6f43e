"""A whole recorded walk on level ground: the player against clock, playback and rules written a second time."""

import random

import pytest

from movement import FrameClock, Intent, MovementSettings, Player
from tests.movement import reference_rules as rules
from tests.movement.reference_playback import Playback
from tests.movement.worlds import IDLE_GROUP, STANDING, WALK_GROUP, cyrus, floor, world_of


def plain(group: object) -> tuple[int, int, list[tuple[int, ...]]]:
    commands = [(int(command.opcode), *command.fields) for command in group.commands]
    return group.anim_id, int(group.type), commands


@pytest.mark.parametrize(("seed", "walk", "speed", "rate"), [(0, 8, 0, 18), (1, 0, 3000, 30), (2, 13, 0, 7)])
def test_walks_and_turns_follow_the_rules(seed: int, walk: int, speed: int, rate: int) -> None:
    generator = random.Random(seed)
    world = world_of([floor(half=7000)])
    actor = cyrus(walk=walk, run=speed, groups={0: IDLE_GROUP, 20: WALK_GROUP})
    settings = MovementSettings()
    player = Player.enter(world, (8192, STANDING, 8192), 2036, actor, settings)
    clock = FrameClock(settings)

    timing = rules.Clock(12, 6, 300, True, True)
    playback = Playback({0: plain(IDLE_GROUP), 20: plain(WALK_GROUP)})
    for _ in range(2):
        playback.request(0, 1, 0)
    playback.force(0, 1, 0)
    x, z, heading, left, right, phase = 8192 * 256, 8192 * 256, 2036, 0, 0, 0

    forward = turning_left = turning_right = False
    moved = suppressed = 0
    for index in range(800):
        if generator.random() < 0.04:
            forward = not forward
        if generator.random() < 0.05:
            turning_left, turning_right = generator.random() < 0.4, generator.random() < 0.4
        tick = index * 18 // rate
        frame = clock.update(tick)
        scale, ticks, _ = timing.update(tick)
        player.refresh_presentation()
        player.update(Intent(forward=forward, left=turning_left, right=turning_right), frame)

        playback.advance(ticks)
        playback.request(0, ticks, 0)
        left = rules.accumulate(left, turning_left, 12, 48)
        right = rules.accumulate(right, turning_right, 12, 48)
        heading = rules.turned(heading, left, right, scale)
        if forward:
            playback.request(20, ticks, 0)
        accepted = playback.current == 20  # after the request, or by continuation
        if accepted:
            suppressed += playback.marker
            distance, phase = rules.walk_distance(walk, speed, phase, scale, playback.marker)
            if distance:
                moved += 1
                x, z = rules.translate(x, z, heading, distance)
        else:
            phase = 0
        assert player.position == (x, STANDING * 256, z)
        assert (player.heading, player.body.phase) == (heading, phase)
        assert (player.animation.current, player.animation.frame, player.animation.marker) == (
            playback.current, playback.frame, playback.marker
        )  # fmt: skip
    assert moved > 150
    assert suppressed > 5
