# cython: boundscheck=False, wraparound=False, cdivision=True
"""Writes a tree of boxes as MOPP code. Private: see mopp.py.

The code is written backwards, from the last byte to the first, so that every jump knows how far it goes. On the way
down a branch it is known what the commands before have culled; a bounds command is written where it culls enough
more to pay for its three bytes, and a rescale where the bytes of the frame have become too coarse for what is below.
"""

from libc.stdlib cimport free, realloc

from assets_pipeline.havok.mopp_tree cimport build_tree, free_tree, node_t, tree_t

cdef enum:
    # At this shift a byte is 16 units, which leaves room for the two units of rounding on either side of a box.
    FINEST = 12

# What pays for its bytes, measured on real and generated meshes (docs/packfiles.md): a little more than this makes the
# code longer and hardly answers with fewer keys.
cdef double COARSE_BRANCH = 0.03  # rescale when the bytes' rounding lets in this share more, of the boxes below
cdef double COARSE_LEAF = 0.05
cdef double CULL_BRANCH = 0.75  # bounds are written when they let in less than this share of what came
cdef double CULL_LEAF = 0.98

cdef struct place_t:
    long long origin[3]  # of the frame
    int shift
    long long low[3]  # what the commands so far let through: low <= coordinate < high
    long long high[3]
    unsigned int terminal_offset

cdef struct writer_t:
    unsigned char* bytes  # the code, last byte first
    Py_ssize_t count
    Py_ssize_t room
    Py_ssize_t* jumps  # pairs: where the last byte of an absolute address stands, and the place it names
    Py_ssize_t jump_count
    Py_ssize_t jump_room
    bint failed
    const node_t* nodes


cdef inline void put(writer_t* writer, int byte) noexcept nogil:
    cdef void* grown
    if writer.count == writer.room:
        grown = realloc(writer.bytes, 2 * (writer.room + 1024))
        if grown == NULL:
            writer.failed = True
            writer.count = 0
            return
        writer.bytes = <unsigned char*>grown
        writer.room = 2 * (writer.room + 1024)
    writer.bytes[writer.count] = byte
    writer.count += 1


cdef inline void put_number(writer_t* writer, unsigned int value, int count) noexcept nogil:
    """Write a big-endian number, backwards."""
    cdef int i
    for i in range(count):
        put(writer, (value >> (8 * i)) & 0xFF)


cdef void put_jump(writer_t* writer, Py_ssize_t target) noexcept nogil:
    """Write 0x70 to the place that was written when the code was `target` bytes long."""
    cdef void* grown
    if writer.jump_count == writer.jump_room:
        grown = realloc(writer.jumps, 2 * (writer.jump_room + 16) * 2 * sizeof(Py_ssize_t))
        if grown == NULL:
            writer.failed = True
            return
        writer.jumps = <Py_ssize_t*>grown
        writer.jump_room = 2 * (writer.jump_room + 16)
    writer.jumps[2 * writer.jump_count] = writer.count
    writer.jumps[2 * writer.jump_count + 1] = target
    writer.jump_count += 1
    put_number(writer, 0, 4)
    put(writer, 0x70)


cdef void resolve_jumps(writer_t* writer) noexcept nogil:
    cdef Py_ssize_t i, address
    cdef int k
    for i in range(writer.jump_count):
        address = writer.count - writer.jumps[2 * i + 1]
        for k in range(4):
            writer.bytes[writer.jumps[2 * i] + k] = (address >> (8 * k)) & 0xFF


cdef inline int key_bytes(unsigned int value) noexcept nogil:
    """Return the bytes of a terminal whose key lies `value` above the terminal offset."""
    return 1 if value < 0x20 else 2 if value < 0x100 else 3 if value < 0x10000 else 4 if value < 0x1000000 else 5


cdef void put_terminal(writer_t* writer, unsigned int value) noexcept nogil:
    cdef int count = key_bytes(value) - 1
    if count == 0:
        put(writer, 0x30 + value)
    else:
        put_number(writer, value, count)
        put(writer, 0x4F + count)


cdef int offset_bytes(const node_t* node, const place_t* place) noexcept nogil:
    """Return the size of a command that moves the terminal offset to the least key below, or 0 to leave it."""
    cdef int size, saved
    if node.count == 1:
        return 0
    size = 2 if node.key_min - place.terminal_offset < 0x100 else 3
    if node.key_min - place.terminal_offset > 0xFFFF:
        size = 5
    saved = key_bytes(node.key_max - place.terminal_offset) - key_bytes(node.key_max - node.key_min)
    return size if <long long>saved * node.count > size else 0


cdef void put_offset(writer_t* writer, int size, unsigned int key, unsigned int before) noexcept nogil:
    if size == 5:
        put_number(writer, key, 4)
        put(writer, 0x0B)
    else:
        put_number(writer, key - before, size - 1)
        put(writer, 0x09 if size == 2 else 0x0A)


cdef int choose_rescale(const node_t* node, const place_t* place, int* frame) noexcept nogil:
    """Return by how many bits to rescale before this node, 0 for not, and the frame's bytes."""
    cdef long long unit = 1 << (16 - place.shift), window
    cdef int shift = min(4, FINEST - place.shift), axis
    cdef double loss = 0.0
    for axis in range(3):
        frame[axis] = <int>((node.low[axis] - place.origin[axis]) // unit)
        if node.count > 1:
            loss += unit / node.typical[axis]
        else:
            loss += unit / (node.high[axis] - node.low[axis] + node.typical[axis])
    while shift > 0:
        window = (256 * unit) >> shift
        for axis in range(3):
            if node.high[axis] >= place.origin[axis] + frame[axis] * unit + window:
                break
        else:
            break
        shift -= 1
    if shift <= 0:
        return 0
    loss *= 1.0 - 1.0 / (1 << shift)
    return shift if loss > (COARSE_BRANCH if node.count > 1 else COARSE_LEAF) else 0


cdef inline bint worth_bounds(
    const node_t* node, const place_t* place, int axis, long long low, long long high
) noexcept nogil:
    """Whether bounds low <= coordinate < high cull enough of the queries that still come here."""
    cdef double let_in = place.high[axis] - place.low[axis] + node.typical[axis]
    cdef double left = high - low + node.typical[axis]
    return left < let_in * (CULL_BRANCH if node.count > 1 else CULL_LEAF)


cdef void put_split(
    writer_t* writer, int axis, int left_max, int right_min, Py_ssize_t before_left, Py_ssize_t after_right
) noexcept nogil:
    """Write the split in front of its left branch, which was written since the code was `after_right` long."""
    cdef Py_ssize_t jump = before_left - after_right
    if jump <= 0xFF:
        put(writer, <int>jump)
        if left_max == right_min:
            put(writer, left_max)
            put(writer, 0x20 + axis)
        else:
            put(writer, right_min)
            put(writer, left_max)
            put(writer, 0x10 + axis)
        return
    if jump <= 0xFFFF:
        put_number(writer, <unsigned int>jump, 2)
        put_number(writer, 0, 2)
    else:
        # Too far for 16 bits: the right branch is an absolute jump, which stands before the left one.
        put_jump(writer, after_right)
        put_number(writer, 0, 2)
        put_number(writer, 5, 2)
    put(writer, right_min)
    put(writer, left_max)
    put(writer, 0x23 + axis)


cdef void write_node(writer_t* writer, int index, const place_t* above) noexcept nogil:
    """Write one node and all below it. It calls itself as deep as the tree, which mopp_tree bounds."""
    cdef const node_t* node = &writer.nodes[index]
    cdef const node_t* left
    cdef const node_t* right
    cdef place_t place = above[0]
    cdef place_t side
    cdef long long unit, low, high
    cdef Py_ssize_t after_right
    cdef int frame[3]
    cdef int bounds[3][2]
    cdef int offset, shift, axis, left_max, right_min
    if writer.failed:
        return
    offset = offset_bytes(node, &place)
    if offset:
        place.terminal_offset = node.key_min
    shift = choose_rescale(node, &place, frame)
    if shift:
        for axis in range(3):
            place.origin[axis] += <long long>frame[axis] << (16 - place.shift)
        place.shift += shift
    unit = 1 << (16 - place.shift)
    for axis in range(3):
        bounds[axis][0] = -1
        low = (node.low[axis] - place.origin[axis]) // unit
        high = (node.high[axis] - place.origin[axis]) // unit
        bounds[axis][1] = <int>high
        if worth_bounds(node, &place, axis, place.origin[axis] + low * unit, place.origin[axis] + (high + 1) * unit):
            bounds[axis][0] = <int>low
            place.low[axis] = place.origin[axis] + low * unit
            place.high[axis] = place.origin[axis] + (high + 1) * unit
    if node.count == 1:
        put_terminal(writer, node.key_min - place.terminal_offset)
    else:
        axis = node.axis
        left = &writer.nodes[node.left]
        right = &writer.nodes[node.right]
        left_max = <int>((left.high[axis] - place.origin[axis]) // unit)
        right_min = <int>((right.low[axis] - place.origin[axis]) // unit)
        side = place
        side.low[axis] = max(side.low[axis], place.origin[axis] + right_min * unit)
        write_node(writer, node.right, &side)
        after_right = writer.count
        side = place
        side.high[axis] = min(side.high[axis], place.origin[axis] + (left_max + 1) * unit)
        write_node(writer, node.left, &side)
        put_split(writer, axis, left_max, right_min, writer.count, after_right)
    for axis in range(3):
        if bounds[axis][0] >= 0:
            put(writer, bounds[axis][1])
            put(writer, bounds[axis][0])
            put(writer, 0x26 + axis)
    if shift:
        put(writer, frame[2])
        put(writer, frame[1])
        put(writer, frame[0])
        put(writer, shift)
    if offset:
        put_offset(writer, offset, node.key_min, above.terminal_offset)


def write_code(const int[:, ::1] low, const int[:, ::1] high, const unsigned int[::1] keys):
    """Return the bytes of a code over boxes (n, 3) in whole units, 0 to 2**24 - 1, with a key each; n at least 1."""
    cdef tree_t tree
    cdef writer_t writer
    cdef place_t place
    cdef int axis
    cdef bytearray code
    writer.bytes = NULL
    writer.jumps = NULL
    writer.count = writer.room = writer.jump_count = writer.jump_room = 0
    writer.failed = False
    place.shift = 0
    place.terminal_offset = 0
    for axis in range(3):
        place.origin[axis] = 0
        place.low[axis] = -(1 << 40)
        place.high[axis] = 1 << 40
    try:
        with nogil:
            if build_tree(&low[0, 0], &high[0, 0], &keys[0], low.shape[0], &tree) < 0:
                writer.failed = True
            else:
                writer.nodes = tree.nodes
                write_node(&writer, 0, &place)
                resolve_jumps(&writer)
        if writer.failed:
            raise MemoryError("no memory for a MOPP code")
        code = bytearray(writer.bytes[: writer.count])
        code.reverse()
        return bytes(code)
    finally:
        free(writer.bytes)
        free(writer.jumps)
        free_tree(&tree)
