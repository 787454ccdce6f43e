"""Animation playback: requests, countdowns and the command interpreter."""

import hashlib
import struct
from collections.abc import Mapping

from movement.animation_commands import AnimationGroup, GroupType, Opcode
from movement.errors import MovementError
from movement.events import MovementEvent, RumbleEvent, SoundEvent

SOUND_RATE_UNIT = 64  # hertz a unit of PlaySound's rate
ROTATION_UNIT = 256  # SetRotation's fields
POSITION_UNIT = 8  # SetPosition's fields
LARGEST_GROUP = 177
_COMMAND_LIMIT = 4096  # commands one call may run; only data without frames reaches it
_NONE = -1


def start_countdown(anim_id: int, modifier: int) -> int:
    """Return the countdown byte a group starts with and reloads: low byte of `anim_id` + modifier, mod 256."""
    return ((anim_id & 0xFF) + modifier) & 0xFF


def accepts_request(current: int | None, pending: int | None, requested: int) -> bool:
    """Return whether an ordinary request becomes the pending one.

    It does when there is no current group, no pending group, the pending number is not above the requested one,
    or the pending group is the current one.
    """
    return current is None or pending is None or pending <= requested or pending == current


def takes_future_jump(loop_count: int, current: int | None, pending: int | None, exit_active: bool) -> bool:
    """Return whether GoToFuture jumps: no finite loop runs, and another group is pending or exit is active."""
    return loop_count <= 0 and (exit_active or (pending is not None and pending != current))


_STATE = (
    "default_group",
    "current",
    "pending",
    "modifier",
    "pending_modifier",
    "cursor",
    "countdown",
    "delay",
    "loop_count",
    "marker",
    "exit_active",
    "frame",
)
_LAYOUT = struct.Struct("<4s18i")
_TAG = b"FXA1"


class Animation:
    """The playback state of one actor.

    Args:
        groups: animation groups by number, 0..177.
        default_group: the group that plays when nothing else does.

    Attributes:
        current, pending: group numbers or None. `marker`: the movement marker, which suppresses translation.
        exit_active: exit processing (a taken GoToFuture). `frame`: the selected index of the actor's
        concatenated frame table, None before the first. `rotation`, `position`: offsets set by commands.
        `events`: sounds and rumbles since the list was last cleared.

    Raises:
        MovementError: a group number is out of range or a value is no AnimationGroup.

    Source: movement facts, Animation groups.
    """

    __slots__ = ("events", "groups", "position", "rotation", *_STATE)

    def __init__(self, groups: Mapping[int, AnimationGroup], default_group: int = 0) -> None:
        for number, group in groups.items():
            if not isinstance(number, int) or not 0 <= number <= LARGEST_GROUP:
                raise MovementError(f"animation groups: need numbers 0..{LARGEST_GROUP}, found {number!r}")
            if not isinstance(group, AnimationGroup):
                raise MovementError(f"animation group {number}: need an AnimationGroup, found {group!r}")
        self.groups = dict(groups)
        self.default_group = default_group
        self.current: int | None = None
        self.pending: int | None = None
        self.modifier = 0
        self.pending_modifier = 0
        self.cursor = -1
        self.countdown = 0
        self.delay = 0
        self.loop_count = 0
        self.marker = False
        self.exit_active = False
        self.frame: int | None = None
        self.rotation = (0, 0, 0)
        self.position = (0, 0, 0)
        self.events: list[MovementEvent] = []

    def request(self, group: int, ticks: int, modifier: int = 0) -> None:
        """Make an ordinary request; `ticks` is this update's shared tick input.

        An absent group falls back to the default if that exists, else the pending request is cleared. The default
        while it is current does not restart. Another group while the default is current starts at once.
        """
        if group not in self.groups:
            if self.default_group not in self.groups:
                self.pending = None
                return
            group = self.default_group
        if self.current is not None and self.current == self.default_group:
            if group == self.default_group:
                return
            self.current = None
        if not accepts_request(self.current, self.pending, group):
            return
        self.pending, self.pending_modifier = group, modifier
        if self.current is None:
            self.advance(ticks)

    def force(self, group: int, ticks: int, modifier: int = 0) -> None:
        """Make a forced request: priority does not apply.

        For the current group before its exit marker is set it only clears the pending request; otherwise the
        playback state is reset and `group` starts at once.
        """
        if group not in self.groups:
            if self.default_group not in self.groups:
                self.pending = None
                return
            group = self.default_group
        if group == self.current and not self.exit_active:
            self.pending = None
            return
        self.current = None
        self.pending, self.pending_modifier = group, modifier
        self._reset_playback()
        self.advance(ticks)

    def advance(self, ticks: int) -> None:
        """Advance once with `ticks` nominal ticks, then run control commands until a frame is selected."""
        budget = _COMMAND_LIMIT
        while budget > 0:
            if self._gives_way(ticks):
                self.current = None
            if self.current is None and not self._start():
                return
            skips = self._count(ticks)
            budget = self._interpret(skips, budget)
            if self.current is not None:
                return
            # EndAnimation: a pending or default group starts in the same call, with the same ticks.
        self.current = None

    def _gives_way(self, ticks: int) -> bool:
        """Whether an interruptible group yields to the pending one (reading: at an advance with ticks).

        A repeated request for the group itself restarts it too; only the default group is spared that.
        """
        if ticks <= 0 or self.current is None or self.pending is None:
            return False
        return self.groups[self.current].type == GroupType.INTERRUPTIBLE

    def _start(self) -> bool:
        """Select the pending group, or the default when none is pending; False when there is none."""
        number = self.pending if self.pending is not None else self.default_group
        modifier = self.pending_modifier if self.pending is not None else 0
        self.pending = None
        if number not in self.groups:
            return False
        self._select(number, modifier, -1)  # reading: the cursor stands before command 0
        return True

    def _select(self, number: int, modifier: int, cursor: int) -> None:
        self.current, self.modifier = number, modifier
        self._reset_playback()
        self.cursor = cursor
        self.countdown = start_countdown(self.groups[number].anim_id, modifier)

    def _reset_playback(self) -> None:
        self.cursor = -1
        self.delay = 0
        self.loop_count = 0
        self.marker = False
        self.exit_active = False

    def _count(self, ticks: int) -> int:
        """Spend the tick input on countdown and cursor; return how many frames to skip."""
        if ticks <= 0 or self.current is None:
            return 0
        skips = 0
        if self.countdown == 0:
            self.countdown = start_countdown(self.groups[self.current].anim_id, self.modifier)
            if self.delay > 0:
                self.delay -= 1  # ours: a delay holds the frame for one countdown more
            else:
                self.cursor += 1
                self.marker = False
                skips = ticks - 1
        self.countdown = (self.countdown - 1) & 0xFF
        return skips

    def _interpret(self, skips: int, budget: int) -> int:
        """Run commands until a frame is selected or the group ends; return what is left of `budget`."""
        self.cursor = max(self.cursor, 0)
        while budget > 0 and self.current is not None:
            budget -= 1
            group = self.groups[self.current]
            at_end = self.cursor >= len(group.commands)  # reading: running off the list is EndAnimation
            opcode = Opcode.END_ANIMATION if at_end else group.commands[self.cursor].opcode
            if opcode == Opcode.SHOW_FRAME:
                if skips == 0:
                    self.frame = group.commands[self.cursor].fields[0]
                    return budget
                skips -= 1
                self.marker = False
                self.cursor += 1
            elif opcode == Opcode.END_ANIMATION:
                if group.type == GroupType.NO_REVERT and self.pending is None:
                    self.cursor = min(self.cursor, len(group.commands))  # holds its last frame
                    return budget
                self.current = None
            else:
                self._control(opcode, group.commands[self.cursor].fields)
        return budget

    def _control(self, opcode: Opcode, fields: tuple[int, ...]) -> None:
        """Run one control command; afterwards the cursor stands on the next command."""
        following = self.cursor + 1
        if opcode == Opcode.GO_TO_PREVIOUS:
            jumps = True
            if self.loop_count > 0:
                self.loop_count -= 1
                jumps = self.loop_count > 0
            if jumps:
                following = fields[0]
                self.marker = False
        elif opcode == Opcode.GO_TO_FUTURE:
            if takes_future_jump(self.loop_count, self.current, self.pending, self.exit_active):
                following = fields[0]
                self.exit_active = True
                self.marker = False
        elif opcode == Opcode.PLAY_SOUND:
            self.events.append(SoundEvent(fields[0], fields[1] * SOUND_RATE_UNIT))
        elif opcode == Opcode.BREAK_POINT:
            self.marker = True
        elif opcode == Opcode.SET_ROTATION:
            self.rotation = (fields[0] * ROTATION_UNIT, fields[1] * ROTATION_UNIT, fields[2] * ROTATION_UNIT)
        elif opcode == Opcode.SET_POSITION:
            self.position = (fields[0] * POSITION_UNIT, fields[1] * POSITION_UNIT, fields[2] * POSITION_UNIT)
        elif opcode == Opcode.SET_AXIS_ROTATION:
            self.rotation = _with_axis(self.rotation, fields[0], fields[1])
        elif opcode == Opcode.SET_AXIS_POSITION:
            self.position = _with_axis(self.position, fields[0], fields[1])
        elif opcode == Opcode.CHANGE_GROUP:
            if self._change_group(fields[0], fields[1]):
                return
        elif opcode == Opcode.RUMBLE:
            self.events.append(RumbleEvent(fields[0]))
        elif opcode == Opcode.DELAY_COUNTER:
            self.delay = max(fields[0], 0)
        elif opcode == Opcode.CONDITIONAL_DELAY:
            # ours: delays only while nothing waits for the group to end
            waiting = self.exit_active or (self.pending is not None and self.pending != self.current)
            self.delay = 0 if waiting else max(fields[0], 0)
        elif opcode == Opcode.LOOP_CONTROL:
            self.loop_count = max(fields[0], 0)  # reading: the number of loops; 0 is endless
        elif opcode == Opcode.TRANSITION and self.pending == fields[2]:
            # ours: the pending group starts here, at a command of its own; the mask has no known rule
            self.pending = None
            if self._change_group(fields[2], fields[1]):
                return
        self.cursor = following

    def _change_group(self, number: int, command: int) -> bool:
        """Continue in another group at one of its commands; False when there is no such group."""
        if number not in self.groups:
            return False
        self._select(number, 0, max(command, 0))
        return True

    def take_events(self) -> list[MovementEvent]:
        """Return the events since the last call and clear the list."""
        events, self.events = self.events, []
        return events

    def snapshot(self) -> bytes:
        """Return the whole playback state; groups and undelivered events are not part of it."""
        values = [getattr(self, name) for name in _STATE]
        numbers = [_NONE if value is None else int(value) for value in values]
        return _LAYOUT.pack(_TAG, *numbers, *self.rotation, *self.position)

    def restore(self, blob: bytes) -> None:
        """Return to a snapshot of an animation with the same groups.

        Raises:
            MovementError: the blob is no animation snapshot, or names a group that is not there.
        """
        if len(blob) != _LAYOUT.size or blob[:4] != _TAG:
            found = f"{len(blob)} bytes that begin with {blob[:4]!r}"
            raise MovementError(
                f"animation snapshot: need {_LAYOUT.size} bytes with tag {_TAG!r}, found {found}"
            )
        numbers = _LAYOUT.unpack(blob)[1:]
        state = dict(zip(_STATE, numbers, strict=False))
        for name in ("current", "pending"):
            if state[name] != _NONE and state[name] not in self.groups:
                raise MovementError(
                    f"animation snapshot: {name} group {state[name]} is not among this actor's"
                )
        for name, value in state.items():
            if name in ("current", "pending", "frame"):
                setattr(self, name, None if value == _NONE else value)
            elif name in ("marker", "exit_active"):
                setattr(self, name, bool(value))
            else:
                setattr(self, name, value)
        self.rotation = (numbers[12], numbers[13], numbers[14])
        self.position = (numbers[15], numbers[16], numbers[17])
        self.events = []

    def digest(self) -> str:
        """Return a hex digest of the playback state."""
        return hashlib.sha256(self.snapshot()).hexdigest()


def set_up_player_animation(animation: Animation, ticks: int) -> None:
    """Run the requests of a player's entry: group zero twice, ordinarily, then the default group, forced.

    All with modifier zero and the existing shared nominal ticks. An actor without groups is not animated.

    Source: movement, Initial player animation setup.
    """
    if animation.groups:
        animation.request(0, ticks)
        animation.request(0, ticks)
        animation.force(animation.default_group, ticks)


def _with_axis(vector: tuple[int, int, int], axis: int, value: int) -> tuple[int, int, int]:
    """Return `vector` with one component replaced; axis 3 names none."""
    x, y, z = (value if axis == index else component for index, component in enumerate(vector))
    return x, y, z
