# cython: boundscheck=False, wraparound=False, cdivision=True
"""The contact solver of one sim unit: rows from touches, sequential impulses, friction cone, restitution (ours, ivp 14.4).

A PSI is solved in sub-steps: each adds its part of gravity, sweeps once with soft contacts that push overlaps apart,
moves the bodies, and sweeps once more with hard contacts, which takes the speed of the pushes back. The cores then move
by the mean of the sub-steps ("held") and keep the last velocity. What no contact pushed keeps the bits of the text.
Velocities and impulses are f32, as the cores keep them; geometry is f64.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from physics.kernel.algebra cimport cross_f, mul_mtv_f, mul_mv, to_world
from physics.kernel.collision cimport pair_t, touch_t
from physics.kernel.lanes cimport fx4, fx_add, fx_all, fx_load, fx_mul, fx_store, fx_sum
from physics.kernel.memory cimport reserve, resize
from physics.kernel.rows cimport block_t, mover_t, normal_speed, roll_t, row_t, solver_t
from physics.kernel.state cimport NONE, core_t, material_t
from physics.kernel.store cimport world_t

cdef float SLOP_SHARE = 0.005       # of the smaller radius: overlap that nothing pushes apart, so that touches last
cdef double STIFFNESS = 60.0        # Hz: how fast overlaps come apart, at most a quarter of the sub-steps' rate
cdef double DAMPING = 10.0          # times critical
cdef double JOINT_DAMPING = 2.0


cdef bint solver_reserve(world_t* w, int bodies) noexcept nogil:
    """Room in the scratch tables that go by body."""
    cdef solver_t* s = &w.solver
    cdef int32_t old = s.body_capacity
    if bodies <= old:
        return True
    if not (resize(<void**>&s.mover_of, old, bodies, sizeof(int32_t))
            and resize(<void**>&s.stamp, old, bodies, sizeof(int32_t))
            and resize(<void**>&s.held, old, bodies, 8 * sizeof(float))):
        return False
    s.body_capacity = bodies
    return True


cdef void solver_free(world_t* w) noexcept nogil:
    cdef solver_t* s = &w.solver
    free(s.movers)
    free(s.rows)
    free(s.blocks)
    free(s.rolls)
    free(s.links)
    free(s.mover_of)
    free(s.stamp)
    free(s.held)
    memset(s, 0, sizeof(solver_t))


# ---- movers

cdef int mover_of(world_t* w, int b) noexcept nogil:
    """The row of a body's velocities; row 0 stands still, for all fixed bodies."""
    cdef solver_t* s = &w.solver
    cdef int m
    if w.cores[b].unmovable:
        return 0
    if s.stamp[b] == s.stamp_now:
        return s.mover_of[b]
    if not reserve(<void**>&s.movers, &s.mover_capacity, s.mover_count + 1, sizeof(mover_t)):
        w.collision.out_of_memory = 1
        return 0
    m = s.mover_count
    s.mover_count += 1
    s.stamp[b] = s.stamp_now
    s.mover_of[b] = m
    load_mover(&s.movers[m], b, &w.cores[b])
    memset(s.movers[m].dv, 0, 16)
    memset(s.movers[m].dw, 0, 16)
    s.movers[m].pushed = 0
    s.movers[m].most_turn = 0.0
    return m


cdef inline void load_mover(mover_t* m, int b, const core_t* c) noexcept nogil:
    cdef int k
    m.body = b
    m.kinematic = c.kinematic
    for k in range(3):
        m.v[k] = c.speed[k]
        m.w[k] = c.rot_speed[k]
    m.v[3] = m.w[3] = 0.0


cdef void load_movers(world_t* w) noexcept nogil:
    """Take the velocities from the cores."""
    cdef solver_t* s = &w.solver
    cdef int i
    for i in range(1, s.mover_count):
        load_mover(&s.movers[i], s.movers[i].body, &w.cores[s.movers[i].body])


cdef void mark_pushed(world_t* w) noexcept nogil:
    """Tell the movers that contacts pushed from those whose contacts came to nothing."""
    cdef solver_t* s = &w.solver
    cdef const block_t* block
    cdef int i, k
    for i in range(s.block_count):
        block = &s.blocks[i]
        for k in range(block.first, block.first + block.count):
            # An overlap is pushed apart even where nothing presses: no impulse is left of that in the end.
            if s.rows[k].total > 0.0 or s.rows[k].separation < -s.rows[k].slop:
                s.movers[block.a].pushed = 1
                s.movers[block.b].pushed = 1
                break


cdef void store_movers(world_t* w) noexcept nogil:
    """Give the velocities back to the cores."""
    cdef solver_t* s = &w.solver
    cdef core_t* c
    cdef int i, k
    for i in range(1, s.mover_count):
        c = &w.cores[s.movers[i].body]
        if c.kinematic or not s.movers[i].pushed:
            continue
        for k in range(3):
            c.speed[k] = s.movers[i].v[k]
            c.rot_speed[k] = s.movers[i].w[k]


cdef void add_gravity(world_t* w, float seconds) noexcept nogil:
    """Add the gravity of a part of the PSI; the gravity controller's is taken back by a negative one first."""
    cdef solver_t* s = &w.solver
    cdef float[4] g
    cdef fx4 change
    cdef int i
    for i in range(3):
        g[i] = w.sim.gravity[i] * seconds
    g[3] = 0.0
    change = fx_load(g)
    for i in range(1, s.mover_count):
        if not s.movers[i].kinematic:
            fx_store(s.movers[i].v, fx_add(fx_load(s.movers[i].v), change))


cdef void advance_movers(world_t* w, float h) noexcept nogil:
    """Move the bodies by a part of the PSI."""
    cdef solver_t* s = &w.solver
    cdef mover_t* m
    cdef int i
    for i in range(1, s.mover_count):
        m = &s.movers[i]
        fx_store(m.dv, fx_add(fx_load(m.dv), fx_mul(fx_load(m.v), fx_all(h))))
        fx_store(m.dw, fx_add(fx_load(m.dw), fx_mul(fx_load(m.w), fx_all(h))))


cdef void hold_movers(world_t* w) noexcept nogil:
    """Remember the velocities that push overlaps apart."""
    cdef solver_t* s = &w.solver
    cdef int i
    for i in range(1, s.mover_count):
        fx_store(s.movers[i].held_v, fx_mul(fx_load(s.movers[i].dv), fx_all(<float>w.sim.inv_delta_psi)))
        fx_store(s.movers[i].held_w, fx_mul(fx_load(s.movers[i].dw), fx_all(<float>w.sim.inv_delta_psi)))


cdef void correct_cores(world_t* w) noexcept nogil:
    """Let the cores move by the held velocities in this PSI, beside the final ones."""
    cdef solver_t* s = &w.solver
    cdef core_t* c
    cdef float* held
    cdef int i, k
    for i in range(1, s.mover_count):
        c = &w.cores[s.movers[i].body]
        if c.kinematic or not s.movers[i].pushed:
            continue
        held = s.held + 8 * s.movers[i].body
        for k in range(3):
            held[k] = s.movers[i].held_v[k] - s.movers[i].v[k]
            held[4 + k] = s.movers[i].held_w[k] - s.movers[i].w[k]
        c.corrected = 1


# ---- rows

cdef void angular(const core_t* c, const float* arm, const float* way, float* j, float* i) noexcept nogil:
    """arm x way in core axes, and times the inverse inertia."""
    cdef float[3] turn
    cross_f(arm, way, turn)
    mul_mtv_f(c.rotation, turn, j)
    j[3] = 0.0
    i[0] = j[0] * c.inv_rot_inertia[0]
    i[1] = j[1] * c.inv_rot_inertia[1]
    i[2] = j[2] * c.inv_rot_inertia[2]
    i[3] = 0.0


cdef void axial(const core_t* c, const float* way, float* j, float* i) noexcept nogil:
    """way in core axes, and times the inverse inertia."""
    mul_mtv_f(c.rotation, way, j)
    j[3] = 0.0
    i[0] = j[0] * c.inv_rot_inertia[0]
    i[1] = j[1] * c.inv_rot_inertia[1]
    i[2] = j[2] * c.inv_rot_inertia[2]
    i[3] = 0.0


cdef float dot4(const float* a, const float* b) noexcept nogil:
    return fx_sum(fx_mul(fx_load(a), fx_load(b)))


cdef float combine(float a, float b, int rule) noexcept nogil:
    """The rules of physics.materials, by number."""
    if rule == 0:
        return <float>0.5 * (a + b)
    if rule == 1:
        return <float>sqrt(<double>a * b)
    if rule == 2:
        return a if a < b else b
    if rule == 3:
        return a * b
    return a if a > b else b


cdef const material_t* material_of(const world_t* w, int b, int number) noexcept nogil:
    """The material of a body, or of the triangle of its mesh."""
    if number >= 0 and w.surfaces[b] != NULL:
        return &w.surfaces[b][number]
    return &w.objects[b].material


cdef inline void surface_motion(const world_t* w, int b, const material_t* m, float sign, float* out) noexcept nogil:
    """Add the world velocity of a moving surface."""
    cdef const double* r
    cdef int i
    if m.surface_velocity[0] == 0.0 and m.surface_velocity[1] == 0.0 and m.surface_velocity[2] == 0.0:
        return
    r = w.collision.colliders[b].pose.r
    for i in range(3):
        out[i] += sign * <float>(r[3 * i] * m.surface_velocity[0] + r[3 * i + 1] * m.surface_velocity[1]
                                 + r[3 * i + 2] * m.surface_velocity[2])


cdef float size_of(const world_t* w, int a, int b) noexcept nogil:
    """The smaller inner radius of two bodies, of the solid ones."""
    cdef float x = w.collision.colliders[a].inner, y = w.collision.colliders[b].inner
    if not w.collision.shapes[b].solid or not y > 0.0:
        return x
    if not w.collision.shapes[a].solid or not x > 0.0:
        return y
    return x if x < y else y


cdef void add_touch(world_t* w, const pair_t* pair, int number) noexcept nogil:
    """Append the block and the rows of one touch, and apply the impulses that it kept."""
    cdef solver_t* s = &w.solver
    cdef touch_t* touch = &w.collision.touches[number]
    cdef const core_t* ca = &w.cores[pair.a]
    cdef const core_t* cb = &w.cores[pair.b]
    cdef const double* ra = w.collision.colliders[pair.a].pose.r
    cdef const double* pa = w.collision.colliders[pair.a].pose.p
    cdef const double* rb = w.collision.colliders[pair.b].pose.r
    cdef const double* pb = w.collision.colliders[pair.b].pose.p
    cdef const material_t* ma = material_of(w, pair.a, touch.material_a)
    cdef const material_t* mb = material_of(w, pair.b, touch.material_b)
    cdef bint a_moves = not ca.unmovable, b_moves = not cb.unmovable
    cdef block_t* block
    cdef row_t* row
    cdef double[3] n
    cdef double[3] way
    cdef double[3] on_a
    cdef double[3] on_b
    cdef double[3] middle
    cdef double[2][3] middles
    cdef double[4][3] spots
    cdef float[3] arm
    cdef float[3] surface
    cdef float elasticity, threshold, separation, response, slop, xx, xy, yy, d
    cdef int i, k, a, b
    a = mover_of(w, pair.a)
    b = mover_of(w, pair.b)
    if not (reserve(<void**>&s.blocks, &s.block_capacity, s.block_count + 1, sizeof(block_t))
            and reserve(<void**>&s.rows, &s.row_capacity, s.row_count + touch.count, sizeof(row_t))):
        w.collision.out_of_memory = 1
        return
    block = &s.blocks[s.block_count]
    s.block_count += 1
    memset(block, 0, sizeof(block_t))
    block.a = a
    block.b = b
    block.first = s.row_count
    block.count = touch.count
    block.touch = number
    block.roll = NONE
    block.pair = <int32_t>(pair - w.collision.pairs)
    block.inv_mass_a = ca.inv_mass if a_moves else 0.0
    block.inv_mass_b = cb.inv_mass if b_moves else 0.0
    for i in range(3):
        way[i] = touch.normal[i]
    mul_mv(ra, way, n)
    for i in range(3):
        block.n[i] = <float>n[i]
    # tangents
    i = 0 if fabs(n[0]) < 0.57735 else 1
    way[0] = way[1] = way[2] = 0.0
    way[i] = 1.0
    d = <float>n[i]
    for k in range(3):
        way[k] -= n[k] * n[i]
    d = <float>(1.0 / sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]))
    for k in range(3):
        block.t[0][k] = <float>way[k] * d
    cross_f(block.n, block.t[0], block.t[1])

    elasticity = combine(ma.elasticity, mb.elasticity,
                         ma.elasticity_rule if ma.elasticity_rule > mb.elasticity_rule else mb.elasticity_rule)
    block.friction = combine(ma.friction, mb.friction,
                             ma.friction_rule if ma.friction_rule > mb.friction_rule else mb.friction_rule)
    block.spinning = ma.spinning_friction + mb.spinning_friction
    surface[0] = surface[1] = surface[2] = 0.0
    surface_motion(w, pair.a, ma, -1.0, surface)
    surface_motion(w, pair.b, mb, 1.0, surface)
    threshold = s.threshold
    slop = SLOP_SHARE * size_of(w, pair.a, pair.b)
    memset(middles, 0, sizeof(middles))
    for i in range(touch.count):
        row = &s.rows[s.row_count]
        s.row_count += 1
        memset(row, 0, sizeof(row_t))
        to_world(ra, pa, touch.points[i].a, on_a)
        to_world(rb, pb, touch.points[i].b, on_b)
        separation = <float>((on_b[0] - on_a[0]) * n[0] + (on_b[1] - on_a[1]) * n[1] + (on_b[2] - on_a[2]) * n[2])
        for k in range(3):
            spots[i][k] = 0.5 * (on_a[k] + on_b[k])
            middles[0][k] += on_a[k]
            middles[1][k] += on_b[k]
        response = block.inv_mass_a + block.inv_mass_b
        if a_moves:
            for k in range(3):
                arm[k] = <float>(spots[i][k] - ca.translation[k])
            angular(ca, arm, block.n, row.ja, row.ia)
            response += dot4(row.ja, row.ia)
        if b_moves:
            for k in range(3):
                arm[k] = <float>(spots[i][k] - cb.translation[k])
            angular(cb, arm, block.n, row.jb, row.ib)
            response += dot4(row.jb, row.ib)
        row.mass = <float>1.0 / response if response > 0.0 else 0.0
        row.separation = separation
        row.slop = slop
        row.elasticity = elasticity
        row.impulse = touch.points[i].impulse[0]
        row.approach = normal_speed(s, block, row)
        if row.approach < -threshold:
            row.bounce = -elasticity * row.approach
    # friction and twist, at the middle of the points
    for k in range(3):
        middles[0][k] /= touch.count
        middles[1][k] /= touch.count
        middle[k] = 0.5 * (middles[0][k] + middles[1][k])
    xx = yy = block.inv_mass_a + block.inv_mass_b
    xy = 0.0
    d = 0.0
    if a_moves:
        for k in range(3):
            arm[k] = <float>(middles[0][k] - ca.translation[k])    # its own surface: rolling is exact despite overlap
        for i in range(2):
            angular(ca, arm, block.t[i], block.ja[i], block.ia[i])
        axial(ca, block.n, block.na, block.ina)
        xx += dot4(block.ja[0], block.ia[0])
        xy += dot4(block.ja[0], block.ia[1])
        yy += dot4(block.ja[1], block.ia[1])
        d += dot4(block.na, block.ina)
    if b_moves:
        for k in range(3):
            arm[k] = <float>(middles[1][k] - cb.translation[k])
        for i in range(2):
            angular(cb, arm, block.t[i], block.jb[i], block.ib[i])
        axial(cb, block.n, block.nb, block.inb)
        xx += dot4(block.jb[0], block.ib[0])
        xy += dot4(block.jb[0], block.ib[1])
        yy += dot4(block.jb[1], block.ib[1])
        d += dot4(block.nb, block.inb)
    response = xx * yy - xy * xy
    if response > 0.0:
        block.k[0] = yy / response
        block.k[1] = -xy / response
        block.k[2] = xx / response
    block.twist_mass = <float>1.0 / d if d > 0.0 else 0.0
    if touch.count > 1:
        for i in range(touch.count):
            block.twist_arm += <float>sqrt((spots[i][0] - middle[0]) * (spots[i][0] - middle[0])
                                           + (spots[i][1] - middle[1]) * (spots[i][1] - middle[1])
                                           + (spots[i][2] - middle[2]) * (spots[i][2] - middle[2]))
        block.twist_arm /= touch.count
    for i in range(2):
        block.target[i] = surface[0] * block.t[i][0] + surface[1] * block.t[i][1] + surface[2] * block.t[i][2]
        block.push[i] = (touch.patch[0] * block.t[i][0] + touch.patch[1] * block.t[i][1]
                         + touch.patch[2] * block.t[i][2])
    if block.twist_arm > 0.0 or block.spinning > 0.0:
        block.twist = touch.patch[3]                # of a touch that has shrunk to one point nothing is left
    if ma.rolling_friction + mb.rolling_friction > 0.0:
        add_roll(w, block, ca, cb, a_moves, b_moves, ma.rolling_friction + mb.rolling_friction)


cdef void add_roll(world_t* w, block_t* block, const core_t* ca, const core_t* cb, bint a_moves, bint b_moves,
                   float length) noexcept nogil:
    """Rolling resistance about both tangents, up to `length` times the normal impulse."""
    cdef solver_t* s = &w.solver
    cdef roll_t* roll
    cdef float xx = 0.0, xy = 0.0, yy = 0.0, det
    cdef int i
    if not reserve(<void**>&s.rolls, &s.roll_capacity, s.roll_count + 1, sizeof(roll_t)):
        w.collision.out_of_memory = 1
        return
    block.roll = s.roll_count
    roll = &s.rolls[s.roll_count]
    s.roll_count += 1
    memset(roll, 0, sizeof(roll_t))
    roll.length = length
    for i in range(2):
        if a_moves:
            axial(ca, block.t[i], roll.ja[i], roll.ia[i])
        if b_moves:
            axial(cb, block.t[i], roll.jb[i], roll.ib[i])
    xx = dot4(roll.ja[0], roll.ia[0]) + dot4(roll.jb[0], roll.ib[0])
    xy = dot4(roll.ja[0], roll.ia[1]) + dot4(roll.jb[0], roll.ib[1])
    yy = dot4(roll.ja[1], roll.ia[1]) + dot4(roll.jb[1], roll.ib[1])
    det = xx * yy - xy * xy
    if det > 0.0:
        roll.k[0] = yy / det
        roll.k[1] = -xy / det
        roll.k[2] = xx / det


cdef inline void soften(double hertz, double damping, double h, float* rate, float* hardness, float* leak) noexcept nogil:
    """A damped spring of unit mass over one sub-step: how fast it closes an error, how hard it is, how much it forgets."""
    cdef double omega = 6.283185307179586 * hertz
    cdef double x = 2.0 * damping + omega * h
    cdef double y = omega * h * x
    rate[0] = <float>(omega / x)
    hardness[0] = <float>(y / (1.0 + y))
    leak[0] = <float>(1.0 / (1.0 + y))


cdef void begin_solver(world_t* w, int substeps) noexcept nogil:
    """Empty tables for a unit."""
    cdef solver_t* s = &w.solver
    if s.mover_capacity == 0 and not reserve(<void**>&s.movers, &s.mover_capacity, 64, sizeof(mover_t)):
        w.collision.out_of_memory = 1
        return
    memset(&s.movers[0], 0, sizeof(mover_t))
    s.movers[0].body = NONE
    s.mover_count = 1
    s.substeps = substeps
    s.h = <float>(w.sim.delta_psi / substeps)
    s.inv_h = <float>(w.sim.inv_delta_psi * substeps)
    soften(min(STIFFNESS, 0.25 * w.sim.inv_delta_psi * substeps), DAMPING, s.h, &s.rate, &s.hardness, &s.leak)
    soften(0.25 * w.sim.inv_delta_psi * substeps, JOINT_DAMPING, s.h, &s.joint_rate, &s.joint_hardness, &s.joint_leak)
    s.row_count = s.block_count = s.roll_count = s.link_count = 0
    s.stamp_now += 1
    # Nothing at rest gains more than this in a PSI, so resting bodies never bounce.
    s.threshold = <float>(2.0 * w.sim.delta_psi * sqrt(
        <double>w.sim.gravity[0] * w.sim.gravity[0] + <double>w.sim.gravity[1] * w.sim.gravity[1]
        + <double>w.sim.gravity[2] * w.sim.gravity[2]) + 0.01)
