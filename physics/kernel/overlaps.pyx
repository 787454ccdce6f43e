# cython: boundscheck=False, wraparound=False, cdivision=True
"""Deep overlaps come apart at a bounded speed (ours).

Resting bodies overlap by less than one percent of their size. Where bodies were put into each other, or are squeezed
between things that do not give way, the sweeps of the solver cannot satisfy all points, and what is left would throw the
body out. So a body in a deep overlap ends a PSI no faster than the fastest body of its unit began it, or than 4 m/s.
"""

from libc.math cimport sqrt

from physics.kernel.rows cimport block_t, mover_t, solver_t
from physics.kernel.state cimport core_t

cdef float DEEP = 6.0               # times the slop: 3 % of the smaller inner radius
cdef float LEAST_BOUND = 4.0        # m/s: as fast as the solver pushes overlaps apart


cdef inline float length3(const float *v) noexcept nogil:
    return <float> sqrt(<double> v[0] * v[0] + <double> v[1] * v[1] + <double> v[2] * v[2])


cdef void bound_turn(world_t *w, mover_t *m, float speed) noexcept nogil:
    """The turn that a body in an overlap may end with: its own, or such that its surface is no faster than `speed`."""
    cdef const core_t *c
    cdef float inner
    if m.body < 0:
        return
    c = &w.cores[m.body]
    inner = w.collision.colliders[m.body].inner
    m.most_turn = length3(c.rot_speed)
    if inner > 0.0 and speed > m.most_turn * inner:
        m.most_turn = speed / inner


cdef void bound_overlaps(world_t *w) noexcept nogil:
    cdef solver_t *s = &w.solver
    cdef const block_t *block
    cdef float fastest = LEAST_BOUND, speed
    cdef bint found = False
    cdef int i, k
    s.most_speed = 0.0
    for i in range(s.block_count):
        block = &s.blocks[i]
        for k in range(block.first, block.first + block.count):
            if s.rows[k].separation < -DEEP * s.rows[k].slop:
                found = True
                break
        if found:
            break
    if not found:
        return
    for i in range(1, s.mover_count):
        speed = length3(w.cores[s.movers[i].body].speed)
        if speed > fastest:
            fastest = speed
    s.most_speed = fastest
    for i in range(s.block_count):
        block = &s.blocks[i]
        for k in range(block.first, block.first + block.count):
            if s.rows[k].separation < -DEEP * s.rows[k].slop:
                bound_turn(w, &s.movers[block.a], fastest)
                bound_turn(w, &s.movers[block.b], fastest)
                break


cdef void calm_overlaps(world_t *w) noexcept nogil:
    cdef solver_t *s = &w.solver
    cdef mover_t *m
    cdef float speed
    cdef int i, k
    if not s.most_speed > 0.0:
        return
    for i in range(1, s.mover_count):
        m = &s.movers[i]
        if m.kinematic or not m.most_turn > 0.0:
            continue
        speed = length3(m.v)
        if speed > s.most_speed:
            for k in range(3):
                m.v[k] *= s.most_speed / speed
        speed = length3(m.w)
        if speed > m.most_turn:
            for k in range(3):
                m.w[k] *= m.most_turn / speed
