"""Shows MOPP code as text: one line a command, in the order of the bytes that control can reach.

Source: `havok: MOPP code`; for the readings see mopp_commands.pyx.
"""

from __future__ import annotations

from collections.abc import Iterator

from assets_pipeline.havok.mopp import MoppCode
from assets_pipeline.havok.mopp_commands import decode_command

RETURN, TERMINAL, RESCALE, SPLIT, DIAGONAL, BOUNDS, BOUNDS_24, JUMP, ADD_OFFSET, SET_OFFSET = range(10)
AXES = "xyz"
DIAGONALS = ("y+z", "y-z", "x+z", "x-z", "x+y", "x-y", "x+y+z", "x+y-z", "x-y+z", "x-y-z")


def list_mopp(code: MoppCode) -> list[str]:
    """Return the listing of a code: a line for its frame, one a command, one a stretch that nothing reaches.

    A command shows its address, bytes, depth in the tree (as indent) and meaning. The terminal offset
    depends on the way to a terminal, so the key shown is the one that the first way found gives.

    Raises:
        PackfileError: a command that control reaches is unknown, cut short or outside of the code.
    """
    x, y, z = code.offset
    lines = [f"{len(code.data)} bytes, offset ({x:.9g}, {y:.9g}, {z:.9g}), scale {code.scale:.9g}"]
    end = 0
    for address, depth, size, text in sorted(_reached(code.data)):
        if address > end:
            lines.append(f"{end:06x}  {address - end} bytes not reached")
        raw = code.data[address : address + size].hex()
        lines.append(f"{address:06x}  {raw:<14}  {'  ' * min(depth, 24)}{text}")
        end = max(end, address + size)
    if end < len(code.data):
        lines.append(f"{end:06x}  {len(code.data) - end} bytes not reached")
    return lines


def _reached(data: bytes) -> Iterator[tuple[int, int, int, str]]:
    """Yield (address, depth, size, text) of every command once, whichever way reaches it first."""
    seen: set[int] = set()
    waiting = [(0, 0, 0)]
    while waiting:
        address, depth, terminal_offset = waiting.pop()
        while address not in seen:
            seen.add(address)
            kind, size, after, right, axis, low, high, value, shift, frame = decode_command(data, address)
            text = ""
            if kind == RETURN:
                text = "return"
            elif kind == TERMINAL:
                text = f"key 0x{(terminal_offset + value) & 0xFFFFFFFF:x}"
            elif kind == RESCALE:
                text = f"rescale {shift} bits from ({', '.join(map(str, frame))})"
            elif kind in (SPLIT, DIAGONAL):
                plane = AXES[axis] if kind == SPLIT else DIAGONALS[axis]
                text = f"split {plane}: <= {high} to {after:06x}, >= {low} to {right:06x}"
            elif kind in (BOUNDS, BOUNDS_24):
                text = f"bounds {AXES[axis]}: {low} to {high}" + (" (24 bits)" if kind == BOUNDS_24 else "")
            elif kind == JUMP:
                text = f"jump to {after:06x}"
            elif kind == ADD_OFFSET:
                terminal_offset = (terminal_offset + value) & 0xFFFFFFFF
                text = f"terminal offset + {value} = 0x{terminal_offset:x}"
            else:
                terminal_offset = value
                text = f"terminal offset = 0x{value:x}"
            yield address, depth, size, text
            if kind in (RETURN, TERMINAL):
                break
            if kind in (SPLIT, DIAGONAL):
                depth += 1
                waiting.append((right, depth, terminal_offset))
            address = after
