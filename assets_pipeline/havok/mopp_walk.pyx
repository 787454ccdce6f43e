# cython: boundscheck=False, wraparound=False, cdivision=True
"""The walks of MOPP code: every key, and the keys that a box, a sphere or a ray can touch. Private: see mopp.py.

Each walk keeps the branches still to do on a stack of its own, so a deep code costs memory in proportion to its
length and never the machine's stack. Coordinates are the code's: 2**24 to the frame, before any rescale.
"""

import numpy as np

from libc.math cimport sqrt
from libc.stdlib cimport free, realloc

from assets_pipeline.havok.mopp_commands cimport (
    BOUNDS, BOUNDS_24, DIAGONAL, DIAGONALS, NO_MEMORY, RESCALE, SPLIT, TERMINAL,
    advance, begin, command_t, cursor_t, fault_error, walk_t,
)  # fmt: skip

# Far beyond the frame: a coordinate held back here stays outside of it through any further rescale.
cdef long long FAR = 1 << 40
# A sphere and a ray are widened by this, in the code's units: more than the floor of a coordinate can take away.
cdef double WIDEN = 2.0
# Where diagonals are pruned, one byte to spare on either side, should a builder round its sums another way than the
# one whose code showed the planes (it stores the byte above a maximum and the byte below a minimum).
cdef long long SPARE = 65536

ctypedef struct keys_t:
    long long* at
    Py_ssize_t count
    Py_ssize_t room

ctypedef struct box_state_t:
    cursor_t cursor
    long long low[3]
    long long high[3]

ctypedef struct sphere_state_t:
    cursor_t cursor
    double centre[3]
    double radius
    double low[3]  # what is left of space on this path
    double high[3]

ctypedef struct ray_state_t:
    cursor_t cursor
    double start[3]
    double motion[3]
    double widen
    double first  # what is left of the ray, 0 to 1
    double last

ctypedef struct stack_t:
    char* at
    Py_ssize_t item
    Py_ssize_t count
    Py_ssize_t room


cdef int push_key(keys_t* keys, long long key) noexcept nogil:
    cdef void* grown
    if keys.count == keys.room:
        grown = realloc(keys.at, 2 * (keys.room + 32) * sizeof(long long))
        if grown == NULL:
            return NO_MEMORY
        keys.at = <long long*>grown
        keys.room = 2 * (keys.room + 32)
    keys.at[keys.count] = key
    keys.count += 1
    return 0


cdef void* push(stack_t* stack) noexcept nogil:
    """Return room for one more state, or NULL. It moves what was pushed before."""
    cdef void* grown
    if stack.count == stack.room:
        grown = realloc(stack.at, 2 * (stack.room + 32) * stack.item)
        if grown == NULL:
            return NULL
        stack.at = <char*>grown
        stack.room = 2 * (stack.room + 32)
    stack.count += 1
    return stack.at + (stack.count - 1) * stack.item


cdef inline long long hold(long long value) noexcept nogil:
    return FAR if value > FAR else -FAR if value < -FAR else value


# ---------------------------------------------------------------- all keys


cdef int walk_all(walk_t* walk, keys_t* keys, stack_t* stack) noexcept nogil:
    cdef cursor_t cursor
    cdef command_t command
    cdef void* room
    cdef int kind
    cursor.address = cursor.path = cursor.shift = 0
    cursor.terminal_offset = 0
    while True:
        kind = advance(walk, &cursor, &command)
        if kind < 0:
            return kind
        if kind == SPLIT or kind == DIAGONAL:
            room = push(stack)
            if room == NULL:
                return NO_MEMORY
            (<cursor_t*>room)[0] = cursor
            (<cursor_t*>room).address = command.right
        elif kind == TERMINAL or kind == 0:
            if kind == TERMINAL and push_key(keys, <unsigned int>(cursor.terminal_offset + command.value)) < 0:
                return NO_MEMORY
            if stack.count == 0:
                return 0
            stack.count -= 1
            cursor = (<cursor_t*>(stack.at + stack.count * stack.item))[0]


# ---------------------------------------------------------------- box


cdef inline void diagonal_sides(box_state_t* box, command_t* command, bint* left, bint* right) noexcept nogil:
    """Where a box lies to a diagonal: twice or three times the mean, so that it stays whole numbers."""
    cdef long long low = 0, high = 0, parts = 0
    cdef int axis
    for axis in range(3):
        if DIAGONALS[command.axis][axis] > 0:
            low += box.low[axis]
            high += box.high[axis] + 1
            parts += 1
        elif DIAGONALS[command.axis][axis] < 0:
            low += 255 * 65536 - box.high[axis] - 1
            high += 255 * 65536 - box.low[axis]
            parts += 1
    left[0] = low <= parts * (command.high * 65536 + SPARE)
    right[0] = high >= parts * (command.low * 65536 - SPARE)


cdef int walk_box(walk_t* walk, keys_t* keys, stack_t* stack, box_state_t* state, bint prune) noexcept nogil:
    cdef command_t command
    cdef box_state_t* later
    cdef bint left, right
    cdef int kind, axis
    while True:
        kind = advance(walk, &state.cursor, &command)
        if kind < 0:
            return kind
        if kind == BOUNDS:
            if (state.low[command.axis] >> 16) <= command.high and (state.high[command.axis] >> 16) >= command.low:
                continue
        elif kind == SPLIT or kind == DIAGONAL:
            if kind == SPLIT:
                left = (state.low[command.axis] >> 16) <= command.high
                right = (state.high[command.axis] >> 16) >= command.low
            elif prune:
                diagonal_sides(state, &command, &left, &right)
            else:
                left = right = True
            if left and right:
                later = <box_state_t*>push(stack)
                if later == NULL:
                    return NO_MEMORY
                later[0] = state[0]
                later.cursor.address = command.right
            if left:
                continue
            if right:
                state.cursor.address = command.right
                continue
        elif kind == RESCALE:
            for axis in range(3):
                state.low[axis] = hold((state.low[axis] - (command.frame[axis] << 16)) * (1 << command.shift))
                state.high[axis] = hold((state.high[axis] - (command.frame[axis] << 16)) * (1 << command.shift))
            continue
        elif kind == BOUNDS_24:
            if state.low[command.axis] <= command.high and state.high[command.axis] >= command.low:
                continue
        elif kind == TERMINAL:
            if push_key(keys, <unsigned int>(state.cursor.terminal_offset + command.value)) < 0:
                return NO_MEMORY
        if stack.count == 0:
            return 0
        stack.count -= 1
        state[0] = (<box_state_t*>(stack.at + stack.count * stack.item))[0]


# ---------------------------------------------------------------- sphere


cdef inline bint sphere_reaches(sphere_state_t* state) noexcept nogil:
    """Whether the sphere touches what is left of space: a box, which may be open."""
    cdef double distance, total = 0.0
    cdef int axis
    for axis in range(3):
        distance = 0.0
        if state.centre[axis] < state.low[axis]:
            distance = state.low[axis] - state.centre[axis]
        elif state.centre[axis] > state.high[axis]:
            distance = state.centre[axis] - state.high[axis]
        total += distance * distance
    return total <= state.radius * state.radius


cdef inline bint sphere_within(sphere_state_t* state, int axis, double low, double high) noexcept nogil:
    """Cut the space down to low..high on an axis; return whether the sphere still touches it."""
    if low > state.low[axis]:
        state.low[axis] = low
    if high < state.high[axis]:
        state.high[axis] = high
    return sphere_reaches(state)


cdef inline void sphere_diagonal(
    sphere_state_t* state, command_t* command, bint* left, bint* right
) noexcept nogil:
    cdef double centre = 0.0, parts = 0.0, reach
    cdef int axis
    for axis in range(3):
        if DIAGONALS[command.axis][axis] > 0:
            centre += state.centre[axis]
            parts += 1.0
        elif DIAGONALS[command.axis][axis] < 0:
            centre += 255.0 * 65536.0 - state.centre[axis]
            parts += 1.0
    reach = state.radius * sqrt(parts)
    left[0] = centre - reach <= parts * (command.high * 65536.0 + SPARE)
    right[0] = centre + reach >= parts * (command.low * 65536.0 - SPARE)


cdef int walk_sphere(walk_t* walk, keys_t* keys, stack_t* stack, sphere_state_t* state, bint prune) noexcept nogil:
    cdef command_t command
    cdef sphere_state_t other
    cdef sphere_state_t* later
    cdef bint left, right
    cdef double scale
    cdef int kind, axis
    while True:
        kind = advance(walk, &state.cursor, &command)
        if kind < 0:
            return kind
        if kind == BOUNDS:
            if sphere_within(state, command.axis, command.low * 65536.0, (command.high + 1) * 65536.0):
                continue
        elif kind == SPLIT or kind == DIAGONAL:
            other = state[0]
            other.cursor.address = command.right
            if kind == SPLIT:
                right = sphere_within(&other, command.axis, command.low * 65536.0, other.high[command.axis])
                left = sphere_within(state, command.axis, state.low[command.axis], (command.high + 1) * 65536.0)
            elif prune:
                sphere_diagonal(state, &command, &left, &right)
            else:
                left = right = True
            if left and right:
                later = <sphere_state_t*>push(stack)
                if later == NULL:
                    return NO_MEMORY
                later[0] = other
            if left:
                continue
            if right:
                state[0] = other
                continue
        elif kind == RESCALE:
            scale = 1 << command.shift
            state.radius *= scale
            for axis in range(3):
                state.centre[axis] = (state.centre[axis] - command.frame[axis] * 65536.0) * scale
                state.low[axis] = (state.low[axis] - command.frame[axis] * 65536.0) * scale
                state.high[axis] = (state.high[axis] - command.frame[axis] * 65536.0) * scale
            continue
        elif kind == BOUNDS_24:
            if sphere_within(state, command.axis, command.low, command.high + 1.0):
                continue
        elif kind == TERMINAL:
            if push_key(keys, <unsigned int>(state.cursor.terminal_offset + command.value)) < 0:
                return NO_MEMORY
        if stack.count == 0:
            return 0
        stack.count -= 1
        state[0] = (<sphere_state_t*>(stack.at + stack.count * stack.item))[0]


# ---------------------------------------------------------------- ray


cdef inline bint ray_clip(ray_state_t* state, double start, double motion, double low, double high) noexcept nogil:
    """Cut the ray down to where low <= start + t * motion <= high; return whether anything is left."""
    cdef double near, far, swap
    if motion == 0.0:
        return low <= start <= high
    near = (low - start) / motion
    far = (high - start) / motion
    if near > far:
        swap = near
        near = far
        far = swap
    if near > state.first:
        state.first = near
    if far < state.last:
        state.last = far
    return state.first <= state.last


cdef inline bint ray_within(ray_state_t* state, int axis, double low, double high) noexcept nogil:
    return ray_clip(state, state.start[axis], state.motion[axis], low - state.widen, high + state.widen)


cdef inline void ray_diagonal(
    ray_state_t* state, ray_state_t* other, command_t* command, bint* left, bint* right
) noexcept nogil:
    cdef double start = 0.0, motion = 0.0, parts = 0.0, widen, infinity = 1e300
    cdef int axis, sign
    for axis in range(3):
        sign = DIAGONALS[command.axis][axis]
        if sign != 0:
            parts += 1.0
            start += state.start[axis] if sign > 0 else 255.0 * 65536.0 - state.start[axis]
            motion += sign * state.motion[axis]
    widen = parts * (state.widen + SPARE)
    right[0] = ray_clip(other, start, motion, parts * command.low * 65536.0 - widen, infinity)
    left[0] = ray_clip(state, start, motion, -infinity, parts * command.high * 65536.0 + widen)


cdef int walk_ray(walk_t* walk, keys_t* keys, stack_t* stack, ray_state_t* state, bint prune) noexcept nogil:
    cdef command_t command
    cdef ray_state_t other
    cdef ray_state_t* later
    cdef bint left, right
    cdef double scale, infinity = 1e300
    cdef int kind, axis
    while True:
        kind = advance(walk, &state.cursor, &command)
        if kind < 0:
            return kind
        if kind == BOUNDS:
            if ray_within(state, command.axis, command.low * 65536.0, (command.high + 1) * 65536.0):
                continue
        elif kind == SPLIT or kind == DIAGONAL:
            other = state[0]
            other.cursor.address = command.right
            if kind == SPLIT:
                right = ray_within(&other, command.axis, command.low * 65536.0, infinity)
                left = ray_within(state, command.axis, -infinity, (command.high + 1) * 65536.0)
            elif prune:
                ray_diagonal(state, &other, &command, &left, &right)
            else:
                left = right = True
            if left and right:
                later = <ray_state_t*>push(stack)
                if later == NULL:
                    return NO_MEMORY
                later[0] = other
            if left:
                continue
            if right:
                state[0] = other
                continue
        elif kind == RESCALE:
            scale = 1 << command.shift
            state.widen *= scale
            for axis in range(3):
                state.start[axis] = (state.start[axis] - command.frame[axis] * 65536.0) * scale
                state.motion[axis] *= scale
            continue
        elif kind == BOUNDS_24:
            if ray_within(state, command.axis, command.low, command.high + 1.0):
                continue
        elif kind == TERMINAL:
            if push_key(keys, <unsigned int>(state.cursor.terminal_offset + command.value)) < 0:
                return NO_MEMORY
        if stack.count == 0:
            return 0
        stack.count -= 1
        state[0] = (<ray_state_t*>(stack.at + stack.count * stack.item))[0]


# ---------------------------------------------------------------- called by mopp.py


cdef class Keys:
    """The growing list of a walk's keys and its stack; freed with the object, whatever happens."""

    cdef keys_t keys
    cdef stack_t stack
    cdef walk_t walk

    def __cinit__(self):
        self.keys.at = NULL
        self.keys.count = self.keys.room = 0
        self.stack.at = NULL
        self.stack.count = self.stack.room = 0

    def __dealloc__(self):
        free(self.keys.at)
        free(self.stack.at)

    cdef void start(self, const unsigned char[::1] code, Py_ssize_t item) noexcept:
        begin(&self.walk, &code[0] if code.shape[0] else NULL, code.shape[0])
        self.stack.item = item

    cdef object array(self, int fault):
        cdef Py_ssize_t i
        cdef long long[::1] view
        if fault < 0:
            raise fault_error(fault, &self.walk)
        result = np.empty(self.keys.count, dtype=np.int64)
        view = result
        for i in range(self.keys.count):
            view[i] = self.keys.at[i]
        return result


def all_keys(const unsigned char[::1] code):
    """Return every terminal's key, in walk order: the left branch first."""
    cdef Keys found = Keys()
    cdef int fault
    found.start(code, sizeof(cursor_t))
    with nogil:
        fault = walk_all(&found.walk, &found.keys, &found.stack)
    return found.array(fault)


cdef inline void reset(cursor_t* cursor) noexcept nogil:
    cursor.address = cursor.path = cursor.shift = 0
    cursor.terminal_offset = 0


def box_keys(const unsigned char[::1] code, const long long[:, ::1] low, const long long[:, ::1] high, bint prune):
    """Return (keys, ends) of a number of boxes in whole units: box i has keys[ends[i - 1]:ends[i]]."""
    cdef Keys found = Keys()
    cdef box_state_t state
    cdef Py_ssize_t i
    cdef int fault = 0, axis
    ends = np.empty(low.shape[0], dtype=np.int64)
    cdef long long[::1] end = ends
    found.start(code, sizeof(box_state_t))
    with nogil:
        for i in range(low.shape[0]):
            begin(&found.walk, found.walk.code, found.walk.length)  # the limits are those of one query
            found.stack.count = 0
            reset(&state.cursor)
            for axis in range(3):
                state.low[axis] = hold(low[i, axis])
                state.high[axis] = hold(high[i, axis])
            fault = walk_box(&found.walk, &found.keys, &found.stack, &state, prune)
            if fault < 0:
                break
            end[i] = found.keys.count
    return found.array(fault), ends


def sphere_keys(const unsigned char[::1] code, double x, double y, double z, double radius, bint prune):
    """Return the keys whose bounds a sphere touches; all in the code's units."""
    cdef Keys found = Keys()
    cdef sphere_state_t state
    cdef int fault, axis
    found.start(code, sizeof(sphere_state_t))
    reset(&state.cursor)
    state.centre[0], state.centre[1], state.centre[2] = x, y, z
    state.radius = radius + WIDEN
    for axis in range(3):
        state.low[axis] = -1e300
        state.high[axis] = 1e300
    with nogil:
        fault = walk_sphere(&found.walk, &found.keys, &found.stack, &state, prune)
    return found.array(fault)


def ray_keys(const unsigned char[::1] code, const double[::1] start, const double[::1] motion, bint prune):
    """Return the keys whose bounds the line from start to start + motion touches; all in the code's units."""
    cdef Keys found = Keys()
    cdef ray_state_t state
    cdef int fault, axis
    found.start(code, sizeof(ray_state_t))
    reset(&state.cursor)
    for axis in range(3):
        state.start[axis] = start[axis]
        state.motion[axis] = motion[axis]
    state.widen = WIDEN
    state.first = 0.0
    state.last = 1.0
    with nogil:
        fault = walk_ray(&found.walk, &found.keys, &found.stack, &state, prune)
    return found.array(fault)
