# cython: boundscheck=False, wraparound=False, cdivision=True
"""The command table of MOPP code: decodes a command, and steps a cursor to the next one that asks the query something.

Source: `havok: MOPP code`. Readings, for the commands that no code of the text's game executes:
0x00 ends its branch without a key; 0x07 and 0x08 jump like 0x05 and 0x06 with 24 and 32 bits; 0x0C takes a 16-bit
chunk number and goes to 512 times that address; 0x29 to 0x2B compare the whole coordinate in the current frame
with a 24-bit minimum and maximum.
"""

from assets_pipeline.errors import PackfileError

# A walk of a tree executes each command once, and real codes are trees. Branches that share commands are allowed up
# to this many commands a byte of code, so that one whose branches double at each step ends in an error, not in hours.
cdef Py_ssize_t WORK_PER_BYTE = 8
cdef Py_ssize_t CHUNK_SIZE = 512
# A path that shifts further than this names places smaller than any number can hold.
cdef Py_ssize_t FINEST_SHIFT = 256

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


cdef inline int argument_bytes(int opcode) noexcept nogil:
    """Return how many argument bytes a command has, or -1 for a byte that is no command."""
    if opcode >= 0x30:
        if opcode <= 0x4F:
            return 0
        if opcode <= 0x53:
            return opcode - 0x4F
        return 4 if opcode == 0x70 else -1
    if opcode >= 0x10:
        if opcode <= 0x1C:
            return 3
        if opcode < 0x20:
            return -1
        if opcode <= 0x22:
            return 2
        if opcode <= 0x25:
            return 6
        if opcode <= 0x28:
            return 2
        return 6 if opcode <= 0x2B else -1
    if opcode == 0x00:
        return 0
    if opcode <= 0x04:
        return 3
    if opcode <= 0x08:
        return opcode - 0x04
    if opcode == 0x09:
        return 1
    if opcode == 0x0A or opcode == 0x0C:
        return 2
    return 4 if opcode == 0x0B else -1


cdef inline unsigned int big_endian(const unsigned char* bytes_, int count) noexcept nogil:
    cdef unsigned int value = 0
    cdef int i
    for i in range(count):
        value = (value << 8) | bytes_[i]
    return value


cdef int decode(const unsigned char* code, Py_ssize_t length, Py_ssize_t address, command_t* command) noexcept nogil:
    """Fill `command` from the bytes at `address`; return its kind, or a fault (negative)."""
    cdef int opcode, count
    cdef const unsigned char* argument
    if address < 0 or address >= length:
        return RAN_OFF
    opcode = code[address]
    count = argument_bytes(opcode)
    if count < 0:
        return UNKNOWN_COMMAND
    if length - address - 1 < count:
        return CUT_SHORT
    argument = code + address + 1
    command.opcode = opcode
    command.size = 1 + count
    command.next = address + 1 + count
    command.right = -1
    if opcode >= 0x30 and opcode <= 0x53:
        command.kind = TERMINAL
        command.value = opcode - 0x30 if opcode < 0x50 else big_endian(argument, count)
    elif opcode >= 0x26 and opcode <= 0x28:
        command.kind = BOUNDS
        command.axis = opcode - 0x26
        command.low = argument[0]
        command.high = argument[1]
    elif opcode >= 0x29 and opcode <= 0x2B:
        command.kind = BOUNDS_24
        command.axis = opcode - 0x29
        command.low = big_endian(argument, 3)
        command.high = big_endian(argument + 3, 3)
    elif opcode >= 0x23 and opcode <= 0x25:
        command.kind = SPLIT
        command.axis = opcode - 0x23
        command.high = argument[0]
        command.low = argument[1]
        command.right = command.next + big_endian(argument + 4, 2)
        command.next += big_endian(argument + 2, 2)
    elif opcode >= 0x20 and opcode <= 0x22:
        command.kind = SPLIT
        command.axis = opcode - 0x20
        command.high = argument[0]
        command.low = argument[0]
        command.right = command.next + argument[1]
    elif opcode >= 0x10 and opcode <= 0x1C:
        command.kind = SPLIT if opcode <= 0x12 else DIAGONAL
        command.axis = opcode - 0x10 if opcode <= 0x12 else opcode - 0x13
        command.high = argument[0]
        command.low = argument[1]
        command.right = command.next + argument[2]
    elif opcode == 0x00:
        command.kind = RETURN
    elif opcode <= 0x04:
        command.kind = RESCALE
        command.shift = opcode
        command.frame[0] = argument[0]
        command.frame[1] = argument[1]
        command.frame[2] = argument[2]
    elif opcode <= 0x08:
        command.kind = JUMP
        command.next += big_endian(argument, count)
    elif opcode == 0x0C:
        command.kind = JUMP
        command.next = CHUNK_SIZE * big_endian(argument, 2)
    elif opcode == 0x70:
        command.kind = JUMP
        command.next = big_endian(argument, 4)
    else:
        command.kind = SET_OFFSET if opcode == 0x0B else ADD_OFFSET
        command.value = big_endian(argument, count)
    return command.kind


cdef void begin(walk_t* walk, const unsigned char* code, Py_ssize_t length) noexcept nogil:
    walk.code = code
    walk.length = length
    walk.work_left = WORK_PER_BYTE * length
    walk.fault_address = 0


cdef int advance(walk_t* walk, cursor_t* cursor, command_t* command) noexcept nogil:
    """Run commands until one asks the query something or ends the branch; return its kind, or a fault.

    The cursor then stands behind it (at the left branch of a split). A path longer than the code has met one of its
    commands twice, and what a command does never depends on the way to it: such a path has no end.
    """
    cdef int kind
    while True:
        kind = decode(walk.code, walk.length, cursor.address, command)
        walk.work_left -= 1
        cursor.path += 1
        if kind < 0 or cursor.path > walk.length or walk.work_left < 0:
            walk.fault_address = cursor.address
            return kind if kind < 0 else CYCLE if cursor.path > walk.length else TOO_MUCH_WORK
        if kind == RESCALE:
            cursor.shift += command.shift
            if cursor.shift > FINEST_SHIFT:
                walk.fault_address = cursor.address
                return TOO_FINE
        cursor.address = command.next
        if kind == ADD_OFFSET:
            cursor.terminal_offset += command.value
        elif kind == SET_OFFSET:
            cursor.terminal_offset = command.value
        elif kind != JUMP:
            return kind


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
