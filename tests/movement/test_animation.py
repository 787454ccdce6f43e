"""Animation playback: requests, countdowns, the interpreter, all sixteen opcodes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.animation import Animation, accepts_request, start_countdown, takes_future_jump
from movement.animation_commands import (
    AnimationGroup,
    Command,
    GroupType,
    Opcode,
    decode_command,
    decode_commands,
    encode_command,
)
from movement.errors import MovementError
from movement.events import RumbleEvent, SoundEvent


def show(frame: int) -> Command:
    return Command(Opcode.SHOW_FRAME, (frame,))


END = Command(Opcode.END_ANIMATION)
BREAK = Command(Opcode.BREAK_POINT)


def previous(target: int) -> Command:
    return Command(Opcode.GO_TO_PREVIOUS, (target,))


def future(target: int) -> Command:
    return Command(Opcode.GO_TO_FUTURE, (target,))


def group(*commands: Command, anim_id: int = 1, type: int = 1) -> AnimationGroup:
    return AnimationGroup(anim_id, type, commands)


IDLE = group(show(0), show(1), show(2), previous(0), type=0)


def playing(commands: AnimationGroup, number: int = 20, default: AnimationGroup = IDLE) -> Animation:
    """An animation whose group `number` has just started with one tick."""
    animation = Animation({0: default, number: commands})
    animation.force(number, 1)
    return animation


def frames(animation: Animation, ticks: list[int]) -> list[int | None]:
    seen = []
    for count in ticks:
        animation.advance(count)
        seen.append(animation.frame)
    return seen


# --- commands ------------------------------------------------------------------------------------------


def test_fields_lie_above_the_low_four_bits() -> None:
    # 0x12345: frame 0x1234, opcode 5?  ShowFrame is opcode 0, so 0x123450 -> frame 0x12345.
    assert decode_command(bytes([0x50, 0x34, 0x12])) == Command(Opcode.SHOW_FRAME, (0x12345,))
    # GoToPrevious -1: 20 ones over opcode 2.
    assert decode_command(bytes([0xF2, 0xFF, 0xFF])) == previous(-1)
    # PlaySound effect 5, rate -2: 5 | (-2 & 0x3FF) << 10 = 5 | 0xFF800 = 0xFF805; << 4 | 4 = 0xFF8054.
    assert decode_command(bytes([0x54, 0x80, 0xFF])) == Command(Opcode.PLAY_SOUND, (5, -2))
    # SetRotation 1, -1, 2: 1 | 63 << 6 | 2 << 12 = 0x2FC1; << 4 | 6 = 0x2FC16.
    assert decode_command(bytes([0x16, 0xFC, 0x02])) == Command(Opcode.SET_ROTATION, (1, -1, 2))
    # One axis: axis 2, value -3: 2 | (-3 & 0x3FFFF) << 2 = 0xFFFF6; << 4 | 7.
    assert decode_command(bytes([0x67, 0xFF, 0xFF])) == Command(Opcode.SET_AXIS_ROTATION, (2, -3))
    # Transition: mask 63, start -1, group 3: 63 | 127 << 6 | 3 << 13 = 0x7FFF; << 4 | 15.
    assert decode_command(bytes([0xFF, 0xFF, 0x07])) == Command(Opcode.TRANSITION, (63, -1, 3))


@given(st.binary(min_size=3, max_size=3))
def test_decoding_and_encoding_agree(data: bytes) -> None:
    command = decode_command(data)
    again = encode_command(command)
    assert decode_command(again) == command
    # Bits that no field covers (opcodes 1, 5, 6, 8) are dropped, all others come back.
    if command.opcode not in (
        Opcode.END_ANIMATION,
        Opcode.BREAK_POINT,
        Opcode.SET_ROTATION,
        Opcode.SET_POSITION,
    ):
        assert again == data


def test_bad_commands_are_refused() -> None:
    with pytest.raises(MovementError, match="need 3 bytes"):
        decode_command(b"\0\0")
    with pytest.raises(MovementError, match="multiple of 3"):
        decode_commands(b"\0" * 4)
    with pytest.raises(MovementError, match="PLAY_SOUND: need 2 fields"):
        encode_command(Command(Opcode.PLAY_SOUND, (1,)))
    with pytest.raises(MovementError, match=r"SHOW_FRAME: need a field in 0\.\.1048575"):
        group(show(1 << 20))
    with pytest.raises(MovementError, match=r"GO_TO_FUTURE needs a target in 0\.\.2"):
        group(show(0), future(3))
    with pytest.raises(MovementError, match="shows no frame"):
        group(BREAK, previous(0))
    with pytest.raises(MovementError, match="type 0, 1 or 2"):
        group(show(0), type=3)
    with pytest.raises(MovementError, match=r"numbers 0\.\.177"):
        Animation({178: IDLE})


def test_group_bytes_round_trip() -> None:
    walk = group(show(3), BREAK, future(0), END)
    assert AnimationGroup(walk.anim_id, 1, walk.command_bytes()) == walk


# --- countdown -----------------------------------------------------------------------------------------


def test_countdown_starts_from_the_low_byte() -> None:
    assert start_countdown(0x0203, 0) == 3
    assert start_countdown(0x02FF, 3) == 2  # mod 256
    assert start_countdown(1, -2) == 255


def test_a_selected_group_shows_its_first_frame_at_once() -> None:
    animation = playing(group(show(5), show(6), END))
    assert (animation.frame, animation.cursor) == (5, 0)
    assert animation.countdown == 0  # started at 1, decremented once by the restart


def test_countdown_one_moves_every_tick_and_two_every_second() -> None:
    one = playing(group(*(show(n) for n in range(8)), END))
    assert frames(one, [1, 1, 1]) == [1, 2, 3]
    two = playing(group(*(show(n) for n in range(8)), END, anim_id=2))
    # Start: 2 -> 1. Then 1 -> 0 stays, 0 -> moves, reload 2 -> 1, ...
    assert frames(two, [1, 1, 1, 1]) == [0, 1, 1, 2]


def test_zero_ticks_move_nothing() -> None:
    animation = playing(group(show(0), show(1), END))
    before = animation.snapshot()
    animation.advance(0)
    assert animation.snapshot() == before


def test_a_group_selected_without_ticks_keeps_its_countdown() -> None:
    animation = Animation({0: IDLE, 20: group(show(5), show(6), END)})
    animation.force(20, 0)
    assert (animation.frame, animation.countdown) == (5, 1)
    assert frames(animation, [1, 1]) == [5, 6]


def test_a_zero_countdown_wraps_to_255() -> None:
    # Quirk of the byte: start 0 -> moves to command 0, reloads 0, decrements to 255.
    animation = playing(group(show(5), show(6), END, anim_id=0))
    assert (animation.frame, animation.countdown) == (5, 255)
    frames(animation, [1] * 255)
    assert (animation.frame, animation.countdown) == (5, 0)
    animation.advance(1)
    assert animation.frame == 6


def test_ticks_beyond_the_first_skip_frames() -> None:
    animation = playing(group(*(show(n) for n in range(9)), END))
    # 3 ticks: one command forward, two frames skipped; the countdown still decrements once.
    assert frames(animation, [3, 2]) == [3, 5]


def test_control_commands_use_no_skips() -> None:
    sound = Command(Opcode.PLAY_SOUND, (7, 100))
    animation = playing(group(show(0), sound, show(1), sound, show(2), END))
    animation.advance(2)
    assert animation.frame == 2
    assert animation.take_events() == [SoundEvent(7, 6400), SoundEvent(7, 6400)]
    assert animation.take_events() == []


# --- requests ------------------------------------------------------------------------------------------


def test_default_while_current_does_not_restart() -> None:
    animation = Animation({0: IDLE})
    animation.request(0, 1)
    frames(animation, [1, 1])
    before = animation.snapshot()
    animation.request(0, 1)
    assert animation.snapshot() == before


def test_another_group_starts_at_once_from_the_default() -> None:
    animation = Animation({0: IDLE, 20: group(show(5), END)})
    animation.request(0, 1)
    animation.request(20, 1)
    assert (animation.current, animation.pending, animation.frame) == (20, None, 5)


def test_acceptance_of_pending_requests() -> None:
    assert accepts_request(None, 30, 10)
    assert accepts_request(20, None, 10)
    assert accepts_request(20, 10, 10)  # equal number
    assert accepts_request(20, 9, 10)
    assert not accepts_request(20, 11, 10)
    assert accepts_request(20, 20, 10)  # the pending group is the current one


def test_a_lower_number_does_not_replace_a_pending_one() -> None:
    animation = playing(group(show(5), END))
    animation.groups[30] = group(show(9), END)
    animation.request(30, 1)
    animation.request(0, 1)
    assert animation.pending == 30


def test_an_absent_group_falls_back_to_the_default() -> None:
    animation = playing(group(show(5), END))
    animation.request(99, 1)
    assert animation.pending == 0
    bare = Animation({20: group(show(5), show(6), END)}, default_group=0)
    bare.request(20, 1)
    bare.request(20, 1)
    assert bare.pending == 20
    bare.request(99, 1)  # neither it nor the default exists
    assert bare.pending is None


def test_forced_request_for_the_current_group_only_clears_the_pending_one() -> None:
    animation = playing(group(show(5), show(6), END))
    animation.advance(1)
    animation.request(0, 1)
    animation.force(20, 1)
    assert (animation.pending, animation.frame, animation.cursor) == (None, 6, 1)


def test_forced_request_after_the_exit_marker_restarts() -> None:
    animation = playing(group(show(5), future(2), show(6), show(7), END))
    animation.request(0, 1)
    animation.advance(1)
    assert animation.exit_active
    animation.force(20, 1)
    assert (animation.frame, animation.cursor, animation.exit_active) == (5, 0, False)


def test_forced_request_ignores_priority() -> None:
    animation = playing(group(show(5), show(6), END), number=30)
    animation.groups[10] = group(show(9), END)
    animation.force(10, 1)
    assert (animation.current, animation.frame) == (10, 9)


# --- types and endings ---------------------------------------------------------------------------------


def test_interruptible_gives_way_at_the_next_advance_with_ticks() -> None:
    animation = playing(group(show(5), show(6), END, type=0))
    animation.request(0, 1)
    assert animation.current == 20
    animation.advance(0)
    assert animation.current == 20
    animation.advance(1)
    assert animation.current == 0


def test_interruptible_gives_way_to_itself_too() -> None:
    animation = playing(group(show(5), show(6), show(7), END, type=0))
    assert frames(animation, [1]) == [6]
    animation.request(20, 1)
    assert frames(animation, [0, 1]) == [6, 5]  # restarted by the advance with ticks
    # The default group never has itself pending: requesting it while it is current returns at once.
    idle = Animation({0: IDLE})
    idle.request(0, 1)
    assert frames(idle, [1]) == [1]
    idle.request(0, 1)
    assert frames(idle, [1]) == [2]


def test_must_complete_waits_for_the_end_and_the_default_starts_in_the_same_call() -> None:
    animation = playing(group(show(5), show(6), END))
    animation.request(0, 1)
    assert frames(animation, [1]) == [6]
    assert animation.pending == 0
    animation.advance(1)  # runs into EndAnimation: idle frame 0 in the same call
    assert (animation.current, animation.frame, animation.countdown) == (0, 0, 0)


def test_no_revert_holds_its_last_frame() -> None:
    animation = playing(group(show(5), show(6), END, type=2))
    assert frames(animation, [1, 1, 1, 5]) == [6, 6, 6, 6]
    animation.request(0, 1)
    animation.advance(1)
    assert animation.current == 0


def test_running_off_the_list_is_the_end() -> None:
    animation = playing(group(show(5)))
    animation.advance(1)
    assert animation.current == 0


def test_no_group_at_all_is_no_error() -> None:
    animation = Animation({})
    animation.request(0, 1)
    animation.force(0, 1)
    animation.advance(1)
    assert (animation.current, animation.frame) == (None, None)


# --- loops, exits, markers -----------------------------------------------------------------------------


def test_goto_previous_loops_without_a_count() -> None:
    animation = playing(group(show(5), show(6), previous(0)))
    assert frames(animation, [1] * 5) == [6, 5, 6, 5, 6]


def test_a_finite_loop_count_ends_the_loop() -> None:
    # Three passes: 3 -> 2 jump, 2 -> 1 jump, 1 -> 0 goes on.
    animation = playing(group(Command(Opcode.LOOP_CONTROL, (3,)), show(5), previous(1), show(9), END))
    assert frames(animation, [1, 1, 1]) == [5, 5, 9]


def test_goto_future_rule() -> None:
    assert not takes_future_jump(1, 20, 0, True)  # a finite loop goes on
    assert not takes_future_jump(0, 20, None, False)
    assert not takes_future_jump(0, 20, 20, False)  # the same group is pending
    assert takes_future_jump(0, 20, 0, False)
    assert takes_future_jump(0, 20, None, True)


def test_a_walk_exits_through_goto_future() -> None:
    # Walk loop 5 6 with an exit to 8 9; the default stays pending through the exit frames.
    walk = group(show(5), future(4), show(6), previous(0), BREAK, show(8), show(9), END)
    animation = playing(walk)
    assert frames(animation, [1, 1, 1]) == [6, 5, 6]
    animation.request(0, 1)
    assert frames(animation, [1, 1]) == [5, 8]
    assert (animation.marker, animation.exit_active, animation.pending) == (True, True, 0)
    assert frames(animation, [1]) == [9]
    assert animation.marker is False  # the cursor moved
    assert frames(animation, [1]) == [0]
    assert (animation.current, animation.exit_active) == (0, False)


def test_what_clears_the_movement_marker() -> None:
    # BreakPoint sets it; a tick that keeps the cursor leaves it.
    animation = playing(group(BREAK, show(5), show(6), END, anim_id=2))
    assert animation.marker
    animation.advance(0)
    assert animation.marker
    animation.advance(1)  # countdown 1 -> 0: keeps the cursor
    assert animation.marker
    animation.advance(1)  # moves
    assert not animation.marker
    # A skipped ShowFrame clears what BreakPoint had set before it.
    skipped = playing(group(show(4), BREAK, show(5), show(6), END))
    skipped.advance(2)
    assert (skipped.frame, skipped.marker) == (6, False)
    kept = playing(group(show(4), BREAK, show(5), show(6), END))
    kept.advance(1)
    assert (kept.frame, kept.marker) == (5, True)
    # A taken GoToPrevious clears it, one that goes on does not.
    taken = playing(group(show(4), BREAK, previous(0)))
    taken.advance(1)
    assert (taken.frame, taken.marker) == (4, False)
    passed = playing(group(Command(Opcode.LOOP_CONTROL, (1,)), show(4), BREAK, previous(1), show(5), END))
    passed.advance(1)
    assert (passed.frame, passed.marker) == (5, True)
    # A GoToFuture that is not taken keeps it; a new group resets it.
    future_kept = playing(group(show(4), BREAK, future(4), show(5), END))
    future_kept.advance(1)
    assert future_kept.marker
    future_kept.force(0, 1)
    assert not future_kept.marker


# --- the other opcodes ---------------------------------------------------------------------------------


def test_rotation_and_position_commands() -> None:
    animation = playing(
        group(
            Command(Opcode.SET_ROTATION, (1, -2, 3)),
            Command(Opcode.SET_POSITION, (1, -2, 3)),
            Command(Opcode.SET_AXIS_ROTATION, (1, 700)),
            Command(Opcode.SET_AXIS_POSITION, (2, -9)),
            Command(Opcode.SET_AXIS_POSITION, (3, 55)),  # names no axis
            show(0),
            END,
        )
    )
    assert animation.rotation == (256, 700, 768)
    assert animation.position == (8, -16, -9)


def test_change_group_goes_on_in_the_other_group() -> None:
    animation = Animation(
        {0: IDLE, 5: group(show(50), show(51), show(52), END, anim_id=9), 20: group(show(1), END)}
    )
    animation.groups[20] = group(show(1), Command(Opcode.CHANGE_GROUP, (5, 2)), END)
    animation.force(20, 1)
    animation.advance(1)
    assert (animation.current, animation.frame, animation.countdown) == (5, 52, 9)
    absent = playing(group(show(1), Command(Opcode.CHANGE_GROUP, (77, 0)), show(2), END))
    absent.advance(1)
    assert absent.frame == 2


def test_rumble_shakes_with_bit_four() -> None:
    animation = playing(group(Command(Opcode.RUMBLE, (0x10,)), Command(Opcode.RUMBLE, (0x0F,)), show(0), END))
    shakes = animation.take_events()
    assert shakes == [RumbleEvent(0x10), RumbleEvent(0x0F)]
    assert [event.shake for event in shakes] == [True, False]  # type: ignore[union-attr]


def test_delays_hold_a_frame() -> None:
    animation = playing(group(Command(Opcode.DELAY_COUNTER, (2,)), show(5), show(6), END))
    assert frames(animation, [1, 1, 1]) == [5, 5, 6]
    conditional = playing(group(Command(Opcode.CONDITIONAL_DELAY, (2,)), show(5), show(6), END))
    assert frames(conditional, [1, 1, 1]) == [5, 5, 6]
    hurried = Animation(
        {0: IDLE, 20: group(show(4), Command(Opcode.CONDITIONAL_DELAY, (2,)), show(5), show(6), END)}
    )
    hurried.force(20, 1)
    hurried.request(0, 1)  # something waits: no delay
    assert frames(hurried, [1, 1]) == [5, 6]


def test_transition_enters_a_pending_group_at_its_command() -> None:
    run = group(show(60), show(61), show(62), END)
    walk = group(show(1), Command(Opcode.TRANSITION, (1, 2, 30)), show(2), previous(0))
    animation = Animation({0: IDLE, 20: walk, 30: run})
    animation.force(20, 1)
    animation.advance(1)
    assert animation.frame == 2  # nothing pending
    animation.request(30, 1)
    frames(animation, [1, 1])
    assert (animation.current, animation.frame, animation.pending) == (30, 62, None)


# --- state ---------------------------------------------------------------------------------------------

_COMMANDS = st.lists(
    st.one_of(
        st.builds(show, st.integers(0, 40)),
        st.just(BREAK),
        st.just(END),
        st.builds(lambda n: Command(Opcode.LOOP_CONTROL, (n,)), st.integers(0, 3)),
        st.builds(lambda n: Command(Opcode.DELAY_COUNTER, (n,)), st.integers(0, 3)),
        st.builds(future, st.integers(0, 3)),
        st.builds(
            lambda m, s, g: Command(Opcode.TRANSITION, (m, s, g)),
            st.just(1),
            st.integers(0, 3),
            st.integers(0, 3),
        ),
        st.builds(lambda g, c: Command(Opcode.CHANGE_GROUP, (g, c)), st.integers(0, 3), st.integers(0, 3)),
    ),
    min_size=3,
    max_size=8,
)


@given(
    st.lists(_COMMANDS, min_size=1, max_size=4),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)), max_size=40),
)
def test_any_groups_and_calls_end_and_replay(
    lists: list[list[Command]], types: list[int], calls: list[tuple[int, int, int]]
) -> None:
    groups = {n: AnimationGroup(1 + n, types[n], commands) for n, commands in enumerate(lists)}
    first, second = Animation(groups), Animation(groups)
    for kind, number, ticks in calls:
        for animation in (first, second):
            if kind == 0:
                animation.request(number, ticks)
            elif kind == 1:
                animation.force(number, ticks)
            else:
                animation.advance(ticks)
        assert first.current is None or first.current in groups
        blob = first.snapshot()
        second.restore(blob)
        assert second.snapshot() == blob == first.snapshot()


def test_each_field_changes_the_digest() -> None:
    animation = playing(group(show(5), show(6), END))
    base = animation.digest()
    for name in (
        "default_group",
        "modifier",
        "pending_modifier",
        "cursor",
        "countdown",
        "delay",
        "loop_count",
    ):
        value = getattr(animation, name)
        setattr(animation, name, value + 1)
        assert animation.digest() != base, name
        setattr(animation, name, value)
    for name, other in (
        ("current", 0),
        ("pending", 0),
        ("marker", True),
        ("exit_active", True),
        ("frame", 9),
        ("rotation", (0, 0, 1)),
        ("position", (1, 0, 0)),
    ):
        value = getattr(animation, name)
        setattr(animation, name, other)
        assert animation.digest() != base, name
        setattr(animation, name, value)


def test_foreign_snapshots_are_refused() -> None:
    animation = playing(group(show(5), END))
    before = animation.digest()
    with pytest.raises(MovementError, match="animation snapshot"):
        animation.restore(b"FXA1")
    other = Animation({0: IDLE, 44: group(show(1), END)})
    other.force(44, 1)
    with pytest.raises(MovementError, match="group 44"):
        animation.restore(other.snapshot())
    assert animation.digest() == before
    assert GroupType(2) == GroupType.NO_REVERT
