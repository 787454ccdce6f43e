"""Gravity, damping and the force controller (ivp 7)."""

from physics.kernel.algebra cimport mul_mtv
from physics.kernel.elementary cimport exponential
from physics.kernel.poses cimport core_pose_at
from physics.kernel.pushes cimport async_push_core, commit_pushes
from physics.kernel.state cimport MT_SLOW, core_t, force_t

cdef extern from *:
    """
    static const double fixstep_tenth = (double)0.1f;
    """
    const double TENTH "fixstep_tenth"              # 0x3dcccccd


cdef inline void apply_damping(core_t* c, double dt, const float* rf, double lf) noexcept nogil:
    """0x1000c6a0: one choice between 1 - x and exp(-x) for all three axes, by the length of the vector."""
    cdef double ax = rf[0] * dt
    cdef double ay = <float>(rf[1] * dt), az = <float>(rf[2] * dt)      # rounded on the way, x is not
    cdef double b = dt * lf, kl
    cdef float kx, ky, kz
    if ax * ax + ay * ay + az * az < 0.5:
        kx = <float>(1.0 - ax)
        ky = <float>(1.0 - ay)
        kz = <float>(1.0 - az)
    else:
        kx = <float>exponential(-ax)
        ky = <float>exponential(-ay)
        kz = <float>exponential(-az)
    kl = 1.0 - b if b < 0.25 else exponential(-b)
    c.rot_speed[0] = c.rot_speed[0] * kx
    c.rot_speed[1] = c.rot_speed[1] * ky
    c.rot_speed[2] = c.rot_speed[2] * kz
    c.speed[0] = <float>(c.speed[0] * kl)
    c.speed[1] = <float>(c.speed[1] * kl)
    c.speed[2] = <float>(c.speed[2] * kl)


cdef inline void damp_core(core_t* c, double dt) noexcept nogil:
    """0x1000c610: a calm core is damped by 0.1 more."""
    cdef float[3] rf
    cdef int i
    if c.movement_state >= MT_SLOW:
        for i in range(3):
            rf[i] = <float>(c.rot_speed_damp_factor[i] + TENTH)
        apply_damping(c, dt, rf, c.speed_damp_factor + TENTH)
    else:
        apply_damping(c, dt, c.rot_speed_damp_factor, c.speed_damp_factor)


cdef inline void gravity_core(core_t* c, const float* gravity, double dt) noexcept nogil:
    """What the gravity controller does to each core, at priority 1000 (ivp 7.1)."""
    if c.kinematic:                                 # ours: moved by its own velocity alone
        commit_pushes(c)
        return
    damp_core(c, dt)
    commit_pushes(c)
    c.speed[0] = <float>(c.speed[0] + gravity[0] * dt)
    c.speed[1] = <float>(c.speed[1] + gravity[1] * dt)
    c.speed[2] = <float>(c.speed[2] + gravity[2] * dt)


cdef inline void force_core(core_t* c, const force_t* f, double now) noexcept nogil:
    """The force controller, at priority 1500 (ivp 7.2): an impulse a PSI, committed by gravity after damping."""
    cdef double[9] r
    cdef double[3] vv
    cdef double[3] force
    cdef double[3] local
    cdef float[3] f_cs
    cdef float[3] p_cs
    cdef int i
    core_pose_at(c, now, r, vv)
    for i in range(3):
        force[i] = f.force[i]
    mul_mtv(r, force, local)
    for i in range(3):
        f_cs[i] = <float>local[i]
        p_cs[i] = <float>f.point[i]
    async_push_core(c, p_cs, f_cs, f.force)
