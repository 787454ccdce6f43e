# cython: boundscheck=False, wraparound=False, cdivision=True
"""Impacts that run through rows of touching bodies: Newton's cradle (ours).

Solved all at once, a blow against a row of balls would be shared among them. Here it is passed on first: wherever two
bodies that touch in one point approach fast, they exchange their impulse as if alone, until none do. Bodies that touch
in several points are left to the solver, which gives all points of a face their share at once.
"""

from physics.kernel.rows cimport block_t, mover_t, row_t, solver_t

cdef enum:
    ROUNDS = 64             # a row of as many bodies, in the worst order


cdef inline float approach_speed(const block_t *block, const row_t *row, const mover_t *a, const mover_t *b) noexcept nogil:
    """Relative velocity along the normal at a point: negative when they approach."""
    cdef float speed = 0.0
    cdef int k
    for k in range(3):
        speed += block.n[k] * (b.v[k] - a.v[k]) + (row.jb[k] * b.w[k] - row.ja[k] * a.w[k])
    return speed


cdef void pass_strikes_on(world_t *w) noexcept nogil:
    cdef solver_t *s = &w.solver
    cdef const block_t *block
    cdef row_t *row
    cdef mover_t *a
    cdef mover_t *b
    cdef float speed, impulse, dt = <float> w.sim.delta_psi
    cdef bint struck = False
    cdef int i, k, n
    for i in range(s.block_count):
        if s.blocks[i].count == 1 and s.rows[s.blocks[i].first].bounce > 0.0:
            struck = True
            break
    n = 0
    while struck and n < ROUNDS:
        struck = False
        n += 1
        for i in range(s.block_count):
            block = &s.blocks[i]
            row = &s.rows[block.first]
            if block.count != 1 or not row.elasticity > 0.0:
                continue
            a = &s.movers[block.a]
            b = &s.movers[block.b]
            speed = approach_speed(block, row, a, b)
            if speed >= -s.threshold or row.separation + speed * dt > 0.0:
                continue
            struck = True
            impulse = -(<float> 1.0 + row.elasticity) * speed * row.mass
            row.total += impulse
            row.bounce = 0.0                # it has had its answer
            if speed < row.approach:
                row.approach = speed        # what the event of the impact tells
            for k in range(3):
                a.v[k] -= block.n[k] * impulse * block.inv_mass_a
                b.v[k] += block.n[k] * impulse * block.inv_mass_b
                a.w[k] -= row.ia[k] * impulse
                b.w[k] += row.ib[k] * impulse
