# cython: boundscheck=False, wraparound=False, cdivision=True
"""Forces, springs, joints and Python controllers come and go. Private: it trusts what the facade checked."""

from libc.stdint cimport int32_t
from libc.string cimport memset

from physics.kernel.algebra cimport mul_mtm, mul_mtv, mul_mv, normalize3, to_local
from physics.kernel.constraints cimport constraint_axes, init_constraint
from physics.kernel.poses cimport core_pose_at
from physics.kernel.springs cimport init_anchor
from physics.kernel.state cimport (
    KIND_CONSTRAINT, KIND_FORCE, KIND_JOINT, KIND_PYTHON, KIND_SPRING, NONE, PRIORITY_CONSTRAINT, PRIORITY_CONTACT,
    PRIORITY_FORCE, PRIORITY_SPRING, constraint_t, force_t, joint_t, spring_t,
)
from physics.kernel.store cimport (
    release_controller, take_constraint, take_controller, take_force, take_joint, take_link, take_spring, world_t,
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


def set_break(ControllerCore handle, double force, double torque):
    """Set what a joint can bear, N and N m; 0: all."""
    cdef world_t* w = &handle._world.w
    cdef int k = handle.row()
    cdef int row = w.controllers[k].data
    if w.controllers[k].kind == KIND_CONSTRAINT:
        w.constraints[row].break_force = <float>force
        w.constraints[row].break_torque = <float>torque
    else:
        w.joints[row].break_force = <float>force
        w.joints[row].break_torque = <float>torque


cdef void place_frame(world_t* w, int body, const double* axes, const double* point, double* frame, double* anchor) noexcept nogil:
    """World axes (columns) and a world point in the core's coordinates."""
    cdef double[9] r
    cdef double[3] vv
    cdef int i
    if body == NONE:
        for i in range(9):
            frame[i] = axes[i]
        for i in range(3):
            anchor[i] = point[i]
        return
    core_pose_at(&w.cores[body], w.sim.current_time, r, vv)
    mul_mtm(r, axes, frame)
    to_local(r, vv, point, anchor)


def create_joint(WorldCore world, int body_r, int body_a, anchor_r, anchor_a, axis, reference, locks, lower, upper, double cone,
                 double shortest, double longest):
    """Make a joint of ours: world anchors, a world axis as z and a direction that x leans to (or None); return its entry."""
    cdef world_t* w = &world.w
    cdef int k = new_controller(w, KIND_JOINT, PRIORITY_CONTACT, body_r, body_a)
    cdef int row = take_joint(w), i
    cdef joint_t* j
    cdef double[9] axes
    cdef double[3] p
    cdef double[3] z
    cdef double[3] x
    cdef double d
    if row == NONE:
        raise MemoryError
    j = &w.joints[row]
    memset(j, 0, sizeof(joint_t))
    w.controllers[k].data = row
    j.controller = k
    j.body_r = body_r
    j.body_a = body_a
    for i in range(3):
        z[i] = axis[i]
    constraint_axes(z, axes)
    if reference is not None:
        for i in range(3):
            z[i] = axes[3 * i + 2]
            x[i] = reference[i]
        d = x[0] * z[0] + x[1] * z[1] + x[2] * z[2]
        for i in range(3):
            x[i] -= d * z[i]
        if normalize3(x):
            for i in range(3):
                axes[3 * i] = x[i]
                axes[3 * i + 1] = z[(i + 1) % 3] * x[(i + 2) % 3] - z[(i + 2) % 3] * x[(i + 1) % 3]
    for i in range(3):
        p[i] = anchor_r[i]
    place_frame(w, body_r, axes, p, j.frame_r, j.anchor_r)
    for i in range(3):
        p[i] = anchor_a[i]
    place_frame(w, body_a, axes, p, j.frame_a, j.anchor_a)
    for i in range(6):
        j.locks[i] = locks[i]
        j.lower[i] = <float><double>lower[i]
        j.upper[i] = <float><double>upper[i]
    j.cone = <float>cone
    j.shortest = <float>shortest
    j.longest = <float>longest
    return k


def joint_axis(ControllerCore handle):
    """World anchor and world z axis of a hinge or slider at the current time, from its first body."""
    cdef world_t* w = &handle._world.w
    cdef constraint_t* c = &w.constraints[w.controllers[handle.row()].data]
    cdef double[9] r
    cdef double[3] vv
    cdef double[3] v
    cdef double[3] p
    cdef double[3] point
    cdef double[3] axis
    cdef int i
    for i in range(3):
        v[i] = -c.frame_r_vv[i]
    mul_mtv(c.frame_r, v, p)
    core_pose_at(&w.cores[c.body_r], w.sim.current_time, r, vv)
    mul_mv(r, p, point)
    mul_mv(r, &c.frame_r[6], axis)
    return (point[0] + vv[0], point[1] + vv[1], point[2] + vv[2]), (axis[0], axis[1], axis[2])


def set_motor(ControllerCore handle, int axis, double speed, double strength):
    """Drive an axis of a joint of ours; strength 0 stops it."""
    cdef world_t* w = &handle._world.w
    cdef joint_t* j = &w.joints[w.controllers[handle.row()].data]
    j.speed[axis] = <float>speed
    j.strength[axis] = <float>strength


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
