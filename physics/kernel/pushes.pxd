"""Pushes and impulses on a core (ivp 5). All pushes are f32; a kinematic core has inverse mass and inertia 0."""

from physics.kernel.algebra cimport cross_f, mul_mtv_f, mul_mv_f
from physics.kernel.state cimport core_t


cdef inline void calc_push_core(const core_t* c, const float* p_cs, const float* imp_cs, const float* imp_ws,
                                float* dv, float* dw) noexcept nogil:
    """The velocity changes of an impulse at p_cs (0x1000ca80)."""
    cdef float[3] turn
    cross_f(p_cs, imp_cs, turn)
    dw[0] = <float>(<double>c.inv_rot_inertia[0] * turn[0])
    dw[1] = <float>(<double>c.inv_rot_inertia[1] * turn[1])
    dw[2] = <float>(<double>c.inv_rot_inertia[2] * turn[2])
    dv[0] = <float>(<double>imp_ws[0] * c.inv_mass)
    dv[1] = <float>(<double>imp_ws[1] * c.inv_mass)
    dv[2] = <float>(<double>imp_ws[2] * c.inv_mass)


cdef inline void async_push_core(core_t* c, const float* p_cs, const float* imp_cs, const float* imp_ws) noexcept nogil:
    """Deferred to the next commit (0x1000c830)."""
    cdef float[3] dv
    cdef float[3] dw
    cdef int i
    calc_push_core(c, p_cs, imp_cs, imp_ws, dv, dw)
    for i in range(3):
        c.rot_speed_change[i] = <float>(<double>c.rot_speed_change[i] + dw[i])
        c.speed_change[i] = <float>(<double>c.speed_change[i] + dv[i])


cdef inline void push_core(core_t* c, const float* p_cs, const float* imp_cs, const float* imp_ws) noexcept nogil:
    """Immediate (0x1000c8b0)."""
    cdef float[3] dv
    cdef float[3] dw
    cdef int i
    calc_push_core(c, p_cs, imp_cs, imp_ws, dv, dw)
    for i in range(3):
        c.rot_speed[i] = <float>(<double>c.rot_speed[i] + dw[i])
        c.speed[i] = <float>(<double>c.speed[i] + dv[i])


cdef inline void async_push_core_ws(core_t* c, const double* p_ws, const float* imp_ws) noexcept nogil:
    """Deferred, at a world point of the pose at this PSI (0x1000c940)."""
    cdef float[3] arm
    cdef float[3] turn
    cdef float[3] turn_cs
    cdef int i
    for i in range(3):
        arm[i] = <float>(p_ws[i] - c.translation[i])
    cross_f(arm, imp_ws, turn)
    mul_mtv_f(c.rotation, turn, turn_cs)
    for i in range(3):
        c.rot_speed_change[i] = <float>(c.rot_speed_change[i] + <double>c.inv_rot_inertia[i] * turn_cs[i])
        c.speed_change[i] = <float>(c.speed_change[i] + <double>imp_ws[i] * c.inv_mass)


cdef inline void rot_push_core_cs(core_t* c, const float* turn_cs) noexcept nogil:
    """Immediate (0x1000cb70)."""
    cdef int i
    for i in range(3):
        c.rot_speed[i] = <float>(c.rot_speed[i] + <double>c.inv_rot_inertia[i] * turn_cs[i])


cdef inline void surface_speed(const core_t* c, const float* speed, const float* rot_speed, const float* p_cs,
                               float* out) noexcept nogil:
    """speed + R (rot_speed x p_cs), with the pose at this PSI (0x1000bf90, 0x1000c810)."""
    cdef float[3] turn
    cdef float[3] turn_ws
    cdef int i
    cross_f(rot_speed, p_cs, turn)
    mul_mv_f(c.rotation, turn, turn_ws)
    for i in range(3):
        out[i] = <float>(<double>speed[i] + turn_ws[i])


cdef inline void commit_pushes(core_t* c) noexcept nogil:
    """Take up what was pushed since the last commit (0x1000cbd0)."""
    cdef int i
    for i in range(3):
        c.rot_speed[i] += c.rot_speed_change[i]
        c.speed[i] += c.speed_change[i]
        c.rot_speed_change[i] = 0.0
        c.speed_change[i] = 0.0
