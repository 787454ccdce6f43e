# cython: boundscheck=False, wraparound=False, cdivision=True
"""Impacts inside a PSI: fast bodies are swept, and what they hit is an event of the time manager's queue (ours, ivp 11.1).

A body that moves farther than half its inner radius in a PSI is swept against fixed bodies; if one of two bodies is
`continuous`, against each other. At the time of impact it gets its impulse and a new motion for the rest of the PSI.
"""

from libc.math cimport sqrt
from libc.string cimport memcpy, memmove, memset

from physics.kernel.algebra cimport (
    cross_f, mul_mtv, mul_mtv_f, quat_product, quat_to_matrix, slerp, to_local_f,
)
from physics.kernel.collision cimport PAIR_SENSOR, TREE_NONE, collider_t, find_pair
from physics.kernel.contacts cimport PAIR_LINKED, PAIR_REFUSED, accepts, tell_hit
from physics.kernel.integration cimport integrate_core, inverse_duration
from physics.kernel.memory cimport reserve
from physics.kernel.pushes cimport push_core, surface_speed
from physics.kernel.shape cimport BALL, shape_t
from physics.kernel.solver cimport combine, material_of, size_of
from physics.kernel.state cimport MT_NOT_SIM, NONE, core_t, material_t, object_t
from physics.kernel.store cimport hit_t
from physics.kernel.motion cimport motion_t
from physics.kernel.sweep cimport impact_t, time_of_impact
from physics.kernel.tree cimport begin_tree_walk, next_item, tree_walk_t
from physics.kernel.units cimport ensure_in_simulation

cdef enum:
    ROUNDS = 10                     # of normal and friction in an impact
    MOST_IMPACTS = 12               # of one body in a PSI; then it waits for the next one

cdef double FAST_SHARE = 0.5        # of the inner radius: a way in a PSI that may pass through something
cdef double TARGET_SHARE = 0.004    # of the smaller inner radius: how near an impact brings two bodies
cdef double ALLOWED_SHARE = 0.25    # of the smaller inner radius: what the contact solver keeps out well enough


cdef bint is_fast(const world_t* w, int b) noexcept nogil:
    """May this body pass through something in the coming PSI?"""
    cdef const core_t* c = &w.cores[b]
    cdef const collider_t* body = &w.collision.colliders[b]
    cdef double way = c.current_speed * w.sim.delta_psi
    if body.tree == TREE_NONE or w.objects[b].sensor:
        return False
    if way > FAST_SHARE * body.inner:
        return w.collision.still.leaves > 0 or c.continuous or w.n_continuous > 0
    return c.continuous and way + c.max_surface_rot_speed * w.sim.delta_psi > FAST_SHARE * body.inner


# ---- motion over the rest of a PSI

cdef void motion_of(const world_t* w, int b, double duration, motion_t* m) noexcept nogil:
    """The motion of a body's shape from the current time on."""
    cdef const core_t* c = &w.cores[b]
    cdef const object_t* o = &w.objects[b]
    cdef double dt = w.sim.current_time - c.time_of_last_psi
    cdef double[9] r
    cdef double[3] shift
    cdef int i
    if c.movement_state >= MT_NOT_SIM:
        memcpy(m.q0, c.q_last, 32)
        memcpy(m.q1, c.q_last, 32)
    else:
        slerp(c.q_last, c.q_next, dt * c.i_delta_time, m.q0)
        slerp(c.q_last, c.q_next, (dt + duration) * c.i_delta_time, m.q1)
    for i in range(3):
        m.p0[i] = c.pos_last[i] + <double>c.delta[i] * dt
        m.p1[i] = c.pos_last[i] + <double>c.delta[i] * (dt + duration)
        shift[i] = -o.shift_core_f_object[i]
    if o.has_rotation:
        quat_product(m.q0, o.q_core_f_object, m.q0)
        quat_product(m.q1, o.q_core_f_object, m.q1)
        quat_to_matrix(o.q_core_f_object, r)
        mul_mtv(r, shift, m.center)
    else:
        memcpy(m.center, shift, 24)


cdef void swept_box(const world_t* w, int b, const motion_t* m, float* lo, float* hi) noexcept nogil:
    """A box around the whole motion."""
    cdef float reach = w.collision.colliders[b].reach + <float>sqrt(
        m.center[0] * m.center[0] + m.center[1] * m.center[1] + m.center[2] * m.center[2])
    cdef int i
    for i in range(3):
        lo[i] = <float>(m.p0[i] if m.p0[i] < m.p1[i] else m.p1[i]) - reach * <float>1.001
        hi[i] = <float>(m.p0[i] if m.p0[i] > m.p1[i] else m.p1[i]) + reach * <float>1.001


cdef bint first_hit(world_t* w, int b, int without, hit_t* hit) noexcept nogil:
    """The first impact of a body until the next PSI, with anything but `without`."""
    cdef double duration = w.sim.base_time + <double>w.sim.psi_offset - w.sim.current_time
    cdef motion_t mine
    cdef motion_t heart_motion
    cdef motion_t other
    cdef shape_t heart
    cdef impact_t found
    cdef tree_walk_t walk
    cdef float[3] lo
    cdef float[3] hi
    cdef double best = 2.0, hold = 0.0, size
    cdef double[3] away
    cdef int tree, o, p, kind, i
    cdef bint struck
    if duration <= 0.0:
        return False
    motion_of(w, b, duration, &mine)
    swept_box(w, b, &mine, lo, hi)
    memset(&heart, 0, sizeof(shape_t))
    heart.type = BALL
    heart.solid = 1
    heart.radius = heart.core_radius = heart.inner_radius = 0.5 * w.collision.colliders[b].inner
    for i in range(3):
        heart.lo[i] = -heart.radius
        heart.hi[i] = heart.radius
    heart_motion = mine
    heart_motion.center[0] = heart_motion.center[1] = heart_motion.center[2] = 0.0
    for tree in range(2):
        if tree == 1 and not w.cores[b].continuous and w.n_continuous == 0:
            break
        begin_tree_walk(&walk, &w.collision.still if tree == 0 else &w.collision.moving, lo, hi)
        while True:
            o = next_item(&walk)
            if o < 0:
                break
            if o == b or o == without or (tree == 1 and not w.cores[b].continuous and not w.cores[o].continuous):
                continue
            p = find_pair(&w.collision, b, o)
            kind = w.collision.pairs[p].kind if p >= 0 else accepts(w, b, o)
            if kind == 0 or kind & (PAIR_SENSOR | PAIR_REFUSED):
                continue
            size = size_of(w, b, o)
            motion_of(w, o, duration, &other)
            struck = time_of_impact(w.collision.shapes[b], w.collision.colliders[b].extra, &mine, w.collision.shapes[o],
                                    w.collision.colliders[o].extra, &other, TARGET_SHARE * size, ALLOWED_SHARE * size,
                                    p >= 0 and kind & PAIR_LINKED != 0, &found)
            if found.hold > hold:
                hold = found.hold
                for i in range(3):
                    away[i] = found.hold_normal[i]
            if not struck and w.collision.shapes[b].type != BALL:
                # A corner that whirls may hide what follows it, so a ball inside the body has the last word.
                struck = time_of_impact(&heart, 0.0, &heart_motion, w.collision.shapes[o], w.collision.colliders[o].extra,
                                        &other, TARGET_SHARE * size, 0.0, False, &found)
            if not struck:
                continue
            if found.t < best:
                best = found.t
                memset(hit, 0, sizeof(hit_t))
                hit.a = b
                hit.b = o
                hit.material = found.material
                for i in range(3):
                    hit.normal[i] = <float>found.normal[i]
                    hit.point[i] = found.point[i]
    if hold > 0.0 and not w.cores[b].kinematic:     # it turns about a point that touches: only its way inwards is taken
        for i in range(3):
            w.cores[b].delta[i] -= <float>(away[i] * hold / duration)
    if best > 1.0:
        return False
    hit.value = <float>(w.sim.current_time - w.sim.base_time + best * duration)
    if hit.value > w.sim.psi_offset:
        hit.value = w.sim.psi_offset
    hit.stamp_a = w.cores[hit.a].time_of_last_psi
    hit.stamp_b = w.cores[hit.b].time_of_last_psi
    hit.generation_a = w.cores[hit.a].generation
    hit.generation_b = w.cores[hit.b].generation
    return True


cdef void queue_hit(world_t* w, const hit_t* hit) noexcept nogil:
    """Insert before the first event that is not earlier: of equal times the newest comes first (11.1)."""
    cdef int i = 0
    if not reserve(<void**>&w.hits, &w.hit_capacity, w.sim.n_hits + 1, sizeof(hit_t)):
        w.collision.out_of_memory = 1
        return
    while i < w.sim.n_hits and w.hits[i].value < hit.value:
        i += 1
    memmove(&w.hits[i + 1], &w.hits[i], (w.sim.n_hits - i) * sizeof(hit_t))
    w.hits[i] = hit[0]
    w.sim.n_hits += 1


cdef void sweep_fast_bodies(world_t* w) noexcept nogil:
    """After the integration of a PSI: queue the first impact of each fast body."""
    cdef hit_t hit
    cdef int i
    w.sim.n_hits = 0
    for i in range(w.n_fast):
        if w.cores[w.fast[i]].movement_state < MT_NOT_SIM and first_hit(w, w.fast[i], NONE, &hit):
            queue_hit(w, &hit)
    w.n_fast = 0


# ---- the impact

cdef void stand_at(world_t* w, int b) noexcept nogil:
    """Put a core's last PSI at the current time, in the middle of its motion."""
    cdef core_t* c = &w.cores[b]
    cdef double dt = w.sim.current_time - c.time_of_last_psi
    cdef double[4] q
    cdef int i
    if c.unmovable or c.movement_state >= MT_NOT_SIM:
        return
    slerp(c.q_last, c.q_next, dt * c.i_delta_time, q)
    for i in range(3):
        c.pos_last[i] += <double>c.delta[i] * dt
    memcpy(c.q_last, q, 32)
    memcpy(c.q_next, q, 32)
    quat_to_matrix(q, c.rotation)
    memcpy(c.translation, c.pos_last, 24)
    c.time_of_last_psi = w.sim.current_time


cdef inline double response(const core_t* c, const float* arm, const float* way) noexcept nogil:
    """Velocity along `way` at a point, from a unit impulse there."""
    cdef float[3] j
    cdef float[3] way_cs
    if c.unmovable:
        return 0.0
    mul_mtv_f(c.rotation, way, way_cs)
    cross_f(arm, way_cs, j)
    return (c.inv_mass + <double>j[0] * j[0] * c.inv_rot_inertia[0] + <double>j[1] * j[1] * c.inv_rot_inertia[1]
            + <double>j[2] * j[2] * c.inv_rot_inertia[2])


cdef void push_at(core_t* c, const float* arm, const float* way, double size) noexcept nogil:
    cdef float[3] i_ws
    cdef float[3] i_cs
    cdef int k
    if c.unmovable or c.kinematic:
        return
    for k in range(3):
        i_ws[k] = <float>(way[k] * size)
    mul_mtv_f(c.rotation, i_ws, i_cs)
    push_core(c, arm, i_cs, i_ws)


cdef inline void speed_at(const core_t* c, const float* arm, float* out) noexcept nogil:
    out[0] = out[1] = out[2] = 0.0
    if not c.unmovable:
        surface_speed(c, c.speed, c.rot_speed, arm, out)


cdef float strike(world_t* w, const hit_t* hit) noexcept nogil:
    """Exchange the impulse of an impact: elasticity along the normal, friction across; return the normal one.

    Friction turns a body and so changes the speed along the normal again: some rounds settle both.
    """
    cdef core_t* ca = &w.cores[hit.a]
    cdef core_t* cb = &w.cores[hit.b]
    cdef const material_t* ma = &w.objects[hit.a].material
    cdef const material_t* mb = material_of(w, hit.b, hit.material)
    cdef float[3] arm_a
    cdef float[3] arm_b
    cdef float[3] va
    cdef float[3] vb
    cdef float[3] side
    cdef double[3] v
    cdef double vn, away = 0.0, size, total = 0.0, rubbed = 0.0, across, k, e, friction
    cdef int i, turn
    to_local_f(ca.rotation, ca.translation, hit.point, arm_a)
    to_local_f(cb.rotation, cb.translation, hit.point, arm_b)
    k = response(ca, arm_a, hit.normal) + response(cb, arm_b, hit.normal)
    if not k > 0.0:
        return 0.0
    friction = combine(ma.friction, mb.friction, max(ma.friction_rule, mb.friction_rule))
    for turn in range(ROUNDS):
        speed_at(ca, arm_a, va)
        speed_at(cb, arm_b, vb)
        vn = 0.0
        for i in range(3):
            v[i] = <double>vb[i] - va[i]
            vn += v[i] * hit.normal[i]
        if turn == 0:
            if vn >= 0.0:
                return 0.0
            e = combine(ma.elasticity, mb.elasticity, max(ma.elasticity_rule, mb.elasticity_rule))
            away = -e * vn if -vn > w.solver.threshold else 0.0
        size = (away - vn) / k
        if total + size < 0.0:
            size = -total
        total += size
        push_at(ca, arm_a, hit.normal, -size)
        push_at(cb, arm_b, hit.normal, size)
        if turn > 0 and -1e-4 * total < size < 1e-4 * total:
            break
        # friction against what slides now
        speed_at(ca, arm_a, va)
        speed_at(cb, arm_b, vb)
        vn = 0.0
        for i in range(3):
            v[i] = <double>vb[i] - va[i]
            vn += v[i] * hit.normal[i]
        across = 0.0
        for i in range(3):
            v[i] -= vn * hit.normal[i]
            across += v[i] * v[i]
        across = sqrt(across)
        if across < 1e-9:
            continue
        for i in range(3):
            side[i] = <float>(v[i] / across)
        size = response(ca, arm_a, side) + response(cb, arm_b, side)
        size = across / size if size > 0.0 else 0.0
        if rubbed + size > friction * total:
            size = friction * total - rubbed
        if size <= 0.0:
            continue
        rubbed += size
        push_at(ca, arm_a, side, size)
        push_at(cb, arm_b, side, -size)
    return <float>total


cdef void move_on(world_t* w, int b) noexcept nogil:
    """A new motion for the rest of the PSI (8.2, with env.state 5), and what it hits next."""
    cdef core_t* c = &w.cores[b]
    cdef hit_t hit
    cdef double rest
    cdef int i
    if c.unmovable or c.movement_state >= MT_NOT_SIM:
        return
    rest = w.sim.time_of_next_psi - w.sim.current_time
    integrate_core(&w.sim, w.objects, b, c, rest, inverse_duration(rest))
    c.impacts += 1
    if c.impacts >= MOST_IMPACTS:                   # a corner that it cannot leave in this PSI: it stops there
        for i in range(3):
            c.delta[i] = c.speed[i] = c.rot_speed[i] = 0.0
        memcpy(c.q_next, c.q_last, 32)
    elif is_fast(w, b) and first_hit(w, b, NONE, &hit):
        queue_hit(w, &hit)


cdef void run_impact(world_t* w) noexcept nogil:
    """The first event of the queue, at its time, which is the current one."""
    cdef hit_t hit = w.hits[0]
    cdef hit_t again
    cdef float impulse
    w.sim.n_hits -= 1
    memmove(&w.hits[0], &w.hits[1], w.sim.n_hits * sizeof(hit_t))
    if w.cores[hit.a].generation != hit.generation_a or w.cores[hit.a].movement_state >= MT_NOT_SIM:
        return
    if w.cores[hit.a].time_of_last_psi != hit.stamp_a:
        return                                      # it has hit something else since, and was swept again then
    if w.cores[hit.b].generation != hit.generation_b or w.cores[hit.b].time_of_last_psi != hit.stamp_b:
        if first_hit(w, hit.a, NONE, &again):       # the other one has moved otherwise
            queue_hit(w, &again)
        return
    if not w.cores[hit.b].unmovable:
        ensure_in_simulation(w, hit.b)
    stand_at(w, hit.a)
    stand_at(w, hit.b)
    impulse = strike(w, &hit)
    tell_hit(w, &hit, impulse)
    move_on(w, hit.a)
    move_on(w, hit.b)


cdef void forget_impacts(world_t* w, int b) noexcept nogil:
    """Drop the events of a body that is put somewhere else or goes."""
    cdef int i, n = 0
    for i in range(w.sim.n_hits):
        if w.hits[i].a != b and w.hits[i].b != b:
            w.hits[n] = w.hits[i]
            n += 1
    w.sim.n_hits = n
