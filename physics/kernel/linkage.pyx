# cython: boundscheck=False, wraparound=False, cdivision=True
"""Joints beyond the spec: rows that are solved with the contacts of their unit (ours).

Each row holds, limits or drives one direction: ways along the joint axes of R, swings about its x and y, a twist about z, a
cone between the two z axes, and the distance of the anchors. R's side is mover a, A's side mover b.
"""

from libc.math cimport fabs, sqrt
from libc.string cimport memset

from physics.kernel.algebra cimport matrix_to_quat, mul_mm, mul_mtm, to_world_d
from physics.kernel.elementary cimport arc_tangent2
from physics.kernel.lanes cimport fx4, fx_add, fx_all, fx_load, fx_mul, fx_store, fx_sub, fx_sum
from physics.kernel.memory cimport reserve
from physics.kernel.rows cimport link_row_t, mover_t, solver_t
from physics.kernel.solver cimport angular, axial, dot4, mover_of
from physics.kernel.state cimport NONE, core_t, joint_t

cdef enum:
    HOLD = 0                        # kinds of rows
    LIMIT = 1                       # the error must not become negative
    DRIVE = 2

    WAYS = 0                        # places in joint_t.impulse: lower or locked, then upper
    TURNS = 6
    CONE = 12
    SHORTEST = 13
    LONGEST = 14
    DRIVES = 15


cdef link_row_t* new_row(world_t* w, int row, int place, int kind, int a, int b, double error) noexcept nogil:
    cdef solver_t* s = &w.solver
    cdef link_row_t* r
    if not reserve(<void**>&s.links, &s.link_capacity, s.link_count + 1, sizeof(link_row_t)):
        w.collision.out_of_memory = 1
        return NULL
    r = &s.links[s.link_count]
    s.link_count += 1
    memset(r, 0, sizeof(link_row_t))
    r.a = a
    r.b = b
    r.joint = row
    r.place = place
    r.kind = kind
    r.error = <float>error
    r.impulse = w.joints[row].impulse[place]
    return r


cdef void way_row(world_t* w, const joint_t* j, int row, int place, int kind, int a, int b, const double* way, double sign,
                  const double* point, double error) noexcept nogil:
    """A row along a world direction at a world point."""
    cdef link_row_t* r = new_row(w, row, place, kind, a, b, error)
    cdef const core_t* c
    cdef float[3] arm
    cdef float[3] d
    cdef float k = 0.0
    cdef int i
    if r == NULL:
        return
    for i in range(3):
        r.n[i] = <float>(sign * way[i])
        d[i] = r.n[i]
    if a:
        c = &w.cores[j.body_r]
        for i in range(3):
            arm[i] = <float>(point[i] - c.translation[i])
        angular(c, arm, d, r.ja, r.ia)
        r.inv_mass_a = c.inv_mass
        k += c.inv_mass + dot4(r.ja, r.ia)
    if b:
        c = &w.cores[j.body_a]
        for i in range(3):
            arm[i] = <float>(point[i] - c.translation[i])
        angular(c, arm, d, r.jb, r.ib)
        r.inv_mass_b = c.inv_mass
        k += c.inv_mass + dot4(r.jb, r.ib)
    r.mass = <float>1.0 / k if k > 0.0 else 0.0


cdef void turn_row(world_t* w, const joint_t* j, int row, int place, int kind, int a, int b, const double* axis, double sign,
                   double error) noexcept nogil:
    """A row about a world axis."""
    cdef link_row_t* r = new_row(w, row, place, kind, a, b, error)
    cdef float[3] d
    cdef float k = 0.0
    cdef int i
    if r == NULL:
        return
    for i in range(3):
        d[i] = <float>(sign * axis[i])
    if a:
        axial(&w.cores[j.body_r], d, r.ja, r.ia)
        k += dot4(r.ja, r.ia)
    if b:
        axial(&w.cores[j.body_a], d, r.jb, r.ib)
        k += dot4(r.jb, r.ib)
    r.mass = <float>1.0 / k if k > 0.0 else 0.0


cdef inline void column(const double* m, int i, double* out) noexcept nogil:
    out[0] = m[i]
    out[1] = m[3 + i]
    out[2] = m[6 + i]


cdef inline void cross(const double* a, const double* b, double* out) noexcept nogil:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


cdef inline double unit(double* v) noexcept nogil:
    """Normalize; the length before."""
    cdef double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if length > 1e-12:
        v[0] /= length
        v[1] /= length
        v[2] /= length
    return length


cdef void frame_of(const world_t* w, int body, const double* frame, const double* anchor, double* axes, double* point) noexcept nogil:
    """Joint axes (columns) and anchor of one side in the world."""
    cdef int i
    if body == NONE:
        for i in range(9):
            axes[i] = frame[i]
        for i in range(3):
            point[i] = anchor[i]
    else:
        mul_mm(w.cores[body].rotation, frame, axes)
        to_world_d(w.cores[body].rotation, w.cores[body].translation, anchor, point)


cdef void drive(world_t* w, const joint_t* j, int row, int i, int a, int b, const double* axis, const double* point) noexcept nogil:
    """The motor of one axis."""
    cdef link_row_t* r
    cdef int before = w.solver.link_count
    if not j.strength[i] > 0.0:
        return
    if i < 3:
        way_row(w, j, row, DRIVES + i, DRIVE, a, b, axis, 1.0, point, 0.0)
    else:
        turn_row(w, j, row, DRIVES + i, DRIVE, a, b, axis, 1.0, 0.0)
    if w.solver.link_count > before:
        r = &w.solver.links[before]
        r.speed = j.speed[i]
        r.most = j.strength[i] * w.solver.h


cdef void add_joint_rows(world_t* w, int row) noexcept nogil:
    """The rows of one joint at this PSI."""
    cdef const joint_t* j = &w.joints[row]
    cdef double[9] r_axes
    cdef double[9] a_axes
    cdef double[9] rel
    cdef double[3] pr
    cdef double[3] pa
    cdef double[3] d
    cdef double[3] axis
    cdef double[3] zr
    cdef double[3] za
    cdef double[4] q
    cdef double[6] error
    cdef double[3][3] about
    cdef double length, sine
    cdef bint turned
    cdef int a = 0 if j.body_r == NONE else mover_of(w, j.body_r)
    cdef int b = 0 if j.body_a == NONE else mover_of(w, j.body_a)
    cdef int i
    frame_of(w, j.body_r, j.frame_r, j.anchor_r, r_axes, pr)
    frame_of(w, j.body_a, j.frame_a, j.anchor_a, a_axes, pa)
    for i in range(3):
        d[i] = pa[i] - pr[i]
    for i in range(3):
        column(r_axes, i, axis)
        error[i] = axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]
        if j.locks[i] == 1:
            way_row(w, j, row, WAYS + i, HOLD, a, b, axis, 1.0, pa, error[i])
        elif j.locks[i] == 2:
            way_row(w, j, row, WAYS + i, LIMIT, a, b, axis, 1.0, pa, error[i] - j.lower[i])
            way_row(w, j, row, WAYS + 3 + i, LIMIT, a, b, axis, -1.0, pa, j.upper[i] - error[i])
        drive(w, j, row, i, a, b, axis, pa)
    if j.longest >= 0.0 or j.shortest >= 0.0:
        length = unit(d)
        if length > 1e-9:
            if j.longest >= 0.0 and j.longest == j.shortest:
                way_row(w, j, row, LONGEST, HOLD, a, b, d, 1.0, pa, length - j.longest)
            else:
                if j.longest >= 0.0:
                    way_row(w, j, row, LONGEST, LIMIT, a, b, d, -1.0, pa, j.longest - length)
                if j.shortest >= 0.0:
                    way_row(w, j, row, SHORTEST, LIMIT, a, b, d, 1.0, pa, length - j.shortest)

    turned = j.cone >= 0.0
    for i in range(3):
        turned = turned or j.locks[3 + i] != 0 or j.strength[3 + i] > 0.0
    if not turned:
        return
    mul_mtm(r_axes, a_axes, rel)
    matrix_to_quat(rel, q)
    if q[3] < 0.0:
        for i in range(4):
            q[i] = -q[i]
    column(r_axes, 2, zr)
    column(a_axes, 2, za)
    column(r_axes, 0, about[0])
    column(r_axes, 1, about[1])
    for i in range(3):
        about[2][i] = za[i]
    error[5] = 2.0 * arc_tangent2(q[2], q[3])
    if j.locks[3] == 1 and j.locks[4] == 1 and j.locks[5] == 1:
        for i in range(3):
            error[3 + i] = 2.0 * q[i]
        column(r_axes, 2, about[2])
    else:
        cross(zr, za, d)
        for i in range(2):
            if j.locks[3 + i] == 2:
                # the angle by which A's z axis leaves the plane of R's z and this axis
                column(r_axes, 1 - i, axis)
                sine = za[0] * axis[0] + za[1] * axis[1] + za[2] * axis[2]
                if i == 0:
                    sine = -sine
                    cross(axis, za, about[0])
                else:
                    cross(za, axis, about[1])
                sine = max(-1.0, min(1.0, sine))
                unit(about[i])
                error[3 + i] = arc_tangent2(sine, sqrt(1.0 - sine * sine))
            else:
                error[3 + i] = about[i][0] * d[0] + about[i][1] * d[1] + about[i][2] * d[2]
    for i in range(3):
        if j.locks[3 + i] == 1:
            turn_row(w, j, row, TURNS + i, HOLD, a, b, about[i], 1.0, error[3 + i])
        elif j.locks[3 + i] == 2:
            turn_row(w, j, row, TURNS + i, LIMIT, a, b, about[i], 1.0, error[3 + i] - j.lower[3 + i])
            turn_row(w, j, row, TURNS + 3 + i, LIMIT, a, b, about[i], -1.0, j.upper[3 + i] - error[3 + i])
        drive(w, j, row, 3 + i, a, b, about[i], pa)
    if j.cone >= 0.0:
        cross(zr, za, axis)
        length = unit(axis)
        if length > 1e-9:
            sine = arc_tangent2(length, zr[0] * za[0] + zr[1] * za[1] + zr[2] * za[2])
            turn_row(w, j, row, CONE, LIMIT, a, b, axis, -1.0, j.cone - sine)


# ---- iterations

cdef inline void push_pair(mover_t* a, mover_t* b, const link_row_t* r, float size) noexcept nogil:
    cdef fx4 p = fx_mul(fx_load(r.n), fx_all(size))
    fx_store(a.v, fx_sub(fx_load(a.v), fx_mul(p, fx_all(r.inv_mass_a))))
    fx_store(b.v, fx_add(fx_load(b.v), fx_mul(p, fx_all(r.inv_mass_b))))
    fx_store(a.w, fx_sub(fx_load(a.w), fx_mul(fx_load(r.ia), fx_all(size))))
    fx_store(b.w, fx_add(fx_load(b.w), fx_mul(fx_load(r.ib), fx_all(size))))


cdef void warm_start_joints(world_t* w) noexcept nogil:
    """Apply the impulses of the last sub-step."""
    cdef solver_t* s = &w.solver
    cdef int i
    for i in range(s.link_count):
        push_pair(&s.movers[s.links[i].a], &s.movers[s.links[i].b], &s.links[i], s.links[i].impulse)


cdef void iterate_joints(world_t* w, bint pushing) noexcept nogil:
    """One sweep over all rows, in order."""
    cdef solver_t* s = &w.solver
    cdef link_row_t* r
    cdef mover_t* a
    cdef mover_t* b
    cdef float v, c, impulse
    cdef int i
    for i in range(s.link_count):
        r = &s.links[i]
        a = &s.movers[r.a]
        b = &s.movers[r.b]
        v = fx_sum(fx_add(fx_mul(fx_load(r.n), fx_sub(fx_load(b.v), fx_load(a.v))), fx_sub(
            fx_mul(fx_load(r.jb), fx_load(b.w)), fx_mul(fx_load(r.ja), fx_load(a.w)))))
        if r.kind == DRIVE:
            impulse = r.impulse - r.mass * (v - r.speed)
            impulse = r.most if impulse > r.most else (-r.most if impulse < -r.most else impulse)
        else:
            c = r.error + fx_sum(fx_add(fx_mul(fx_load(r.n), fx_sub(fx_load(b.dv), fx_load(a.dv))), fx_sub(
                fx_mul(fx_load(r.jb), fx_load(b.dw)), fx_mul(fx_load(r.ja), fx_load(a.dw)))))
            if r.kind == LIMIT and c > 0.0:
                impulse = r.impulse - r.mass * (v + c * s.inv_h)
            elif pushing:
                impulse = r.impulse - r.mass * s.joint_hardness * (v + s.joint_rate * c) - s.joint_leak * r.impulse
            else:
                impulse = r.impulse - r.mass * v
            if r.kind == LIMIT and impulse < 0.0:
                impulse = 0.0
        c = impulse - r.impulse
        r.impulse = impulse
        if not pushing:
            r.total += impulse
        push_pair(a, b, r, c)


cdef void keep_joint_impulses(world_t* w) noexcept nogil:
    """Store the impulses in the joints, for the next PSI."""
    cdef solver_t* s = &w.solver
    cdef int i
    for i in range(s.link_count):
        memset(w.joints[s.links[i].joint].impulse, 0, sizeof(w.joints[0].impulse))
    for i in range(s.link_count):
        w.joints[s.links[i].joint].impulse[s.links[i].place] = s.links[i].impulse
        s.movers[s.links[i].a].pushed = 1
        s.movers[s.links[i].b].pushed = 1


cdef bint joint_breaks(const world_t* w, int row) noexcept nogil:
    """Did the joint carry more in this PSI than it can bear? Motors do not count."""
    cdef const solver_t* s = &w.solver
    cdef const joint_t* j = &w.joints[row]
    cdef double force = 0.0, torque = 0.0, size
    cdef int i
    for i in range(s.link_count):
        if s.links[i].joint == row and s.links[i].kind != DRIVE:
            size = fabs(s.links[i].total) * w.sim.inv_delta_psi
            if s.links[i].n[0] == 0.0 and s.links[i].n[1] == 0.0 and s.links[i].n[2] == 0.0:
                torque += size * size
            else:
                force += size * size
    return ((j.break_force > 0.0 and force > <double>j.break_force * j.break_force)
            or (j.break_torque > 0.0 and torque > <double>j.break_torque * j.break_torque))
