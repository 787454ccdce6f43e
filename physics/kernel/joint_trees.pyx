# cython: boundscheck=False, wraparound=False, cdivision=True
"""Joints of a unit solved all at once, where they form trees: what passes without end would reach (ours).

Unknown are the bodies' velocity changes and the joints' impulses: [M Jt; J 0] [dv; -p] = [0; b]. Bodies and joints are
the nodes of a tree, each with one parent, so the matrix is factored from the leaves to the root without filling in, in
time that grows with the number of joints (Baraff 1996, "Linear-time dynamics using Lagrange multipliers").
"""

from libc.math cimport fabs
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from physics.kernel.constraints cimport constraint_rows, joint_rows_t
from physics.kernel.state cimport KIND_CONSTRAINT, NONE, core_t

cdef enum:
    BODY = 0
    JOINT = 1


cdef struct tree_node_t:
    double d[6][6]          # the diagonal block; its inverse once eliminated
    double l[6][6]          # towards the parent: d⁻¹ · (node's rows, parent's columns)
    double up[6][6]         # the block itself
    double x[6]             # right side, then solution
    int n                   # size
    int kind
    int parent              # in elimination order: a later node; -1: a root
    int item                # body slot, or joint
    int first               # of a body: its joints' sides, a chain of 2 * joint + side


cdef bint invert(double (*a)[6], int n) noexcept nogil:
    """Invert a symmetric block in place by Gauss-Jordan with row pivots; False when it has no inverse."""
    cdef double[6][12] m
    cdef double pivot, factor, swap
    cdef int i, j, k, best
    for i in range(n):
        for j in range(n):
            m[i][j] = a[i][j]
            m[i][n + j] = 1.0 if i == j else 0.0
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if fabs(m[j][i]) > fabs(m[best][i]):
                best = j
        if not fabs(m[best][i]) > 1e-12:
            return False
        if best != i:
            for k in range(2 * n):
                swap = m[i][k]
                m[i][k] = m[best][k]
                m[best][k] = swap
        pivot = 1.0 / m[i][i]
        for k in range(i, 2 * n):
            m[i][k] *= pivot
        for j in range(n):
            factor = m[j][i]
            if j != i and factor != 0.0:
                for k in range(i, 2 * n):
                    m[j][k] -= factor * m[i][k]
    for i in range(n):
        for j in range(n):
            a[i][j] = m[i][n + j]
    return True


cdef inline bint moves(const world_t* w, int b) noexcept nogil:
    return b != NONE and not w.cores[b].unmovable and w.cores[b].inv_mass > 0.0


cdef int node_of(const tree_node_t* nodes, const int* table, int mask, int b) noexcept nogil:
    """The node of a body in an open-addressed table; -1: none."""
    cdef int at = (b * 7) & mask
    while table[at] >= 0:
        if nodes[table[at]].item == b:
            return table[at]
        at = (at + 1) & mask
    return -1


cdef bint solve_joint_trees(world_t* w, int k) noexcept nogil:
    cdef int joints = 0, e = k, count, mask = 1
    cdef char* memory
    cdef size_t size
    cdef bint done
    while e != NONE:
        if w.controllers[e].kind == KIND_CONSTRAINT:
            joints += 1
            if w.constraints[w.controllers[e].data].break_force > 0.0 or w.constraints[w.controllers[e].data].break_torque > 0.0:
                return False
        e = w.controllers[e].prev
    if joints == 0:
        return False
    count = 3 * joints                              # a joint has two bodies at most
    while mask < 4 * joints:
        mask *= 2
    size = joints * sizeof(joint_rows_t) + count * sizeof(tree_node_t) + (mask + 5 * count) * sizeof(int)
    memory = <char*>malloc(size)
    if memory == NULL:
        return False
    done = solve(
        w, k, joints, <joint_rows_t*>memory, <tree_node_t*>(memory + joints * sizeof(joint_rows_t)),
        <int*>(memory + joints * sizeof(joint_rows_t) + count * sizeof(tree_node_t)), mask, count,
    )
    free(memory)
    return done


cdef bint solve(
    world_t* w, int k, int joints, joint_rows_t* rows, tree_node_t* nodes, int* table, int mask, int most
) noexcept nogil:
    """`table`: mask + 1 numbers for the search by body, then 5 * most for the walk."""
    cdef int* following = table + mask              # chain of the sides at a body, 2 * joint + side
    cdef int* order = following + 2 * most          # nodes, roots first
    cdef int* joint_node = order + most
    cdef int e = k, i, b, side, at, n_nodes = 0, n, found, start, j, other, held, begin
    cdef tree_node_t* node
    mask -= 1
    for i in range(mask + 1):
        table[i] = -1
    i = 0
    while e != NONE:
        if w.controllers[e].kind == KIND_CONSTRAINT:
            constraint_rows(w, w.controllers[e].data, &rows[i])
            joint_node[i] = -1
            i += 1
        e = w.controllers[e].prev
    for i in range(joints):                         # the bodies' nodes
        for side in range(2):
            b = rows[i].body[side]
            if rows[i].n == 0 or not moves(w, b):
                rows[i].body[side] = NONE           # no unknown
                continue
            at = node_of(nodes, table, mask, b)
            if at < 0:
                at = n_nodes
                n_nodes += 1
                nodes[at].kind = BODY
                nodes[at].item = b
                nodes[at].n = 6
                nodes[at].first = -1
                nodes[at].parent = -2               # not seen yet
                found = (b * 7) & mask
                while table[found] >= 0:
                    found = (found + 1) & mask
                table[found] = at
            following[2 * i + side] = nodes[at].first
            nodes[at].first = 2 * i + side
    b = n_nodes                                     # bodies; joints' nodes follow
    n = 0
    for start in range(joints + b):
        # Trees begin at their joint with the world; then what is left begins at any body.
        if start < joints:
            i = start
            if joint_node[i] >= 0 or rows[i].n == 0 or (rows[i].body[0] != NONE) == (rows[i].body[1] != NONE):
                continue
            side = 0 if rows[i].body[0] != NONE else 1
            at = node_of(nodes, table, mask, rows[i].body[side])
            if nodes[at].parent != -2:
                return False                        # a second hold on the world
            order[n] = new_joint(nodes, &n_nodes, joint_node, i, rows, -1)
            n += 1
            nodes[at].parent = joint_node[i]
        else:
            at = start - joints
            if nodes[at].parent != -2:
                continue
            nodes[at].parent = -1
        begin = n
        order[n] = at
        n += 1
        while begin < n:                            # breadth first: every node behind its parent
            node = &nodes[order[begin]]
            at = order[begin]
            begin += 1
            if node.kind == JOINT:
                continue
            held = node.first
            while held >= 0:
                j = held // 2
                side = held % 2
                held = following[held]
                if joint_node[j] >= 0:
                    if joint_node[j] != node.parent:
                        return False
                    continue
                order[n] = new_joint(nodes, &n_nodes, joint_node, j, rows, at)
                n += 1
                if rows[j].body[1 - side] == NONE:
                    return False                    # a second hold on the world
                other = node_of(nodes, table, mask, rows[j].body[1 - side])
                if nodes[other].parent != -2:
                    return False                    # a loop
                nodes[other].parent = joint_node[j]
                order[n] = other
                n += 1
    for i in range(n):
        set_blocks(w, &nodes[order[i]], nodes, rows)
    if not factor(nodes, order, n):
        return False
    for i in range(n):
        node = &nodes[order[i]]
        if node.kind == BODY:
            for j in range(3):
                w.cores[node.item].speed[j] += <float>node.x[j]
                w.cores[node.item].rot_speed[j] += <float>node.x[3 + j]
    return True


cdef int new_joint(tree_node_t* nodes, int* n_nodes, int* joint_node, int j, const joint_rows_t* rows, int parent) noexcept nogil:
    cdef int at = n_nodes[0]
    n_nodes[0] += 1
    nodes[at].kind = JOINT
    nodes[at].item = j
    nodes[at].n = rows[j].n
    nodes[at].parent = parent
    joint_node[j] = at
    return at


cdef void set_blocks(const world_t* w, tree_node_t* node, const tree_node_t* nodes, const joint_rows_t* rows) noexcept nogil:
    """Diagonal block, right side, and the block towards the parent."""
    cdef const core_t* c
    cdef const joint_rows_t* r
    cdef int i, m, side
    memset(node.d, 0, sizeof(node.d))
    memset(node.x, 0, sizeof(node.x))
    if node.kind == BODY:
        c = &w.cores[node.item]
        for i in range(3):
            node.d[i][i] = c.mass
            node.d[3 + i][3 + i] = c.rot_inertia[i]
        if node.parent >= 0:                        # rows: the body's, columns: the joint's
            r = &rows[nodes[node.parent].item]
            side = 0 if r.body[0] == node.item else 1
            for i in range(6):
                for m in range(r.n):
                    node.up[i][m] = r.j[side][m][i]
        return
    r = &rows[node.item]
    for m in range(r.n):
        node.x[m] = r.b[m]
    if node.parent >= 0:
        side = 0 if r.body[0] == nodes[node.parent].item else 1
        for m in range(r.n):
            for i in range(6):
                node.up[m][i] = r.j[side][m][i]


cdef bint factor(tree_node_t* nodes, const int* order, int n) noexcept nogil:
    """Eliminate from the leaves to the roots, then substitute back."""
    cdef tree_node_t* node
    cdef tree_node_t* parent
    cdef double sum_
    cdef int i, a, b, c
    for i in range(n - 1, -1, -1):
        node = &nodes[order[i]]
        if not invert(node.d, node.n):
            return False
        if node.parent < 0:
            continue
        parent = &nodes[node.parent]
        for a in range(node.n):
            for b in range(parent.n):
                sum_ = 0.0
                for c in range(node.n):
                    sum_ += node.d[a][c] * node.up[c][b]
                node.l[a][b] = sum_
        for a in range(parent.n):
            for b in range(parent.n):
                sum_ = 0.0
                for c in range(node.n):
                    sum_ += node.up[c][a] * node.l[c][b]
                parent.d[a][b] -= sum_
            sum_ = 0.0
            for c in range(node.n):
                sum_ += node.l[c][a] * node.x[c]
            parent.x[a] -= sum_
    for i in range(n):
        solve_node(&nodes[order[i]], nodes)
    return True


cdef void solve_node(tree_node_t* node, const tree_node_t* nodes) noexcept nogil:
    """x = d⁻¹ x − l · (the parent's solution)."""
    cdef double[6] result
    cdef double sum_
    cdef int a, c
    for a in range(node.n):
        sum_ = 0.0
        for c in range(node.n):
            sum_ += node.d[a][c] * node.x[c]
        if node.parent >= 0:
            for c in range(nodes[node.parent].n):
                sum_ -= node.l[a][c] * nodes[node.parent].x[c]
        result[a] = sum_
    for a in range(node.n):
        node.x[a] = result[a]
