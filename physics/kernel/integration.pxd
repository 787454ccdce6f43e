"""From one PSI to the next: pose at this PSI, clamps, rotation, position (ivp 6.3, 8 and 9)."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t

from physics.kernel.algebra cimport (
    SIXTH, mul_mv, normalize4_iterative, quat_poly, quat_product, quat_sine, quat_to_matrix, square_length_f,
)
from physics.kernel.state cimport core_t, object_t, sim_t


cdef inline double inverse_duration(double dt) noexcept nogil:
    """1 / dt, and the original's bound for a duration near zero (ivp 2.4, 8.1, 10.4)."""
    return 1.0 / dt if dt > 1e-10 else 9999999866.485682


cdef inline void sync_core(core_t* c, double now) noexcept nogil:
    """m_world_f_core_last_psi: the pose at this PSI (ivp 6.3)."""
    cdef double dt = now - c.time_of_last_psi
    quat_to_matrix(c.q_next, c.rotation)
    c.translation[0] = c.pos_last[0] + <double>c.delta[0] * dt
    c.translation[1] = c.pos_last[1] + <double>c.delta[1] * dt
    c.translation[2] = c.pos_last[2] + <double>c.delta[2] * dt


cdef inline void clamp_core(const sim_t* sim, const object_t* objects, int b, core_t* c) noexcept nogil:
    """The speed limits of ivp 8.2 and the default anomaly manager of ivp 9; sets current_speed."""
    cdef const float* m
    cdef double limit, n, k
    if c.has_max_rot_speed:
        m = objects[b].max_rot_speed
        if c.rot_speed[0] > m[0]:
            c.rot_speed[0] = m[0]
        elif c.rot_speed[0] < -m[0]:
            c.rot_speed[0] = -m[0]
        if c.rot_speed[1] > m[1]:
            c.rot_speed[1] = m[1]
        elif c.rot_speed[1] < -m[1]:
            c.rot_speed[1] = m[1]                   # quirk: the original slips in the sign of y
        if c.rot_speed[2] > m[2]:
            c.rot_speed[2] = m[2]
        elif c.rot_speed[2] < -m[2]:
            c.rot_speed[2] = -m[2]
    else:
        limit = sim.inv_delta_psi * sim.max_angular_velocity_per_psi
        n = square_length_f(c.rot_speed)
        if n > limit * limit:
            k = (sim.inv_delta_psi * sim.max_angular_velocity_per_psi * 0.8999999761581421) / sqrt(n)
            c.rot_speed[0] = <float>(c.rot_speed[0] * k)
            c.rot_speed[1] = <float>(c.rot_speed[1] * k)
            c.rot_speed[2] = <float>(c.rot_speed[2] * k)
    limit = sim.max_velocity
    n = square_length_f(c.speed)
    if n > limit * limit:
        k = (limit * 0.9900000095367432) / sqrt(n)
        c.speed[0] = <float>(c.speed[0] * k)
        c.speed[1] = <float>(c.speed[1] * k)
        c.speed[2] = <float>(c.speed[2] * k)
        n = square_length_f(c.speed)
    c.current_speed = <float>sqrt(n)


cdef inline void gyroscopic_rotation(core_t* c, double dt, double* q) noexcept nogil:
    """The rotation of this step by sub-steps of Euler's equations, for unequal inertias (ivp 8.2)."""
    cdef double x = square_length_f(c.rot_speed) * dt * dt
    cdef double[4] step
    cdef double ex, ey, ez
    cdef double wx, wy, wz
    cdef float gx, gy, gz, dtf
    cdef int64_t n = 1, i = 1
    if x > 1.0 / 36.0:
        n = <int64_t>sqrt(x * 144.0) + 1
        dt = dt / <double>n
    quat_poly(c.rot_speed, dt, q)
    ex = (<double>c.rot_inertia[1] - c.rot_inertia[2]) * c.inv_rot_inertia[0]
    ey = (<double>c.rot_inertia[2] - c.rot_inertia[0]) * c.inv_rot_inertia[1]
    ez = (<double>c.rot_inertia[0] - c.rot_inertia[1]) * c.inv_rot_inertia[2]
    dtf = <float>dt
    while True:
        wx = c.rot_speed[0]
        wy = c.rot_speed[1]
        wz = c.rot_speed[2]
        gx = <float>(wz * wy * ex)
        gy = <float>(wz * wx * ey)
        gz = <float>(wx * wy * ez)
        c.rot_speed[0] = <float>(wx + <double>gx * dtf)
        c.rot_speed[1] = <float>(wy + <double>gy * dtf)
        c.rot_speed[2] = <float>(wz + <double>gz * dtf)
        if i >= n:
            break
        quat_poly(c.rot_speed, dt, step)
        quat_product(step, q, q)                    # the new sub-step on the left
        i += 1


cdef inline void rotation_info(core_t* c, const double* q) noexcept nogil:
    """Axis and speed of this PSI's rotation (ivp 8.3)."""
    cdef double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2]
    cdef double y, s, s3, arc
    cdef double[3] axis
    cdef double[3] world
    if n <= 1e-19:
        c.abs_omega = 0.0
        c.rotation_axis_world[0] = 1.0
        c.rotation_axis_world[1] = 0.0
        c.rotation_axis_world[2] = 0.0
    else:
        y = 1.0 / sqrt(n)
        s = y * n
        s3 = s * s * s
        arc = s + s3 * SIXTH + s3 * s * s * 0.40413999557495117
        c.abs_omega = <float>(2.0 * arc * <double>c.i_delta_time)
        axis[0] = q[0] * y
        axis[1] = q[1] * y
        axis[2] = q[2] * y
        mul_mv(c.rotation, axis, world)
        c.rotation_axis_world[0] = <float>world[0]
        c.rotation_axis_world[1] = <float>world[1]
        c.rotation_axis_world[2] = <float>world[2]
    c.max_surface_rot_speed = c.abs_omega * c.max_surface_deviation


cdef inline void integrate_core(const sim_t* sim, const object_t* objects, int b, core_t* c, double dt,
                                double inv_dt) noexcept nogil:
    """calc_next_PSI_matrix (ivp 8.2): `dt` is the PSI length, or what is left of the PSI after an impact inside it."""
    cdef double[4] q
    cdef double passed
    clamp_core(sim, objects, b, c)
    c.i_delta_time = <float>inv_dt
    if not c.rot_inertias_are_equal and sim.state != 5:
        gyroscopic_rotation(c, dt, q)
    else:
        quat_sine(c.rot_speed, dt, q)
    passed = sim.current_time - c.time_of_last_psi
    c.time_of_last_psi = sim.current_time
    c.pos_last[0] += <double>c.delta[0] * passed
    c.pos_last[1] += <double>c.delta[1] * passed
    c.pos_last[2] += <double>c.delta[2] * passed
    c.delta[0] = c.speed[0]
    c.delta[1] = c.speed[1]
    c.delta[2] = c.speed[2]
    c.q_last[0] = c.q_next[0]
    c.q_last[1] = c.q_next[1]
    c.q_last[2] = c.q_next[2]
    c.q_last[3] = c.q_next[3]
    quat_product(c.q_next, q, c.q_next)
    normalize4_iterative(c.q_next)
    rotation_info(c, q)


cdef inline void integrate_corrected(const sim_t* sim, const object_t* objects, int b, core_t* c, double dt,
                                     double inv_dt, const float* held) noexcept nogil:
    """The same for a core that contacts push apart: it moves by more than its speed in this PSI (ours)."""
    cdef float[3] rot_speed
    cdef int i
    for i in range(3):
        rot_speed[i] = c.rot_speed[i]
        c.rot_speed[i] += held[4 + i]
    integrate_core(sim, objects, b, c, dt, inv_dt)
    for i in range(3):
        c.delta[i] += held[i]
        if c.rot_inertias_are_equal:
            c.rot_speed[i] = rot_speed[i]
        else:
            c.rot_speed[i] -= held[4 + i]


cdef inline void init_core_for_simulation(core_t* c, double inv_dt) noexcept nogil:
    """ivp 2.8; rot_speed stays, time_of_last_psi too."""
    cdef int i
    c.i_delta_time = <float>inv_dt
    for i in range(4):
        c.q_next[i] = c.q_last[i]
    c.abs_omega = 0.0
    for i in range(3):
        c.speed[i] = 0.0
        c.delta[i] = 0.0
    c.current_speed = 0.0
    c.max_surface_rot_speed = 0.0
    c.rotation_axis_world[0] = 1.0
    c.rotation_axis_world[1] = 0.0
    c.rotation_axis_world[2] = 0.0
