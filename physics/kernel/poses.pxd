"""Poses of cores and objects at any time (ivp 4), computed on demand in place of the cache of 4.4."""

from libc.string cimport memcpy

from physics.kernel.algebra cimport mul_mm, quat_product, quat_to_matrix, set_identity, slerp, to_world
from physics.kernel.state cimport MT_NOT_SIM, core_t, object_t


cdef inline void core_pose_at(const core_t* c, double t, double* r, double* vv) noexcept nogil:
    """The core's pose at time t (ivp 4.1)."""
    cdef double dt = t - c.time_of_last_psi
    cdef double[4] q
    cdef int i
    if c.movement_state < MT_NOT_SIM and dt != 0.0:
        slerp(c.q_last, c.q_next, <double>c.i_delta_time * dt, q)
        quat_to_matrix(q, r)
        for i in range(3):
            vv[i] = c.pos_last[i] + <double>c.delta[i] * dt
    else:
        memcpy(r, c.rotation, 72)
        memcpy(vv, c.translation, 24)


cdef inline void object_pose_at(const core_t* c, const object_t* o, double t, double* q, double* r,
                                double* vv) noexcept nogil:
    """The object's pose at time t, as quaternion, rotation and origin: what is written back (ivp 4.2)."""
    cdef double dt = t - c.time_of_last_psi
    cdef double[3] core_vv
    cdef int i
    slerp(c.q_last, c.q_next, dt * <double>c.i_delta_time, q)      # no movement-state test here
    for i in range(3):
        vv[i] = c.pos_last[i] + <double>c.delta[i] * dt
    quat_to_matrix(q, r)
    if not o.shift_is_zero:
        memcpy(core_vv, vv, 24)
        to_world(r, core_vv, o.shift_core_f_object, vv)
    if o.has_rotation:
        quat_product(q, o.q_core_f_object, q)
        quat_to_matrix(q, r)


cdef inline void object_in_core(const object_t* o, double* r, double* vv) noexcept nogil:
    """m_core_f_object (0x10009be0): core coordinates of object coordinates."""
    cdef int i
    if o.has_rotation:
        quat_to_matrix(o.q_core_f_object, r)
    else:
        set_identity(r)
    for i in range(3):
        vv[i] = o.shift_core_f_object[i]


cdef inline void object_pose_at_psi(const core_t* c, const object_t* o, double* r, double* vv) noexcept nogil:
    """The object's pose at this PSI, from m_world_f_core_last_psi: what collision uses."""
    cdef double[9] local
    if o.shift_is_zero:
        memcpy(vv, c.translation, 24)
    else:
        to_world(c.rotation, c.translation, o.shift_core_f_object, vv)
    if o.has_rotation:
        quat_to_matrix(o.q_core_f_object, local)
        mul_mm(c.rotation, local, r)
    else:
        memcpy(r, c.rotation, 72)
