"""The animation groups that movement plays, as commands of three bytes.

How the walk is made to feel immediate: group 20 has no BreakPoint before its exit, so the first update that
walks already translates. Every frame of the cycle is followed by a GoToFuture: a pending group is taken
within one nominal tick of letting go. The exit sets the movement marker (BreakPoint), so the body stands
still while the legs come together, for one frame.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assets_pipeline.level_ground import AnimationGroup
from game.character.frames import ACTIONS, first_frame
from movement import groups as numbers

# Group numbers: those that movement asks for, and three that the game itself requests.
GROUPS: dict[str, int] = {
    "idle": numbers.IDLE,
    "turn": 10,
    "walk": numbers.WALK,
    "run": numbers.RUN,
    "back": numbers.BACK_STEP,
    "swim": numbers.SWIM,
    "tread": numbers.TREAD,
    "push": 25,
    "slide": numbers.SLIDE,
    "jump": numbers.JUMP,
    "fall": numbers.FALL,
    "land": numbers.LAND,
    "hurt": numbers.HURT,
    "climb": numbers.CLIMB,
    "kick": 36,
    "die": numbers.DIE,
}
# Effects of PlaySound. A step sounds when a foot comes down: a quarter and three quarters through a stride.
STEP_SOUND, STROKE_SOUND = 1, 2
SOUND_RATE = 344  # x 64 Hz: about 22,050
# anim_id: its low byte is the countdown, which a tick reloads and then takes one from; 1 makes each tick
# move on.
A_TICK = 1
INTERRUPTIBLE, MUST_COMPLETE, NO_REVERT = 0, 1, 2
SHOW_FRAME, END, GO_TO_PREVIOUS, GO_TO_FUTURE, PLAY_SOUND, BREAK_POINT = 0, 1, 2, 3, 4, 5

Command = tuple[int, int]


def encode(commands: list[Command]) -> npt.NDArray[np.uint8]:
    """Return (n, 3) bytes of commands (opcode, 20-bit field): little-endian, the opcode in the low four
    bits."""
    words = [(opcode & 15) | (value & 0xFFFFF) << 4 for opcode, value in commands]
    return np.array([[word & 255, word >> 8 & 255, word >> 16] for word in words], np.uint8).reshape(-1, 3)


def _show(action: str, order: range | None = None) -> list[Command]:
    start, count = first_frame(action), ACTIONS[action][1]
    return [(SHOW_FRAME, start + number) for number in (range(count) if order is None else order)]


def _sound(effect: int) -> Command:
    return PLAY_SOUND, effect | SOUND_RATE << 10


def _once(action: str) -> list[Command]:
    """Play the frames of an action and end."""
    return [*_show(action), (END, 0)]


def _loop(action: str) -> list[Command]:
    """Play an action over and over."""
    return [*_show(action), (GO_TO_PREVIOUS, 0)]


def _gait(action: str, *, backwards: bool = False) -> list[Command]:
    """A cycle that is left after any frame, by one standing frame with the movement marker set."""
    count = ACTIONS[action][1]
    shows = _show(action, range(count - 1, -1, -1) if backwards else None)
    steps = (count // 4, 3 * count // 4)
    leave = 2 * len(shows) + len(steps) + 1
    commands: list[Command] = []
    for number, show in enumerate(shows):
        if number in steps:
            commands.append(_sound(STEP_SOUND))
        commands += [show, (GO_TO_FUTURE, leave)]
    return [*commands, (GO_TO_PREVIOUS, 0), (BREAK_POINT, 0), (SHOW_FRAME, first_frame("idle")), (END, 0)]


def _hold(action: str, lead: int = 0) -> list[Command]:
    """A cycle that is left at once when something else waits; the first `lead` frames are shown only once."""
    shows = _show(action)
    leave = lead + 2 * len(shows[lead:]) + 1
    commands: list[Command] = list(shows[:lead])
    for show in shows[lead:]:
        commands += [show, (GO_TO_FUTURE, leave)]
    return [*commands, (GO_TO_PREVIOUS, lead), (END, 0)]


def _idle() -> list[Command]:
    """Three breaths, a look about, three breaths, and so on."""
    return [*_show("idle"), *_show("idle"), *_show("idle"), *_show("look"), (GO_TO_PREVIOUS, 0)]


def _die() -> list[Command]:
    last = first_frame("collapse") + ACTIONS["collapse"][1] - 1
    shows = _show("collapse")
    return [*shows, (SHOW_FRAME, last), (GO_TO_PREVIOUS, len(shows))]


def animation_groups() -> tuple[AnimationGroup, ...]:
    """Return all groups, ordinary ones first; each shows a frame a nominal tick."""
    actions: dict[str, tuple[int, list[Command]]] = {
        "idle": (INTERRUPTIBLE, _idle()),
        "turn": (INTERRUPTIBLE, _loop("march")),
        "walk": (MUST_COMPLETE, _gait("walk")),
        "run": (MUST_COMPLETE, _gait("run")),
        "back": (MUST_COMPLETE, _gait("walk", backwards=True)),
        "push": (INTERRUPTIBLE, _loop("push")),
        "swim": (INTERRUPTIBLE, [_sound(STROKE_SOUND), *_loop("swim")]),
        "tread": (INTERRUPTIBLE, _loop("tread")),
        "slide": (INTERRUPTIBLE, _loop("slide")),
        "jump": (MUST_COMPLETE, _hold("jump", lead=3)),
        "fall": (INTERRUPTIBLE, _loop("fall")),
        "land": (INTERRUPTIBLE, _once("land")),
        "climb": (MUST_COMPLETE, _once("climb")),
        "kick": (MUST_COMPLETE, _once("kick")),
        "hurt": (MUST_COMPLETE, _once("hurt")),
        "die": (NO_REVERT, _die()),
    }
    return tuple(
        AnimationGroup(GROUPS[name], A_TICK, kind, encode(commands))
        for name, (kind, commands) in actions.items()
    )
