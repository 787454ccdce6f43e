"""The player on the ground: entry, settling, the walk by the text, continuation, probes, state."""

import pytest

from movement import (
    AnimationGroup,
    CollisionWorld,
    Frame,
    Intent,
    Mode,
    MovementError,
    MovementSettings,
    Player,
)
from tests.movement.worlds import (
    BREAK,
    END,
    IDLE_GROUP,
    STANDING,
    WALK_GROUP,
    box,
    cyrus,
    floor,
    leave,
    loop,
    show,
    wedge,
    world_of,
)

NOMINAL = Frame(256, 1, 8)
WALK = Intent(forward=True)
STILL = Intent()
AT = (8192, -100, 8192)


def entered(world=None, heading=0, marker=AT, actor=None, settings=None):
    return Player.enter(world or world_of([floor()]), marker, heading, actor or cyrus(), settings)


def frames(player, intents, frame=NOMINAL):
    """Run updates and return the runtime positions after each."""
    seen = []
    for intent in intents:
        player.refresh_presentation()
        player.update(intent, frame)
        seen.append(player.position)
    return seen


# --- entry ---------------------------------------------------------------------------------------------


def test_markers_become_runtime_coordinates() -> None:
    player = Player.enter(CollisionWorld(), (40816, -699, 41024), 2050, cyrus())
    assert player.start_position == (10448896, -178944, 10502144)
    assert player.position == player.start_position  # nothing to settle on
    assert player.map_position == (40816, -699, 41024)
    assert player.heading == 2  # wrapped modulo 2048
    assert player.body.angles == (0, 2, 0)


def test_settling_changes_y_and_not_the_start_position() -> None:
    player = entered()
    # Floor at 0: (0 - 62 - 2) * 256.
    assert player.position == (8192 * 256, STANDING * 256, 8192 * 256)
    assert player.start_position == (8192 * 256, -100 * 256, 8192 * 256)
    assert player.coordinates() == (
        "start: 8192, -100, 8192 (2097152, -25600, 2097152)\n"
        "current: 8192, -64, 8192 (2097152, -16384, 2097152)"
    )


def test_entry_sets_the_animation_up() -> None:
    player = entered()
    animation = player.animation
    # The first request starts group 0 (countdown 1 - 1), the second and the forced one change nothing more.
    assert (animation.current, animation.pending, animation.frame, animation.countdown) == (0, None, 0, 0)
    assert player.model_frame is None  # cleared until presentation resolves it
    player.refresh_presentation()
    assert player.model_frame == 0
    assert (player.surface, player.animation.default_group) == (0, 0)


@pytest.mark.parametrize("marker", [(1 << 23, 0, 0), (0, 0), (0, 0, 0.5), (0, -(1 << 23) - 1, 0)])
def test_bad_markers_are_refused(marker) -> None:
    with pytest.raises(MovementError, match="marker"):
        Player.enter(CollisionWorld(), marker, 0, cyrus())


def test_the_largest_markers_are_accepted() -> None:
    limit = 1 << 23
    player = Player.enter(CollisionWorld(), (limit - 1, -limit, 0), 0, cyrus())
    assert player.map_position == (limit - 1, -limit, 0)
    with pytest.raises(MovementError, match="heading"):
        Player.enter(CollisionWorld(), AT, 1.5, cyrus())


# --- the walk ------------------------------------------------------------------------------------------


def test_startup_amounts_of_the_text() -> None:
    player = entered()
    positions = frames(player, [WALK] * 6)
    steps = [b[2] - a[2] for a, b in zip([(0, 0, 8192 * 256), *positions], positions, strict=False)]
    assert steps == [512, 682, 1024, 2048, 2048, 2048]
    assert {p[0] for p in positions} == {8192 * 256}
    assert {p[1] for p in positions} == {STANDING * 256}


def test_scale_shifts_each_amount() -> None:
    player = entered()
    positions = frames(player, [WALK] * 4, Frame(51, 0, 1))
    steps = [b[2] - a[2] for a, b in zip([(0, 0, 8192 * 256), *positions], positions, strict=False)]
    # 512 * 51 >> 8 = 102, 682 -> 135, 1024 -> 204, 2048 -> 408.
    assert steps == [102, 135, 204, 408]


def test_a_release_resets_the_phase_only_after_the_exit_frames() -> None:
    player = entered()
    frames(player, [WALK] * 4)
    assert player.body.phase == 3
    moved = []
    states = []
    for _ in range(5):
        before = player.position[2]
        frames(player, [STILL])
        moved.append(player.position[2] - before)
        states.append((player.animation.current, player.animation.frame, player.body.phase))
    # Frame 11 -> 10 goes on at full speed (continuation), then the exit: the marker holds the feet, still accepted.
    assert moved == [2048, 0, 0, 0, 0]
    assert states == [(20, 10, 3), (20, 18, 3), (20, 19, 3), (0, 0, 0), (0, 1, 0)]


def test_a_marker_at_the_start_suppresses_but_advances_the_phase() -> None:
    walk = AnimationGroup(1, 1, (BREAK, *show(10), BREAK, *show(11), *show(12, 13), loop(5)))
    player = entered(actor=cyrus(groups={0: IDLE_GROUP, 20: walk}))
    positions = frames(player, [WALK] * 3)
    # Frames 10 and 11 hold the feet; the first visible step is that of phase two.
    assert [p[2] - 8192 * 256 for p in positions] == [0, 0, 1024]


def test_the_gate_waits_for_the_walking_group() -> None:
    # A must-complete default of two frames: the request leaves it current while it is not the default any more.
    other = AnimationGroup(1, 1, (*show(5, 6), END))
    player = entered(actor=cyrus(groups={0: IDLE_GROUP, 10: other, 20: WALK_GROUP}))
    player.animation.force(10, 1)
    assert frames(player, [WALK])[0][2] == 8192 * 256
    assert (player.animation.current, player.animation.pending, player.body.phase) == (10, 20, 0)
    assert frames(player, [WALK])[0][2] == 8192 * 256 + 512  # group 10 ended, 20 started in the advancement
    ungated = entered(
        actor=cyrus(groups={0: IDLE_GROUP, 10: other, 20: WALK_GROUP}),
        settings=MovementSettings(animation_system=False),
    )
    ungated.animation.force(10, 1)
    assert frames(ungated, [WALK])[0][2] == 8192 * 256 + 512


def test_without_the_walking_group_nothing_starts() -> None:
    player = entered(actor=cyrus(groups={0: IDLE_GROUP}))
    assert frames(player, [WALK] * 3)[-1][2] == 8192 * 256
    assert player.body.phase == 0
    # An actor without any animation is not gated at all (ours).
    bare = entered(actor=cyrus(groups={}))
    assert frames(bare, [WALK])[0][2] == 8192 * 256 + 512


def test_the_panic_group_is_the_idle_default() -> None:
    panic = AnimationGroup(1, 0, (*show(70, 71), loop(0)))
    player = entered(actor=cyrus(groups={0: IDLE_GROUP, 7: panic, 20: WALK_GROUP}, attr_panic_group=7))
    assert player.animation.current == 0  # the initial default is group zero
    frames(player, [STILL] * 2)
    assert (player.animation.default_group, player.animation.current) == (7, 7)


def test_turning_and_walking_uses_the_refreshed_matrix() -> None:
    player = entered()
    frames(player, [Intent(right=True)] * 5)
    assert player.heading == 1880
    before = player.matrix
    player.refresh_presentation()
    assert player.matrix != before
    player.refresh_presentation()  # quirk: nothing advanced the snapshot, so it turns again
    frames(player, [STILL] * 2)
    assert player.body.previous_angles == (0, 1880, 0)


# --- the forward checks --------------------------------------------------------------------------------


def test_a_wall_blocks_the_attempt_and_the_phase_resets() -> None:
    # Wall face at z + 200. Probe: 24 + 8 = 32 ahead; spheres of radius 24: blocked once z + 32 + 24 reaches it.
    world = world_of([floor(), box((8000, -200, 8392), (8400, 0, 8420))])
    player = entered(world)
    frames(player, [WALK] * 40)
    assert player.body.blocked
    assert player.body.phase == 0
    z = player.map_position[2]
    # The last accepted attempt had its probe's sphere clear of the wall: z + 56 < 8392 before its step of 8.
    assert 8392 - 56 <= z <= 8392 - 56 + 8
    before = player.position
    frames(player, [WALK] * 3)
    assert player.position == before
    assert player.animation.current == 0  # nothing requests the walk any more


def test_low_obstacles_are_stepped_over() -> None:
    # A kerb of 40 lies below the spheres (post_collide_height 50) and within the support segment.
    world = world_of([floor(), box((8000, -40, 8300), (8400, 0, 8600))])
    player = entered(world)
    frames(player, [WALK] * 25)
    assert player.map_position[1] == STANDING - 40
    assert not player.body.blocked
    # What is shown follows at no more than smooth_post_max a nominal update.
    assert player.presented_position[1] >= player.position[1]


def test_the_lowest_sphere_decides_which_kerb_blocks() -> None:
    # Standing at -64, the lower sphere's centre is at -76 and its end at -52: 51 passes below it, 53 does not.
    for height, blocked in ((51, False), (53, True)):
        world = world_of([floor(), box((8000, -height, 8300), (8400, 0, 8600))])
        player = entered(world)
        frames(player, [WALK] * 25)
        assert player.body.blocked == blocked
        assert player.map_position[1] == STANDING - (0 if blocked else height)


def test_an_edge_without_ground_refuses_the_walk() -> None:
    # The floor ends at z 8192 + 100; the probe is 32 ahead, the fallback sphere reaches 10 beyond the edge.
    world = world_of([box((7000, 0, 7000), (9000, 64, 8292))])
    player = entered(world)
    frames(player, [WALK] * 60)
    assert player.mode == Mode.GROUNDED
    assert player.body.blocked
    z = player.map_position[2]
    assert 8292 - 40 <= z <= 8292  # stopped before the end of the ground


def test_a_gentle_slope_is_walked_up_and_a_steep_one_is_not() -> None:
    # 150 over 270: normal Y -224, ordinary ground. 540 over 270: -114, steep, and its face meets the spheres.
    gentle = entered(world_of([floor(), wedge((8000, -150, 8250), (8400, 0, 8520))]))
    frames(gentle, [WALK] * 40)
    assert gentle.map_position[1] < STANDING - 60
    steep = entered(world_of([floor(), wedge((8000, -540, 8250), (8400, 0, 8520))]))
    frames(steep, [WALK] * 40)
    assert steep.body.blocked
    assert steep.map_position[1] == STANDING


def test_a_steep_descent_is_refused_by_the_slope_check() -> None:
    # 128 over 100: normal Y = -256 * 100 / 162.4 = -158, just steep; downhill no sphere meets it.
    parts = [floor(), wedge((8000, -128, 8150), (8400, 0, 8250)), box((8000, -128, 8250), (8400, 0, 8600))]
    player = entered(world_of(parts), heading=1024, marker=(8192, -250, 8400))
    frames(player, [WALK] * 40)
    assert player.body.blocked
    assert (player.map_position[1], player.mode) == (STANDING - 128, Mode.GROUNDED)
    # 124 over 100: -256 * 100 / 159.3 = -161 is ordinary ground.
    parts = [floor(), wedge((8000, -124, 8150), (8400, 0, 8250)), box((8000, -124, 8250), (8400, 0, 8600))]
    player = entered(world_of(parts), heading=1024, marker=(8192, -250, 8400))
    frames(player, [WALK] * 40)
    assert player.map_position[1] == STANDING
    # With the collision bit clear the check is bypassed, and steep support counts as ordinary ground.
    parts = [floor(), wedge((8000, -128, 8150), (8400, 0, 8250)), box((8000, -128, 8250), (8400, 0, 8600))]
    light = entered(world_of(parts), heading=1024, marker=(8192, -250, 8400), actor=cyrus(attr_collision=0))
    frames(light, [WALK] * 40)
    assert light.map_position[1] == STANDING


def test_history_of_flagged_support() -> None:
    world = world_of([floor()], flags=4)
    player = entered(world)
    frames(player, [STILL])
    assert player.body.support.history == 12
    assert player.support.metadata == 4
    plain = entered()
    frames(plain, [STILL])
    assert plain.body.support.history == 0


# --- state ---------------------------------------------------------------------------------------------


def mixed(n):
    """A fixed stream of intents and frames."""
    for k in range(n):
        yield (
            Intent(
                forward=k % 7 != 0, right=k % 50 < 20, left=k % 31 < 4, run=k % 90 > 45, jump=k % 61 == 60
            ),
            Frame(40 + k * 7 % 90, k % 3 // 2, k % 3),
        )


def run_mixed(player, n, start=0):
    for k, (intent, frame) in enumerate(mixed(n)):
        if k >= start:
            player.refresh_presentation()
            player.update(intent, frame)


def course():
    return world_of(
        [
            floor(700),
            box((8000, -200, 8392), (8400, 0, 8420)),
            box((8300, -40, 8000), (8500, 0, 8300)),
            wedge((7800, -150, 8250), (7990, 0, 8520)),
        ]
    )


def test_restore_gives_the_same_future() -> None:
    world = course()
    player = entered(world, actor=cyrus(run=6144))
    run_mixed(player, 150)
    blob = player.snapshot()
    run_mixed(player, 400, 150)
    other = entered(world, actor=cyrus(run=6144), heading=77)
    other.restore(blob)
    run_mixed(other, 400, 150)
    assert other.digest() == player.digest()
    assert other.position == player.position
    player.restore(blob)
    assert player.snapshot() == blob


def test_each_field_of_the_state_changes_the_digest() -> None:
    player = entered()
    frames(player, [WALK] * 3)
    body = player.body
    base = player.digest()
    for name in [
        "pitch",
        "heading",
        "roll",
        "left_turn",
        "right_turn",
        "phase",
        "top_y",
        "air_time",
        "air_heading",
        "air_amount",
        "drift_x",
        "drift_z",
        "recovery",
        "shown_offset",
        "sink",
        "dry_surface",
        "deflection",
        "carried_turn",
    ]:
        value = getattr(body, name)
        setattr(body, name, value + 1)
        assert player.digest() != base, name
        setattr(body, name, value)
    for name in ("position", "previous_position", "start_position", "previous_angles", "climb_target"):
        value = getattr(body, name)
        setattr(body, name, (value[0], value[1], value[2] + 1))
        assert player.digest() != base, name
        setattr(body, name, value)
    for name, other in (
        ("mode", Mode.SLIDING),
        ("accepted", not body.accepted),
        ("blocked", not body.blocked),
        ("separated", not body.separated),
        ("matrix", ((2.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))),
        ("support", body.support._replace(history=5)),
    ):
        value = getattr(body, name)
        setattr(body, name, other)
        assert player.digest() != base, name
        setattr(body, name, value)
    assert player.digest() == base


def test_foreign_snapshots_are_refused_and_change_nothing() -> None:
    player = entered()
    before = player.digest()
    for blob in (b"", b"x" * 40, player.snapshot()[:-1], player.body.snapshot()):
        with pytest.raises(MovementError, match="snapshot"):
            player.restore(blob)
        assert player.digest() == before


def test_saved_world_state_goes_over_a_fresh_spawn() -> None:
    world = course()
    player = entered(world)
    run_mixed(player, 40)
    record = player.save_record()
    fresh = entered(world)
    fresh.restore_record(record)
    assert fresh.position == player.position
    assert fresh.heading == player.heading
    assert fresh.animation.snapshot() == player.animation.snapshot()
    assert fresh.surface == player.surface
    assert fresh.start_position == (8192 * 256, -100 * 256, 8192 * 256)  # the spawn's
    assert leave(1) != loop(1)


def test_placing_again_is_a_fresh_spawn() -> None:
    player = entered()
    frames(player, [WALK] * 9)
    player.place(AT, 0)
    assert player.digest() == entered().digest()


def test_absurd_frames_are_refused_and_change_nothing() -> None:
    player = entered()
    before = player.digest()
    for frame in (Frame(-1, 0, 0), Frame((1 << 16) + 1, 1, 8), Frame(256, -1, 8)):
        with pytest.raises(MovementError, match="frame"):
            player.update(WALK, frame)
    assert player.digest() == before
    player.update(WALK, Frame(1 << 16, 256, 2048))  # the largest
    player.update(WALK, Frame(0, 0, 0))


def test_an_empty_world_only_falls() -> None:
    player = Player.enter(CollisionWorld(), (8192, 0, 8192), 0, cyrus())
    frames(player, [WALK, STILL, WALK])
    assert player.mode == Mode.AIRBORNE
    assert player.position[1] > 0
