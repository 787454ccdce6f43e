# cython: boundscheck=False, wraparound=False, cdivision=True
"""Contacts of a PSI: from poses to touches, units that merge through them, and their solution (ours, ivp 14.4)."""

from libc.math cimport sqrt
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from physics.kernel.algebra cimport square_length_f
from physics.kernel.collision cimport (
    PAIR_ASK, PAIR_LIVE, PAIR_SENSOR, TREE_NONE, collider_add, collider_move, collider_move_later, collider_remove,
    collider_t, find_pairs, pair_margin, pair_near, pair_remove, pair_t, point_t,
    settle_tree, update_pair,
)
from physics.kernel.integration cimport sync_core
from physics.kernel.linkage cimport (
    add_joint_rows, iterate_joints, joint_breaks, keep_joint_impulses, warm_start_joints,
)
from physics.kernel.memory cimport reserve
from physics.kernel.overlaps cimport bound_overlaps, calm_overlaps
from physics.kernel.poses cimport object_pose_at_psi
from physics.kernel.shape cimport pose_t
from physics.kernel.solver cimport (
    add_gravity, add_touch, advance_movers, begin_solver, correct_cores, hold_movers, mark_pushed,
    mover_of, store_movers,
)
from physics.kernel.rows cimport block_t, row_t, solver_t
from physics.kernel.state cimport KIND_JOINT, MT_NOT_SIM, NONE, core_t, object_t
from physics.kernel.store cimport event_t, hit_t, release_controller
from physics.kernel.strikes cimport pass_strikes_on
from physics.kernel.sweeps cimport bounce, iterate, keep_impulses, warm_start
from physics.kernel.units cimport (
    detach_controller, ensure_in_simulation, link_contact, merge_units, revive_unit, unlink_contact,
)

cdef enum:
    BOUNCES = 4                     # sweeps over fast points: enough for a row of touching balls


# ---- who meets whom

cdef int accepts(void* world, int a, int b) noexcept nogil:
    """The kind of pair that two bodies make; 0: none."""
    cdef world_t* w = <world_t*>world
    cdef const object_t* x = &w.objects[a]
    cdef const object_t* y = &w.objects[b]
    cdef const core_t* ca = &w.cores[a]
    cdef const core_t* cb = &w.cores[b]
    cdef int kind = PAIR_LIVE
    if x.group != 0 and x.group == y.group:
        return 0
    if x.system_group != 0 and x.system_group == y.system_group:
        # one ragdoll or machine: its parts say which parts they pass through
        if x.sub_system == y.sub_system_no_collide or y.sub_system == x.sub_system_no_collide:
            return 0
    elif not (w.sim.layers[x.layer] >> y.layer) & 1:
        return 0
    if x.sensor or y.sensor:
        return kind | PAIR_SENSOR
    if (ca.unmovable or ca.kinematic) and (cb.unmovable or cb.kinematic):
        return 0
    if x.wants_callback or y.wants_callback:
        kind |= PAIR_ASK
    return kind


cdef inline bint dynamic(const core_t* c) noexcept nogil:
    return not c.unmovable and not c.kinematic


# ---- colliders

cdef bint add_collider(world_t* w, int b) noexcept nogil:
    """Enter a body into collision; False when memory is out."""
    cdef pose_t pose
    cdef float extra = w.objects[b].extra_radius
    object_pose_at_psi(&w.cores[b], &w.objects[b], pose.r, pose.p)
    if w.objects[b].is_ball:                        # it holds the ball's own radius (2.1), which the shape has already
        extra = <float>(extra - w.shapes[b].radius)
        if extra < 1e-6 * w.shapes[b].radius:
            extra = 0.0
    return collider_add(&w.collision, b, w.shapes[b], &pose, extra, w.cores[b].unmovable)


cdef void remove_collider(world_t* w, int b) noexcept nogil:
    """Take a body out of collision; what touched it wakes."""
    if w.collision.colliders[b].tree == TREE_NONE:
        return
    wake_partners(w, b)
    drop_pairs(w, b)
    collider_remove(&w.collision, b)


cdef void drop_pairs(world_t* w, int b) noexcept nogil:
    """End all contacts of a body."""
    cdef int p = w.collision.colliders[b].pair_first
    while p >= 0:
        end_pair(w, p)
        pair_remove(&w.collision, p)
        p = w.collision.colliders[b].pair_first


cdef void refilter(world_t* w, int b) noexcept nogil:
    """Look again for what a body meets, after its options changed."""
    cdef collider_t* c = &w.collision.colliders[b]
    if c.tree == TREE_NONE:
        return
    wake_touching(w, b)
    drop_pairs(w, b)
    if not c.moved:
        c.moved = 1
        w.collision.moved[w.collision.moved_count] = b
        w.collision.moved_count += 1


cdef void move_collider(world_t* w, int b) noexcept nogil:
    """Set a collider's pose after its core was put somewhere else; what touched it wakes."""
    cdef collider_t* c = &w.collision.colliders[b]
    cdef int p = c.pair_first
    if c.tree == TREE_NONE:
        return
    wake_partners(w, b)
    object_pose_at_psi(&w.cores[b], &w.objects[b], c.pose.r, c.pose.p)
    collider_move(&w.collision, b, NULL)
    while p >= 0:
        w.collision.pairs[p].seen = 0               # sensors look again, though both sides rest
        p = w.collision.pairs[p].next_a if w.collision.pairs[p].a == b else w.collision.pairs[p].next_b


cdef void wake_touching(world_t* w, int b) noexcept nogil:
    """Wake a body that touches something, and what it touches."""
    cdef int p = w.collision.colliders[b].pair_first
    wake_partners(w, b)
    if not dynamic(&w.cores[b]):
        return
    while p >= 0:
        if w.collision.pairs[p].kind & PAIR_LINKED:
            ensure_in_simulation(w, b)
            return
        p = w.collision.pairs[p].next_a if w.collision.pairs[p].a == b else w.collision.pairs[p].next_b


cdef void wake_partners(world_t* w, int b) noexcept nogil:
    """Wake what touches a body."""
    cdef int p = w.collision.colliders[b].pair_first, other
    cdef pair_t* pair
    while p >= 0:
        pair = &w.collision.pairs[p]
        other = pair.b if pair.a == b else pair.a
        p = pair.next_a if pair.a == b else pair.next_b
        if pair.kind & PAIR_LINKED and dynamic(&w.cores[other]):
            ensure_in_simulation(w, other)


# ---- events

cdef void tell(world_t* w, int what, int p) noexcept nogil:
    """Append an event of a pair."""
    cdef event_t* e
    if not reserve(<void**>&w.events, &w.event_capacity, w.event_count + 1, sizeof(event_t)):
        w.collision.out_of_memory = 1
        return
    e = &w.events[w.event_count]
    w.event_count += 1
    e.kind = what
    e.a = w.collision.pairs[p].a
    e.b = w.collision.pairs[p].b
    e.generation_a = w.cores[e.a].generation
    e.generation_b = w.cores[e.b].generation
    e.impulse = 0.0
    e.time = w.sim.current_time
    e.point[0] = e.point[1] = e.point[2] = 0.0
    e.normal[0] = e.normal[1] = e.normal[2] = 0.0


# ---- pairs and units

cdef void end_pair(world_t* w, int p) noexcept nogil:
    """The bodies of a pair part."""
    cdef pair_t* pair = &w.collision.pairs[p]
    cdef int owner
    if pair.kind & PAIR_LINKED:
        owner = pair.a if dynamic(&w.cores[pair.a]) else pair.b
        unlink_contact(w, w.cores[owner].unit, p)
        w.units[w.cores[owner].unit].contacts_changed = 1
    if pair.kind & PAIR_TOUCHING:
        tell(w, EVENT_SENSOR_ENDED if pair.kind & PAIR_SENSOR else EVENT_ENDED, p)
    pair.kind &= ~<uint32_t>(PAIR_LINKED | PAIR_TOUCHING)


cdef void wake_for_contact(world_t* w, int u) noexcept nogil:
    """Revive a unit in the middle of a PSI and give its cores their poses at this PSI."""
    cdef int b
    if w.units[u].state < MT_NOT_SIM:
        b = w.units[u].last
        while b != NONE and w.cores[b].movement_state < MT_NOT_SIM:
            b = w.cores[b].unit_prev
        if b == NONE:
            return
    revive_unit(w, u)
    b = w.units[u].first
    while b != NONE:
        sync_core(&w.cores[b], w.sim.current_time)
        b = w.cores[b].unit_next


cdef void begin_pair(world_t* w, int p) noexcept nogil:
    """Two bodies begin to touch: their units become one, and awake."""
    cdef int a = w.collision.pairs[p].a, b = w.collision.pairs[p].b, u, v
    if dynamic(&w.cores[a]) and dynamic(&w.cores[b]):
        u = w.cores[a].unit
        v = w.cores[b].unit
        if u != v:
            # the larger one survives: less to relabel
            u = merge_units(w, u, v) if w.units[u].n_cores >= w.units[v].n_cores else merge_units(w, v, u)
        wake_for_contact(w, u)
    else:
        u = w.cores[a].unit if dynamic(&w.cores[a]) else w.cores[b].unit
        wake_for_contact(w, u)
    link_contact(w, u, p)
    w.collision.pairs[p].kind |= PAIR_LINKED


cdef inline bint awake(const core_t* c) noexcept nogil:
    """Simulated; a kinematic body only while it moves."""
    if c.movement_state >= MT_NOT_SIM:
        return False
    if c.kinematic:
        return square_length_f(c.speed) > 0.0 or square_length_f(c.rot_speed) > 0.0
    return True


cdef inline float margin_of(const world_t* w, int p, const core_t* a, const core_t* b) noexcept nogil:
    """How far apart a touch begins: more for bodies that come fast, a quarter of the smaller one at most."""
    cdef float margin = pair_margin(&w.collision, p), fast
    cdef double x = a.speed[0] - b.speed[0], y = a.speed[1] - b.speed[1], z = a.speed[2] - b.speed[2]
    fast = <float>(sqrt(x * x + y * y + z * z) * w.sim.delta_psi)
    if fast > margin:
        return fast if fast < <float>12.5 * margin else <float>12.5 * margin
    return margin


cdef inline void wake_moved(world_t* w, int a, int b) noexcept nogil:
    """A kinematic body that starts to move wakes what rests on it."""
    if w.cores[a].kinematic and w.cores[b].movement_state >= MT_NOT_SIM:
        wake_for_contact(w, w.cores[b].unit)
    elif w.cores[b].kinematic and w.cores[a].movement_state >= MT_NOT_SIM:
        wake_for_contact(w, w.cores[a].unit)


cdef void update_pairs(world_t* w) noexcept nogil:
    """Narrow phase over all pairs with an awake body, in slot order."""
    cdef pair_t* pair
    cdef int p, n
    cdef bint wanted
    for p in range(w.collision.pair_count):
        pair = &w.collision.pairs[p]
        if not pair.kind & PAIR_LIVE:
            continue
        if not awake(&w.cores[pair.a]) and not awake(&w.cores[pair.b]):
            if not pair.kind & PAIR_SENSOR or pair.seen:
                continue                            # a sensor put over a sleeper looks once
        if pair.kind & PAIR_LINKED:
            wake_moved(w, pair.a, pair.b)
        if not pair_near(&w.collision, p):
            end_pair(w, p)
            pair_remove(&w.collision, p)
            continue
        if pair.kind & PAIR_SENSOR:
            n = update_pair(&w.collision, p, 0.0)
            if n and not pair.kind & PAIR_TOUCHING:
                pair.kind |= PAIR_TOUCHING
                tell(w, EVENT_SENSOR_BEGUN, p)
            elif not n and pair.kind & PAIR_TOUCHING:
                end_pair(w, p)
            continue
        n = update_pair(&w.collision, p, margin_of(w, p, &w.cores[pair.a], &w.cores[pair.b]))
        if n and not pair.kind & (PAIR_LINKED | PAIR_REFUSED):
            if pair.kind & PAIR_ASK and w.ask_pair != NULL:
                wanted = w.ask_pair(w, p)
                pair = &w.collision.pairs[p]
                if not wanted:
                    pair.kind |= PAIR_REFUSED
            if not pair.kind & PAIR_REFUSED:
                begin_pair(w, p)
        elif not n:
            if pair.kind & PAIR_LINKED:
                end_pair(w, p)
            pair.kind &= ~<uint32_t>PAIR_REFUSED


cdef void update_contacts(world_t* w) noexcept nogil:
    """Poses at this PSI, the trees, new pairs, touches (14.4: with m_world_f_core_last_psi)."""
    cdef int u = w.sim.active_head, b, i, n = 0
    cdef core_t* c
    cdef collider_t* body
    cdef double[3] step
    while u != NONE:
        b = w.units[u].first
        while b != NONE:
            c = &w.cores[b]
            sync_core(c, w.sim.current_time)
            body = &w.collision.colliders[b]
            if body.tree != TREE_NONE:
                if w.objects[b].shift_is_zero and not w.objects[b].has_rotation:
                    memcpy(&body.pose, c.rotation, sizeof(pose_t))      # nine numbers and three, one behind the other
                else:
                    object_pose_at_psi(c, &w.objects[b], body.pose.r, body.pose.p)
                for i in range(3):
                    step[i] = c.speed[i] * w.sim.delta_psi
                if collider_move_later(&w.collision, b, step):
                    w.order[n] = b
                    n += 1
            b = c.unit_next
        u = w.units[u].next
    if n:
        settle_tree(&w.collision, w.order, n, <int>(w.sim.psi_count & 0xFFFF))
    if w.collision.moved_count:
        find_pairs(&w.collision, accepts, w)
    if w.collision.pairs_live:
        update_pairs(w)


# ---- solution

cdef void prepare_contacts(world_t* w, int u, int substeps, bint all_) noexcept nogil:
    """Rows of all touches of a unit; `all_`: its bodies without contacts take part too, because joints hold them."""
    cdef int p = w.units[u].contact_first, t, b
    begin_solver(w, substeps)
    while p != NONE:
        t = w.collision.pairs[p].touch_first
        while t >= 0:
            add_touch(w, &w.collision.pairs[p], t)
            t = w.collision.touches[t].next
        p = w.collision.pairs[p].spare[1]
    if w.units[u].n_joints:
        p = w.units[u].controller_last
        while p != NONE:
            if w.controllers[p].kind == KIND_JOINT:
                add_joint_rows(w, w.controllers[p].data)
            p = w.controllers[p].prev
    bound_overlaps(w)
    add_gravity(w, -<float>w.sim.delta_psi)         # the sub-steps bring it back
    pass_strikes_on(w)
    if all_:
        b = w.units[u].first
        while b != NONE:
            mover_of(w, b)
            b = w.cores[b].unit_next
        for t in range(1, w.solver.mover_count):
            w.solver.movers[t].pushed = 1
        store_movers(w)


cdef void solve_contacts(world_t* w, int substeps) noexcept nogil:
    """Some sub-steps."""
    cdef int _step
    for _step in range(substeps):
        add_gravity(w, w.solver.h)
        warm_start(w)
        if w.solver.link_count:
            warm_start_joints(w)
            iterate_joints(w, True)
        iterate(w, True)
        advance_movers(w, w.solver.h)
        if w.solver.link_count:
            iterate_joints(w, False)
        iterate(w, False)


cdef void tell_impacts(world_t* w) noexcept nogil:
    """Events of touches that began or hit hard in this PSI."""
    cdef solver_t* s = &w.solver
    cdef const block_t* block
    cdef const row_t* row
    cdef pair_t* pair
    cdef int i, k, hardest
    cdef float impulse, approach
    for i in range(s.block_count):
        block = &s.blocks[i]
        pair = &w.collision.pairs[block.pair]
        impulse = 0.0
        approach = 0.0
        hardest = block.first
        for k in range(block.first, block.first + block.count):
            row = &s.rows[k]
            impulse += row.total
            if row.total > 0.0 and row.approach < approach:
                approach = row.approach
            if row.total > s.rows[hardest].total:
                hardest = k
        if not impulse > 0.0:
            continue
        if not pair.kind & PAIR_TOUCHING:
            pair.kind |= PAIR_TOUCHING
            tell(w, EVENT_BEGUN, block.pair)
            describe(w, block, hardest - block.first, impulse)
        elif w.tell_persisted:
            tell(w, EVENT_PERSISTED, block.pair)
            describe(w, block, hardest - block.first, impulse)
        if approach < -s.threshold:
            tell(w, EVENT_IMPACT, block.pair)
            describe(w, block, hardest - block.first, impulse)


cdef void describe(world_t* w, const block_t* block, int point, float impulse) noexcept nogil:
    """Point, normal and impulse of the last event; the point lies on the surface that moves least."""
    cdef event_t* e = &w.events[w.event_count - 1]
    cdef const pair_t* pair = &w.collision.pairs[block.pair]
    cdef bint on_a = w.cores[pair.a].unmovable
    cdef const pose_t* pose = &w.collision.colliders[pair.a if on_a else pair.b].pose
    cdef const point_t* touch = &w.collision.touches[block.touch].points[point]
    cdef const float* p
    cdef int i
    if on_a:
        p = &touch.a[0]
    else:
        p = &touch.b[0]
    e.impulse = impulse
    for i in range(3):
        e.point[i] = <float>(pose.r[3 * i] * p[0] + pose.r[3 * i + 1] * p[1] + pose.r[3 * i + 2] * p[2] + pose.p[i])
        e.normal[i] = block.n[i]


cdef void tell_hit(world_t* w, const hit_t* hit, float impulse) noexcept nogil:
    """The event of an impact inside a PSI."""
    cdef event_t* e
    cdef int i
    if not impulse > 0.0 or not reserve(<void**>&w.events, &w.event_capacity, w.event_count + 1, sizeof(event_t)):
        return
    e = &w.events[w.event_count]
    w.event_count += 1
    e.kind = EVENT_IMPACT
    e.a = hit.a
    e.b = hit.b
    e.generation_a = hit.generation_a
    e.generation_b = hit.generation_b
    e.time = w.sim.current_time
    e.impulse = impulse
    for i in range(3):
        e.point[i] = <float>hit.point[i]
        e.normal[i] = hit.normal[i]


cdef void break_joints(world_t* w, int u) noexcept nogil:
    """Let go of joints that carried too much; the unit is looked at for parts behind its PSI."""
    cdef int k = w.units[u].controller_last, before
    while k != NONE:
        before = w.controllers[k].prev
        if w.controllers[k].kind == KIND_JOINT and joint_breaks(w, w.controllers[k].data):
            w.spring_broken(w, k)
            detach_controller(w, k)
            release_controller(w, k)
        k = before


cdef void finish_contacts(world_t* w) noexcept nogil:
    """Bounce, keep the impulses, give the velocities to the cores, tell what happened."""
    cdef int _turn
    hold_movers(w)
    for _turn in range(BOUNCES):
        if not bounce(w):
            break
    calm_overlaps(w)
    keep_impulses(w)
    mark_pushed(w)
    if w.solver.link_count:
        keep_joint_impulses(w)
    store_movers(w)
    correct_cores(w)
    tell_impacts(w)
