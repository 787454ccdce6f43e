# cython: boundscheck=False, wraparound=False, cdivision=True
"""Builds bounding-volume trees: binned surface-area splits, four children a node, flat arrays."""

from libc.stdlib cimport free, malloc

import numpy as np

from physics.kernel.shape cimport node_t

cdef enum:
    LEAF = 4        # most items of a leaf
    BINS = 12
    DEEPEST = 24    # below it ranges are halved, so that walks need a short stack: 24 + log2(2^31) levels at most


cdef struct range_t:
    int start
    int count
    float lo[3]
    float hi[3]
    int depth


cdef void measure(range_t *r, const int *order, const float *lo, const float *hi) noexcept nogil:
    """Set the box of a range."""
    cdef int i, k, item
    for k in range(3):
        r.lo[k] = 3e38
        r.hi[k] = -3e38
    for i in range(r.start, r.start + r.count):
        item = order[i]
        for k in range(3):
            r.lo[k] = min(r.lo[k], lo[3 * item + k])
            r.hi[k] = max(r.hi[k], hi[3 * item + k])


cdef inline double area(const float *lo, const float *hi) noexcept nogil:
    cdef double x = <double> hi[0] - lo[0], y = <double> hi[1] - lo[1], z = <double> hi[2] - lo[2]
    return x * y + y * z + z * x


cdef int split(range_t *r, range_t *second, int *order, int *spare, const float *lo, const float *hi) noexcept nogil:
    """Divide a range in two where the boxes' areas times their counts are least; order within a side stays."""
    cdef float c_lo[3]
    cdef float c_hi[3]
    cdef float b_lo[BINS][3]
    cdef float b_hi[BINS][3]
    cdef float left_lo[3]
    cdef float left_hi[3]
    cdef double left_cost[BINS]
    cdef int b_count[BINS]
    cdef int i, k, axis, item, b, n, best_axis = -1, best_bin = 0, left, right
    cdef double scale, cost, best = 1e300
    cdef float c
    for k in range(3):
        c_lo[k] = 3e38
        c_hi[k] = -3e38
    for i in range(r.start, r.start + r.count):
        item = order[i]
        for k in range(3):
            c = lo[3 * item + k] * 0.5 + hi[3 * item + k] * 0.5
            c_lo[k] = min(c_lo[k], c)
            c_hi[k] = max(c_hi[k], c)
    for axis in range(3):
        if not c_hi[axis] > c_lo[axis] or r.depth > DEEPEST:
            continue
        scale = BINS * 0.99999 / (<double> c_hi[axis] - c_lo[axis])
        for b in range(BINS):
            b_count[b] = 0
            for k in range(3):
                b_lo[b][k] = 3e38
                b_hi[b][k] = -3e38
        for i in range(r.start, r.start + r.count):
            item = order[i]
            c = lo[3 * item + axis] * 0.5 + hi[3 * item + axis] * 0.5
            b = <int> ((<double> c - c_lo[axis]) * scale)
            b_count[b] += 1
            for k in range(3):
                b_lo[b][k] = min(b_lo[b][k], lo[3 * item + k])
                b_hi[b][k] = max(b_hi[b][k], hi[3 * item + k])
        n = 0
        for k in range(3):
            left_lo[k] = 3e38
            left_hi[k] = -3e38
        for b in range(BINS - 1):
            n += b_count[b]
            for k in range(3):
                left_lo[k] = min(left_lo[k], b_lo[b][k])
                left_hi[k] = max(left_hi[k], b_hi[b][k])
            left_cost[b] = n * area(left_lo, left_hi) if n > 0 else 1e300
        n = 0
        for k in range(3):
            left_lo[k] = 3e38
            left_hi[k] = -3e38
        for b in range(BINS - 1, 0, -1):
            n += b_count[b]
            if n == 0:
                continue
            for k in range(3):
                left_lo[k] = min(left_lo[k], b_lo[b][k])
                left_hi[k] = max(left_hi[k], b_hi[b][k])
            cost = left_cost[b - 1] + n * area(left_lo, left_hi)
            if cost < best:
                best, best_axis, best_bin = cost, axis, b
    if best_axis < 0:                 # all centres in one point, or too deep: halve
        left = r.count // 2
    else:
        left = right = 0
        scale = BINS * 0.99999 / (<double> c_hi[best_axis] - c_lo[best_axis])
        for i in range(r.start, r.start + r.count):
            item = order[i]
            c = lo[3 * item + best_axis] * 0.5 + hi[3 * item + best_axis] * 0.5
            if <int> ((<double> c - c_lo[best_axis]) * scale) < best_bin:
                order[r.start + left] = item
                left += 1
            else:
                spare[right] = item
                right += 1
        for i in range(right):
            order[r.start + left + i] = spare[i]
    second.start = r.start + left
    second.count = r.count - left
    second.depth = r.depth
    r.count = left
    measure(r, order, lo, hi)
    measure(second, order, lo, hi)
    return 0


cdef int build_nodes(node_t *nodes, int *order, int *spare, const float *lo, const float *hi, int n) noexcept nogil:
    cdef range_t part[4]
    cdef range_t *pending = <range_t *> malloc((n + 4) * sizeof(range_t))
    cdef int *owner = <int *> malloc((n + 4) * sizeof(int))     # where the pending range's node number goes
    cdef int waiting = 1, made = 0, parts, i, k, widest, node
    cdef double size, most
    if pending == NULL or owner == NULL:
        free(pending)
        free(owner)
        return -1
    pending[0].start, pending[0].count, pending[0].depth = 0, n, 0
    measure(&pending[0], order, lo, hi)
    owner[0] = -1
    while waiting > 0:
        waiting -= 1
        node = made
        made += 1
        if owner[waiting] >= 0:
            nodes[owner[waiting] // 4].child[owner[waiting] % 4] = node
        part[0] = pending[waiting]
        parts = 1
        while parts < 4:
            widest, most = -1, -1.0
            for i in range(parts):
                # a single level keeps every leaf in its parent: split until no part is larger than a leaf
                if part[i].count > LEAF or (parts == 1 and part[i].count > 1):
                    size = area(part[i].lo, part[i].hi) * part[i].count
                    if size > most:
                        widest, most = i, size
            if widest < 0:
                break
            split(&part[widest], &part[parts], order, spare, lo, hi)
            parts += 1
        for i in range(4):
            nodes[node].child[i] = -1
            nodes[node].count[i] = 0
            for k in range(3):
                nodes[node].lo[4 * k + i] = 3e38
                nodes[node].hi[4 * k + i] = -3e38
        for i in range(parts):
            for k in range(3):
                nodes[node].lo[4 * k + i] = part[i].lo[k]
                nodes[node].hi[4 * k + i] = part[i].hi[k]
            if part[i].count <= LEAF:
                nodes[node].child[i] = part[i].start
                nodes[node].count[i] = part[i].count
        for i in range(parts - 1, -1, -1):    # the first child is built next: depth first
            if part[i].count > LEAF:
                pending[waiting] = part[i]
                pending[waiting].depth = part[i].depth + 1
                owner[waiting] = 4 * node + i
                waiting += 1
    free(pending)
    free(owner)
    return made


def build(const float[:, ::1] lo, const float[:, ::1] hi):
    """Return (order, nodes): item numbers in leaf order, int32 (n,), and the nodes, int32 (k, 32), a node_t each.

    `lo`, `hi` are the (n, 3) f32 boxes of n > 0 items, rounded outwards. A node comes before its children.
    """
    cdef int n = lo.shape[0]
    cdef int made
    order = np.arange(n, dtype=np.int32)
    spare = np.empty(n, dtype=np.int32)
    nodes = np.empty((n // 2 + 2, 32), dtype=np.int32)
    cdef int[::1] order_view = order, spare_view = spare
    cdef int[:, ::1] nodes_view = nodes
    with nogil:
        made = build_nodes(<node_t *> &nodes_view[0, 0], &order_view[0], &spare_view[0], &lo[0, 0], &hi[0, 0], n)
    if made < 0:
        raise MemoryError
    return order, np.ascontiguousarray(nodes[:made])
