"""The tables of the contact solver: scratch, nothing in them outlives a PSI."""

from libc.stdint cimport int32_t

from physics.kernel.lanes cimport fx_add, fx_load, fx_mul, fx_sub, fx_sum

cdef struct mover_t:                # the velocities of a body while its unit is solved
    float v[4]                      # world axes
    float w[4]                      # core axes
    float held_v[4]                 # the velocities that also push overlaps apart
    float held_w[4]
    float dv[4]                     # way and turn so far in this PSI
    float dw[4]
    int32_t body                    # NONE: nothing moves it
    int32_t kinematic
    int32_t pushed                  # some contact gave it an impulse
    float most_turn                 # rad/s that it may have in the end; 0: no bound


cdef struct row_t:                  # the normal direction of one contact point
    float ja[4]                     # arm x normal, core axes
    float ia[4]                     # ... times the inverse inertia
    float jb[4]
    float ib[4]
    float mass                      # 1 / (response to a unit impulse)
    float separation                # m, at the PSI
    float slop                      # m: overlap that nothing pushes apart
    float impulse                   # of this sub-step
    float approach                  # relative normal velocity before the solution
    float bounce                    # the velocity away that the elasticity asks for, or 0
    float total                     # impulses of all sub-steps
    float elasticity


cdef struct block_t:                # one touch: what its points share
    float n[4]
    float t[2][4]                   # tangents
    float ja[2][4]                  # friction at the middle of the points
    float ia[2][4]
    float jb[2][4]
    float ib[2][4]
    float na[4]                     # the normal in core axes, for twist and rolling
    float ina[4]
    float nb[4]
    float inb[4]
    float inv_mass_a
    float inv_mass_b
    float k[3]                      # inverse of the tangents' 2 x 2 response: xx, xy, yy
    float twist_mass
    float twist_arm                 # m: friction against twisting is friction times this
    float friction
    float spinning                  # m
    float target[2]                 # surface velocity along the tangents
    float push[2]                   # friction impulses
    float twist
    int32_t a                       # movers
    int32_t b
    int32_t first                   # rows
    int32_t count
    int32_t touch                   # where the impulses are kept
    int32_t pair
    int32_t roll                    # row of the rolling table, or NONE


cdef struct roll_t:                 # rolling resistance of a touch
    float ja[2][4]
    float ia[2][4]
    float jb[2][4]
    float ib[2][4]
    float k[3]
    float length                    # m
    float push[2]
    int32_t spare[2]


cdef struct link_row_t:             # one direction of a joint
    float n[4]                      # 0 0 0 for a rotation
    float ja[4]
    float ia[4]
    float jb[4]
    float ib[4]
    float inv_mass_a
    float inv_mass_b
    float mass
    float error                     # m or rad, at the PSI
    float impulse                   # of this sub-step
    float total                     # of all
    float speed                     # of a motor
    float most                      # ... and its greatest impulse in a sub-step
    int32_t kind
    int32_t a                       # movers
    int32_t b
    int32_t joint
    int32_t place                   # in joint_t.impulse
    int32_t spare[3]


cdef struct solver_t:               # scratch: nothing here outlives a PSI
    mover_t* movers
    int32_t mover_count
    int32_t mover_capacity
    row_t* rows
    int32_t row_count
    int32_t row_capacity
    block_t* blocks
    int32_t block_count
    int32_t block_capacity
    link_row_t* links
    int32_t link_count
    int32_t link_capacity
    float joint_rate                # as of contacts, for joints
    float joint_hardness
    float joint_leak
    roll_t* rolls
    int32_t roll_count
    int32_t roll_capacity
    int32_t* mover_of               # by body, valid while its stamp is right
    int32_t* stamp
    float* held                     # by body: 8 numbers, what moves it in this PSI beside its velocity
    int32_t body_capacity
    int32_t stamp_now
    int32_t substeps
    float h                         # length of a sub-step, s
    float inv_h
    float rate                      # of pushing apart, 1/s
    float hardness                  # of soft contacts
    float leak
    float most_speed                # m/s that bodies in deep overlaps may have in the end; 0: there are none
    float threshold                 # m/s: slower approaches do not bounce


cdef inline float normal_speed(const solver_t* s, const block_t* block, const row_t* row) noexcept nogil:
    """Relative velocity along the normal at a point: positive when they part."""
    cdef const mover_t* a = &s.movers[block.a]
    cdef const mover_t* b = &s.movers[block.b]
    return fx_sum(fx_add(fx_mul(fx_load(block.n), fx_sub(fx_load(b.v), fx_load(a.v))),
                         fx_sub(fx_mul(fx_load(row.jb), fx_load(b.w)), fx_mul(fx_load(row.ja), fx_load(a.w)))))
