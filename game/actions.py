"""The actions that keys, scripts and replays give, and the state of one frame of them."""

from __future__ import annotations

from dataclasses import dataclass

# Order is part of the replay format: an action is a bit by its place here.
ACTIONS = (
    "forward",
    "back",
    "left",
    "right",
    "walk_toggle",
    "jump",
    "kick",
    "take_ball",
    "restart",
    "rewind",
    "overlay",
    "screenshot",
    "console",
    "pause",
)
# What a replay holds: the others show or save something and change no state.
PLAY_ACTIONS = ACTIONS[:10]


@dataclass(frozen=True)
class ActionState:
    """The actions of one frame: `held` are down now, `pressed` went down since the last frame."""

    held: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()

    def packed(self) -> tuple[int, int]:
        """Return held and pressed as bit masks over ACTIONS."""
        return _mask(self.held), _mask(self.pressed)

    @classmethod
    def unpacked(cls, held: int, pressed: int) -> ActionState:
        """Return the state that `packed` made these masks from."""
        return cls(_names(held), _names(pressed))


def _mask(names: frozenset[str]) -> int:
    return sum(1 << index for index, name in enumerate(ACTIONS) if name in names)


def _names(mask: int) -> frozenset[str]:
    return frozenset(name for index, name in enumerate(ACTIONS) if mask >> index & 1)


class ActionTracker:
    """Collects presses and releases between frames; a tap shorter than a frame still counts as held for
    one."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._pressed: set[str] = set()

    def press(self, action: str) -> None:
        """Note that a key of `action` went down; an action may have two keys."""
        count = self._down.get(action, 0)
        self._down[action] = count + 1
        if count == 0:
            self._pressed.add(action)

    def release(self, action: str) -> None:
        """Note that a key of `action` went up."""
        count = self._down.get(action, 0)
        if count > 1:
            self._down[action] = count - 1
        else:
            self._down.pop(action, None)

    def release_all(self) -> None:
        """Forget what is down: the window lost the keyboard."""
        self._down.clear()
        self._pressed.clear()

    def take(self) -> ActionState:
        """Return this frame's state and begin the next frame."""
        state = ActionState(frozenset(self._down) | frozenset(self._pressed), frozenset(self._pressed))
        self._pressed.clear()
        return state
