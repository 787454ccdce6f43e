# cython: boundscheck=False, wraparound=False, cdivision=True
"""Colliders in their trees, pairs of near bodies, and touches that last from PSI to PSI."""

from libc.math cimport fabs, sqrt
from libc.stdlib cimport free
from libc.string cimport memset

from physics.kernel.memory cimport append, resize
from physics.kernel.narrow cimport MANIFOLDS, collide_relative, manifold_t
from physics.kernel.shape cimport BALL, CAPSULE, PLANE
from physics.kernel.tree cimport (
    apart, begin_tree_walk, branch_t, next_item, tree_begin, tree_free, tree_insert, tree_refit, tree_reinsert, tree_remove,
    tree_walk_t,
)
from physics.kernel.vector cimport relative, turned_box
from physics.kernel.walk cimport round_down, round_up

cdef float MARGIN_SHARE = 0.02      # of the smaller inner radius: how far apart touches begin
cdef float FAT_SHARE = 0.1          # of the inner radius: how much wider than its body a fat box is
cdef float AHEAD = 4.0              # steps that a fat box reaches ahead
cdef int REFIT_SHARE = 4             # from one leaf in four on, the whole tree is fitted in one go
cdef float STILL_SHARE = 0.0002    # of the smaller inner radius: motion to each other that needs no new touches
cdef float SAME_SPOT = 0.1          # of the smaller inner radius: how far a point moves and keeps its impulse


cdef void collision_begin(collision_t *c) noexcept nogil:
    memset(c, 0, sizeof(collision_t))
    tree_begin(&c.still)
    tree_begin(&c.moving)
    c.pair_free = c.touch_free = -1


cdef void collision_free(collision_t *c) noexcept nogil:
    tree_free(&c.still)
    tree_free(&c.moving)
    free(c.colliders)
    free(c.pairs)
    free(c.touches)
    free(c.moved)
    free(<void *> c.shapes)
    collision_begin(c)


cdef bint collision_reserve(collision_t *c, int slots) noexcept nogil:
    cdef int wanted
    if slots <= c.collider_capacity:
        return True
    wanted = max(slots, 2 * c.collider_capacity)
    if not (
        resize(<void **> &c.colliders, c.collider_capacity, wanted, sizeof(collider_t))
        and resize(<void **> &c.moved, c.collider_capacity, wanted, sizeof(int32_t))
        and resize(<void **> &c.shapes, c.collider_capacity, wanted, sizeof(void *))
    ):
        return False
    c.collider_capacity = wanted
    return True


cdef void shape_box(const shape_t *s, const pose_t *pose, double grow_by, float *lo, float *hi) noexcept nogil:
    cdef double low[3]
    cdef double high[3]
    cdef double reach
    cdef int i
    if s.type == BALL or s.type == CAPSULE:
        for i in range(3):
            reach = s.radius + grow_by + fabs(pose.r[3 * i + 1]) * s.half[1]
            low[i] = pose.p[i] - reach
            high[i] = pose.p[i] + reach
    elif s.type == PLANE:
        for i in range(3):
            low[i], high[i] = -1e30, 1e30
    else:
        turned_box(pose, s.lo, s.hi, grow_by, low, high)
    for i in range(3):
        lo[i] = round_down(low[i])
        hi[i] = round_up(high[i])


cdef bint collider_add(
    collision_t *c, int slot, const shape_t *shape, const pose_t *pose, float extra, bint fixed
) noexcept nogil:
    cdef collider_t *body
    cdef float lo[3]
    cdef float hi[3]
    cdef double reach = 0.0
    cdef int i
    if not collision_reserve(c, slot + 1):
        return False
    body = &c.colliders[slot]
    memset(body, 0, sizeof(collider_t))
    body.pose = pose[0]
    body.extra = extra
    body.inner = <float> max(shape.inner_radius, 0.0) + extra
    for i in range(3):
        reach += max(shape.lo[i] * shape.lo[i], shape.hi[i] * shape.hi[i])
    body.reach = <float> sqrt(reach) + extra
    body.pair_first = -1
    c.shapes[slot] = shape
    shape_box(shape, pose, 0.0 if fixed else extra + FAT_SHARE * body.inner, lo, hi)
    body.proxy = tree_insert(&c.still if fixed else &c.moving, lo, hi, slot)
    if body.proxy < 0:
        return False
    body.tree = TREE_STILL if fixed else TREE_MOVING
    body.moved = 1
    c.moved[c.moved_count] = slot
    c.moved_count += 1
    return True


cdef void collider_remove(collision_t *c, int slot) noexcept nogil:
    cdef collider_t *body = &c.colliders[slot]
    cdef int i, kept = 0
    if body.tree == TREE_NONE:
        return
    while body.pair_first >= 0:
        pair_remove(c, body.pair_first)
    tree_remove(&c.still if body.tree == TREE_STILL else &c.moving, body.proxy)
    if body.moved:
        for i in range(c.moved_count):
            if c.moved[i] != slot:
                c.moved[kept] = c.moved[i]
                kept += 1
        c.moved_count = kept
    memset(body, 0, sizeof(collider_t))
    c.shapes[slot] = NULL


cdef bint fat_box(collision_t *c, int slot, const double *step) noexcept nogil:
    """Give a leaf the fat box of its body's new place, if that left the old one or has become much smaller.

    The tree above it is wrong then, until `tree_reinsert` or `settle_tree`.
    """
    cdef collider_t *body = &c.colliders[slot]
    cdef branch_t *leaf
    cdef float lo[3]
    cdef float hi[3]
    cdef float width = FAT_SHARE * body.inner, ahead
    cdef bint inside = True, huge = False
    cdef int i
    leaf = &c.still.nodes[body.proxy] if body.tree == TREE_STILL else &c.moving.nodes[body.proxy]
    shape_box(c.shapes[slot], &body.pose, body.extra + MARGIN_SHARE * body.inner, lo, hi)
    for i in range(3):
        ahead = 0.0 if step == NULL else <float> step[i]
        # The whole way of this PSI has to be inside, or what comes fast is seen too late.
        if lo[i] + min(ahead, <float> 0.0) < leaf.lo[i] or hi[i] + max(ahead, <float> 0.0) > leaf.hi[i]:
            inside = False
        ahead = <float> fabs(AHEAD * ahead)
        if (leaf.hi[i] - leaf.lo[i]) - (hi[i] - lo[i]) > 16.0 * width + 2.0 * ahead:
            huge = True         # it was fast and is slow now
    if inside and (not huge or step == NULL):
        return False
    for i in range(3):
        lo[i] -= width
        hi[i] += width
        if step != NULL:
            ahead = <float> (AHEAD * step[i])
            if ahead > 0.0:
                hi[i] += ahead
            else:
                lo[i] += ahead
        if inside:              # made smaller: nothing new to meet
            lo[i] = max(lo[i], leaf.lo[i])
            hi[i] = min(hi[i], leaf.hi[i])
        leaf.lo[i] = lo[i]
        leaf.hi[i] = hi[i]
    if not inside and not body.moved:
        body.moved = 1
        c.moved[c.moved_count] = slot
        c.moved_count += 1
    return True


cdef bint collider_move(collision_t *c, int slot, const double *step) noexcept nogil:
    cdef collider_t *body = &c.colliders[slot]
    cdef branch_t *leaf
    if body.tree == TREE_NONE or not fat_box(c, slot, step):
        return False
    leaf = &c.still.nodes[body.proxy] if body.tree == TREE_STILL else &c.moving.nodes[body.proxy]
    tree_reinsert(&c.still if body.tree == TREE_STILL else &c.moving, body.proxy, leaf.lo, leaf.hi)
    return body.moved


cdef bint collider_move_later(collision_t *c, int slot, const double *step) noexcept nogil:
    return fat_box(c, slot, step)


cdef void settle_tree(collision_t *c, const int32_t *slots, int count, int turn) noexcept nogil:
    cdef branch_t *leaf
    cdef int i
    cdef bint many = count * REFIT_SHARE > c.moving.leaves
    for i in range(count):
        # Boxes that only stretch with their leaves get worse in time, so one in sixteen finds its place anew.
        if not many or (slots[i] + turn) & 15 == 0:
            leaf = &c.moving.nodes[c.colliders[slots[i]].proxy]
            tree_reinsert(&c.moving, c.colliders[slots[i]].proxy, leaf.lo, leaf.hi)
    if many:
        tree_refit(&c.moving)


cdef int find_pair(const collision_t *c, int a, int b) noexcept nogil:
    cdef int slot = a if c.colliders[a].pair_count <= c.colliders[b].pair_count else b
    cdef int other = b if slot == a else a
    cdef int p = c.colliders[slot].pair_first
    while p >= 0:
        if c.pairs[p].a == slot:
            if c.pairs[p].b == other:
                return p
            p = c.pairs[p].next_a
        else:
            if c.pairs[p].a == other:
                return p
            p = c.pairs[p].next_b
    return -1


cdef void link_before(collision_t *c, int p, int slot, int previous) noexcept nogil:
    """Set the backward link of pair p in the chain of a body."""
    if c.pairs[p].a == slot:
        c.pairs[p].prev_a = previous
    else:
        c.pairs[p].prev_b = previous


cdef void link_after(collision_t *c, int p, int slot, int following) noexcept nogil:
    if c.pairs[p].a == slot:
        c.pairs[p].next_a = following
    else:
        c.pairs[p].next_b = following


cdef int pair_add(collision_t *c, int a, int b, uint32_t kind) noexcept nogil:
    cdef int p = c.pair_free, swap
    cdef pair_t *pair
    if p >= 0:
        c.pair_free = c.pairs[p].touch_first
    else:
        p = append(<void **> &c.pairs, &c.pair_count, &c.pair_capacity, sizeof(pair_t))
        if p < 0:
            c.out_of_memory = 1
            return -1
    if c.shapes[a].type > c.shapes[b].type or (c.shapes[a].type == c.shapes[b].type and a > b):
        swap = a
        a = b
        b = swap
    pair = &c.pairs[p]
    memset(pair, 0, sizeof(pair_t))
    pair.a, pair.b = a, b
    pair.kind = kind | PAIR_LIVE
    pair.touch_first = -1
    pair.prev_a = pair.prev_b = -1
    pair.next_a = c.colliders[a].pair_first
    pair.next_b = c.colliders[b].pair_first
    if pair.next_a >= 0:
        link_before(c, pair.next_a, a, p)
    if pair.next_b >= 0:
        link_before(c, pair.next_b, b, p)
    c.colliders[a].pair_first = c.colliders[b].pair_first = p
    c.colliders[a].pair_count += 1
    c.colliders[b].pair_count += 1
    c.pairs_live += 1
    return p


cdef void free_touches(collision_t *c, pair_t *pair) noexcept nogil:
    cdef int t = pair.touch_first, following
    while t >= 0:
        following = c.touches[t].next
        memset(&c.touches[t], 0, sizeof(touch_t))
        c.touches[t].next = c.touch_free
        c.touch_free = t
        t = following
    pair.touch_first = -1
    pair.touch_count = 0


cdef void pair_remove(collision_t *c, int p) noexcept nogil:
    cdef pair_t *pair = &c.pairs[p]
    cdef int side, slot, before, after
    free_touches(c, pair)
    for side in range(2):
        slot = pair.a if side == 0 else pair.b
        before = pair.prev_a if side == 0 else pair.prev_b
        after = pair.next_a if side == 0 else pair.next_b
        if before >= 0:
            link_after(c, before, slot, after)
        else:
            c.colliders[slot].pair_first = after
        if after >= 0:
            link_before(c, after, slot, before)
        c.colliders[slot].pair_count -= 1
    memset(pair, 0, sizeof(pair_t))
    pair.touch_first = c.pair_free
    c.pair_free = p
    c.pairs_live -= 1


cdef inline void meet(collision_t *c, int a, int b, accepts_t accepts, void *world) noexcept nogil:
    """Make the pair of two bodies whose boxes meet, unless there is one or nobody wants it."""
    cdef int kind
    if find_pair(c, a, b) < 0:
        kind = accepts(world, a, b)
        if kind != 0:
            pair_add(c, a, b, kind)


cdef void meet_each_other(collision_t *c, accepts_t accepts, void *world) noexcept nogil:
    """All moving leaves against each other in one walk of their tree: for when many have moved."""
    cdef const branch_t *n = c.moving.nodes
    cdef int stack[512]         # a node against itself or another: three entries a level at most
    cdef int depth = 0, a, b
    if c.moving.root < 0:
        return
    stack[0] = stack[1] = c.moving.root
    depth = 2
    while depth > 0:
        depth -= 2
        a, b = stack[depth], stack[depth + 1]
        if a == b:
            if n[a].left >= 0:
                stack[depth], stack[depth + 1] = n[a].left, n[a].right
                stack[depth + 2] = stack[depth + 3] = n[a].right
                stack[depth + 4] = stack[depth + 5] = n[a].left
                depth += 6
        elif not apart(&n[a], n[b].lo, n[b].hi):
            if n[a].left < 0 and n[b].left < 0:
                if c.colliders[n[a].right].moved or c.colliders[n[b].right].moved:
                    meet(c, n[a].right, n[b].right, accepts, world)
            elif n[a].height >= n[b].height:
                stack[depth], stack[depth + 1] = n[a].right, b
                stack[depth + 2], stack[depth + 3] = n[a].left, b
                depth += 4
            else:
                stack[depth], stack[depth + 1] = a, n[b].right
                stack[depth + 2], stack[depth + 3] = a, n[b].left
                depth += 4


cdef void find_pairs(collision_t *c, accepts_t accepts, void *world) noexcept nogil:
    cdef tree_walk_t walk
    cdef collider_t *body
    cdef const branch_t *leaf
    cdef bint together = c.moved_count * REFIT_SHARE > c.moving.leaves
    cdef int i, slot, other, tree
    if together:
        meet_each_other(c, accepts, world)
    for i in range(c.moved_count):
        slot = c.moved[i]
        body = &c.colliders[slot]
        leaf = &c.still.nodes[body.proxy] if body.tree == TREE_STILL else &c.moving.nodes[body.proxy]
        for tree in range(2):
            if tree == 0 and (body.tree == TREE_STILL or c.still.leaves == 0):
                continue                # two fixed bodies
            if tree == 1 and together and body.tree == TREE_MOVING:
                continue
            begin_tree_walk(&walk, &c.still if tree == 0 else &c.moving, leaf.lo, leaf.hi)
            while True:
                other = next_item(&walk)
                if other < 0:
                    break
                if other == slot or (c.colliders[other].moved and tree == 1 and other > slot):
                    continue            # the other one will find this one
                meet(c, slot, other, accepts, world)
    for i in range(c.moved_count):
        c.colliders[c.moved[i]].moved = 0
    c.moved_count = 0


cdef inline const branch_t *leaf_of(const collision_t *c, int slot) noexcept nogil:
    cdef const collider_t *body = &c.colliders[slot]
    return &c.still.nodes[body.proxy] if body.tree == TREE_STILL else &c.moving.nodes[body.proxy]


cdef bint pair_near(const collision_t *c, int p) noexcept nogil:
    cdef const branch_t *other = leaf_of(c, c.pairs[p].b)
    return not apart(leaf_of(c, c.pairs[p].a), other.lo, other.hi)


cdef inline float small_size(const collision_t *c, const pair_t *pair) noexcept nogil:
    """The smaller inner radius; surfaces have none."""
    cdef float a = c.colliders[pair.a].inner, b = c.colliders[pair.b].inner
    if not b > 0.0 or c.shapes[pair.b].type >= PLANE and not c.shapes[pair.b].solid:
        return a
    if not a > 0.0 or not c.shapes[pair.a].solid:
        return b
    return min(a, b)


cdef float pair_margin(const collision_t *c, int p) noexcept nogil:
    return MARGIN_SHARE * small_size(c, &c.pairs[p])


cdef bint unchanged(const collision_t *c, const pair_t *pair, const pose_t *pose, float size) noexcept nogil:
    """Have the bodies kept their places to each other since the touches were made?

    The motion of any point of the smaller body: its centre's and the turn's.
    """
    cdef double move = 0.0, turn = 0.0, reach, d
    cdef int i
    for i in range(3):
        move = max(move, fabs(pose.p[i] - pair.seen_p[i]))
    if move > STILL_SHARE * size:
        return False
    for i in range(9):
        d = fabs(pose.r[i] - pair.seen_r[i])
        turn = max(turn, d)
    reach = min(c.colliders[pair.a].reach, c.colliders[pair.b].reach)
    return move + turn * reach <= STILL_SHARE * size


cdef int take_touch(collision_t *c) noexcept nogil:
    cdef int t = c.touch_free
    if t >= 0:
        c.touch_free = c.touches[t].next
        return t
    t = append(<void **> &c.touches, &c.touch_count, &c.touch_capacity, sizeof(touch_t))
    if t < 0:
        c.out_of_memory = 1
    return t


cdef void carry(touch_t *new, const touch_t *old, float spot) noexcept nogil:
    """Copy the solver's numbers from the points of an old touch to those of a new one that are the same points.

    A point is the same when its feature is, or when it lies where the old one lay on either body.
    """
    cdef int i, j, best
    cdef float da, db, d, least
    cdef int used = 0
    for i in range(5):
        new.patch[i] = old.patch[i]
    if new.count == 1 and old.count == 1:
        for j in range(4):
            new.points[0].impulse[j] = old.points[0].impulse[j]
        return
    for i in range(new.count):
        best, least = -1, spot * spot
        for j in range(old.count):
            if used & (1 << j):
                continue
            da = square_between(new.points[i].a, old.points[j].a)
            db = square_between(new.points[i].b, old.points[j].b)
            d = min(da, db)
            if new.points[i].feature == old.points[j].feature:
                d *= 0.0625         # a slide of four times as far
            if d < least:
                best, least = j, d
        if best >= 0:
            used |= 1 << best
            for j in range(4):
                new.points[i].impulse[j] = old.points[best].impulse[j]


cdef inline float square_between(const float *a, const float *b) noexcept nogil:
    cdef float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2]
    return x * x + y * y + z * z


cdef void write_touch(touch_t *t, const manifold_t *m) noexcept nogil:
    cdef int i, k
    memset(t, 0, sizeof(touch_t))
    t.count = m.count
    for k in range(3):
        t.normal[k] = <float> m.normal[k]
    for i in range(m.count):
        for k in range(3):
            t.points[i].a[k] = <float> m.points[i].a[k]
            t.points[i].b[k] = <float> m.points[i].b[k]
        t.points[i].feature = m.points[i].feature
    t.part_a, t.part_b = m.part_a, m.part_b
    t.triangle_a, t.triangle_b = m.triangle_a, m.triangle_b
    t.material_a, t.material_b = m.material_a, m.material_b


cdef int update_pair(collision_t *c, int p, float margin) noexcept nogil:
    cdef pair_t *pair = &c.pairs[p]
    cdef const collider_t *a = &c.colliders[pair.a]
    cdef const collider_t *b = &c.colliders[pair.b]
    cdef pose_t pose
    cdef manifold_t found[MANIFOLDS]
    cdef touch_t old[MANIFOLDS]
    cdef touch_t fresh
    cdef double axis[3]
    cdef double turned[3]
    cdef double back[3]
    cdef float size = small_size(c, pair)
    cdef double match, value
    cdef int i, j, k, n, t, n_old = 0, best, last, used = 0
    relative(&a.pose, &b.pose, &pose)
    if pair.seen and margin <= pair.seen_margin <= <float> 1.5 * margin and unchanged(c, pair, &pose, size):
        return pair.touch_count
    for k in range(3):
        axis[k] = pair.axis[k]
    n = collide_relative(
        c.shapes[pair.a], c.shapes[pair.b], &pose, a.extra, b.extra, margin, axis, found, MANIFOLDS
    )
    for k in range(3):
        pair.axis[k] = <float> axis[k]
    # Old touches, with their normals in b's axes as they were then: b is the surface where there is one.
    t = pair.touch_first
    while t >= 0 and n_old < MANIFOLDS:
        old[n_old] = c.touches[t]
        n_old += 1
        t = c.touches[t].next
    t = pair.touch_first
    last = -1
    for i in range(n):
        write_touch(&fresh, &found[i])
        best, match = -1, 0.7
        if n == 1 and n_old == 1:
            best = 0
        else:
            for k in range(3):
                turned[k] = pose.r[k] * found[i].normal[0] + pose.r[3 + k] * found[i].normal[1] + pose.r[6 + k] * found[i].normal[2]
            for j in range(n_old):
                if used & (1 << j) or old[j].part_a != fresh.part_a or old[j].part_b != fresh.part_b:
                    continue
                value = 0.0
                for k in range(3):
                    back[k] = (
                        <double> pair.seen_r[k] * old[j].normal[0] + <double> pair.seen_r[3 + k] * old[j].normal[1]
                        + <double> pair.seen_r[6 + k] * old[j].normal[2]
                    )
                    value += back[k] * turned[k]
                if value > match:
                    best, match = j, value
        if best >= 0:
            used |= 1 << best
            carry(&fresh, &old[best], SAME_SPOT * size)
        if t < 0:
            t = take_touch(c)
            if t < 0:
                break
            pair = &c.pairs[p]
            c.touches[t].next = -1
            if last >= 0:
                c.touches[last].next = t
            else:
                pair.touch_first = t
        fresh.next = c.touches[t].next
        c.touches[t] = fresh
        last = t
        t = fresh.next
    # Touches that are left over
    if t >= 0:
        if last >= 0:
            c.touches[last].next = -1
        else:
            pair.touch_first = -1
        while t >= 0:
            j = c.touches[t].next
            memset(&c.touches[t], 0, sizeof(touch_t))
            c.touches[t].next = c.touch_free
            c.touch_free = t
            t = j
    pair.touch_count = n
    pair.seen = 1
    pair.seen_margin = margin
    for k in range(3):
        pair.seen_p[k] = <float> pose.p[k]
    for k in range(9):
        pair.seen_r[k] = <float> pose.r[k]
    return n
