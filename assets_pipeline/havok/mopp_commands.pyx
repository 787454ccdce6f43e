# cython: boundscheck=False, wraparound=False, cdivision=True
"""The command table of MOPP code: decodes a command, and steps a cursor to the next one that asks the query something.

Source: `havok: MOPP code`. Readings, for the commands that no code of the text's game executes:
0x00 ends its branch without a key; 0x07 and 0x08 jump like 0x05 and 0x06 with 24 and 32 bits; 0x0C takes a 16-bit
chunk number and goes to 512 times that address; 0x29 to 0x2B compare the whole coordinate in the current frame
with a 24-bit minimum and maximum.
"""

from assets_pipeline.errors import PackfileError

# Reading, proven on the real code of the tests: 0x13 y+z, 0x14 y-z, 0x15 x+z, 0x16 x-z, 0x17 x+y, 0x18 x-y,
# 0x19 x+y+z, 0x1A x+y-z, 0x1B x-y+z, 0x1C x-y-z; each the mean of its two or three coordinates, with 255 - byte
# for a coordinate that is taken away.
DIAGONALS[0][:] = [0, 1, 1]
DIAGONALS[1][:] = [0, 1, -1]
DIAGONALS[2][:] = [1, 0, 1]
DIAGONALS[3][:] = [1, 0, -1]
DIAGONALS[4][:] = [1, 1, 0]
DIAGONALS[5][:] = [1, -1, 0]
DIAGONALS[6][:] = [1, 1, 1]
DIAGONALS[7][:] = [1, 1, -1]
DIAGONALS[8][:] = [1, -1, 1]
DIAGONALS[9][:] = [1, -1, -1]


cdef object fault_error(int fault, walk_t* walk):
    """Return the exception that says what is wrong with the code."""
    cdef Py_ssize_t address = walk.fault_address
    if fault == NO_MEMORY:
        return MemoryError("no memory for the walk of a MOPP code")
    if fault == UNKNOWN_COMMAND:
        reason = f"0x{walk.code[address]:02x} is no command"
    elif fault == CUT_SHORT:
        reason = (
            f"command 0x{walk.code[address]:02x} needs {argument_bytes(walk.code[address])} argument bytes, "
            f"{walk.length - address - 1} left"
        )
    elif fault == RAN_OFF:
        reason = f"control leaves the code, which is {walk.length} bytes, without a terminal"
    elif fault == CYCLE:
        reason = f"a path of more commands than the code has bytes ({walk.length}): it runs in a circle"
    elif fault == TOO_MUCH_WORK:
        reason = f"more than {WORK_PER_BYTE} commands a byte of code: its branches run into each other"
    else:
        reason = f"rescaled by more than {FINEST_SHIFT} bits"
    return PackfileError(address, "MOPP code", reason)


def decode_command(const unsigned char[::1] code, Py_ssize_t address):
    """Return (kind, size, next, right, axis, low, high, value, shift, frame) of the command at `address`.

    Raises:
        PackfileError: no command starts there, or its arguments are cut short.
    """
    cdef command_t command
    cdef walk_t walk
    cdef int kind
    begin(&walk, &code[0] if code.shape[0] else NULL, code.shape[0])
    walk.fault_address = address
    command.axis = command.shift = 0
    command.low = command.high = command.value = 0
    kind = decode(walk.code, walk.length, address, &command)
    if kind < 0:
        raise fault_error(kind, &walk)
    frame = (command.frame[0], command.frame[1], command.frame[2]) if kind == RESCALE else ()
    return (
        kind, command.size, command.next, command.right, command.axis, command.low, command.high, command.value,
        command.shift, frame,
    )  # fmt: skip
