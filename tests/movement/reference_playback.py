"""Animation playback once more, written from the facts alone: what the package's is compared with."""

from dataclasses import dataclass, field

SHOW, END, BACK, FUTURE, SOUND, BREAK, LOOP = 0, 1, 2, 3, 4, 5, 14  # opcodes

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
