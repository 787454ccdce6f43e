# cython: boundscheck=False, wraparound=False, cdivision=True
"""Builds the tree of a MOPP code over boxes in whole units: binned at the top, an exact sweep near the leaves.

The cost of a node is the chance that a query of typical size touches it, times its leaves. Such a query touches a
box when its corner falls into the box grown by the query's size, so the measure is that volume, not the surface that
rays would ask for.
"""

from libc.stdlib cimport free, malloc

cdef enum:
    BINS = 32
    SWEEP = 48  # up to so many boxes every place to split is tried: below it the bins cost more than the sort
    DEEPEST = 64  # from here on the boxes are halved, so that no mesh makes a tree deeper than this plus 32

cdef struct range_t:
    int low[3]
    int high[3]

cdef struct task_t:
    int node
    int first
    int count
    int depth

cdef struct split_t:
    double cost
    int axis
    int left  # how many go left, in the order that is left in `order` (sweep), or -1
    int bin  # the last bin that goes left (bins)

cdef struct builder_t:
    const int* low
    const int* high
    const unsigned int* keys
    int* order
    int* scratch
    double* measures
    tree_t* tree


cdef inline void empty(range_t* box) noexcept nogil:
    cdef int axis
    for axis in range(3):
        box.low[axis] = 0x7FFFFFFF
        box.high[axis] = -0x7FFFFFFF


cdef inline void enclose(range_t* box, const int* low, const int* high) noexcept nogil:
    cdef int axis
    for axis in range(3):
        if low[axis] < box.low[axis]:
            box.low[axis] = low[axis]
        if high[axis] > box.high[axis]:
            box.high[axis] = high[axis]


cdef inline double measure(const range_t* box, const double* typical) noexcept nogil:
    return (
        (<double>box.high[0] - box.low[0] + typical[0])
        * (<double>box.high[1] - box.low[1] + typical[1])
        * (<double>box.high[2] - box.low[2] + typical[2])
    )


cdef inline int middle(const builder_t* builder, int box, int axis) noexcept nogil:
    """Twice the middle of a box: whole, and within an int as coordinates stay below 2**24."""
    return builder.low[3 * box + axis] + builder.high[3 * box + axis]


cdef void sort_by_middle(const builder_t* builder, int* order, int count, int axis) noexcept nogil:
    """Sort by middle, then index, by insertion: the fastest for the few dozen boxes of a sweep."""
    cdef int i, j, box, key, other
    for i in range(1, count):
        box = order[i]
        key = middle(builder, box, axis)
        j = i - 1
        while j >= 0:
            other = middle(builder, order[j], axis)
            if other < key or (other == key and order[j] < box):
                break
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = box


cdef void try_sweep(
    const builder_t* builder, int* order, int count, const double* typical, split_t* best
) noexcept nogil:
    """Try every split of `order` in the order of the middles on each axis; leave it sorted by the last axis."""
    cdef range_t box
    cdef double cost
    cdef int axis, i
    for axis in range(3):
        sort_by_middle(builder, order, count, axis)
        empty(&box)
        for i in range(count - 1, 0, -1):
            enclose(&box, builder.low + 3 * order[i], builder.high + 3 * order[i])
            builder.measures[i] = measure(&box, typical) * (count - i)
        empty(&box)
        for i in range(1, count):
            enclose(&box, builder.low + 3 * order[i - 1], builder.high + 3 * order[i - 1])
            cost = measure(&box, typical) * i + builder.measures[i]
            if cost < best.cost or (cost == best.cost and best.axis == axis and 2 * i <= count):
                best.cost = cost
                best.axis = axis
                best.left = i


cdef inline int bin_of(int value, int low, int high) noexcept nogil:
    return <int>((<long long>value - low) * BINS // (<long long>high - low + 1))


cdef void try_bins(
    const builder_t* builder, const int* order, int count, const int* low, const int* high,
    const double* typical, split_t* best,
) noexcept nogil:
    """Try the splits between the bins of each axis; `low` and `high` bound the middles."""
    cdef range_t boxes[BINS]
    cdef range_t box
    cdef double after[BINS]
    cdef int counts[BINS]
    cdef int axis, i, b, left
    cdef double cost
    for axis in range(3):
        if low[axis] == high[axis]:
            continue
        for b in range(BINS):
            empty(&boxes[b])
            counts[b] = 0
        for i in range(count):
            b = bin_of(middle(builder, order[i], axis), low[axis], high[axis])
            enclose(&boxes[b], builder.low + 3 * order[i], builder.high + 3 * order[i])
            counts[b] += 1
        empty(&box)
        left = 0
        for b in range(BINS - 1, 0, -1):
            if counts[b]:
                enclose(&box, boxes[b].low, boxes[b].high)
                left += counts[b]
            after[b] = measure(&box, typical) * left if left else 0.0
        empty(&box)
        left = 0
        for b in range(BINS - 1):
            if counts[b] == 0:
                continue
            enclose(&box, boxes[b].low, boxes[b].high)
            left += counts[b]
            if left == count:
                break
            cost = measure(&box, typical) * left + after[b + 1]
            if cost < best.cost:
                best.cost = cost
                best.axis = axis
                best.bin = b


cdef int partition(
    const builder_t* builder, int* order, int count, const int* low, const int* high, const split_t* best
) noexcept nogil:
    """Move the boxes of the left bins to the front, keeping their order (it is part of the result)."""
    cdef int i, left = 0, right = 0
    for i in range(count):
        if bin_of(middle(builder, order[i], best.axis), low[best.axis], high[best.axis]) <= best.bin:
            order[left] = order[i]
            left += 1
        else:
            builder.scratch[right] = order[i]
            right += 1
    for i in range(right):
        order[left + i] = builder.scratch[i]
    return left


cdef int choose(
    const builder_t* builder, int* order, int count, int depth, const node_t* node, int* axis
) noexcept nogil:
    """Order the boxes so that the left ones come first; return how many these are, and the axis."""
    cdef split_t best
    cdef int low[3]
    cdef int high[3]
    cdef int i, k, value
    best.cost = 1e300
    best.axis = -1
    best.left = best.bin = -1
    for k in range(3):
        low[k] = high[k] = middle(builder, order[0], k)
    for i in range(1, count):
        for k in range(3):
            value = middle(builder, order[i], k)
            if value < low[k]:
                low[k] = value
            if value > high[k]:
                high[k] = value
    if depth < DEEPEST:
        if count <= SWEEP:
            try_sweep(builder, order, count, node.typical, &best)
            sort_by_middle(builder, order, count, best.axis)
            axis[0] = best.axis
            return best.left
        try_bins(builder, order, count, low, high, node.typical, &best)
        if best.axis >= 0:
            axis[0] = best.axis
            return partition(builder, order, count, low, high, &best)
    # All middles are the same, or the tree is too deep: half and half.
    axis[0] = 0
    for k in range(1, 3):
        if node.high[k] - node.low[k] > node.high[axis[0]] - node.low[axis[0]]:
            axis[0] = k
    return count // 2


cdef int build_nodes(const builder_t* builder, task_t* tasks, Py_ssize_t count) noexcept nogil:
    cdef tree_t* tree = builder.tree
    cdef task_t task
    cdef node_t* node
    cdef range_t box
    cdef int waiting = 1, i, k, left, axis, index
    tasks[0].node = 0
    tasks[0].first = 0
    tasks[0].count = <int>count
    tasks[0].depth = 0
    tree.count = 1
    while waiting:
        waiting -= 1
        task = tasks[waiting]
        node = &tree.nodes[task.node]
        empty(&box)
        node.key_min = 0xFFFFFFFF
        node.key_max = 0
        for k in range(3):
            node.typical[k] = 1.0  # one unit, so that flat boxes have a volume
        for i in range(task.first, task.first + task.count):
            index = builder.order[i]
            enclose(&box, builder.low + 3 * index, builder.high + 3 * index)
            if builder.keys[index] < node.key_min:
                node.key_min = builder.keys[index]
            if builder.keys[index] > node.key_max:
                node.key_max = builder.keys[index]
            for k in range(3):
                node.typical[k] += (<double>builder.high[3 * index + k] - builder.low[3 * index + k]) / task.count
        for k in range(3):
            node.low[k] = box.low[k]
            node.high[k] = box.high[k]
        node.count = task.count
        node.axis = node.left = node.right = -1
        if task.count == 1:
            continue
        left = choose(builder, builder.order + task.first, task.count, task.depth, node, &axis)
        node.axis = axis
        node.left = <int>tree.count
        node.right = <int>tree.count + 1
        tree.count += 2
        tasks[waiting].node = node.left
        tasks[waiting].first = task.first
        tasks[waiting].count = left
        tasks[waiting].depth = task.depth + 1
        tasks[waiting + 1].node = node.right
        tasks[waiting + 1].first = task.first + left
        tasks[waiting + 1].count = task.count - left
        tasks[waiting + 1].depth = task.depth + 1
        waiting += 2
    return 0


cdef int build_tree(
    const int* low, const int* high, const unsigned int* keys, Py_ssize_t count, tree_t* tree
) noexcept nogil:
    """Fill `tree` over `count` (at least 1) boxes; return -1 when there is no memory. To be freed either way."""
    cdef builder_t builder
    cdef task_t tasks[2 * (DEEPEST + 40)]  # one more than the depth, as the deeper child is always taken first
    cdef Py_ssize_t i
    cdef bint failed
    builder.low = low
    builder.high = high
    builder.keys = keys
    builder.tree = tree
    builder.order = <int*>malloc(count * sizeof(int))
    builder.scratch = <int*>malloc(count * sizeof(int))
    builder.measures = <double*>malloc((SWEEP + 1) * sizeof(double))
    tree.count = 0
    tree.nodes = <node_t*>malloc((2 * count - 1) * sizeof(node_t))
    failed = (
        builder.order == NULL or builder.scratch == NULL or builder.measures == NULL or tree.nodes == NULL
    )
    if not failed:
        for i in range(count):
            builder.order[i] = <int>i
        build_nodes(&builder, tasks, count)
    free(builder.order)
    free(builder.scratch)
    free(builder.measures)
    return -1 if failed else 0


cdef void free_tree(tree_t* tree) noexcept nogil:
    free(tree.nodes)
    tree.nodes = NULL
