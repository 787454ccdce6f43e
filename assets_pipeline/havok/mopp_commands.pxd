"""The command table of MOPP code, decoded one command at a time, and the step from one question to the next.

Inline, as a walk runs little else. Shared by the walks and the listing; the readings are in mopp_commands.pyx.
"""

# What a command asks of whoever runs it. Negative values are faults; `fault_text` in the .pyx names them.
cdef enum:
    RETURN = 0
    TERMINAL = 1
    RESCALE = 2
    SPLIT = 3
    DIAGONAL = 4
    BOUNDS = 5
    BOUNDS_24 = 6
    JUMP = 7
    ADD_OFFSET = 8
    SET_OFFSET = 9

    UNKNOWN_COMMAND = -1
    CUT_SHORT = -2
    RAN_OFF = -3
    CYCLE = -4
    TOO_MUCH_WORK = -5
    TOO_FINE = -6
    NO_MEMORY = -7

cdef enum:
    # A walk of a tree executes each command once, and real codes are trees. Branches that share commands are
    # allowed up to this many commands a byte of code, so that one whose branches double at each step ends in an
    # error, not in hours.
    WORK_PER_BYTE = 8
    CHUNK_SIZE = 512
    # A path that shifts further than this names places smaller than any number can hold.
    FINEST_SHIFT = 256

cdef struct command_t:
    int kind
    int opcode
    int axis  # 0 to 2; of a diagonal 0 to 9, a row of DIAGONALS
    int shift  # of a rescale: 1 to 4
    long long low  # of bounds: the minimum; of a split: right_min
    long long high  # of bounds: the maximum; of a split: left_max
    unsigned int value  # of terminals and terminal offsets
    unsigned char frame[3]
    Py_ssize_t size  # bytes, arguments included
    Py_ssize_t next  # where control goes; of a split: the left branch
    Py_ssize_t right

cdef struct cursor_t:
    Py_ssize_t address
    Py_ssize_t path  # commands since the start, on this path
    Py_ssize_t shift  # bits rescaled so far, on this path
    unsigned int terminal_offset

cdef struct walk_t:
    const unsigned char* code
    Py_ssize_t length
    Py_ssize_t work_left
    Py_ssize_t fault_address

# The axes that a diagonal split adds and takes away, by opcode - 0x13. See the reading in mopp_commands.pyx.
cdef int DIAGONALS[10][3]

cdef object fault_error(int fault, walk_t* walk)


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


cdef inline int decode(
    const unsigned char* code, Py_ssize_t length, Py_ssize_t address, command_t* command
) noexcept nogil:
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


cdef inline void begin(walk_t* walk, const unsigned char* code, Py_ssize_t length) noexcept nogil:
    walk.code = code
    walk.length = length
    walk.work_left = WORK_PER_BYTE * length
    walk.fault_address = 0


cdef inline int advance(walk_t* walk, cursor_t* cursor, command_t* command) noexcept nogil:
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
