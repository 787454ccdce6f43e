"""Animation commands: the sixteen opcodes, three bytes each, and the groups made of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from movement.errors import MovementError

COMMAND_BYTES = 3


class Opcode(IntEnum):
    """The low four bits of a command. Source: movement facts, Animation groups."""

    SHOW_FRAME = 0
    END_ANIMATION = 1
    GO_TO_PREVIOUS = 2
    GO_TO_FUTURE = 3
    PLAY_SOUND = 4
    BREAK_POINT = 5
    SET_ROTATION = 6
    SET_AXIS_ROTATION = 7
    SET_POSITION = 8
    SET_AXIS_POSITION = 9
    CHANGE_GROUP = 10
    RUMBLE = 11
    DELAY_COUNTER = 12
    CONDITIONAL_DELAY = 13
    LOOP_CONTROL = 14
    TRANSITION = 15


# Field widths from bit 4 upward; negative: a signed field of that many bits.
_FIELDS: dict[Opcode, tuple[int, ...]] = {
    Opcode.SHOW_FRAME: (20,),
    Opcode.END_ANIMATION: (),
    Opcode.GO_TO_PREVIOUS: (-20,),
    Opcode.GO_TO_FUTURE: (-20,),
    Opcode.PLAY_SOUND: (-10, -10),
    Opcode.BREAK_POINT: (),
    Opcode.SET_ROTATION: (-6, -6, -6),
    Opcode.SET_AXIS_ROTATION: (2, -18),
    Opcode.SET_POSITION: (-6, -6, -6),
    Opcode.SET_AXIS_POSITION: (2, -18),
    Opcode.CHANGE_GROUP: (-10, -10),
    Opcode.RUMBLE: (-20,),
    Opcode.DELAY_COUNTER: (-20,),
    Opcode.CONDITIONAL_DELAY: (-20,),
    Opcode.LOOP_CONTROL: (-20,),
    Opcode.TRANSITION: (6, -7, -7),
}


class Command(NamedTuple):
    """One decoded command: its opcode and its fields in file order, unscaled."""

    opcode: Opcode
    fields: tuple[int, ...] = ()


def decode_command(data: bytes) -> Command:
    """Return the command in three little-endian bytes.

    Raises:
        MovementError: `data` is not three bytes.
    """
    if len(data) != COMMAND_BYTES:
        raise MovementError(f"animation command: need {COMMAND_BYTES} bytes, found {len(data)}")
    word = int.from_bytes(data, "little")
    opcode = Opcode(word & 15)
    fields, shift = [], 4
    for width in _FIELDS[opcode]:
        bits = abs(width)
        value = word >> shift & (1 << bits) - 1
        if width < 0 and value >> bits - 1:
            value -= 1 << bits
        fields.append(value)
        shift += bits
    return Command(opcode, tuple(fields))


def decode_commands(data: bytes) -> tuple[Command, ...]:
    """Return every command of a group's command bytes.

    Raises:
        MovementError: the length is not a multiple of three.
    """
    if len(data) % COMMAND_BYTES:
        raise MovementError(
            f"animation commands: need a multiple of {COMMAND_BYTES} bytes, found {len(data)}"
        )
    return tuple(decode_command(data[at : at + COMMAND_BYTES]) for at in range(0, len(data), COMMAND_BYTES))


def encode_command(command: Command) -> bytes:
    """Return the three bytes of `command`.

    Raises:
        MovementError: a field is missing, left over, or does not fit its bits.
    """
    opcode, fields = Opcode(command[0]), tuple(command[1])
    check_fields(opcode, fields)
    word, shift = int(opcode), 4
    for width, value in zip(_FIELDS[opcode], fields, strict=True):
        bits = abs(width)
        word |= (value & (1 << bits) - 1) << shift
        shift += bits
    return word.to_bytes(COMMAND_BYTES, "little")


def check_fields(opcode: Opcode, fields: tuple[int, ...]) -> None:
    """Raise MovementError unless `fields` are as many as the opcode has and each fits its bits."""
    widths = _FIELDS[opcode]
    if len(fields) != len(widths):
        raise MovementError(f"{opcode.name}: need {len(widths)} fields, found {len(fields)}")
    for width, value in zip(widths, fields, strict=True):
        low, high = (0, (1 << width) - 1) if width > 0 else (-(1 << -width - 1), (1 << -width - 1) - 1)
        if not isinstance(value, int) or not low <= value <= high:
            raise MovementError(f"{opcode.name}: need a field in {low}..{high}, found {value!r}")


class GroupType(IntEnum):
    """How a group ends. Source: movement facts, Animation groups."""

    INTERRUPTIBLE = 0
    MUST_COMPLETE = 1
    NO_REVERT = 2


@dataclass(frozen=True, slots=True)
class AnimationGroup:
    """One animation group: header fields and commands (`Command`s, or three bytes each).

    Args:
        anim_id: header word; its low byte starts and reloads the countdown.
        type: 0 interruptible, 1 must complete, 2 no revert to the default.
        commands: the command list, decoded or as raw bytes.

    Raises:
        MovementError: an unknown type, a bad field, a jump out of the list, or a list that loops without ever
            showing a frame.
    """

    anim_id: int
    type: GroupType
    commands: tuple[Command, ...]

    def __init__(
        self, anim_id: int, type: int, commands: bytes | Iterable[Command | tuple[int, ...]]
    ) -> None:
        if type not in tuple(GroupType):
            raise MovementError(f"animation group: need type 0, 1 or 2, found {type!r}")
        if not isinstance(anim_id, int):
            raise MovementError(f"animation group: need an integer anim_id, found {anim_id!r}")
        decoded = (
            decode_commands(bytes(commands))
            if isinstance(commands, bytes | bytearray)
            else tuple(_as_command(entry) for entry in commands)
        )
        object.__setattr__(self, "anim_id", anim_id)
        object.__setattr__(self, "type", GroupType(type))
        object.__setattr__(self, "commands", decoded)
        _check_jumps(decoded)
        _check_loops(decoded)

    def command_bytes(self) -> bytes:
        """Return the commands as the file stores them."""
        return b"".join(encode_command(command) for command in self.commands)


def _as_command(entry: Command | tuple[int, ...]) -> Command:
    """Return a Command from one, or from a flat tuple (opcode, field, ...)."""
    command = entry if isinstance(entry, Command) else Command(Opcode(entry[0]), tuple(entry[1:]))
    check_fields(Opcode(command.opcode), command.fields)
    return command


_JUMPS = (Opcode.GO_TO_PREVIOUS, Opcode.GO_TO_FUTURE)


def _check_jumps(commands: tuple[Command, ...]) -> None:
    for index, command in enumerate(commands):
        if command.opcode in _JUMPS and not 0 <= command.fields[0] <= len(commands):
            raise MovementError(
                f"animation command {index}: {command.opcode.name} needs a target in 0..{len(commands)}, "
                f"found {command.fields[0]}"
            )


def _check_loops(commands: tuple[Command, ...]) -> None:
    """Refuse a jump back over control commands alone: the interpreter would never select a frame."""
    for index, command in enumerate(commands):
        if command.opcode == Opcode.GO_TO_PREVIOUS and command.fields[0] <= index:
            between = commands[command.fields[0] : index]
            if not any(c.opcode in (Opcode.SHOW_FRAME, Opcode.END_ANIMATION) for c in between):
                raise MovementError(
                    f"animation command {index}: the loop back to {command.fields[0]} shows no frame"
                )
