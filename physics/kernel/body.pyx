# cython: boundscheck=False, wraparound=False, cdivision=True
"""What a handle of a body reads and does (ivp 4, 5, 13.1). Private: it trusts what `physics.body` checked."""

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport sqrt
from libc.string cimport memcpy

import numpy as _numpy

from physics.errors import PhysicsError
from physics.kernel.algebra cimport (
    matrix_to_quat, mul_mtv, mul_mtv_f, mul_mv, normalize4, quat_product, quat_to_matrix, to_local, to_local_f, to_world,
)
from physics.kernel.elementary cimport arc_tangent2
from physics.kernel.contacts cimport move_collider
from physics.kernel.impacts cimport forget_impacts
from physics.kernel.poses cimport core_pose_at, object_pose_at
from physics.kernel.pushes cimport async_push_core, push_core
from physics.kernel.state cimport MT_NOT_SIM, core_t, object_t
from physics.kernel.store cimport world_t
from physics.kernel.units cimport wake_object

cdef object empty = _numpy.empty
cdef object single = _numpy.float32


cdef inline void* memory_of(object array) except NULL:
    """Where a fresh array keeps its numbers; it lives as long as the array."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
    cdef void* memory = view.buf
    PyBuffer_Release(&view)
    return memory


cdef inline object vector_of(const float* v):
    array = empty(3)
    cdef double* out = <double*>memory_of(array)
    out[0] = v[0]
    out[1] = v[1]
    out[2] = v[2]
    return array


cdef inline int object_pose_now(BodyCore body, double* q, double* r, double* vv) except -1:
    """The object's pose at `world.time`, as quaternion, rotation and origin (ivp 4.2)."""
    cdef int b = body.row()
    cdef world_t* w = &body._world.w
    object_pose_at(&w.cores[b], &w.objects[b], w.sim.current_time, q, r, vv)
    return 0


cdef inline void conjugate(const double* q, double* out) noexcept nogil:
    """The quaternion of the turn back."""
    cdef int i
    for i in range(3):
        out[i] = -q[i]
    out[3] = q[3]


cdef int read_turn(const object_t* o, rotation, double* q) except -1:
    """The core's quaternion from the object's, which may have any length: that times the inverse of q_core_f_object."""
    cdef int i
    for i in range(4):
        q[i] = rotation[i]
    normalize4(q)
    turn_to_core(o, q)
    return 0


cdef inline void turn_to_core(const object_t* o, double* q) noexcept nogil:
    """The same in place."""
    cdef double[4] back
    if o.has_rotation:
        conjugate(o.q_core_f_object, back)
        quat_product(q, back, q)


cdef inline void object_shift(const object_t* o, const double* r, double* out) noexcept nogil:
    """From the core's mass centre to the object's origin, world axes."""
    cdef double[3] shift
    cdef int i
    for i in range(3):
        shift[i] = o.shift_core_f_object[i]
    mul_mv(r, shift, out)


cdef inline void add_change(world_t* w, int b, float* change, double x, double y, double z) noexcept nogil:
    """Add to what the next commit takes up, and wake the body."""
    if w.cores[b].unmovable:
        return
    wake_object(w, b)
    change[0] = <float>(change[0] + <double><float>x)
    change[1] = <float>(change[1] + <double><float>y)
    change[2] = <float>(change[2] + <double><float>z)


cdef class BodyCore:
    """Handle of a body: a world, a slot and its generation."""

    def __cinit__(self, WorldCore world, int index, *args, **kwargs):
        self._world = world
        self._index = index
        self._generation = world.w.cores[index].generation

    cdef int row(self) except -1:
        cdef WorldCore world = self._world
        if world.busy:
            world.check_thread()
        if (self._index >= world.w.core_count
                or world.w.cores[self._index].generation != self._generation):
            raise PhysicsError(f"{self!r} has been removed from its world")
        return self._index

    def row_check(self):
        """Raise PhysicsError when the body has been removed."""
        self.row()

    @property
    def alive(self):
        """False once the body has been removed from its world."""
        cdef WorldCore world = self._world
        return (self._index < world.w.core_count
                and world.w.cores[self._index].generation == self._generation)

    # ---- poses (ivp 4)

    @property
    def position(self):
        """(3,) origin of the shape at `world.time`, m: the write-back pose (ivp 4.2)."""
        cdef double[4] q
        cdef double[9] r
        array = empty(3)
        object_pose_now(self, q, r, <double*>memory_of(array))
        return array

    @property
    def rotation(self):
        """(4,) unit quaternion x y z w of the shape at `world.time` (ivp 4.2)."""
        cdef double[9] r
        cdef double[3] vv
        array = empty(4)
        object_pose_now(self, <double*>memory_of(array), r, vv)
        return array

    def _pose_at(self, double t):
        cdef int b = self.row()
        cdef world_t* w = &self._world.w
        cdef double[9] r
        position, rotation = empty(3), empty(4)
        object_pose_at(&w.cores[b], &w.objects[b], t, <double*>memory_of(rotation), r, <double*>memory_of(position))
        return position, rotation

    @property
    def matrix(self):
        """(4, 4) float32 at `world.time`: rows as written back, the last one the position (ivp 4.3)."""
        cdef int i, j
        cdef double[4] q
        cdef double[9] r
        cdef double[3] vv
        array = empty((4, 4), single)
        cdef float* out = <float*>memory_of(array)
        object_pose_now(self, q, r, vv)
        for i in range(3):
            for j in range(3):
                out[4 * i + j] = <float>r[3 * j + i]
            out[4 * i + 3] = 0.0
            out[12 + i] = <float>vv[i]
        out[15] = 1.0
        return array

    @property
    def mass_center_position(self):
        """(3,) mass centre at `world.time`, m."""
        cdef int b = self.row(), i
        cdef world_t* w = &self._world.w
        cdef core_t* c = &w.cores[b]
        array = empty(3)
        cdef double* out = <double*>memory_of(array)
        for i in range(3):
            out[i] = c.pos_last[i] + <double>c.delta[i] * (w.sim.current_time - c.time_of_last_psi)
        return array

    # ---- velocities

    @property
    def velocity(self):
        """(3,) velocity of the mass centre, world axes, m/s."""
        return vector_of(self._world.w.cores[self.row()].speed)

    @property
    def angular_velocity(self):
        """(3,) angular velocity in core axes, rad/s."""
        return vector_of(self._world.w.cores[self.row()].rot_speed)

    @property
    def angular_velocity_world(self):
        """(3,) angular velocity in world axes at `world.time`, rad/s."""
        cdef int b = self.row(), i
        cdef world_t* w = &self._world.w
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] v
        array = empty(3)
        core_pose_at(&w.cores[b], w.sim.current_time, r, vv)
        for i in range(3):
            v[i] = w.cores[b].rot_speed[i]
        mul_mv(r, v, <double*>memory_of(array))
        return array

    @property
    def _movement_state(self):
        return self._world.w.objects[self.row()].state if self.fixed else self._world.w.cores[self.row()].movement_state

    @property
    def fixed(self):
        """True for a body that nothing moves."""
        return bool(self._world.w.cores[self.row()].unmovable)

    @property
    def kinematic(self):
        """True for a body that moves by its own velocity alone."""
        return bool(self._world.w.cores[self.row()].kinematic)

    @property
    def mass(self):
        """Mass, kg, as the core keeps it."""
        return self._world.w.cores[self.row()].mass

    # ---- pushes (ivp 5, 13.1)

    def _wake(self):
        cdef int b = self.row()
        if not self._world.w.cores[b].unmovable:
            wake_object(&self._world.w, b)

    def _add_velocity(self, double x, double y, double z):
        """0x1000a350."""
        cdef int b = self.row()
        add_change(&self._world.w, b, self._world.w.cores[b].speed_change, x, y, z)

    def _add_angular_velocity(self, double x, double y, double z):
        """0x1000a3a0."""
        cdef int b = self.row()
        add_change(&self._world.w, b, self._world.w.cores[b].rot_speed_change, x, y, z)

    def _impulse_core(self, double ix, double iy, double iz, double px, double py, double pz):
        """At a point in core coordinates: 13.1 with the body itself as referential."""
        cdef int b = self.row()
        cdef world_t* w = &self._world.w
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] impulse = [ix, iy, iz]
        cdef double[3] local
        cdef float[3] p_cs = [<float>px, <float>py, <float>pz]
        cdef float[3] i_cs
        cdef float[3] i_ws
        cdef int k
        if w.cores[b].unmovable:
            return
        wake_object(w, b)
        core_pose_at(&w.cores[b], w.sim.current_time, r, vv)
        mul_mtv(r, impulse, local)
        for k in range(3):
            i_cs[k] = <float>local[k]
            i_ws[k] = <float>impulse[k]
        async_push_core(&w.cores[b], p_cs, i_cs, i_ws)

    def _impulse_world(self, double ix, double iy, double iz, double px, double py, double pz):
        """At a world point (0x1000a3e0)."""
        cdef int b = self.row()
        cdef world_t* w = &self._world.w
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] p = [px, py, pz]
        cdef float[3] i_ws = [<float>ix, <float>iy, <float>iz]
        cdef float[3] p_cs
        cdef float[3] i_cs
        if w.cores[b].unmovable:
            return
        wake_object(w, b)
        core_pose_at(&w.cores[b], w.sim.current_time, r, vv)
        to_local_f(r, vv, p, p_cs)
        mul_mtv_f(r, i_ws, i_cs)
        async_push_core(&w.cores[b], p_cs, i_cs, i_ws)

    def _push(self, double ix, double iy, double iz, at):
        """Immediate push at a world point (None: the mass centre), with the pose at this PSI: for controllers."""
        cdef core_t* c = &self._world.w.cores[self.row()]
        cdef double[3] p
        cdef float[3] i_ws = [<float>ix, <float>iy, <float>iz]
        cdef float[3] p_cs
        cdef float[3] i_cs
        if c.unmovable or c.movement_state >= MT_NOT_SIM:
            return
        if at is None:
            memcpy(p, c.translation, 24)
        else:
            p[0], p[1], p[2] = at
        to_local_f(c.rotation, c.translation, p, p_cs)
        mul_mtv_f(c.rotation, i_ws, i_cs)
        push_core(c, p_cs, i_cs, i_ws)

    def _set_velocity(self, velocity, angular_velocity):
        """Both as three numbers or None. A frozen body is queued for revival, which keeps the velocity set here."""
        cdef int b = self.row(), i
        cdef world_t* w = &self._world.w
        cdef core_t* c = &w.cores[b]
        wake_object(w, b)
        if velocity is not None:
            for i in range(3):
                c.speed[i] = <float><double>velocity[i]
                c.speed_change[i] = 0.0
            if c.movement_state == MT_NOT_SIM:
                c.keep_speed = 1
        if angular_velocity is not None:
            for i in range(3):
                c.rot_speed[i] = <float><double>angular_velocity[i]
                c.rot_speed_change[i] = 0.0

    def _set_pose(self, position, rotation):
        """Put the object's origin and axes at a pose, at the current time; velocities stay."""
        cdef int b = self.row(), i
        cdef world_t* w = &self._world.w
        cdef core_t* c = &w.cores[b]
        cdef object_t* o = &w.objects[b]
        cdef double[4] q
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] shift
        w.changes_still += c.unmovable
        w.changes_moving += 1
        if rotation is None:
            object_pose_at(c, o, w.sim.current_time, q, r, vv)
            turn_to_core(o, q)
        else:
            read_turn(o, rotation, q)
        quat_to_matrix(q, r)
        object_shift(o, r, shift)
        for i in range(3):
            c.pos_last[i] = <double>position[i] - shift[i]
        memcpy(c.translation, c.pos_last, 24)
        memcpy(c.rotation, r, 72)
        matrix_to_quat(r, c.q_last)
        memcpy(c.q_next, c.q_last, 32)
        c.time_of_last_psi = w.sim.current_time
        forget_impacts(w, b)
        move_collider(w, b)
        if not c.unmovable:
            wake_object(w, b)

    def _move_to(self, position, rotation):
        """Velocities that lead from the pose at the next PSI to this one within a PSI (kinematic bodies)."""
        cdef int b = self.row(), i
        cdef world_t* w = &self._world.w
        cdef core_t* c = &w.cores[b]
        cdef object_t* o = &w.objects[b]
        cdef double[4] q
        cdef double[4] back
        cdef double[4] turn
        cdef double[9] r
        cdef double[3] shift
        cdef double next_psi = w.sim.base_time + <double>w.sim.psi_offset - c.time_of_last_psi
        cdef double length, factor
        memcpy(q, c.q_next, 32)
        if c.movement_state >= MT_NOT_SIM:
            next_psi = 0.0
        if rotation is not None:
            read_turn(o, rotation, q)
        quat_to_matrix(q, r)
        object_shift(o, r, shift)
        for i in range(3):
            c.speed[i] = <float>((<double>position[i] - shift[i] - c.pos_last[i] - <double>c.delta[i] * next_psi)
                                 * w.sim.inv_delta_psi)
        conjugate(c.q_next, back)
        quat_product(back, q, turn)                 # in core axes: q_next times this is the target
        if turn[3] < 0.0:
            for i in range(4):
                turn[i] = -turn[i]
        # quat_sine takes the sine of each half angle, so each component goes back through the arc sine
        for i in range(3):
            length = turn[i]
            factor = arc_tangent2(length, sqrt(1.0 - length * length)) if -1.0 < length < 1.0 else length * 1.5707963267948966
            c.rot_speed[i] = <float>(2.0 * factor * w.sim.inv_delta_psi)
        if c.movement_state >= MT_NOT_SIM:
            c.keep_speed = 1
        wake_object(w, b)

    def _local_to_world(self, double x, double y, double z):
        """A point of object space, moved by the pose at the current time and rounded to f32 (13.1: a reading)."""
        cdef double[4] q
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] out
        cdef float[3] p = [<float>x, <float>y, <float>z]
        object_pose_now(self, q, r, vv)
        to_world(r, vv, p, out)
        return <double><float>out[0], <double><float>out[1], <double><float>out[2]

    def _direction_to_world(self, double x, double y, double z):
        """A direction of object space, turned by the pose at the current time and rounded to f32."""
        cdef double[4] q
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] out
        cdef double[3] d = [<float>x, <float>y, <float>z]
        object_pose_now(self, q, r, vv)
        mul_mv(r, d, out)
        return <double><float>out[0], <double><float>out[1], <double><float>out[2]

    def _core_point(self, double x, double y, double z):
        """A world point in core coordinates at the current time, f64 (7.2)."""
        cdef int b = self.row()
        cdef world_t* w = &self._world.w
        cdef double[9] r
        cdef double[3] vv
        cdef double[3] p = [x, y, z]
        cdef double[3] out
        core_pose_at(&w.cores[b], w.sim.current_time, r, vv)
        to_local(r, vv, p, out)
        return out[0], out[1], out[2]

    # ---- options

    @property
    def _max_rot_speed(self):
        cdef int b = self.row()
        if not self._world.w.cores[b].has_max_rot_speed:
            return None
        cdef float* m = self._world.w.objects[b].max_rot_speed
        return m[0], m[1], m[2]

    def _set_max_rot_speed(self, value):
        cdef int b = self.row(), i
        self._world.w.cores[b].has_max_rot_speed = value is not None
        for i in range(3):
            self._world.w.objects[b].max_rot_speed[i] = 0.0 if value is None else <float><double>value[i]

    def _core_fields(self):
        """The fields of 1.2 and 10.0 as plain numbers, in the order of `CoreState`."""
        cdef int b = self.row()
        cdef core_t* c = &self._world.w.cores[b]
        cdef object_t* o = &self._world.w.objects[b]
        r = self._world.w.rests[b]
        return (
            c.movement_state, bool(c.unmovable), bool(c.in_wakeup), bool(c.rot_inertias_are_equal),
            c.upper_limit_radius, c.max_surface_deviation,
            triple(c.rot_inertia), c.mass, triple(c.rot_speed_damp_factor), triple(c.inv_rot_inertia), c.inv_mass,
            c.speed_damp_factor, c.inv_object_diameter, triple(o.max_rot_speed) if c.has_max_rot_speed else None,
            c.time_of_last_psi, c.i_delta_time, triple(c.rot_speed_change), triple(c.speed_change),
            triple(c.rot_speed), triple(c.speed), (c.pos_last[0], c.pos_last[1], c.pos_last[2]), triple(c.delta),
            (c.q_last[0], c.q_last[1], c.q_last[2], c.q_last[3]), (c.q_next[0], c.q_next[1], c.q_next[2], c.q_next[3]),
            (tuple([c.rotation[i] for i in range(3)]), tuple([c.rotation[i] for i in range(3, 6)]),
             tuple([c.rotation[i] for i in range(6, 9)])),
            (c.translation[0], c.translation[1], c.translation[2]),
            triple(c.rotation_axis_world), c.current_speed, c.abs_omega, c.max_surface_rot_speed,
            (r.time_calm_ref[0], r.time_calm_ref[1]),
            (tuple([r.q_calm_ref[0][i] for i in range(4)]), tuple([r.q_calm_ref[1][i] for i in range(4)])),
            (tuple([r.pos_calm_ref[0][i] for i in range(3)]), tuple([r.pos_calm_ref[1][i] for i in range(3)])),
            o.state, triple(o.shift_core_f_object), o.extra_radius,
            (o.q_core_f_object[0], o.q_core_f_object[1], o.q_core_f_object[2], o.q_core_f_object[3])
            if o.has_rotation else None,
            c.unit,
        )


cdef inline tuple triple(const float* v):
    return v[0], v[1], v[2]
