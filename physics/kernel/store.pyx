# cython: boundscheck=False, wraparound=False, cdivision=True
"""The memory of a world: `world_t`, its arrays and their growth."""

from libc.stdlib cimport free
from libc.string cimport memset

from physics.kernel.collision cimport collision_free, collision_reserve
from physics.kernel.memory cimport append, resize
from physics.kernel.solver cimport solver_free, solver_reserve
from physics.kernel.state cimport (
    KIND_CONSTRAINT, KIND_FORCE, KIND_JOINT, KIND_SPRING, NONE, constraint_t, controller_t, core_t, force_t, joint_t,
    link_t, object_t, rest_t, spring_t, unit_t,
)


cdef bint grow_cores(world_t* w, int32_t count) noexcept nogil:
    """Make room for `count` bodies, and for whatever there may be one of a body."""
    cdef int32_t old = w.core_capacity, wanted
    if count <= old:
        return True
    wanted = 2 * old if old >= 8 else 8
    if wanted < count:
        wanted = count
    if not (resize(<void**>&w.cores, old, wanted, sizeof(core_t))
            and resize(<void**>&w.objects, old, wanted, sizeof(object_t))
            and resize(<void**>&w.rests, old, wanted, sizeof(rest_t))
            and resize(<void**>&w.units, old, wanted, sizeof(unit_t))
            and resize(<void**>&w.revive, old, wanted, sizeof(int32_t))
            and resize(<void**>&w.shapes, old, wanted, sizeof(void*))
            and resize(<void**>&w.surfaces, old, wanted, sizeof(void*))
            and collision_reserve(&w.collision, wanted)
            and solver_reserve(w, wanted)
            and resize(<void**>&w.order, old, wanted, sizeof(int32_t))
            and resize(<void**>&w.scratch, 2 * old, 2 * wanted, sizeof(int32_t))
            and resize(<void**>&w.cores_out, old, wanted, sizeof(int32_t))
            and resize(<void**>&w.fast, old, wanted, sizeof(int32_t))):
        return False
    w.core_capacity = wanted
    return True


cdef void free_world(world_t* w) noexcept nogil:
    """Give all arrays back."""
    free(w.cores)
    free(w.objects)
    free(w.rests)
    free(w.units)
    free(w.revive)
    free(w.order)
    free(w.fast)
    free(w.hits)
    free(w.events)
    free(<void*>w.shapes)
    free(<void*>w.surfaces)
    collision_free(&w.collision)
    solver_free(w)
    free(w.scratch)
    free(w.cores_out)
    free(w.controllers)
    free(w.links)
    free(w.forces)
    free(w.springs)
    free(w.constraints)
    free(w.joints)
    memset(w, 0, sizeof(world_t))


cdef int take_core(world_t* w) noexcept nogil:
    """A zeroed slot for a body (NONE: memory is out); its generation turns odd."""
    cdef int b = w.sim.free_core
    cdef unsigned int generation
    if b != NONE:
        w.sim.free_core = w.cores[b].unit_next
    else:
        if not grow_cores(w, w.core_count + 1):
            return NONE
        b = w.core_count
        w.core_count += 1
    generation = w.cores[b].generation + 1
    memset(&w.cores[b], 0, sizeof(core_t))
    memset(&w.objects[b], 0, sizeof(object_t))
    memset(&w.rests[b], 0, sizeof(rest_t))
    w.cores[b].generation = generation
    w.sim.n_bodies += 1
    return b


cdef void release_core(world_t* w, int b) noexcept nogil:
    """Free a slot: only its generation is kept, so that old handles stay stale."""
    cdef unsigned int generation = w.cores[b].generation + 1
    memset(&w.cores[b], 0, sizeof(core_t))
    memset(&w.objects[b], 0, sizeof(object_t))
    memset(&w.rests[b], 0, sizeof(rest_t))
    w.cores[b].generation = generation
    w.cores[b].unit_next = w.sim.free_core
    w.sim.free_core = b
    w.shapes[b] = NULL
    w.surfaces[b] = NULL
    w.sim.n_bodies -= 1


cdef int take_unit(world_t* w) noexcept nogil:
    """An empty sim unit, in no list. There are never more units than cores, so there is always room."""
    cdef int u = w.sim.free_unit
    if u != NONE:
        w.sim.free_unit = w.units[u].next
    else:
        u = w.sim.n_units
        w.sim.n_units += 1
    memset(&w.units[u], 0, sizeof(unit_t))
    w.units[u].prev = w.units[u].next = w.units[u].first = w.units[u].last = NONE
    w.units[u].controller_first = w.units[u].controller_last = NONE
    w.units[u].contact_first = w.units[u].contact_last = NONE
    return u


cdef void release_unit(world_t* w, int u) noexcept nogil:
    memset(&w.units[u], 0, sizeof(unit_t))
    w.units[u].next = w.sim.free_unit
    w.sim.free_unit = u


cdef int take_controller(world_t* w) noexcept nogil:
    """A zeroed controller entry (NONE: memory is out); its generation turns odd."""
    cdef int k = w.sim.free_controller
    cdef unsigned int generation
    if k != NONE:
        w.sim.free_controller = w.controllers[k].next
    else:
        k = append(<void**>&w.controllers, &w.controller_count, &w.controller_capacity, sizeof(controller_t))
        if k == NONE:
            return NONE
    generation = w.controllers[k].generation + 1
    memset(&w.controllers[k], 0, sizeof(controller_t))
    w.controllers[k].generation = generation
    w.controllers[k].unit = w.controllers[k].prev = w.controllers[k].next = NONE
    w.controllers[k].body_a = w.controllers[k].body_b = w.controllers[k].data = NONE
    w.controllers[k].link_first = NONE
    return k


cdef void release_controller(world_t* w, int k) noexcept nogil:
    """Free an entry with its links and the row that it names."""
    cdef unsigned int generation = w.controllers[k].generation + 1
    cdef int kind = w.controllers[k].kind, row = w.controllers[k].data, link = w.controllers[k].link_first, following
    while link != NONE:
        following = w.links[link].next
        w.links[link].body = NONE
        w.links[link].next = w.sim.free_link
        w.sim.free_link = link
        link = following
    if kind == KIND_FORCE:
        memset(&w.forces[row], 0, sizeof(force_t))
        w.forces[row].controller = -2 - w.sim.free_force
        w.sim.free_force = row
    elif kind == KIND_SPRING:
        memset(&w.springs[row], 0, sizeof(spring_t))
        w.springs[row].controller = -2 - w.sim.free_spring
        w.sim.free_spring = row
    elif kind == KIND_CONSTRAINT:
        memset(&w.constraints[row], 0, sizeof(constraint_t))
        w.constraints[row].controller = -2 - w.sim.free_constraint
        w.sim.free_constraint = row
    elif kind == KIND_JOINT:
        memset(&w.joints[row], 0, sizeof(joint_t))
        w.joints[row].controller = -2 - w.sim.free_joint
        w.sim.free_joint = row
    memset(&w.controllers[k], 0, sizeof(controller_t))
    w.controllers[k].generation = generation
    w.controllers[k].next = w.sim.free_controller
    w.sim.free_controller = k


cdef int take_link(world_t* w) noexcept nogil:
    cdef int i = w.sim.free_link
    if i == NONE:
        return append(<void**>&w.links, &w.link_count, &w.link_capacity, sizeof(link_t))
    w.sim.free_link = w.links[i].next
    return i


cdef int take_force(world_t* w) noexcept nogil:
    cdef int i = w.sim.free_force
    if i == NONE:
        return append(<void**>&w.forces, &w.force_count, &w.force_capacity, sizeof(force_t))
    w.sim.free_force = -2 - w.forces[i].controller
    return i


cdef int take_spring(world_t* w) noexcept nogil:
    cdef int i = w.sim.free_spring
    if i == NONE:
        return append(<void**>&w.springs, &w.spring_count, &w.spring_capacity, sizeof(spring_t))
    w.sim.free_spring = -2 - w.springs[i].controller
    return i


cdef int take_constraint(world_t* w) noexcept nogil:
    cdef int i = w.sim.free_constraint
    if i == NONE:
        return append(<void**>&w.constraints, &w.constraint_count, &w.constraint_capacity, sizeof(constraint_t))
    w.sim.free_constraint = -2 - w.constraints[i].controller
    return i


cdef int take_joint(world_t* w) noexcept nogil:
    cdef int i = w.sim.free_joint
    if i == NONE:
        return append(<void**>&w.joints, &w.joint_count, &w.joint_capacity, sizeof(joint_t))
    w.sim.free_joint = -2 - w.joints[i].controller
    return i
