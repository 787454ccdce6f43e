"""Animation playback against a second one, written from the facts alone: random groups, requests and ticks."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from movement import Animation, AnimationGroup, Opcode

SHOW, END, BACK, FUTURE, SOUND, BREAK, LOOP = (
    Opcode.SHOW_FRAME, Opcode.END_ANIMATION, Opcode.GO_TO_PREVIOUS, Opcode.GO_TO_FUTURE, Opcode.PLAY_SOUND,
    Opcode.BREAK_POINT, Opcode.LOOP_CONTROL,
)  # fmt: skip

Commands = list[tuple[int, ...]]


@dataclass
class Playback:
    """The playback of one actor; `groups` holds (anim_id, type, commands)."""

    groups: dict[int, tuple[int, int, Commands]]
    default: int = 0
    current: int | None = None
    pending: int | None = None
    modifier: int = 0
    pending_modifier: int = 0
    cursor: int = -1
    countdown: int = 0
    loops: int = 0
    marker: bool = False
    leaving: bool = False
    frame: int | None = None
    sounds: list[int] = field(default_factory=list)

    def known(self, group: int) -> int:
        return group if group in self.groups else self.default

    def request(self, group: int, ticks: int, modifier: int) -> None:
        group = self.known(group)
        if self.current == self.default:
            if group == self.default:
                return
            self.current = None
        waiting = self.current is not None and self.pending is not None
        if waiting and self.pending > group and self.pending != self.current:
            return
        self.pending, self.pending_modifier = group, modifier
        if self.current is None:
            self.advance(ticks)

    def force(self, group: int, ticks: int, modifier: int) -> None:
        group = self.known(group)
        if group == self.current and not self.leaving:
            self.pending = None
            return
        self.current, self.pending, self.pending_modifier = None, group, modifier
        self.advance(ticks)

    def reload(self) -> int:
        assert self.current is not None
        return ((self.groups[self.current][0] & 255) + self.modifier) % 256

    def begin(self) -> None:
        if self.pending is None:
            self.pending, self.pending_modifier = self.default, 0
        self.current, self.modifier, self.pending = self.pending, self.pending_modifier, None
        self.cursor, self.loops, self.marker, self.leaving = -1, 0, False, False
        self.countdown = self.reload()

    def advance(self, ticks: int) -> None:
        while True:
            waiting = self.current is not None and self.pending is not None
            if ticks and waiting and self.groups[self.current][1] == 0:
                self.current = None
            if self.current is None:
                self.begin()
            skips = 0
            if ticks:
                if self.countdown == 0:
                    self.cursor += 1
                    self.marker = False
                    self.countdown = self.reload()
                    skips = ticks - 1
                self.countdown = (self.countdown - 1) % 256
            self.cursor = max(self.cursor, 0)
            if self.shows(skips):
                return

    def shows(self, skips: int) -> bool:
        """Run commands; False when the group has ended."""
        assert self.current is not None
        _, kind, commands = self.groups[self.current]
        while True:
            ended = self.cursor >= len(commands) or commands[self.cursor][0] == END
            if ended:
                if kind == 2 and self.pending is None:
                    return True
                self.current = None
                return False
            code, *fields = commands[self.cursor]
            if code == SHOW and not skips:
                self.frame = fields[0]
                return True
            target = self.cursor + 1
            if code == SHOW:
                skips -= 1
                self.marker = False
            elif code == BREAK:
                self.marker = True
            elif code == SOUND:
                self.sounds.append(fields[0])
            elif code == LOOP:
                self.loops = fields[0]
            elif code == BACK:
                finite = self.loops > 0
                self.loops -= finite
                if not finite or self.loops:
                    target, self.marker = fields[0], False
            elif code == FUTURE:
                other = self.pending is not None and self.pending != self.current
                if self.loops <= 0 and (other or self.leaving):
                    target, self.marker, self.leaving = fields[0], False, True
            self.cursor = target


@st.composite
def groups(draw: st.DrawFn, number: int) -> tuple[int, int, Commands]:
    """A group of three parts, each with frames: an entry, a loop, an exit."""
    frame = st.integers(0, 999)
    other = st.sampled_from(((BREAK,), (SOUND, 3, 1), (LOOP, 2), (LOOP, 0)))
    commands: Commands = []
    starts = []
    for _ in range(3):
        starts.append(len(commands))
        for _ in range(draw(st.integers(1, 4))):
            if draw(st.booleans()):
                commands.append(draw(other))
            commands.append((SHOW, draw(frame)))
    back, exit_at = starts[1], len(commands) + 2
    commands.append((FUTURE, exit_at))
    commands.append((BACK, back))
    if draw(st.booleans()):
        commands.append((BREAK,))
    commands += [(SHOW, draw(frame)) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        commands.append((END,))
    kind = 0 if number == 0 else draw(st.sampled_from((0, 1, 1, 2)))
    return draw(st.sampled_from((0, 1, 2, 257))), kind, commands


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("advance", "advance", "advance", "request", "force")),
        st.sampled_from((0, 0, 20, 20, 21, 5)),  # 5 is absent
        st.integers(0, 3),
        st.sampled_from((0, 0, 1, 255)),
    ),
    max_size=60,
)


@given(idle=groups(0), walk=groups(20), other=groups(21), steps=STEPS)
def test_playback(
    idle: tuple[int, int, Commands],
    walk: tuple[int, int, Commands],
    other: tuple[int, int, Commands],
    steps: list[tuple[str, int, int, int]],
) -> None:
    definitions = {0: idle, 20: walk, 21: other}
    expected = Playback(definitions)
    animation = Animation({number: AnimationGroup(*group) for number, group in definitions.items()})
    for name, group, ticks, modifier in steps:
        if name == "advance":
            animation.advance(ticks)
            expected.advance(ticks)
        else:
            getattr(animation, name)(group, ticks, modifier)
            getattr(expected, name)(group, ticks, modifier)
        assert (animation.current, animation.pending, animation.cursor, animation.countdown) == (
            expected.current, expected.pending, expected.cursor, expected.countdown
        )  # fmt: skip
        assert (animation.marker, animation.exit_active, animation.frame) == (
            expected.marker, expected.leaving, expected.frame
        )  # fmt: skip
        assert [event.effect for event in animation.events] == expected.sounds
