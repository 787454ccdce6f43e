"""Walks a bounding-volume tree: the leaves that meet a box, in the tree's own order."""

from physics.kernel.shape cimport node_t
from physics.kernel.simd cimport overlap4

cdef enum:
    STACK = 256         # 4 + 3 a level, 60 levels at most


cdef struct walk_t:
    const node_t *nodes
    float lo[3]
    float hi[3]
    int stack[256]      # children: 4 * node + place
    int depth
    int first           # the leaf found: items first .. first + count - 1
    int count


cdef inline float round_down(double x) noexcept nogil:
    """A float at most x, no more than 2 ulp below."""
    cdef float f = <float> x
    return f - (abs(f) * <float> 1.2e-7 + <float> 1e-37)


cdef inline float round_up(double x) noexcept nogil:
    cdef float f = <float> x
    return f + (abs(f) * <float> 1.2e-7 + <float> 1e-37)


cdef inline void push_node(walk_t *w, int node) noexcept nogil:
    cdef const node_t *n = &w.nodes[node]
    cdef int mask = overlap4(n.lo, n.hi, w.lo, w.hi)
    cdef int i
    for i in range(3, -1, -1):
        if mask & (1 << i):
            w.stack[w.depth] = 4 * node + i
            w.depth += 1


cdef inline void begin_walk(walk_t *w, const node_t *nodes, const double *lo, const double *hi) noexcept nogil:
    cdef int i
    w.nodes = nodes
    for i in range(3):
        w.lo[i] = round_down(lo[i])
        w.hi[i] = round_up(hi[i])
    w.depth = 0
    push_node(w, 0)


cdef inline bint next_leaf(walk_t *w) noexcept nogil:
    """Set first and count to the next leaf; False when there is none."""
    cdef int place
    cdef const node_t *n
    while w.depth > 0:
        w.depth -= 1
        place = w.stack[w.depth]
        n = &w.nodes[place >> 2]
        place &= 3
        if n.count[place] > 0:
            w.first, w.count = n.child[place], n.count[place]
            return True
        if n.child[place] >= 0:
            push_node(w, n.child[place])
    return False
