# cython: boundscheck=False, wraparound=False, cdivision=True
"""Array calls over all bodies: no loop in Python, and the interpreter lock let go when there are many."""


from physics.kernel.poses cimport object_pose_at
from physics.kernel.state cimport NONE, core_t
from physics.kernel.store cimport world_t
from physics.kernel.units cimport wake_object
from physics.kernel.world cimport WorldCore


def positions(WorldCore world, double[:, ::1] out):
    """Fill the positions of all bodies, in slot order."""
    cdef world_t* w = &world.w
    cdef double[4] q
    cdef double[9] r
    cdef int b
    cdef Py_ssize_t row = 0
    cdef core_t* c
    cdef double dt
    with nogil:
        for b in range(w.core_count):
            c = &w.cores[b]
            if c.generation & 1:
                if w.objects[b].shift_is_zero:      # the origin is the mass centre: no rotation needed
                    dt = w.sim.current_time - c.time_of_last_psi
                    out[row, 0] = c.pos_last[0] + <double>c.delta[0] * dt
                    out[row, 1] = c.pos_last[1] + <double>c.delta[1] * dt
                    out[row, 2] = c.pos_last[2] + <double>c.delta[2] * dt
                else:
                    object_pose_at(c, &w.objects[b], w.sim.current_time, q, r, &out[row, 0])
                row += 1


def rotations(WorldCore world, double[:, ::1] out):
    """Fill the rotations of all bodies, in slot order."""
    cdef world_t* w = &world.w
    cdef double[9] r
    cdef double[3] vv
    cdef int b
    cdef Py_ssize_t row = 0
    with nogil:
        for b in range(w.core_count):
            if w.cores[b].generation & 1:
                object_pose_at(&w.cores[b], &w.objects[b], w.sim.current_time, &out[row, 0], r, vv)
                row += 1


def velocities(WorldCore world, double[:, ::1] out, bint angular):
    """Fill the linear or the angular velocities of all bodies, in slot order."""
    cdef world_t* w = &world.w
    cdef int b, i
    cdef Py_ssize_t row = 0
    with nogil:
        for b in range(w.core_count):
            if w.cores[b].generation & 1:
                for i in range(3):
                    out[row, i] = w.cores[b].rot_speed[i] if angular else w.cores[b].speed[i]
                row += 1


def sim_units(WorldCore world):
    """Return (state, slots of its cores) of every unit: the active list, then the frozen one, newest first."""
    cdef world_t* w = &world.w
    cdef int u, b, which
    units = []
    for which in range(2):
        u = w.sim.active_head if which == 0 else w.sim.frozen_head
        while u != NONE:
            members = []
            b = w.units[u].first
            while b != NONE:
                members.append(b)
                b = w.cores[b].unit_next
            units.append((w.units[u].state, members))
            u = w.units[u].next
    return units


def set_scalars(WorldCore world, gravity, bint sleeping, int passes, unsigned int seed):
    """Set the options of a new world."""
    cdef int i
    for i in range(3):
        world.w.sim.gravity[i] = <float><double>gravity[i]
    world.w.sim.sleeping = sleeping
    world.w.sim.passes = passes
    world.w.sim.random_state = seed


def gravity_of(WorldCore world):
    """Gravity as the world keeps it."""
    cdef float* g = world.w.sim.gravity
    return g[0], g[1], g[2]


def set_gravity(WorldCore world, gravity):
    """Set the gravity."""
    cdef int i
    for i in range(3):
        world.w.sim.gravity[i] = <float><double>gravity[i]


def passes_of(WorldCore world):
    """How often contacts and joints are solved in a PSI."""
    return world.w.sim.passes


def set_passes(WorldCore world, int passes):
    """Set how often contacts and joints are solved in a PSI."""
    world.w.sim.passes = passes


def sleeping_of(WorldCore world):
    """Whether bodies at rest freeze."""
    return bool(world.w.sim.sleeping)


def set_sleeping(WorldCore world, bint sleeping):
    """Set whether bodies at rest freeze; what is frozen stays so until it is woken."""
    world.w.sim.sleeping = sleeping


def last_duration(WorldCore world):
    """Seconds of the last simulate or advance."""
    return world.w.sim.last_duration


cdef inline void push_center(world_t* w, int b, const double* v) noexcept nogil:
    """5: async_push_core at the mass centre, which turns nothing."""
    cdef core_t* c = &w.cores[b]
    cdef float impulse
    cdef int i
    if c.unmovable or (v[0] == 0.0 and v[1] == 0.0 and v[2] == 0.0):
        return
    wake_object(w, b)
    for i in range(3):
        impulse = <float>v[i]
        c.speed_change[i] = <float>(c.speed_change[i] + <double>impulse * c.inv_mass)


def add_impulse_to_all(WorldCore world, double x, double y, double z):
    """The same push at the mass centre of every body, N s, world axes."""
    cdef world_t* w = &world.w
    cdef double[3] v
    cdef int b
    v[0] = x
    v[1] = y
    v[2] = z
    for b in range(w.core_count):
        if w.cores[b].generation & 1:
            push_center(w, b, v)


def add_impulses(WorldCore world, const double[:, ::1] impulses):
    """Push bodies at their mass centres, N s, world axes: a row a body in slot order, or one row for all."""
    cdef world_t* w = &world.w
    cdef int b
    cdef Py_ssize_t row = 0
    cdef bint one = impulses.shape[0] == 1
    with nogil:
        for b in range(w.core_count):
            if w.cores[b].generation & 1:
                push_center(w, b, &impulses[0, 0] if one else &impulses[row, 0])
                row += 1
