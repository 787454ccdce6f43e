# cython: boundscheck=False, wraparound=False, cdivision=True
"""Forces, springs, joints and Python controllers come and go. Private: it trusts what the facade checked."""

from libc.stdint cimport int32_t
from libc.string cimport memset

from physics.kernel.constraints cimport init_constraint
from physics.kernel.springs cimport init_anchor
from physics.kernel.state cimport (
    KIND_CONSTRAINT, KIND_FORCE, KIND_PYTHON, KIND_SPRING, NONE, PRIORITY_CONSTRAINT, PRIORITY_FORCE, PRIORITY_SPRING,
    constraint_t, force_t, spring_t,
)
from physics.kernel.store cimport (
    release_controller, take_constraint, take_controller, take_force, take_link, take_spring, world_t,
)
from physics.kernel.units cimport attach_controller, detach_controller
from physics.kernel.world cimport ControllerCore, WorldCore


cdef int new_controller(world_t* w, int kind, int priority, int body_a, int body_b) except -1:
    cdef int k = take_controller(w)
    if k == NONE:
        raise MemoryError
    w.controllers[k].kind = kind
    w.controllers[k].priority = priority
    w.controllers[k].body_a = body_a
    w.controllers[k].body_b = body_b
    return k


def create_force(WorldCore world, int body, point, force):
    """Make a force controller (7.2): point in core coordinates, force in N s a PSI; return its entry."""
    cdef world_t* w = &world.w
    cdef int k = new_controller(w, KIND_FORCE, PRIORITY_FORCE, body, NONE)
    cdef int row = take_force(w), i
    if row == NONE:
        raise MemoryError
    w.controllers[k].data = row
    w.forces[row].controller = k
    for i in range(3):
        w.forces[row].point[i] = point[i]
        w.forces[row].force[i] = <float><double>force[i]
    return k


def set_force(ControllerCore handle, force):
    """Change the vector of a force."""
    cdef world_t* w = &handle._world.w
    cdef int k = handle.row(), i
    for i in range(3):
        w.forces[w.controllers[k].data].force[i] = <float><double>force[i]


def force_of(ControllerCore handle):
    """Vector and point of a force."""
    cdef world_t* w = &handle._world.w
    cdef force_t* f = &w.forces[w.controllers[handle.row()].data]
    return (f.force[0], f.force[1], f.force[2]), (f.point[0], f.point[1], f.point[2])


def create_spring(WorldCore world, int body_a, int body_b, anchor_a, anchor_b, double rest_length, double stiffness,
                  double damping, double relative_damping, double factor, break_length):
    """Make a spring (12.2) between two world points; return its entry."""
    cdef world_t* w = &world.w
    cdef int k = new_controller(w, KIND_SPRING, PRIORITY_SPRING, body_a, body_b)
    cdef int row = take_spring(w), i
    cdef spring_t* s
    cdef double[3] p
    cdef double f = <float>factor
    if row == NONE:
        raise MemoryError
    s = &w.springs[row]
    w.controllers[k].data = row
    s.controller = k
    s.body[0] = body_a
    s.body[1] = body_b
    for i in range(3):
        p[i] = anchor_a[i]
    init_anchor(w, body_a, p, s.anchor_object[0], s.anchor_core[0])
    for i in range(3):
        p[i] = anchor_b[i]
    init_anchor(w, body_b, p, s.anchor_object[1], s.anchor_core[1])
    s.rest_length = <float>rest_length
    s.stiffness = <float>(<double><float>stiffness * f)
    s.damping = <float>(<double><float>damping * f)
    s.relative_damping = <float>(<double><float>relative_damping * f)
    s.breakable = break_length is not None
    s.break_length = <float>1e20 if break_length is None else <float><double>break_length
    return k


def create_constraint(WorldCore world, int body_r, int body_a, anchor, axis, types, lower, upper, double force_factor,
                      double damp_factor, double limit_factor):
    """Make a joint (12.4, 12.5) at a world anchor, along a world axis or None; return its entry."""
    cdef world_t* w = &world.w
    cdef int k = new_controller(w, KIND_CONSTRAINT, PRIORITY_CONSTRAINT, body_r, body_a)
    cdef int row = take_constraint(w), i
    cdef constraint_t* c
    cdef double[3] p
    cdef double[3] d
    if row == NONE:
        raise MemoryError
    c = &w.constraints[row]
    w.controllers[k].data = row
    memset(c, 0, sizeof(constraint_t))
    c.controller = k
    c.body_r = body_r
    c.body_a = body_a
    for i in range(6):
        c.types[i] = types[i]
        c.lower[i] = <float><double>lower[i]
        c.upper[i] = <float><double>upper[i]
    c.force_factor = <float>force_factor
    c.damp_over_force = <float>(<double><float>damp_factor / <float>force_factor)
    c.limit_factor = <float>limit_factor
    for i in range(3):
        p[i] = anchor[i]
        if axis is not None:
            d[i] = axis[i]
    init_constraint(w, c, p, NULL if axis is None else d)
    return k


def create_python(WorldCore world, int priority, bodies):
    """Make the entry of a Python controller that acts on bodies; return it."""
    cdef world_t* w = &world.w
    cdef int k = new_controller(w, KIND_PYTHON, priority, NONE, NONE)
    cdef int link, body
    for body in reversed(bodies):
        link = take_link(w)
        if link == NONE:
            raise MemoryError
        w.links[link].body = body
        w.links[link].next = w.controllers[k].link_first
        w.controllers[k].link_first = link
    w.n_python += 1
    return k


def attach(ControllerCore handle):
    """Enter a new controller into the unit of its bodies, merging units (10.0)."""
    attach_controller(&handle._world.w, handle.row())


def detach(ControllerCore handle):
    """Take a controller out of its unit and free its entry."""
    cdef WorldCore world = handle._world
    cdef int k = handle.row()
    if world.w.controllers[k].kind == KIND_PYTHON:
        world.w.n_python -= 1
    detach_controller(&world.w, k)
    release_controller(&world.w, k)


def drop_link(ControllerCore handle, int body):
    """Let a Python controller go on without one of its bodies; return how many it has left."""
    cdef world_t* w = &handle._world.w
    cdef int k = handle.row(), left = 0
    cdef int32_t* place = &w.controllers[k].link_first
    cdef int link
    if w.controllers[k].unit != NONE:
        w.units[w.controllers[k].unit].changed = 1
    while place[0] != NONE:
        link = place[0]
        if w.links[link].body == body:
            place[0] = w.links[link].next
            w.links[link].body = NONE
            w.links[link].next = w.sim.free_link
            w.sim.free_link = link
        else:
            left += 1
            place = &w.links[link].next
    return left


def types_of(ControllerCore handle):
    """Axis types and number of active axes of a constraint (12.5)."""
    cdef world_t* w = &handle._world.w
    cdef constraint_t* c = &w.constraints[w.controllers[handle.row()].data]
    return tuple([c.types[i] for i in range(6)]), c.n_active
