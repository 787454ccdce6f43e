"""When a core is calm: the global countdown with its generator, and the two windows (ivp 10.1, 10.2)."""

from libc.stdint cimport uint8_t, uint32_t

from physics.kernel.state cimport MT_CALM, MT_MOVING, MT_SLOW, core_t, rest_t, sim_t


cdef inline float next_random(sim_t* sim) noexcept nogil:
    """The generator of ivp 10.1: 0 <= r < 1 in steps of 2^-16. One a world, not one a process: a reading."""
    sim.random_state = sim.random_state * <uint32_t>75
    return <float>(sim.random_state & 0xFFFF) * <float>1.52587890625e-05


cdef inline bint sleep_countdown(sim_t* sim) noexcept nogil:
    """True when the unit that calls is to be tested: first after 10 calls, then after 15 to 19."""
    sim.sleep_countdown -= 1
    if sim.sleep_countdown != 0:
        return False
    sim.sleep_countdown = 15 - <int>(next_random(sim) * <float>-5.0)
    return True


cdef inline double turned(const float* q, const double* p, double radius) noexcept nogil:
    """(1 - cos^2(angle / 2)) 2 R^2: about half the squared way of the surface."""
    cdef double d = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3]
    return (1.0 - d * d) * 2.0 * radius * radius


cdef inline double moved(const float* from_, const double* to) noexcept nogil:
    cdef double x = to[0] - from_[0], y = to[1] - from_[1], z = to[2] - from_[2]
    return x * x + y * y + z * z


cdef inline uint8_t calc_movement_state(const core_t* c, rest_t* rest, double now, float freeze_check_time) noexcept nogil:
    """0x1000d680. The thresholds are those of the formulas: a reading."""
    cdef int i
    if (moved(rest.pos_calm_ref[0], c.pos_last) <= 9.999999552965169e-05
            and turned(rest.q_calm_ref[0], c.q_next, c.upper_limit_radius) <= 2.4999998882412923e-05):
        return MT_CALM if now - rest.time_calm_ref[0] > <double>freeze_check_time else MT_SLOW
    for i in range(4):
        rest.q_calm_ref[0][i] = <float>c.q_next[i]
    for i in range(3):
        rest.pos_calm_ref[0][i] = <float>c.pos_last[i]
    rest.time_calm_ref[0] = now
    # quirk: the short window looks at q_next, the long one at q_last
    if (moved(rest.pos_calm_ref[1], c.pos_last) > 0.010000000298023226
            or turned(rest.q_calm_ref[1], c.q_last, c.upper_limit_radius) > 0.040000001192092904):
        for i in range(4):
            rest.q_calm_ref[1][i] = <float>c.q_last[i]
        for i in range(3):
            rest.pos_calm_ref[1][i] = <float>c.pos_last[i]
        rest.time_calm_ref[1] = now
        return MT_MOVING
    return MT_CALM if now - rest.time_calm_ref[1] > 4.0 else MT_MOVING
