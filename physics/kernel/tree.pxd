"""Dynamic tree of fat boxes: the broad phase. Flat records, so that a snapshot is a copy."""

from libc.stdint cimport int32_t

cdef struct branch_t:           # a node: an inner one has two children, a leaf an item
    float lo[3]
    float hi[3]
    int32_t parent              # -1 at the root; in a free node the next free one
    int32_t left                # -1 in a leaf
    int32_t right               # a leaf: the item
    int32_t height              # 0 in a leaf, -1 in a free node


cdef struct tree_t:
    branch_t *nodes
    int32_t capacity
    int32_t count               # nodes in use or free
    int32_t root                # -1: empty
    int32_t free_node
    int32_t leaves
    int32_t spare


cdef struct tree_walk_t:
    const branch_t *nodes
    float lo[3]
    float hi[3]
    int stack[96]               # balanced: the height of 2^31 leaves is below 46
    int depth


cdef void tree_begin(tree_t *t) noexcept nogil
cdef void tree_free(tree_t *t) noexcept nogil
# A new leaf with this box; its node number, or -1 when memory is out.
cdef int tree_insert(tree_t *t, const float *lo, const float *hi, int item) noexcept nogil
cdef void tree_remove(tree_t *t, int leaf) noexcept nogil
# Fits all inner boxes to the leaves, whose boxes have changed, without moving any leaf in the tree.
cdef void tree_refit(tree_t *t) noexcept nogil
cdef bint tree_reinsert(tree_t *t, int leaf, const float *lo, const float *hi) noexcept nogil


cdef inline bint apart(const branch_t *n, const float *lo, const float *hi) noexcept nogil:
    return (
        n.lo[0] > hi[0] or n.hi[0] < lo[0] or n.lo[1] > hi[1] or n.hi[1] < lo[1] or n.lo[2] > hi[2] or n.hi[2] < lo[2]
    )


cdef inline void begin_tree_walk(tree_walk_t *w, const tree_t *t, const float *lo, const float *hi) noexcept nogil:
    cdef int i
    w.nodes = t.nodes
    for i in range(3):
        w.lo[i] = lo[i]
        w.hi[i] = hi[i]
    w.depth = 0
    if t.root >= 0:
        w.stack[0] = t.root
        w.depth = 1


cdef inline int next_item(tree_walk_t *w) noexcept nogil:
    """The next item whose box meets the walk's box; -1 at the end."""
    cdef const branch_t *n
    while w.depth > 0:
        w.depth -= 1
        n = &w.nodes[w.stack[w.depth]]
        if apart(n, w.lo, w.hi):
            continue
        if n.left < 0:
            return n.right
        w.stack[w.depth] = n.right
        w.stack[w.depth + 1] = n.left
        w.depth += 2
    return -1
