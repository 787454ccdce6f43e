"""What the text leaves out, designed by us: running, gliding, stairs, jumps, falls, slides, ledges, moving ground."""

from itertools import pairwise

import numpy as np
import pytest

from movement import (
    AnimationGroup,
    BodyChange,
    BodyEvent,
    CollisionWorld,
    Frame,
    Intent,
    Mode,
    MovementSettings,
    Player,
    Terrain,
)
from movement.carrying import turned_by
from movement.climbing import climb_step, ledge_height
from movement.groups import CLIMB, DIE, FALL, HURT, JUMP, LAND, SLIDE, SWIM, TREAD
from movement.running import back_step_amount, run_amount, swim_amount
from tests.movement.worlds import (
    IDLE_GROUP,
    RUN_GROUP,
    STANDING,
    WALK_GROUP,
    box,
    cyrus,
    floor,
    loop,
    show,
    wedge,
    world_of,
)

SIXTY = Frame(51, 0, 1)  # the scale of sixty updates a second
NOMINAL = Frame(256, 1, 8)
RUN = Intent(forward=True, run=True)
STILL = Intent()
RUNNER = cyrus(run=6144)  # 24 map units a nominal update


def sixty(n):
    """Sixty updates a second: a nominal tick about every fifth."""
    return [Frame(51, int(k % 5 == 4), 1 + k % 2) for k in range(n)]


def entered(world, at=(8192, -100, 8192), heading=0, actor=RUNNER, settings=None):
    return Player.enter(world, at, heading, actor, settings)


def play(player, intents, frames=None):
    """Run updates; return (x, y, z, presented y) in map units after each."""
    seen = []
    for intent, frame in zip(intents, frames or sixty(len(intents)), strict=True):
        player.refresh_presentation()
        player.update(intent, frame)
        x, y, z = player.position
        seen.append((x / 256, y / 256, z / 256, player.presented_position[1] / 256))
    return seen


def changes(player, intents, frames=None):
    """Run updates; return the body changes that they reported."""
    seen = []
    for intent, frame in zip(intents, frames or sixty(len(intents)), strict=True):
        player.refresh_presentation()
        player.update(intent, frame)
        seen += [event.change for event in player.events if isinstance(event, BodyEvent)]
    return seen


# --- running and gliding -------------------------------------------------------------------------------


def test_amounts() -> None:
    assert run_amount(6144, 8) == 6144
    assert run_amount(0, 8) == 4096  # twice the walk
    assert back_step_amount(5, 8, 0) == 1280
    assert back_step_amount(0, 8, 0) == 1024  # half the walk
    assert swim_amount(2048, 6144, False) == 2048
    assert swim_amount(2048, 6144, True) == 4096


def test_a_run_starts_up_like_a_walk() -> None:
    player = entered(world_of([floor()]))
    track = play(player, [RUN] * 5, [NOMINAL] * 5)
    steps = [round((b[2] - a[2]) * 256) for a, b in zip([(0, 0, 8192), *track], track, strict=False)]
    assert steps == [1536, 2048, 3072, 6144, 6144]  # 6144 / 4, / 3, / 2


def test_a_run_continues_until_its_exit() -> None:
    player = entered(world_of([floor()]))
    play(player, [RUN] * 4, [NOMINAL] * 4)
    before = player.position[2]
    play(player, [STILL], [NOMINAL])
    assert player.position[2] - before == 6144  # the current group goes on
    play(player, [STILL] * 4, [NOMINAL] * 4)
    assert (player.animation.current, player.body.phase) == (0, 0)


@pytest.mark.parametrize("heading", [1950, 1900, 1800, 1700, 100, 250, 400])
@pytest.mark.parametrize("scale", [21, 51, 256, 512])
def test_gliding_along_a_wall_is_smooth(heading: int, scale: int) -> None:
    world = world_of([floor(4000), box((4300, -200, 8292), (12000, 0, 8420))])
    player = entered(world, heading=heading)
    count = 40 * 256 // scale // 4
    track = play(player, [RUN] * count, [Frame(scale, 1, 8)] * count)
    along = [b[0] - a[0] for a, b in pairwise(track)][-count // 4 :]
    away = [point[2] for point in track][-count // 4 :]
    # It gets on, never turns back, and keeps its distance to the wall within one map unit (two at six a second).
    assert all(step * along[0] > 0 for step in along)
    if heading not in (1700, 400):  # those two have not reached the wall yet
        assert max(away) - min(away) < (2.0 if scale == 512 else 1.0)
    assert max(map(abs, along)) <= 1.3 * min(map(abs, along))
    # No sphere enters the wall: the face is at 8292, the radius 24.
    assert max(point[2] for point in track) <= 8292 - 24
    # The text's separation has nothing to do.
    assert not player.body.separated


def test_head_on_a_wall_stops() -> None:
    # 58 heading units off the normal: the wall would need a deflection of 454, and 448 is the last one tried.
    world = world_of([floor(4000), box((4300, -200, 8292), (12000, 0, 8420))])
    player = entered(world, heading=1990)
    track = play(player, [RUN] * 120)
    assert len({point[0] for point in track[-20:]}) == 1
    assert 8264 <= track[-1][2] <= 8268  # and right at it: face 8292, radius 24, clearance 2


def test_no_wall_is_run_through_at_any_rate() -> None:
    wall = world_of([floor(), box((8000, -200, 8292), (8400, 0, 8296))])  # four units thick
    for scale in (21, 51, 256, 512):
        for heading in (0, 30, 2000):
            player = entered(wall, heading=heading)
            count = 30 * 256 // scale
            track = play(player, [RUN] * count, [Frame(scale, 1, 8)] * count)
            inside = [point for point in track if 8000 < point[0] < 8400]
            assert max(point[2] for point in inside) <= 8292 - 24


def test_a_corner_is_rounded() -> None:
    # The pillar's corner at x 8200 stands 15 before the flank of a runner at 8215: he goes round and on.
    world = world_of([floor(), box((8100, -200, 8392), (8200, 0, 8442))])
    player = entered(world, at=(8215, -100, 8192))
    track = play(player, [RUN] * 100)
    assert track[-1][2] > 8500
    steps = [b[2] - a[2] for a, b in pairwise(track)]
    assert min(steps) > 0.5  # he is never stopped
    assert 8224 <= track[-1][0] <= 8230


def test_seams_of_adjacent_boxes_do_not_catch() -> None:
    # A wall of many boxes side by side: their hidden flanks end in the wall's plane.
    parts = [floor(3000)] + [box((7000 + 64 * k, -200, 8292), (7064 + 64 * k, 0, 8360)) for k in range(40)]
    player = entered(world_of(parts), heading=1800)
    track = play(player, [RUN] * 150)
    steps = [b[0] - a[0] for a, b in pairwise(track)][60:120]
    assert max(steps) - min(steps) < 0.6
    assert min(steps) > 2.0


def test_an_inner_corner_holds_still() -> None:
    world = world_of(
        [floor(), box((8000, -200, 8292), (8400, 0, 8420)), box((8292, -200, 8000), (8420, 0, 8292))]
    )
    player = entered(world, heading=1792)  # straight into it, along +X +Z
    track = play(player, [RUN] * 120)
    assert len({point[:3] for point in track[-30:]}) == 1
    assert player.animation.current == 0  # and stands instead of running on the spot


def test_a_back_step_stops_at_an_edge() -> None:
    world = world_of([box((8000, 0, 8100), (8400, 64, 8400))])
    player = entered(world)
    track = play(player, [Intent(backward=True)] * 200)
    assert player.mode == Mode.GROUNDED
    assert 8085 <= track[-1][2] < 8110
    assert player.heading == 0


# --- stairs --------------------------------------------------------------------------------------------


def stairs(rise=20, tread=32, steps=12, at=8300):
    parts = [floor(3000)]
    for k in range(steps):
        parts.append(box((8000, -rise * (k + 1), at + tread * k), (8400, 0, at + tread * (k + 1))))
    end = at + tread * steps
    parts.append(box((8000, -rise * steps, end), (8400, 0, end + 1200)))
    return world_of(parts)


@pytest.mark.parametrize("scale", [21, 51, 128])
def test_stairs_are_run_up_and_down_without_jitter(scale: int) -> None:
    for start, heading, sign in ((8192, 0, -1), (8950, 1024, 1)):
        player = entered(stairs(), at=(8192, -300 if heading else -100, start), heading=heading)
        count = 32 * 256 // scale
        frames = [Frame(scale, int((k * scale) // 256 != ((k - 1) * scale) // 256), 1) for k in range(count)]
        track = play(player, [RUN] * count, frames)
        assert player.mode == Mode.GROUNDED
        assert abs(track[-1][1] - track[0][1]) == 240  # all twelve steps
        steps = [b[3] - a[3] for a, b in pairwise(track)]
        assert all(step * sign >= 0 for step in steps)  # the shown height never turns back
        nominal = max(map(abs, steps)) * 256 / scale
        assert nominal <= 30  # and moves at most 30 a nominal update, where a step is 20 at once
        ahead = [abs(b[2] - a[2]) for a, b in pairwise(track)][count // 4 : count // 2]
        assert max(ahead) - min(ahead) < 0.02  # full speed on every step


def test_the_walk_of_the_text_climbs_them_too() -> None:
    player = entered(stairs(), actor=cyrus())
    track = play(player, [Intent(forward=True)] * 90, [NOMINAL] * 90)
    assert track[-1][1] == STANDING - 240


# --- jumps and falls -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [21, 51, 128, 256])
def test_a_jump_rises_jump_height_whatever_the_rate(scale: int) -> None:
    player = entered(world_of([floor()]))
    count = 14 * 256 // scale
    track = play(player, [Intent(jump=True)] + [STILL] * count, [Frame(scale, 0, 1)] * (count + 1))
    top = min(point[1] for point in track)
    # 80 map units, less what lies between two updates next to the top: v = 2 * 80 / 36 a nominal squared.
    assert STANDING - 80 <= top <= STANDING - 80 + 80 * (scale / 256) ** 2 / 36 + 0.1
    assert track[-1][1] == STANDING
    assert player.mode == Mode.GROUNDED


def test_a_jump_keeps_its_run_and_steers() -> None:
    player = entered(world_of([floor()]))
    play(player, [RUN] * 30)
    before = player.position[2]
    track = play(player, [Intent(forward=True, run=True, jump=True)] + [RUN] * 30)
    assert player.mode == Mode.AIRBORNE
    assert track[-1][2] - before / 256 == pytest.approx(31 * 6144 * 51 / 65536, abs=1.0)
    play(player, [Intent(forward=True, run=True, left=True)] * 10)
    assert player.body.air_heading == player.heading != 0


def test_no_jump_when_the_settings_allow_none() -> None:
    player = entered(world_of([floor()]), settings=MovementSettings(jump_height=0))
    assert changes(player, [Intent(jump=True)] + [STILL] * 5) == []


def test_a_ceiling_ends_the_rise() -> None:
    # The head is at -64 - 66 = -130; the ceiling at -170 leaves 40 of the 80.
    world = world_of([floor(), box((8000, -220, 8000), (8400, -170, 8400))])
    player = entered(world)
    track = play(player, [Intent(jump=True)] + [STILL] * 60)
    assert STANDING - 41 <= min(point[1] for point in track) <= STANDING - 30
    assert track[-1][1] == STANDING


@pytest.mark.parametrize(
    ("drop", "expected"),
    [
        (99, [BodyChange.FELL, BodyChange.LANDED]),
        (100, [BodyChange.FELL, BodyChange.BOUNCED, BodyChange.LANDED]),
        (299, [BodyChange.FELL, BodyChange.BOUNCED, BodyChange.LANDED]),
        (300, [BodyChange.FELL, BodyChange.HURT]),
        (567, [BodyChange.FELL, BodyChange.HURT]),
        (568, [BodyChange.FELL, BodyChange.DIED]),
    ],
)
def test_fall_heights_of_the_settings(drop: int, expected: list[BodyChange]) -> None:
    world = world_of([floor(), box((8000, -drop, 8000), (8400, 0, 8250))])
    player = entered(world, at=(8192, -drop - 100, 8200))
    seen = changes(player, [RUN] * 60 + [STILL] * 100)
    assert seen == expected
    assert player.map_position[1] == STANDING
    assert (player.mode == Mode.DEAD) == (expected[-1] == BodyChange.DIED)


def test_a_hurting_landing_holds_the_actor() -> None:
    world = world_of([floor(), box((8000, -320, 8000), (8400, 0, 8250))])
    player = entered(world, at=(8192, -500, 8200))
    for _ in range(200):
        changes(player, [RUN], [SIXTY])
        if player.body.recovery:
            break
    held = player.position
    for _ in range(6 * 256 // 51 - 1):
        play(player, [RUN], [SIXTY])
        assert player.position == held
    play(player, [RUN] * 10)
    assert player.position != held


def test_nobody_falls_for_ever() -> None:
    player = entered(CollisionWorld(), at=(8192, 0, 8192))
    seen = changes(player, [STILL] * 200, [NOMINAL] * 200)
    assert seen == [BodyChange.FELL, BodyChange.DIED]
    still = player.position
    play(player, [STILL] * 10)
    assert player.position == still


def test_fast_falls_land_on_thin_floors() -> None:
    world = world_of([box((8000, 0, 8000), (8400, 1, 8400))])
    player = entered(world, at=(8192, -9000, 8192))
    seen = changes(player, [STILL] * 120, [Frame(512, 2, 16)] * 120)
    assert seen[-1] == BodyChange.DIED
    assert player.map_position[1] == STANDING


def test_a_ledge_within_reach_is_climbed_and_a_higher_one_is_not() -> None:
    assert not ledge_height(0, -50, 50)
    assert ledge_height(0, -51, 50)
    assert ledge_height(0, -112, 50)
    assert not ledge_height(0, -113, 50)
    assert [climb_step(0, 100, 30), climb_step(90, 100, 30), climb_step(100, 0, 30)] == [30, 100, 70]
    for height, climbed in ((150, True), (200, False)):
        world = world_of([floor(), box((8000, -height, 8292), (8400, 0, 8600))])
        player = entered(world)
        track = play(player, [RUN] * 10 + [Intent(forward=True, run=True, jump=True)] + [RUN] * 100)
        assert (track[-1][1] == STANDING - height) == climbed


# --- slides and water ----------------------------------------------------------------------------------


def test_steep_ground_is_slid_down() -> None:
    # 63 degrees, dropped onto its middle.
    world = world_of([floor(), wedge((8000, -540, 8250), (8400, 0, 8520))])
    player = entered(world, at=(8192, -480, 8400))
    seen = []
    modes = set()
    for _ in range(150):
        seen += changes(player, [STILL], [SIXTY])
        modes.add(player.mode)
    assert Mode.SLIDING in modes
    assert player.mode == Mode.GROUNDED
    assert player.map_position[1] == STANDING
    assert player.map_position[2] < 8260  # slid back down, toward -Z


def water_terrain(image: int) -> Terrain:
    heights = np.zeros((256, 256), np.float32)
    return Terrain(heights, np.full((256, 256), image, np.uint8))


def test_deep_water_is_swum_in_and_its_depth_is_shown() -> None:
    # Image 0 has full coverage everywhere: surface 4.
    world = CollisionWorld(terrain=water_terrain(0))
    swimmer = cyrus(
        run=6144, groups={0: IDLE_GROUP, 20: WALK_GROUP, 21: RUN_GROUP, SWIM: RUN_GROUP, TREAD: IDLE_GROUP}
    )
    player = entered(world, actor=swimmer)
    play(player, [STILL] * 40)
    assert (player.surface, player.is_in_deep_water(), player.mode) == (4, 1, Mode.SWIMMING)
    assert player.map_position[1] == STANDING  # the support's height stays the text's
    assert player.presented_position[1] - player.position[1] == 40 * 256  # swim_depth is shown
    before = player.position[2]
    play(player, [Intent(forward=True)] * 10, [NOMINAL] * 10)
    assert player.position[2] - before == 10 * 2048
    assert not changes(player, [Intent(jump=True)] * 3)  # no jumping out of deep water


# --- moving ground, doors and pushes -------------------------------------------------------------------

IDENTITY = np.eye(3)


def moved(world, index, position, rotation=IDENTITY):
    world.begin_frame()
    world.set_placement(index, position, rotation)


def platform_world(extra=()):
    slab = box((-100, 0, -100), (100, 20, 100))
    world = world_of([floor(3000, y=400), *extra], moving=[(slab, (8192, 0, 8192))])
    return world, world.placement_count - 1


def test_a_lift_carries_up_and_down() -> None:
    world, lift = platform_world()
    player = entered(world)
    play(player, [STILL] * 2)
    assert player.support.placement == lift
    for k in range(1, 60):
        moved(world, lift, (8192, -4 * k, 8192))
        play(player, [STILL])
        assert player.map_position[1] == STANDING - 4 * k
        assert player.presented_position == player.position  # carried, not stepped
    for k in range(59, -1, -1):
        moved(world, lift, (8192, -4 * k, 8192))
        play(player, [STILL])
        assert player.map_position[1] == STANDING - 4 * k
        assert player.mode == Mode.GROUNDED


def test_a_raft_carries_along_and_a_jump_keeps_its_motion() -> None:
    world, raft = platform_world()
    player = entered(world)
    play(player, [STILL] * 2)
    for k in range(1, 30):
        moved(world, raft, (8192 + 3 * k, 0, 8192))
        play(player, [STILL])
    assert player.map_position[0] == 8192 + 3 * 29
    moved(world, raft, (8192 + 3 * 30, 0, 8192))
    play(player, [Intent(jump=True)])
    x = player.position[0]
    for k in range(31, 41):
        moved(world, raft, (8192 + 3 * k, 0, 8192))
        play(player, [STILL])
    assert player.mode == Mode.AIRBORNE
    assert (player.position[0] - x) / 256 == pytest.approx(30, abs=0.7)


def test_a_turntable_turns_the_player() -> None:
    world, table = platform_world()
    player = entered(world, at=(8232, -100, 8192))
    play(player, [STILL] * 2)
    for k in range(1, 65):
        angle = k * 2 * np.pi / 256
        c, s = np.cos(angle), np.sin(angle)
        moved(world, table, (8192, 0, 8192), np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]))
        play(player, [STILL])
    # A quarter turn about Y takes (40, 0) to (0, -40), and forward from +Z to +X: heading 1536.
    x, _, z = player.map_position
    assert abs(x - 8192) <= 2
    assert abs(z - (8192 - 40)) <= 2
    assert abs(player.heading - 1536) <= 8


def test_a_slow_turntable_turns_too() -> None:
    world, table = platform_world()
    player = entered(world, at=(8192, -100, 8192))
    play(player, [STILL] * 2)
    for k in range(1, 301):
        angle = k * 0.3 * 2 * np.pi / 2048  # three tenths of a heading unit a frame
        c, s = np.cos(angle), np.sin(angle)
        moved(world, table, (8192, 0, 8192), np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]))
        play(player, [STILL])
    # 300 * 0.3 = 90 units to the right. Single-precision transforms and whole 1/256 units cost a little.
    assert abs(player.heading - (2048 - 90)) <= 2


def test_turned_by() -> None:
    assert turned_by((0.0, 1.0), (0.0, 5.0)) == 0
    assert turned_by((0.0, 1.0), (1.0, 0.0)) == -512 << 8  # from +Z to +X is a quarter turn right
    assert turned_by((0.0, 1.0), (0.0, -1.0)) in (1024 << 8, -1024 << 8)
    # A thousandth of a radian to the right: 2048 * 256 / 2 pi / 1000 = 83.4.
    assert turned_by((0.0, 1000.0), (1.0, 1000.0)) == -83
    assert turned_by((0.0, 0.0), (1.0, 0.0)) == 0


def test_a_moving_wall_pushes_the_player_gently() -> None:
    slab = box((-100, -200, -10), (100, 0, 10))
    world = world_of([floor()], moving=[(slab, (8192, 0, 8100))])
    wall = world.placement_count - 1
    player = entered(world)
    steps = []
    for k in range(60):
        moved(world, wall, (8192, 0, 8100 + 3 * k))
        before = player.position[2]
        play(player, [STILL])
        steps.append((player.position[2] - before) / 256)
    # Its face is at 8100 + 10 + 3 k: it reaches the spheres and shoves them on, a few units at a time.
    assert player.map_position[2] >= 8100 + 10 + 3 * 59 + 24 - 1
    assert max(steps) <= 8
    assert player.map_position[1] == STANDING


def test_running_against_a_crate_reports_a_push() -> None:
    crate = box((-30, -60, -30), (30, 0, 30))
    world = world_of([floor()], moving=[(crate, (8192, 0, 8300))])
    index = world.placement_count - 1
    for intent in (RUN, Intent(forward=True)):
        player = entered(world)
        pushes = []
        for _ in range(120):
            play(player, [intent])
            pushes += player.pushes
        assert {push.placement for push in pushes} == {index}
        assert pushes[0].normal == (0, 0, -256)  # against the runner
        assert pushes[0].distance > 0


def test_a_swinging_door_does_not_catch() -> None:
    # A door hinged at x 8100 swings open away from the runner as he pushes it: he passes at once.
    door = box((0, -150, -4), (100, 0, 4))
    world = world_of(
        [floor(), box((7900, -200, 8290), (8100, 0, 8300)), box((8204, -200, 8290), (8400, 0, 8300))],
        moving=[(door, (8102, 0, 8295))],
    )
    index = world.placement_count - 1
    player = entered(world, at=(8152, -100, 8192))
    angle, speed = 0.0, 0.0
    for _ in range(240):
        play(player, [RUN])
        if any(push.placement == index for push in player.pushes):
            speed = -0.06
        angle = max(angle + speed, -1.9)
        c, s = np.cos(angle), np.sin(angle)
        moved(world, index, (8102, 0, 8295), np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]))
    assert player.map_position[2] > 8400


# --- groups of ours ------------------------------------------------------------------------------------


def test_modes_play_their_groups() -> None:
    groups = {0: IDLE_GROUP, 20: WALK_GROUP, 21: RUN_GROUP}
    for number in (JUMP, FALL, LAND, HURT, CLIMB, SLIDE, DIE):
        groups[number] = AnimationGroup(1, 2 if number == DIE else 0, (*show(number * 10), loop(0)))
    world = world_of([floor(), box((8000, -600, 8000), (8400, 0, 8250))])
    player = entered(world, at=(8192, -700, 8200), actor=cyrus(run=6144, groups=groups))
    play(player, [Intent(jump=True)])
    assert player.animation.current == JUMP
    seen = set()
    for _ in range(250):
        play(player, [RUN], [Frame(51, 1, 8)])
        seen.add(player.animation.current)
    assert FALL in seen
    assert player.animation.current == DIE
    assert player.mode == Mode.DEAD


@pytest.mark.parametrize("intent", [RUN, Intent(forward=True)])
def test_a_landing_does_not_break_the_stride(intent: Intent) -> None:
    groups = {0: IDLE_GROUP, 20: WALK_GROUP, 21: RUN_GROUP}
    for number in (JUMP, FALL, LAND):
        groups[number] = AnimationGroup(1, 1, (*show(number * 10), loop(0)))
    player = entered(world_of([floor()]), actor=cyrus(run=6144, groups=groups))
    play(player, [intent] * 40)
    jumping = Intent(forward=True, run=intent.run, jump=True)
    track = play(player, [jumping] + [intent] * 80)
    assert player.mode == Mode.GROUNDED
    assert player.animation.current == (21 if intent.run else 20)
    steps = [b[2] - a[2] for a, b in pairwise(track)]
    full = (6144 if intent.run else 2048) * 51 / 65536
    assert min(steps) > full - 0.05
    # Without a key held the landing group plays, and then the idle one.
    play(player, [Intent(jump=True)] + [STILL] * 66)
    assert player.animation.current == LAND
