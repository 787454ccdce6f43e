# cython: boundscheck=False, wraparound=False, cdivision=True
"""Dynamic tree of fat boxes: leaves go where they cost the least surface, rotations keep it balanced."""

from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from physics.kernel.memory cimport append


cdef void tree_begin(tree_t *t) noexcept nogil:
    memset(t, 0, sizeof(tree_t))
    t.root = t.free_node = -1


cdef void tree_free(tree_t *t) noexcept nogil:
    free(t.nodes)
    tree_begin(t)


cdef inline float half_area(const float *lo, const float *hi) noexcept nogil:
    cdef float x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2]
    return x * y + y * z + z * x


cdef inline float joined_area(const branch_t *n, const float *lo, const float *hi) noexcept nogil:
    cdef float x = max(n.hi[0], hi[0]) - min(n.lo[0], lo[0])
    cdef float y = max(n.hi[1], hi[1]) - min(n.lo[1], lo[1])
    cdef float z = max(n.hi[2], hi[2]) - min(n.lo[2], lo[2])
    return x * y + y * z + z * x


cdef inline void join(tree_t *t, int node) noexcept nogil:
    """Box and height of an inner node from its children."""
    cdef branch_t *n = &t.nodes[node]
    cdef const branch_t *a = &t.nodes[n.left]
    cdef const branch_t *b = &t.nodes[n.right]
    cdef int i
    for i in range(3):
        n.lo[i] = min(a.lo[i], b.lo[i])
        n.hi[i] = max(a.hi[i], b.hi[i])
    n.height = 1 + max(a.height, b.height)


cdef int take_node(tree_t *t) noexcept nogil:
    cdef int node = t.free_node
    if node < 0:
        return append(<void **> &t.nodes, &t.count, &t.capacity, sizeof(branch_t))
    t.free_node = t.nodes[node].parent
    return node


cdef void release_node(tree_t *t, int node) noexcept nogil:
    memset(&t.nodes[node], 0, sizeof(branch_t))
    t.nodes[node].height = -1
    t.nodes[node].parent = t.free_node
    t.free_node = node


cdef void replace_child(tree_t *t, int parent, int old, int new) noexcept nogil:
    if parent < 0:
        t.root = new
    elif t.nodes[parent].left == old:
        t.nodes[parent].left = new
    else:
        t.nodes[parent].right = new
    t.nodes[new].parent = parent


cdef int balance(tree_t *t, int a) noexcept nogil:
    """Rotate the taller grandchild up when the children differ by two levels; returns the subtree's root."""
    cdef branch_t *n = t.nodes
    cdef int tall, low, difference
    if n[a].height < 2:
        return a
    difference = n[n[a].right].height - n[n[a].left].height
    if -2 < difference < 2:
        return a
    tall = n[a].right if difference > 0 else n[a].left
    replace_child(t, n[a].parent, a, tall)
    # a keeps the lower of the tall child's children
    if n[n[tall].left].height > n[n[tall].right].height:
        low = n[tall].right
        n[tall].right = a
    else:
        low = n[tall].left
        n[tall].left = a
    n[a].parent = tall
    if difference > 0:
        n[a].right = low
    else:
        n[a].left = low
    n[low].parent = a
    join(t, a)
    join(t, tall)
    return tall


cdef void refit(tree_t *t, int node) noexcept nogil:
    while node >= 0:
        node = balance(t, node)
        join(t, node)
        node = t.nodes[node].parent


cdef bint hang(tree_t *t, int leaf) noexcept nogil:
    """Put a leaf with its box into the tree; False when memory is out."""
    cdef branch_t *n = t.nodes
    cdef const float *lo = n[leaf].lo
    cdef const float *hi = n[leaf].hi
    cdef int at = t.root, node, old, left, right
    cdef float joined, here, down, cost_left, cost_right, area
    t.leaves += 1
    if at < 0:
        t.root = leaf
        n[leaf].parent = -1
        return True
    while n[at].left >= 0:
        left, right = n[at].left, n[at].right
        area = half_area(n[at].lo, n[at].hi)
        joined = joined_area(&n[at], lo, hi)
        here = 2.0 * joined                     # a new parent of this node and the leaf
        down = 2.0 * (joined - area)            # what this node grows when the leaf goes further down
        cost_left = joined_area(&n[left], lo, hi) + down
        if n[left].left >= 0:
            cost_left -= half_area(n[left].lo, n[left].hi)
        cost_right = joined_area(&n[right], lo, hi) + down
        if n[right].left >= 0:
            cost_right -= half_area(n[right].lo, n[right].hi)
        if here < cost_left and here < cost_right:
            break
        at = left if cost_left <= cost_right else right
    node = take_node(t)
    if node < 0:
        return False
    n = t.nodes
    old = n[at].parent
    replace_child(t, old, at, node)
    n[node].left = at
    n[node].right = leaf
    n[at].parent = node
    n[leaf].parent = node
    refit(t, node)
    return True


cdef void unhang(tree_t *t, int leaf) noexcept nogil:
    cdef int parent = t.nodes[leaf].parent, other, above
    t.leaves -= 1
    if parent < 0:
        t.root = -1
        return
    other = t.nodes[parent].right if t.nodes[parent].left == leaf else t.nodes[parent].left
    above = t.nodes[parent].parent
    replace_child(t, above, parent, other)
    release_node(t, parent)
    refit(t, above)


cdef int tree_insert(tree_t *t, const float *lo, const float *hi, int item) noexcept nogil:
    cdef int leaf = take_node(t), i
    if leaf < 0:
        return -1
    for i in range(3):
        t.nodes[leaf].lo[i] = lo[i]
        t.nodes[leaf].hi[i] = hi[i]
    t.nodes[leaf].left = -1
    t.nodes[leaf].right = item
    t.nodes[leaf].height = 0
    if not hang(t, leaf):
        t.leaves -= 1
        release_node(t, leaf)
        return -1
    return leaf


cdef void tree_remove(tree_t *t, int leaf) noexcept nogil:
    unhang(t, leaf)
    release_node(t, leaf)


cdef bint tree_reinsert(tree_t *t, int leaf, const float *lo, const float *hi) noexcept nogil:
    """Move a leaf to a new box. The node that it frees is the one that it needs, so memory cannot run out."""
    cdef int i
    unhang(t, leaf)
    for i in range(3):
        t.nodes[leaf].lo[i] = lo[i]
        t.nodes[leaf].hi[i] = hi[i]
    return hang(t, leaf)


cdef void tree_refit(tree_t *t) noexcept nogil:
    """Children before parents: on the second visit of a node both its children are done."""
    cdef branch_t *n = t.nodes
    cdef int stack[128]
    cdef int depth = 0, node = t.root, last = -1
    if node < 0:
        return
    stack[0] = node
    depth = 1
    while depth > 0:
        node = stack[depth - 1]
        if n[node].left < 0:
            depth -= 1
            last = node
        elif last == n[node].right:
            join(t, node)
            depth -= 1
            last = node
        elif last == n[node].left:
            stack[depth] = n[node].right
            depth += 1
        else:
            stack[depth] = n[node].left
            depth += 1


cdef class Tree:
    """A tree by itself, for tests: items are whole numbers."""

    cdef tree_t t

    def __cinit__(self):
        tree_begin(&self.t)

    def __dealloc__(self):
        tree_free(&self.t)

    def insert(self, lo, hi, int item):
        """Return the leaf's number."""
        cdef float low[3]
        cdef float high[3]
        cdef int i
        for i in range(3):
            low[i], high[i] = lo[i], hi[i]
        return tree_insert(&self.t, low, high, item)

    def remove(self, int leaf):
        """Take a leaf out."""
        tree_remove(&self.t, leaf)

    def move(self, int leaf, lo, hi):
        """Give a leaf another box."""
        cdef float low[3]
        cdef float high[3]
        cdef int i
        for i in range(3):
            low[i], high[i] = lo[i], hi[i]
        tree_reinsert(&self.t, leaf, low, high)

    def query(self, lo, hi):
        """Return the items whose boxes meet the box, as an int array."""
        cdef tree_walk_t walk
        cdef float low[3]
        cdef float high[3]
        cdef int i
        for i in range(3):
            low[i], high[i] = lo[i], hi[i]
        begin_tree_walk(&walk, &self.t, low, high)
        found = []
        i = next_item(&walk)
        while i >= 0:
            found.append(i)
            i = next_item(&walk)
        return np.array(found, dtype=np.int64)

    @property
    def height(self):
        """Levels above the leaves; -1 for an empty tree."""
        return self.t.nodes[self.t.root].height if self.t.root >= 0 else -1

    def check(self):
        """Raise ValueError unless links, boxes, heights and counts agree."""
        cdef int node, i, leaves = 0, free_nodes = 0
        cdef branch_t *n = self.t.nodes
        if self.t.root >= 0 and n[self.t.root].parent != -1:
            raise ValueError("the root has a parent")
        stack = [self.t.root] if self.t.root >= 0 else []
        seen = 0
        while stack:
            node = stack.pop()
            seen += 1
            if n[node].left < 0:
                leaves += 1
                continue
            for i in (n[node].left, n[node].right):
                if n[i].parent != node:
                    raise ValueError("a child has another parent")
                if any(n[i].lo[k] < n[node].lo[k] or n[i].hi[k] > n[node].hi[k] for k in range(3)):
                    raise ValueError("a child stands out of its parent")
                stack.append(i)
            if n[node].height != 1 + max(n[n[node].left].height, n[n[node].right].height):
                raise ValueError("a height is wrong")
        node = self.t.free_node
        while node >= 0:
            free_nodes += 1
            node = n[node].parent
        if leaves != self.t.leaves or seen + free_nodes != self.t.count:
            raise ValueError("counts differ")
