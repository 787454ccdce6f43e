# cython: boundscheck=False, wraparound=False, cdivision=True
"""The spring actuator (ivp 12.1 to 12.3)."""

from physics.kernel.algebra cimport normalize_f, to_local_f, to_world
from physics.kernel.poses cimport object_in_core, object_pose_at
from physics.kernel.pushes cimport async_push_core_ws, surface_speed
from physics.kernel.state cimport MT_NOT_SIM, NONE, core_t, spring_t

cdef extern from *:
    """
    static const double fixstep_shortest_spring = (double)1e-10f;
    """
    const double SHORTEST "fixstep_shortest_spring"     # 0x2edbe6ff


cdef void init_anchor(world_t* w, int b, const double* point_ws, float* p_object, float* p_core) noexcept nogil:
    """An anchor in object and in core space, from a world point at the current time (12.1)."""
    cdef double[4] q
    cdef double[9] r
    cdef double[3] vv
    cdef double[3] out
    cdef int i
    if b == NONE:                                   # ours: the world as partner
        for i in range(3):
            p_object[i] = <float>point_ws[i]
            p_core[i] = p_object[i]
        return
    object_pose_at(&w.cores[b], &w.objects[b], w.sim.current_time, q, r, vv)
    to_local_f(r, vv, point_ws, p_object)
    object_in_core(&w.objects[b], r, vv)
    to_world(r, vv, p_object, out)
    for i in range(3):
        p_core[i] = <float>out[i]


cdef inline void anchor_state(const world_t* w, int b, const float* p_core, double* point, float* speed) noexcept nogil:
    """World point and world velocity of an anchor; fixed bodies and the world stand still (0x1000c0b0)."""
    cdef const core_t* c
    cdef int i
    speed[0] = speed[1] = speed[2] = 0.0
    if b == NONE:
        for i in range(3):
            point[i] = p_core[i]
        return
    c = &w.cores[b]
    to_world(c.rotation, c.translation, p_core, point)
    if not c.unmovable:
        surface_speed(c, c.speed, c.rot_speed, p_core, speed)


cdef bint simulate_spring(world_t* w, int row) noexcept nogil:
    """Push both ends for this PSI (12.3); False when the spring has just passed its break length."""
    cdef spring_t* s = &w.springs[row]
    cdef double[3] p0
    cdef double[3] p1
    cdef float[3] v0
    cdef float[3] v1
    cdef float[3] d
    cdef float[3] u
    cdef float[3] push
    cdef double length, force, strength, dt = w.sim.delta_psi, rel
    cdef int i, c0 = s.body[0], c1 = s.body[1]
    anchor_state(w, c0, s.anchor_core[0], p0, v0)
    anchor_state(w, c1, s.anchor_core[1], p1, v1)
    for i in range(3):
        d[i] = <float>(p0[i] - p1[i])
    length = normalize_f(d)
    if length < SHORTEST:
        return True
    if s.breakable and length > s.break_length:
        return False
    force = (length - s.rest_length) * s.stiffness
    for i in range(3):
        u[i] = <float>(<double>v1[i] - v0[i])
    strength = (force - s.damping * (<double>d[0] * u[0] + <double>d[1] * u[1] + <double>d[2] * u[2])) * dt
    rel = s.relative_damping * dt
    for i in range(3):
        push[i] = <float>(d[i] * strength - rel * u[i])
    if c1 != NONE and w.cores[c1].movement_state < MT_NOT_SIM:
        async_push_core_ws(&w.cores[c1], p1, push)
    if c0 != NONE and w.cores[c0].movement_state < MT_NOT_SIM:
        for i in range(3):
            push[i] = -push[i]
        async_push_core_ws(&w.cores[c0], p0, push)
    return True
