"""A recorded run over a course: stairs, a seamed wall, a swinging door, a gap, a lift and a ramp, in one go."""

import functools
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from movement import BodyChange, BodyEvent, Frame, FrameClock, Intent, Mode, Player, bios_tick_count
from tests.movement.worlds import STANDING, box, cyrus, floor, wedge, world_of

ROOT = Path(__file__).parents[2]
X, Z = 8192, 8192
STAIRS, TOP, GAP, LANDING, DOOR = Z + 200, Z + 520, Z + 1000, Z + 1120, Z + 1800
LIFT = Z + 2300
# Held intents by frame at sixty a second: the recording. (first frame, run, jump, left, right)
RECORDING = ((0, True, False, 0, 0), (171, True, True, 0, 0), (172, True, False, 0, 0))


def course():
    """Return (world, door, lift): everything in a row along +Z, 200 wide, walls of many boxes at both sides."""
    parts = [floor(3000, middle=(X, Z + 2000))]
    for k in range(10):  # ten stairs of 20 up and 32 deep
        parts.append(box((X - 100, -20 * (k + 1), STAIRS + 32 * k), (X + 100, 0, STAIRS + 32 * (k + 1))))
    parts.append(box((X - 100, -200, TOP), (X + 100, 0, GAP)))
    parts.append(box((X - 100, -200, LANDING), (X + 100, 0, LANDING + 300)))
    parts.append(down_ramp(LANDING + 300, LANDING + 600))
    for k in range(40):  # seams every 64 units, hidden flanks between the boxes
        z = Z + 64 * k
        parts.append(box((X - 160, -500, z), (X - 100, 0, z + 64)))
        parts.append(box((X + 100, -500, z), (X + 160, 0, z + 64)))
    parts.append(box((X - 100, -200, DOOR), (X - 52, 0, DOOR + 10)))
    parts.append(box((X + 52, -200, DOOR), (X + 100, 0, DOOR + 10)))
    door, lift = box((0, -160, -4), (100, 0, 4)), box((-90, 0, -90), (90, 20, 90))
    world = world_of(parts, [(door, (X - 50, 0, DOOR + 5)), (lift, (X, -1, LIFT))])
    return world, world.placement_count - 2, world.placement_count - 1


def down_ramp(near, far):
    corners, triangles = wedge((X - 100, -200, -far), (X + 100, 0, -near))
    return corners * (1, 1, -1), triangles  # mirrored: full height at the near end


def play(frames_a_second=60, seconds=14):
    """Run the recording; return (player, track of (z, y, shown y, mode, blocked, body changes))."""
    world, door, lift = course()
    player = Player.enter(world, (X + 7, -100, Z), 0, cyrus(run=6144))
    clock = FrameClock()
    clock.assume_rate(frames_a_second)
    clock.startup_countdown = 0
    angle, speed, lifted, track = 0.0, 0.0, 0, []
    for k in range(seconds * frames_a_second):
        tick = k * 60 // frames_a_second
        wanted = [entry for entry in RECORDING if entry[0] <= tick][-1]
        jump = wanted[2] and wanted[0] == tick
        intent = Intent(forward=True, run=wanted[1], jump=jump, left=bool(wanted[3]), right=bool(wanted[4]))
        frame: Frame = clock.update(bios_tick_count(k / frames_a_second))
        player.refresh_presentation()
        player.update(intent, frame)
        # The door is a body that pushes open; the lift rises while it is stood on.
        speed -= 0.9 / frames_a_second * sum(push.placement == door for push in player.pushes)
        speed *= 1 - 1.0 / frames_a_second
        angle = max(angle + speed * 60 / frames_a_second, -1.9)
        world.begin_frame()
        c, s = float(np.cos(angle)), float(np.sin(angle))
        world.set_placement(door, (X - 50, 0, DOOR + 5), ((c, 0, s), (0, 1, 0), (-s, 0, c)))
        if player.support.placement == lift:
            lifted = min(lifted + 120 // frames_a_second, 150)
        world.set_placement(lift, (X, -1 - lifted, LIFT), np.eye(3))
        changes = [event.change for event in player.events if isinstance(event, BodyEvent)]
        x, y, z = player.position
        shown = player.presented_position[1] / 256
        track.append((z / 256, y / 256, shown, player.mode, player.body.blocked, changes, x / 256))
        if z >> 8 > LIFT - 20:
            break
    return player, track


recorded = functools.cache(play)  # the tests only read it


@pytest.mark.parametrize("frames_a_second", [30, 60, 120])
def test_the_course_is_run_through(frames_a_second: int) -> None:
    player, track = recorded(frames_a_second)
    assert track[-1][0] > LIFT - 20
    # 2280 map units at 24 a nominal update, 12 a second: 7.9 s; little is lost on the way.
    assert len(track) / frames_a_second < 11.0
    assert player.mode == Mode.GROUNDED
    changes = [change for point in track for change in point[5]]
    assert BodyChange.HURT not in changes
    assert BodyChange.DIED not in changes
    assert BodyChange.SLID not in changes


def test_stairs_and_ramps_of_the_course_show_no_jitter() -> None:
    _, track = recorded(60)
    stairs = [point for point in track if STAIRS - 40 < point[0] < TOP + 60]
    assert max(b[2] - a[2] for a, b in pairwise(stairs)) <= 0.01  # shown: never down again while going up
    assert min(b[2] - a[2] for a, b in pairwise(stairs)) >= -8  # nor up by more than eight at once
    speeds = [b[0] - a[0] for a, b in pairwise(stairs)]
    assert max(speeds) - min(speeds) < 0.2  # the clock's scale is 50 to 52: 4.7 to 4.9 a frame


def test_nothing_before_the_door_stops_the_run() -> None:
    _, track = recorded(60)
    along = [point for point in track if STAIRS < point[0] < DOOR - 120]
    assert not any(point[4] for point in along if point[3] == Mode.GROUNDED)
    assert min(b[0] - a[0] for a, b in pairwise(along)) > 3.0


def test_the_door_holds_the_run_for_less_than_a_second() -> None:
    _, track = recorded(60)
    at_door = [point for point in track if DOOR - 60 < point[0] < DOOR + 60]
    assert len(at_door) < 60 + 25  # 120 units take 25 frames at full speed
    assert track[-1][0] > LIFT - 20


def test_a_second_run_has_the_same_digest() -> None:
    first, track = recorded(60)
    second, other = play()
    assert first.digest() == second.digest()
    assert track == other
    assert first.map_position[1] <= STANDING


@pytest.mark.determinism
def test_another_process_has_the_same_digest() -> None:
    # Another hash seed too: no set or dictionary order may reach the result.
    code = "from tests.movement.test_course import play; print(play()[0].digest())"
    environment = {**os.environ, "PYTHONHASHSEED": "1234", "PYTHONPATH": str(ROOT)}
    child = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert child.stdout.strip() == recorded(60)[0].digest()
