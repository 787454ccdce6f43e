# cython: boundscheck=False, wraparound=False, cdivision=True
"""Ball joint, hinge and slider: one exact solve of up to six axes a joint (ivp 12.4 to 12.6)."""

from libc.math cimport fabs
from libc.string cimport memcpy, memset

from physics.kernel.algebra cimport (
    dot3, invert3, matrix_to_quat, mul_mm, mul_mmt, mul_mtm, mul_mtv, mul_mv, normalize3, set_identity, to_local,
    to_world,
)
from physics.kernel.elementary cimport arc_tangent2
from physics.kernel.poses cimport object_in_core, object_pose_at
from physics.kernel.pushes cimport push_core, rot_push_core_cs, surface_speed
from physics.kernel.state cimport NONE, core_t

cdef extern from *:
    """
    static const double fixstep_cubic = (double)0.24f;
    static const double fixstep_quintic = (double)0.58f;
    static const double fixstep_pivot = (double)1e-9f;
    """
    const double CUBIC "fixstep_cubic"              # 0x3e75c28f
    const double QUINTIC "fixstep_quintic"          # 0x3f147ae1
    const double PIVOT "fixstep_pivot"              # 0x3e112e0be0000000


# ---- creation (12.4, 12.5)

cdef void constraint_axes(const double* axis, double* r) noexcept nogil:
    """Orthonormal basis with the axis as column 2 (0x1000eb60)."""
    cdef double[3] a
    cdef double[3] v
    cdef int i
    for i in range(3):
        a[i] = axis[i]
    normalize3(a)
    v[0] = a[1]
    v[1] = a[2] - a[0]
    v[2] = -a[1]
    if not normalize3(v):
        v[0] = a[2]
        v[1] = -a[2]
        v[2] = a[1] - a[0]
        normalize3(v)
    for i in range(3):
        r[3 * i + 2] = a[i]
        r[3 * i] = v[(i + 1) % 3] * a[(i + 2) % 3] - v[(i + 2) % 3] * a[(i + 1) % 3]
        r[3 * i + 1] = v[i]


cdef inline void pose_product(const double* ra, const double* va, const double* rb, const double* vb, double* r,
                              double* v) noexcept nogil:
    """A B of poses (0x1000ec90): out may not alias."""
    mul_mm(ra, rb, r)
    mul_mv(ra, vb, v)
    v[0] += va[0]
    v[1] += va[1]
    v[2] += va[2]


cdef inline bint invert_pose(double* r, double* v) noexcept nogil:
    """General inverse in place (0x1000e8f0)."""
    cdef double[3] t
    if not invert3(r):
        return False
    mul_mv(r, v, t)
    v[0] = -t[0]
    v[1] = -t[1]
    v[2] = -t[2]
    return True


cdef inline void object_world(world_t* w, int b, double* r, double* vv) noexcept nogil:
    cdef double[4] q
    if b == NONE:
        set_identity(r)
        vv[0] = vv[1] = vv[2] = 0.0
    else:
        object_pose_at(&w.cores[b], &w.objects[b], w.sim.current_time, q, r, vv)


cdef inline void core_of_object(world_t* w, int b, double* r, double* vv) noexcept nogil:
    if b == NONE:
        set_identity(r)
        vv[0] = vv[1] = vv[2] = 0.0
    else:
        object_in_core(&w.objects[b], r, vv)


cdef bint init_constraint(world_t* w, constraint_t* c, const double* anchor_ws, const double* axis_ws) noexcept nogil:
    """Fill the two frames and the axis orders from a world anchor and axis (NULL: none) at the current time.

    A's constraint frame coincides with R's at creation. False when a frame cannot be inverted.
    """
    cdef double[9] r_world
    cdef double[3] r_vv
    cdef double[9] a_world
    cdef double[3] a_vv
    cdef double[9] frame
    cdef double[3] frame_vv
    cdef double[9] core_r
    cdef double[3] core_vv
    cdef double[9] rel
    cdef double[3] rel_vv
    cdef double[9] t
    cdef double[3] t_vv
    cdef double[3] axis
    cdef int i, n = 0
    object_world(w, c.body_r, r_world, r_vv)
    object_world(w, c.body_a, a_world, a_vv)
    to_local(r_world, r_vv, anchor_ws, frame_vv)
    if axis_ws != NULL:
        mul_mtv(r_world, axis_ws, axis)
        constraint_axes(axis, frame)
    else:
        set_identity(frame)
    core_of_object(w, c.body_r, core_r, core_vv)
    pose_product(core_r, core_vv, frame, frame_vv, c.frame_r, c.frame_r_vv)
    if not invert_pose(c.frame_r, c.frame_r_vv):
        return False
    # Rcore_f_Acore = (Rcore_f_Rfs (world_R^-1 world_A)) Acore_f_Afs^-1
    mul_mtm(r_world, a_world, t)
    to_local(r_world, r_vv, a_vv, t_vv)
    pose_product(core_r, core_vv, t, t_vv, rel, rel_vv)
    core_of_object(w, c.body_a, core_r, core_vv)
    mul_mmt(rel, core_r, t)                         # times the inverse of an orthonormal pose (0x1000f0e0)
    mul_mv(t, core_vv, t_vv)
    for i in range(3):
        t_vv[i] = rel_vv[i] - t_vv[i]
    pose_product(c.frame_r, c.frame_r_vv, t, t_vv, c.frame_a, c.frame_a_vv)
    c.n_rotation_fixed = c.n_rotation_limited = 0
    for i in range(3):
        if c.types[3 + i] == 1:
            c.order[n] = i
            n += 1
            c.n_rotation_fixed += 1
    for i in range(3):
        if c.types[3 + i] & 2:
            c.order[n] = i
            n += 1
            c.n_rotation_limited += 1
    for i in range(3):
        if c.types[3 + i] == 0:
            c.order[n] = i
            n += 1
    return True


# ---- the linear solver (0x10033e50)

cdef inline bint solve_linear(double (*m)[7], int n, double* x) noexcept nogil:
    """Gaussian elimination with row pivots; column 6 is the right side. False when a pivot is missing."""
    cdef int i, j, k, best
    cdef double size, factor, s, swap
    for i in range(n - 1):
        best = i
        size = 0.0
        for j in range(n - 1, i - 1, -1):           # from the bottom, strictly larger wins; the diagonal too: a reading
            if fabs(m[j][i]) > size:
                size = fabs(m[j][i])
                best = j
        if best != i:
            for k in range(7):
                swap = m[i][k]
                m[i][k] = m[best][k]
                m[best][k] = swap
        if size >= PIVOT:
            for j in range(i + 1, n):
                if fabs(m[j][i]) > PIVOT:
                    factor = m[j][i] * (-1.0 / m[i][i])
                    for k in range(i, n):
                        m[j][k] += factor * m[i][k]
                    m[j][6] += factor * m[i][6]
    for i in range(n - 1, -1, -1):
        s = m[i][6]
        for k in range(i + 1, n):
            s -= m[i][k] * x[k]
        if fabs(m[i][i]) >= PIVOT:
            x[i] = s / m[i][i]
        elif fabs(s) < PIVOT * 1000.0:
            x[i] = 0.0
        else:
            return False
    return True


# ---- one PSI (12.6)

cdef inline void rotation_errors(constraint_t* c, const double* cs_a, double* e) noexcept nogil:
    """Angular error on the constraint axes, by how many of them are held."""
    cdef int n = c.n_rotation_fixed + c.n_rotation_limited, i, o0, o1, o2
    cdef double[9] turn
    cdef double[4] q
    cdef double x
    e[0] = e[1] = e[2] = 0.0
    if n == 0:
        return
    mul_mmt(cs_a, c.frame_a, turn)                  # Q: A's constraint frame in R's
    if n == 3:
        matrix_to_quat(turn, q)
        for i in range(3):
            x = <float>q[0] if i == 0 else q[i]     # quirk: x goes through single precision
            e[i] = 2.0 * x + CUBIC * x * x * x + QUINTIC * x * x * x * x * x
            if q[3] < 0.0:
                e[i] = -e[i]
    else:                                           # n == 2; a joint with one held axis cannot be made
        o0 = c.order[0]
        o1 = c.order[1]
        o2 = c.order[2]
        e[o0] = -arc_tangent2(turn[3 * o1 + o2], turn[3 * o2 + o2])
        e[o1] = arc_tangent2(turn[3 * o0 + o2], turn[3 * o2 + o2])


cdef inline double wanted_change(constraint_t* c, int i, double error, double relative, double dt, double k,
                                 double g) noexcept nogil:
    """The change of relative velocity that axis i asks for; sets whether a limited axis acts in this PSI."""
    cdef double b = error + k * relative
    if c.types[i] & 2:
        if b < c.lower[i]:
            c.types[i] |= 1
            b = dt * relative + (error - c.lower[i]) * c.limit_factor
        elif b > c.upper[i]:
            c.types[i] |= 1
            b = dt * relative + (error - c.upper[i]) * c.limit_factor
        else:
            c.types[i] &= ~1
    return <double><float>b * g


cdef inline void unit_response(const core_t* core, bint linear, const float* anchor, const double* frame,
                               const double* cs_w, int axis, double sign, double* t, double* rot) noexcept nogil:
    """Change of velocity at the anchor and of rotation, both in Rcs, that a unit push on one axis makes in one core.

    `frame`: core axes to Rcs. A movable core only. In f64 throughout, unlike the pushes themselves: a reading.
    """
    cdef double[3] d
    cdef double[3] dw
    cdef double[3] v
    cdef double px = anchor[0], py = anchor[1], pz = anchor[2]
    cdef int i
    for i in range(3):
        d[i] = sign * frame[3 * axis + i]
    if linear:
        dw[0] = core.inv_rot_inertia[0] * (py * d[2] - pz * d[1])
        dw[1] = core.inv_rot_inertia[1] * (pz * d[0] - px * d[2])
        dw[2] = core.inv_rot_inertia[2] * (px * d[1] - py * d[0])
    else:
        for i in range(3):
            dw[i] = core.inv_rot_inertia[i] * d[i]
    mul_mv(frame, dw, rot)
    v[0] = dw[1] * pz - dw[2] * py
    v[1] = dw[2] * px - dw[0] * pz
    v[2] = dw[0] * py - dw[1] * px
    if linear:
        mul_mv(core.rotation, v, d)
        for i in range(3):
            d[i] += sign * cs_w[3 * axis + i] * core.inv_mass
        mul_mv(cs_w, d, t)
    else:
        mul_mv(frame, v, t)                         # for A by CsA, as its comment says: a reading


cdef inline void apply_solution(core_t* core, const double* frame, const float* anchor, double sign, const double* lt,
                                const double* lr) noexcept nogil:
    cdef double[3] local
    cdef double[3] world
    cdef float[3] f_cs
    cdef float[3] f_ws
    cdef int i
    mul_mtv(frame, lt, local)
    mul_mv(core.rotation, local, world)
    for i in range(3):
        f_cs[i] = <float>(sign * local[i])
        f_ws[i] = <float>(sign * world[i])
    push_core(core, anchor, f_cs, f_ws)
    mul_mtv(frame, lr, local)
    for i in range(3):
        f_cs[i] = <float>(sign * local[i])
    rot_push_core_cs(core, f_cs)


cdef inline void anchor_of(const double* frame, const double* vv, float* out) noexcept nogil:
    cdef double[3] v
    cdef double[3] p
    cdef int i
    for i in range(3):
        v[i] = -vv[i]
    mul_mtv(frame, v, p)
    for i in range(3):
        out[i] = <float>p[i]


cdef bint simulate_constraint(world_t* w, int row) noexcept nogil:
    """Make the relative velocity along each held axis undo its error within one PSI (0x10028960).

    False when that took more than the joint can bear (ours).
    """
    cdef constraint_t* c = &w.constraints[row]
    cdef core_t* core_r = NULL if c.body_r == NONE else &w.cores[c.body_r]
    cdef core_t* core_a = NULL if c.body_a == NONE else &w.cores[c.body_a]
    cdef bint r_moves = core_r != NULL and not core_r.unmovable
    cdef bint a_moves = core_a != NULL and not core_a.unmovable
    cdef double dt = <float>w.sim.delta_psi, idt = w.sim.inv_delta_psi, k, g
    cdef double[9] cs_w                             # R's constraint frame of the world
    cdef double[9] cs_a                             # ... of A's core
    cdef float[3] anchor_r
    cdef float[3] anchor_a
    cdef float[3] f
    cdef double[3] p_r
    cdef double[3] p_a
    cdef double[3] v
    cdef double[3] u
    cdef double[3] errors
    cdef double[3] relative
    cdef double[3] turn_errors
    cdef double[3] turning
    cdef double[6] wanted
    cdef int[6] active
    cdef double[3] t_r
    cdef double[3] t_a
    cdef double[3] m_r
    cdef double[3] m_a
    cdef double[6] response
    cdef double[6][7] m
    cdef double[6] x
    cdef double[3] lt
    cdef double[3] lr
    cdef int i, j, n = 0
    if core_r != NULL:
        mul_mmt(c.frame_r, core_r.rotation, cs_w)
    else:
        memcpy(cs_w, c.frame_r, 72)
    if core_a != NULL:
        mul_mm(cs_w, core_a.rotation, cs_a)
    else:
        memcpy(cs_a, cs_w, 72)
    rotation_errors(c, cs_a, turn_errors)

    anchor_of(c.frame_r, c.frame_r_vv, anchor_r)
    anchor_of(c.frame_a, c.frame_a_vv, anchor_a)
    relative[0] = relative[1] = relative[2] = 0.0
    turning[0] = turning[1] = turning[2] = 0.0
    if core_a != NULL:
        to_world(core_a.rotation, core_a.translation, anchor_a, p_a)
        surface_speed(core_a, core_a.speed, core_a.rot_speed, anchor_a, f)
        for i in range(3):
            v[i] = f[i]
        mul_mv(cs_w, v, relative)
        for i in range(3):
            v[i] = core_a.rot_speed[i]
        mul_mv(cs_a, v, turning)
    else:
        for i in range(3):
            p_a[i] = anchor_a[i]
    if core_r != NULL:
        to_world(core_r.rotation, core_r.translation, anchor_r, p_r)
        surface_speed(core_r, core_r.speed, core_r.rot_speed, anchor_r, f)
        for i in range(3):
            v[i] = f[i]
        mul_mv(cs_w, v, u)
        for i in range(3):
            relative[i] -= u[i]
            v[i] = core_r.rot_speed[i]
        mul_mv(c.frame_r, v, u)
        for i in range(3):
            turning[i] -= u[i]
    else:
        for i in range(3):
            p_r[i] = anchor_r[i]
    for i in range(3):
        v[i] = p_a[i] - p_r[i]
    mul_mv(cs_w, v, errors)

    k = dt * c.damp_over_force
    g = -<double>c.force_factor * <float>idt
    for i in range(3):
        wanted[i] = wanted_change(c, i, errors[i], relative[i], dt, k, g)
        wanted[3 + i] = wanted_change(c, 3 + i, turn_errors[i], turning[i], dt, k, g)
    for i in range(6):
        if c.types[i] & 1:
            active[n] = i
            n += 1
    c.n_active = n
    if n == 0:
        return True

    for j in range(n):
        memset(t_r, 0, 24)
        memset(t_a, 0, 24)
        memset(m_r, 0, 24)
        memset(m_a, 0, 24)
        if r_moves:
            unit_response(core_r, active[j] < 3, anchor_r, c.frame_r, cs_w, active[j] % 3, 1.0, t_r, m_r)
        if a_moves:
            unit_response(core_a, active[j] < 3, anchor_a, cs_a, cs_w, active[j] % 3, -1.0, t_a, m_a)
        for i in range(3):
            response[i] = t_a[i] - t_r[i]
            response[3 + i] = m_a[i] - m_r[i]
        for i in range(n):
            m[i][j] = response[active[i]]
    for i in range(n):
        m[i][6] = wanted[active[i]]
    if not solve_linear(m, n, x):
        return True                                 # nothing in this PSI
    memset(lt, 0, 24)
    memset(lr, 0, 24)
    for i in range(n):
        if active[i] < 3:
            lt[active[i]] = x[i]
        else:
            lr[active[i] - 3] = x[i]
    if r_moves:
        apply_solution(core_r, c.frame_r, anchor_r, 1.0, lt, lr)
    if a_moves:
        apply_solution(core_a, cs_a, anchor_a, -1.0, lt, lr)
    if c.break_force > 0.0 and dot3(lt, lt) * idt * idt > <double>c.break_force * c.break_force:
        return False
    return not (c.break_torque > 0.0 and dot3(lr, lr) * idt * idt > <double>c.break_torque * c.break_torque)


cdef void constraint_rows(world_t* w, int row, joint_rows_t* out) noexcept nogil:
    """The held axes of a joint as rows over the velocities of its bodies, and the changes that they ask for (ours).

    Velocities: three of the mass centre in world axes, three angular ones in core axes.
    """
    cdef constraint_t* c = &w.constraints[row]
    cdef const core_t* core
    cdef double dt = <float>w.sim.delta_psi, k, g
    cdef double[9] cs_w
    cdef double[9] cs_a
    cdef double[3] errors
    cdef double[3] turn_errors
    cdef double[2][3] place
    cdef float[2][3] anchor
    cdef double[3] d
    cdef double[3] r
    cdef double relative, sign
    cdef double* j
    cdef const double* frame
    cdef int i, m, side, b, n = 0
    cdef double[6] wanted
    if c.body_r != NONE:
        mul_mmt(c.frame_r, w.cores[c.body_r].rotation, cs_w)
    else:
        memcpy(cs_w, c.frame_r, 72)
    if c.body_a != NONE:
        mul_mm(cs_w, w.cores[c.body_a].rotation, cs_a)
    else:
        memcpy(cs_a, cs_w, 72)
    rotation_errors(c, cs_a, turn_errors)
    anchor_of(c.frame_r, c.frame_r_vv, anchor[0])
    anchor_of(c.frame_a, c.frame_a_vv, anchor[1])
    for side in range(2):
        b = c.body_r if side == 0 else c.body_a
        if b != NONE:
            to_world(w.cores[b].rotation, w.cores[b].translation, anchor[side], place[side])
        else:
            for i in range(3):
                place[side][i] = anchor[side][i]
    for i in range(3):
        d[i] = place[1][i] - place[0][i]
    mul_mv(cs_w, d, errors)
    k = dt * c.damp_over_force
    g = -<double>c.force_factor * <float>w.sim.inv_delta_psi
    memset(out, 0, sizeof(joint_rows_t))
    out.body[0] = c.body_r
    out.body[1] = c.body_a
    for i in range(6):                              # rows of all axes, to see what limits ask for
        relative = 0.0
        for side in range(2):
            b = out.body[side]
            j = out.j[side][n]
            for m in range(6):
                j[m] = 0.0
            if b == NONE:
                continue
            core = &w.cores[b]
            frame = &c.frame_r[0] if side == 0 else &cs_a[0]
            sign = -1.0 if side == 0 else 1.0
            for m in range(3):
                d[m] = sign * frame[3 * (i % 3) + m]
            if i < 3:
                for m in range(3):
                    j[m] = sign * cs_w[3 * i + m]
                    r[m] = anchor[side][m]
                j[3] = r[1] * d[2] - r[2] * d[1]
                j[4] = r[2] * d[0] - r[0] * d[2]
                j[5] = r[0] * d[1] - r[1] * d[0]
            else:
                for m in range(3):
                    j[3 + m] = d[m]
            for m in range(3):
                relative += j[m] * core.speed[m] + j[3 + m] * core.rot_speed[m]
        wanted[i] = wanted_change(c, i, errors[i] if i < 3 else turn_errors[i - 3], relative, dt, k, g)
        if c.types[i] & 1:
            out.b[n] = wanted[i]
            n += 1
    out.n = n
    c.n_active = n
