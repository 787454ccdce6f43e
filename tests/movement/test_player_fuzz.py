"""Random input in walled arenas of boxes, ramps, slabs and moving things: nobody leaves, sinks in or diverges."""

import random

import numpy as np
import pytest

from movement import Frame, Intent, Mode, Player
from tests.movement.worlds import box, cyrus, floor, wedge, world_of

HALF, MIDDLE = 900, 8192
LOW, HIGH = MIDDLE - HALF, MIDDLE + HALF
START = (MIDDLE, -400, MIDDLE)


def arena(seed):
    """Return (world, static boxes): four walls, and obstacles of heights around every limit of the rules."""
    pick = random.Random(seed)
    boxes = [
        ((LOW - 60, -600, LOW - 60), (LOW, 0, HIGH + 60)),
        ((HIGH, -600, LOW - 60), (HIGH + 60, 0, HIGH + 60)),
        ((LOW, -600, LOW - 60), (HIGH, 0, LOW)),
        ((LOW, -600, HIGH), (HIGH, 0, HIGH + 60)),
    ]

    def place():
        return pick.randint(LOW + 50, HIGH - 300), pick.randint(LOW + 50, HIGH - 300)

    for _ in range(24):
        x, z = place()
        height = pick.choice((20, 40, 50, 51, 52, 53, 60, 90, 120, 150, 200, 300))
        boxes.append(((x, -height, z), (x + pick.randint(10, 240), 0, z + pick.randint(10, 240))))
    for _ in range(3):
        x, z = place()
        y = -pick.choice((140, 170, 220))
        boxes.append(((x, y - 20, z), (x + 200, y, z + 200)))
    parts = [floor(HALF + 200)] + [box(*bounds) for bounds in boxes]
    for _ in range(6):
        x, z = place()
        height = pick.choice((60, 100, 200, 400))
        parts.append(wedge((x, -height, z), (x + pick.randint(60, 240), 0, z + pick.randint(60, 240))))
    slab, door = box((-80, 0, -80), (80, 15, 80)), box((0, -150, -5), (120, 0, 5))
    moving = [(slab, (MIDDLE + 300, 0, MIDDLE)), (door, (MIDDLE - 300, 0, MIDDLE))]
    return world_of(parts, moving), boxes


def sunk(position, boxes, spheres):
    """Return how deep the spheres at a runtime position reach into static boxes [map units]."""
    centers = np.array([[c / 256 for c in position]]) + np.array([sphere[:3] for sphere in spheres])
    radii = np.array([sphere[3] for sphere in spheres])
    low = np.array([bounds[0] for bounds in boxes])[:, None]
    high = np.array([bounds[1] for bounds in boxes])[:, None]
    outside = np.linalg.norm(centers - np.clip(centers, low, high), axis=2)
    inside = np.minimum(centers - low, high - centers).min(axis=2)
    return float((np.where(outside > 0, radii - outside, radii + inside)).max())


def inputs(seed, count, walk):
    """Yield random held intents and frames between six and 144 updates a second."""
    pick = random.Random(seed)
    held, intent, scale, ticks = 0, Intent(), 51, 0
    for _ in range(count):
        if held == 0:
            held = pick.randint(3, 40)
            intent = Intent(
                forward=pick.random() < 0.75,
                backward=pick.random() < 0.1,
                left=pick.random() < 0.3,
                right=pick.random() < 0.3,
                run=not walk and pick.random() < 0.7,
                jump=not walk and pick.random() < 0.15,
            )
            scale = pick.choice((21, 51, 51, 51, 102, 256, 512))
        held -= 1
        whole, ticks = (ticks + scale) >> 8, (ticks + scale) & 255
        yield intent, Frame(scale, whole, scale >> 5)


def move_things(world, k):
    """A lift that rises and sinks by 200 and a door that swings through half a turn."""
    world.begin_frame()
    lift, door = world.placement_count - 2, world.placement_count - 1
    height = abs(k % 400 - 200)
    world.set_placement(lift, (MIDDLE + 300, -height, MIDDLE), np.eye(3))
    angle = np.sin(k / 60) * 1.5
    c, s = float(np.cos(angle)), float(np.sin(angle))
    world.set_placement(door, (MIDDLE - 300, 0, MIDDLE), ((c, 0, s), (0, 1, 0), (-s, 0, c)))


def play(seed, count, walk):
    """Play random input; check every update; return the digests of every thousandth."""
    world, boxes = arena(seed % 7)
    player = Player.enter(world, START, seed * 311 % 2048, cyrus(run=6144))
    digests, deep = [], 0
    for k, (intent, frame) in enumerate(inputs(seed, count, walk)):
        move_things(world, k)
        player.refresh_presentation()
        player.update(intent, frame)
        x, y, z = player.map_position
        where = (seed, k, player.map_position, player.mode.name, intent, frame)
        assert LOW < x < HIGH and LOW < z < HIGH, where  # noqa: PT018
        assert y <= -62, where  # the feet never get below the floor
        depth = sunk(player.position, boxes, player.body.spheres)
        # The text's separation moves by sixteen units at once, wherever that leads: no centre may get inside.
        assert depth < 24, where
        deep += depth > 2
        if player.mode == Mode.DEAD:
            player.place(START, 0)
        if k % 1000 == 999:
            digests.append(player.digest())
    assert deep <= count // 100  # and even that is rare
    return digests


@pytest.mark.parametrize("walk", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_random_input_stays_in_the_arena_and_repeats(seed: int, walk: bool) -> None:
    first = play(seed, 1500, walk)
    assert play(seed, 1000, walk) == first[:1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_random_input_for_long(seed: int) -> None:
    first = play(seed, 30_000, False)
    assert play(seed, 30_000, False) == first
