"""The character: its body, its frames, and groups that the animation rules of movement can play."""

from __future__ import annotations

import numpy as np
import pytest

from game.character import FRAME_FILES, GROUPS, actor_mesh, animation_groups, first_frame, pushing_frame
from game.character.figure import BONES, figure
from game.character.frames import ACTIONS
from game.character.groups import (
    BREAK_POINT,
    END,
    GO_TO_FUTURE,
    GO_TO_PREVIOUS,
    PLAY_SOUND,
    SHOW_FRAME,
    STEP_SOUND,
    encode,
)
from game.character.poses import blend, idle, run, walk
from movement.animation import Animation
from movement.animation_commands import AnimationGroup

BY_NUMBER = {group.group: group for group in animation_groups()}


def commands(name: str) -> list[tuple[int, int]]:
    """The commands of a group as (opcode, field), read back from their bytes."""
    words = BY_NUMBER[GROUPS[name]].commands.astype(int) @ (1, 256, 65536)
    return [(int(word) & 15, int(word) >> 4) for word in words]


def test_the_figure_is_two_metres_tall_and_inside_its_collision_radius() -> None:
    standing = actor_mesh().frames[first_frame("idle")]
    # Origin 64 units above the soles (positive Y extent 62, standing_height -2), +Y down.
    assert standing[:, 1].max() == pytest.approx(64.0, abs=1e-4)
    assert standing[:, 1].min() == pytest.approx(-64.0, abs=1.5)
    assert np.hypot(standing[:, 0], standing[:, 2]).max() < 24.0


def test_the_figure_faces_forward() -> None:
    mesh = actor_mesh()
    standing = mesh.frames[0]
    # +Z is forward at heading 0: the eyes (the darkest facets of the head) lie there, the blue roll behind.
    eyes = (mesh.colours == (40, 34, 42)).all(axis=1)
    roll = (mesh.colours == (86, 112, 168)).all(axis=1)
    assert standing[mesh.triangles[eyes]][..., 2].min() > 8.0
    assert standing[mesh.triangles[roll]][..., 2].max() < -8.0


def test_facets_look_outwards() -> None:
    # A closed body wound counter-clockwise from outside has a positive volume (sum of a . (b x c) / 6).
    for part in figure():
        a, b, c = np.moveaxis(part.vertices[part.triangles], 1, 0)
        assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 > 0.5, part.bone


def test_bones_come_after_their_parents() -> None:
    seen: set[str | None] = {None}
    for bone, (parent, _) in BONES.items():
        assert parent in seen
        seen.add(bone)
    assert {part.bone for part in figure()} <= seen


def test_frame_table_is_the_files_one_after_another() -> None:
    assert sum(count for _, count, _ in FRAME_FILES) == len(actor_mesh().frames)
    assert first_frame("idle") == 0
    assert first_frame("walk") == FRAME_FILES[0][1] + FRAME_FILES[1][1]
    with pytest.raises(KeyError):
        first_frame("moonwalk")


def test_pushing_goes_on_where_the_gait_is() -> None:
    walk_start, push_start = first_frame("walk"), first_frame("push")
    # Ten frames of walk onto twelve of push: 0, 1, 2, 3, 4, 6, 7, ...
    assert [pushing_frame(walk_start + n) - push_start for n in range(10)] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert pushing_frame(first_frame("run") + 4) == push_start + 6
    assert pushing_frame(0) == 0
    assert pushing_frame(first_frame("jump")) == first_frame("jump")


def test_every_frame_is_finite_and_near() -> None:
    frames = actor_mesh().frames
    assert np.isfinite(frames).all()
    # No pose reaches farther than a man can, 1.6 m from the origin; swimmers lie 0.7 m lower.
    assert np.abs(frames).max() < 2.3 * 64


def test_walking_and_idle_frames_stand_on_the_ground() -> None:
    frames = actor_mesh().frames
    for action in ("idle", "look", "walk", "march", "push", "slide", "kick", "hurt", "land", "collapse"):
        start = first_frame(action)
        lowest = frames[start : start + ACTIONS[action][1], :, 1].max(axis=1)
        assert lowest == pytest.approx(64.0, abs=1e-3), action


def test_running_leaves_the_ground_between_steps() -> None:
    start = first_frame("run")
    lowest = actor_mesh().frames[start : start + 8, :, 1].max(axis=1)
    assert lowest.max() == pytest.approx(64.0, abs=0.5)
    assert lowest.min() < 60.0


def test_the_second_half_of_a_stride_mirrors_the_first() -> None:
    for gait in (walk, run):
        one, other = gait(0.15), gait(0.65)
        pitch, yaw, roll = one.turns["thigh_left"]
        assert other.turns["thigh_right"] == pytest.approx((pitch, -yaw, -roll))
        assert other.turns["chest"] == pytest.approx(tuple(np.multiply(one.turns["chest"], (1, -1, -1))))


def test_cycles_close() -> None:
    for action, (function, _, cyclic) in ACTIONS.items():
        if cyclic:
            first, last = function(0.0), function(1.0)
            for bone in first.turns:
                assert first.turns[bone] == pytest.approx(last.turns[bone], abs=1e-9), (action, bone)


def test_blend_ends_at_its_poses() -> None:
    a, b = idle(0.0), walk(0.3)
    assert blend(a, b, 0.0).turns["head"] == a.turns["head"]
    assert blend(a, b, 1.0).turns["thigh_left"] == b.turns["thigh_left"]
    middle = blend(a, b, 0.5).turns["head"][0]
    assert middle == pytest.approx((a.turns["head"][0] + b.turns["head"][0]) / 2)


def test_neighbouring_frames_of_a_gait_move_no_vertex_far() -> None:
    # A nominal tick of 1/12 s: the foot of a runner moves at most about 40 units against the body.
    frames = actor_mesh().frames
    for action, limit in (("idle", 2.0), ("walk", 22.0), ("run", 52.0)):
        start, count = first_frame(action), ACTIONS[action][1]
        cycle = frames[start : start + count]
        steps = np.linalg.norm(np.roll(cycle, -1, axis=0) - cycle, axis=2)
        assert steps.max() < limit, action


def test_commands_are_three_bytes_little_endian_with_the_opcode_low() -> None:
    # GoToFuture (3) to command 0x12345: the word is 0x123453.
    assert encode([(GO_TO_FUTURE, 0x12345), (END, 0)]).tolist() == [[0x53, 0x34, 0x12], [1, 0, 0]]


def test_group_numbers_are_in_range_and_unique() -> None:
    assert len(set(GROUPS.values())) == len(GROUPS)
    assert set(BY_NUMBER) == set(GROUPS.values())
    assert all(0 <= number <= 177 for number in BY_NUMBER)
    assert (GROUPS["idle"], GROUPS["walk"]) == (0, 20)


def test_kinds_are_those_of_the_rules() -> None:
    assert BY_NUMBER[0].kind == 0
    assert BY_NUMBER[20].kind == 1
    assert BY_NUMBER[GROUPS["die"]].kind == 2
    # A countdown of 1 reloads to 1 and loses it in the same tick: one command a tick. (0 would wrap to 255.)
    assert all(group.anim_id & 255 == 1 for group in BY_NUMBER.values())


def test_every_command_leads_somewhere() -> None:
    for name in GROUPS:
        listed = commands(name)
        frames = len(actor_mesh().frames)
        for opcode, value in listed:
            assert opcode in (SHOW_FRAME, END, GO_TO_PREVIOUS, GO_TO_FUTURE, PLAY_SOUND, BREAK_POINT)
            if opcode == SHOW_FRAME:
                assert value < frames
            elif opcode in (GO_TO_PREVIOUS, GO_TO_FUTURE):
                assert value < len(listed)
        # No loop without a frame in it: the interpreter would never come back.
        assert listed[0][0] in (SHOW_FRAME, PLAY_SOUND)
        assert listed[-1][0] in (END, GO_TO_PREVIOUS)


def playing(name: str) -> Animation:
    """Movement's own playback of the groups, standing idle, with an ordinary request for `name` made at a
    quiet update."""
    groups = {
        group.group: AnimationGroup(group.anim_id, group.kind, group.commands.tobytes())
        for group in animation_groups()
    }
    animation = Animation(groups)
    animation.advance(1)
    assert animation.current == 0
    animation.request(GROUPS[name], 0)
    return animation


@pytest.mark.parametrize(("name", "count"), [("walk", 10), ("run", 8), ("back", 10)])
def test_a_gait_translates_at_once_and_goes_round(name: str, count: int) -> None:
    animation = playing(name)
    # The idle group gives way at once, even in an update without a tick; no marker holds the first movement.
    assert (animation.current, animation.marker) == (GROUPS[name], False)
    shown = []
    for _ in range(3 * count):
        animation.advance(1)
        assert (animation.current, animation.marker) == (GROUPS[name], False)
        shown.append(animation.frame)
    action = "walk" if name == "back" else name
    cycle = [first_frame(action) + number for number in range(count)]
    assert shown == 3 * (cycle[::-1] if name == "back" else cycle)
    # Two steps a stride sound.
    assert [event.effect for event in animation.take_events()] == [STEP_SOUND] * 6


@pytest.mark.parametrize("ticks_before", range(1, 12))
def test_a_walk_ends_within_two_ticks_wherever_it_is(ticks_before: int) -> None:
    animation = playing("walk")
    for _ in range(ticks_before):
        animation.advance(1)
    animation.request(0, 0)  # the key is let go: the default group becomes pending
    assert animation.current == 20
    animation.advance(0)
    assert not animation.marker  # until the next tick it glides on
    animation.advance(1)
    # The exit frame: the marker stops the body while the legs come together.
    assert (animation.current, animation.marker, animation.frame) == (20, True, first_frame("idle"))
    animation.advance(1)
    assert animation.current == 0


def test_walking_again_on_the_way_out_waits_one_tick_only() -> None:
    animation = playing("walk")
    animation.advance(1)
    animation.request(0, 0)
    animation.advance(1)
    assert animation.marker
    animation.request(20, 0)  # pressed again during the exit frame
    animation.advance(1)
    assert (animation.current, animation.marker) == (20, False)


def test_low_frame_rates_skip_frames_but_stay_in_the_cycle() -> None:
    animation = playing("run")
    shown = []
    for _ in range(8):
        animation.advance(2)
        shown.append(animation.frame - first_frame("run"))
    # The first tick uses up the countdown; then each update of two ticks moves on by one and skips one.
    assert shown == [0, 2, 4, 6, 0, 2, 4, 6]


def test_dying_holds_its_last_frame() -> None:
    animation = playing("die")
    for _ in range(40):
        animation.advance(1)
    assert (animation.current, animation.frame) == (GROUPS["die"], first_frame("collapse") + 8)


def test_backing_plays_the_walk_in_reverse() -> None:
    shown = {
        name: [v for opcode, v in commands(name) if opcode == SHOW_FRAME][:10] for name in ("walk", "back")
    }
    assert shown["back"] == shown["walk"][::-1]


def test_jump_holds_its_last_frame_until_something_waits() -> None:
    listed = commands("jump")
    assert listed[3:] == [
        (SHOW_FRAME, first_frame("jump") + 3),
        (GO_TO_FUTURE, 6),
        (GO_TO_PREVIOUS, 3),
        (END, 0),
    ]
