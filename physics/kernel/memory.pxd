"""Growing arrays of plain records; fresh room is zeroed, so that equal states are equal bytes."""

from libc.stdint cimport int32_t
from libc.stdlib cimport realloc
from libc.string cimport memset


cdef inline bint resize(void** data, int32_t capacity, int32_t wanted, size_t item) noexcept nogil:
    """Grow an array from `capacity` to `wanted` items; False when memory is out."""
    cdef void* grown = realloc(data[0], wanted * item)
    if grown == NULL:
        return False
    memset(<char*>grown + capacity * item, 0, (wanted - capacity) * item)
    data[0] = grown
    return True


cdef inline bint reserve(void** data, int32_t* capacity, int32_t count, size_t item) noexcept nogil:
    """Make room for `count` items; False when memory is out."""
    cdef int32_t wanted
    if count <= capacity[0]:
        return True
    wanted = 2 * capacity[0] if capacity[0] >= 8 else 8
    if wanted < count:
        wanted = count
    if not resize(data, capacity[0], wanted, item):
        return False
    capacity[0] = wanted
    return True


cdef inline int append(void** data, int32_t* count, int32_t* capacity, size_t item) noexcept nogil:
    """Index of a fresh item behind the last one; -1 when memory is out."""
    if not reserve(data, capacity, count[0] + 1, item):
        return -1
    count[0] += 1
    return count[0] - 1
