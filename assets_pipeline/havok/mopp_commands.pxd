"""The command table of MOPP code, decoded one command at a time. Shared by the walks and the listing."""

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

cdef int decode(const unsigned char* code, Py_ssize_t length, Py_ssize_t address, command_t* command) noexcept nogil
cdef int advance(walk_t* walk, cursor_t* cursor, command_t* command) noexcept nogil
cdef void begin(walk_t* walk, const unsigned char* code, Py_ssize_t length) noexcept nogil
cdef object fault_error(int fault, walk_t* walk)
