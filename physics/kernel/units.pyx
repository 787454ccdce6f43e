# cython: boundscheck=False, wraparound=False, cdivision=True
"""Simulation units: their lists, merging and splitting, freezing and reviving (ivp 6.4, 10.0, 10.3, 10.4)."""

from libc.stdint cimport int32_t

from physics.kernel.collision cimport pair_t
from physics.kernel.integration cimport init_core_for_simulation, inverse_duration
from physics.kernel.sleep cimport calc_movement_state
from physics.kernel.state cimport (
    KIND_FORCE, KIND_JOINT, MT_CALM, MT_MOVING, MT_NOT_SIM, NONE, controller_t, core_t, unit_t,
)
from physics.kernel.store cimport NOTE_FROZEN, NOTE_REVIVED, release_unit, take_unit


# ---- the two lists (10.0): newest first

cdef void push_unit(world_t* w, int u) noexcept nogil:
    """Push at the head of the list that the unit's state selects."""
    cdef int32_t* head = &w.sim.active_head if w.units[u].state < MT_NOT_SIM else &w.sim.frozen_head
    w.units[u].prev = NONE
    w.units[u].next = head[0]
    if head[0] != NONE:
        w.units[head[0]].prev = u
    head[0] = u
    if w.units[u].state < MT_NOT_SIM:
        w.sim.n_active += 1


cdef void remove_unit(world_t* w, int u) noexcept nogil:
    cdef int32_t* head = &w.sim.active_head if w.units[u].state < MT_NOT_SIM else &w.sim.frozen_head
    cdef int before = w.units[u].prev, after = w.units[u].next
    if before != NONE:
        w.units[before].next = after
    else:
        head[0] = after
    if after != NONE:
        w.units[after].prev = before
    w.units[u].prev = w.units[u].next = NONE
    if w.units[u].state < MT_NOT_SIM:
        w.sim.n_active -= 1


# ---- cores and controllers of a unit (6.4)

cdef void unit_add_core(world_t* w, int u, int b) noexcept nogil:
    """Append a core."""
    cdef core_t* c = &w.cores[b]
    c.unit = u
    c.unit_next = NONE
    c.unit_prev = w.units[u].last
    if c.unit_prev != NONE:
        w.cores[c.unit_prev].unit_next = b
    else:
        w.units[u].first = b
    w.units[u].last = b
    w.units[u].n_cores += 1


cdef void unit_remove_core(world_t* w, int b) noexcept nogil:
    cdef core_t* c = &w.cores[b]
    cdef unit_t* u = &w.units[c.unit]
    if c.unit_prev != NONE:
        w.cores[c.unit_prev].unit_next = c.unit_next
    else:
        u.first = c.unit_next
    if c.unit_next != NONE:
        w.cores[c.unit_next].unit_prev = c.unit_prev
    else:
        u.last = c.unit_prev
    u.n_cores -= 1
    c.unit = c.unit_prev = c.unit_next = NONE


cdef void unit_add_controller(world_t* w, int u, int k) noexcept nogil:
    """Insert into the ascending list behind equal priorities; the walk from the end runs newest first (6.4)."""
    cdef int after = w.units[u].controller_last, following
    cdef controller_t* e = &w.controllers[k]
    while after != NONE and w.controllers[after].priority > e.priority:
        after = w.controllers[after].prev
    following = w.units[u].controller_first if after == NONE else w.controllers[after].next
    w.units[u].n_joints += e.kind == KIND_JOINT
    e.unit = u
    e.prev = after
    e.next = following
    if after != NONE:
        w.controllers[after].next = k
    else:
        w.units[u].controller_first = k
    if following != NONE:
        w.controllers[following].prev = k
    else:
        w.units[u].controller_last = k


cdef void unit_remove_controller(world_t* w, int k) noexcept nogil:
    cdef controller_t* e = &w.controllers[k]
    if e.unit == NONE:
        return
    w.units[e.unit].n_joints -= e.kind == KIND_JOINT
    if e.prev != NONE:
        w.controllers[e.prev].next = e.next
    else:
        w.units[e.unit].controller_first = e.next
    if e.next != NONE:
        w.controllers[e.next].prev = e.prev
    else:
        w.units[e.unit].controller_last = e.prev
    e.unit = e.prev = e.next = NONE


cdef void merge_controllers(world_t* w, int u, int v) noexcept nogil:
    """Merge v's ascending list into u's; of equal priorities u's come first, as if v's were inserted in turn."""
    cdef int a = w.units[u].controller_first, b = w.units[v].controller_first, last = NONE, k
    w.units[u].controller_first = NONE
    while a != NONE or b != NONE:
        if b == NONE or (a != NONE and w.controllers[a].priority <= w.controllers[b].priority):
            k = a
            a = w.controllers[a].next
        else:
            k = b
            b = w.controllers[b].next
        w.controllers[k].unit = u
        w.controllers[k].prev = last
        if last != NONE:
            w.controllers[last].next = k
        else:
            w.units[u].controller_first = k
        last = k
    if last != NONE:
        w.controllers[last].next = NONE
    w.units[u].controller_last = last
    w.units[v].controller_first = w.units[v].controller_last = NONE


cdef int merge_units(world_t* w, int u, int v) noexcept nogil:
    """Move all of v into u (0x10011720) and free v; the first core's unit survives: a reading."""
    cdef int b
    if u == v:
        return u
    remove_unit(w, v)
    b = w.units[v].first
    while b != NONE:
        w.cores[b].unit = u
        b = w.cores[b].unit_next
    if w.units[v].first != NONE:
        w.cores[w.units[v].first].unit_prev = w.units[u].last
        if w.units[u].last != NONE:
            w.cores[w.units[u].last].unit_next = w.units[v].first
        else:
            w.units[u].first = w.units[v].first
        w.units[u].last = w.units[v].last
    w.units[u].n_cores += w.units[v].n_cores
    merge_controllers(w, u, v)
    if w.units[v].contact_first != NONE:
        w.collision.pairs[w.units[v].contact_first].spare[0] = w.units[u].contact_last
        if w.units[u].contact_last != NONE:
            w.collision.pairs[w.units[u].contact_last].spare[1] = w.units[v].contact_first
        else:
            w.units[u].contact_first = w.units[v].contact_first
        w.units[u].contact_last = w.units[v].contact_last
    w.units[u].n_contacts += w.units[v].n_contacts
    w.units[u].n_joints += w.units[v].n_joints
    w.units[u].fast |= w.units[v].fast
    w.units[u].fast_previous |= w.units[v].fast_previous
    w.units[u].changed |= w.units[v].changed
    w.units[u].contacts_changed |= w.units[v].contacts_changed
    release_unit(w, v)
    return u


# ---- contacts of a unit (ours): a chain through pair_t.spare, in the order of their beginning

cdef void link_contact(world_t* w, int u, int p) noexcept nogil:
    """Append a pair to a unit's contacts."""
    cdef pair_t* pair = &w.collision.pairs[p]
    pair.spare[0] = w.units[u].contact_last
    pair.spare[1] = NONE
    if pair.spare[0] != NONE:
        w.collision.pairs[pair.spare[0]].spare[1] = p
    else:
        w.units[u].contact_first = p
    w.units[u].contact_last = p
    w.units[u].n_contacts += 1


cdef void unlink_contact(world_t* w, int u, int p) noexcept nogil:
    cdef pair_t* pair = &w.collision.pairs[p]
    if pair.spare[0] != NONE:
        w.collision.pairs[pair.spare[0]].spare[1] = pair.spare[1]
    else:
        w.units[u].contact_first = pair.spare[1]
    if pair.spare[1] != NONE:
        w.collision.pairs[pair.spare[1]].spare[0] = pair.spare[0]
    else:
        w.units[u].contact_last = pair.spare[0]
    pair.spare[0] = pair.spare[1] = NONE
    w.units[u].n_contacts -= 1


cdef inline bint dynamic(const world_t* w, int b) noexcept nogil:
    return not w.cores[b].unmovable and not w.cores[b].kinematic


# ---- attaching and detaching (10.0, 10.4)

cdef inline bint movable(const world_t* w, int b) noexcept nogil:
    return b != NONE and not w.cores[b].unmovable


cdef void attach_controller(world_t* w, int k) noexcept nogil:
    """Merge the units of the controller's movable cores, enter it, and revive the unit if one of them is awake.

    A force acts on one core and wakes nothing: a reading of 10.4.
    """
    cdef controller_t* e = &w.controllers[k]
    cdef int u = NONE, link, b, i
    cdef int state = MT_NOT_SIM
    for i in range(2):
        b = e.body_a if i == 0 else e.body_b
        if movable(w, b):
            state &= w.cores[b].movement_state
            u = w.cores[b].unit if u == NONE else merge_units(w, u, w.cores[b].unit)
    link = e.link_first
    while link != NONE:
        b = w.links[link].body
        if movable(w, b):
            state &= w.cores[b].movement_state
            u = w.cores[b].unit if u == NONE else merge_units(w, u, w.cores[b].unit)
        link = w.links[link].next
    if u == NONE:
        return
    unit_add_controller(w, u, k)
    if e.kind != KIND_FORCE and state < MT_NOT_SIM:
        revive_unit(w, u)


cdef void detach_controller(world_t* w, int k) noexcept nogil:
    """Wake what it held (0x10011ad0), mark the unit for a split (0x10011a60) and take the entry out."""
    cdef controller_t* e = &w.controllers[k]
    cdef int u = e.unit
    if u == NONE:
        return
    if e.kind != KIND_FORCE:
        ensure_in_simulation(w, w.units[u].first)
        w.units[u].changed = 1
    unit_remove_controller(w, k)


# ---- splitting (6.3): the unit falls apart into its connected components, a reading

cdef inline int find_root(int32_t* parent, int b) noexcept nogil:
    while parent[b] != b:
        parent[b] = parent[parent[b]]
        b = parent[b]
    return b


cdef inline void join(const world_t* w, int32_t* parent, int a, int b) noexcept nogil:
    """The earlier root wins; fixed bodies and the world join nothing."""
    if not movable(w, a) or not movable(w, b):
        return
    a = find_root(parent, a)
    b = find_root(parent, b)
    if a != b:
        parent[b] = a


cdef void split_unit(world_t* w, int u) noexcept nogil:
    """The component of the first core keeps the unit; the others get new ones, pushed in the order of their first core."""
    cdef int32_t* parent = w.scratch                    # by core; the second half: the unit of a root
    cdef int32_t* unit_of = w.scratch + w.core_capacity
    cdef int b, following, k, link, first_body, root, v, p
    w.units[u].changed = 0
    w.units[u].contacts_changed = 0
    b = w.units[u].first
    while b != NONE:
        parent[b] = b
        unit_of[b] = NONE
        b = w.cores[b].unit_next
    k = w.units[u].controller_first
    while k != NONE:
        join(w, parent, w.controllers[k].body_a, w.controllers[k].body_b)
        first_body = w.controllers[k].body_a if movable(w, w.controllers[k].body_a) else w.controllers[k].body_b
        link = w.controllers[k].link_first
        while link != NONE:
            if not movable(w, first_body):
                first_body = w.links[link].body
            join(w, parent, first_body, w.links[link].body)
            link = w.links[link].next
        k = w.controllers[k].next
    p = w.units[u].contact_first
    while p != NONE:
        if dynamic(w, w.collision.pairs[p].a) and dynamic(w, w.collision.pairs[p].b):
            join(w, parent, w.collision.pairs[p].a, w.collision.pairs[p].b)
        p = w.collision.pairs[p].spare[1]
    b = w.units[u].first
    if b == NONE:
        return
    unit_of[find_root(parent, b)] = u
    while b != NONE:
        following = w.cores[b].unit_next
        root = find_root(parent, b)
        if unit_of[root] == NONE:
            v = take_unit(w)
            w.units[v].state = w.units[u].state
            w.units[v].fast = w.units[u].fast
            w.units[v].fast_previous = w.units[u].fast_previous
            push_unit(w, v)
            unit_of[root] = v
        if unit_of[root] != u:
            unit_remove_core(w, b)
            unit_add_core(w, unit_of[root], b)
        b = following
    k = w.units[u].controller_first
    while k != NONE:
        following = w.controllers[k].next
        b = w.controllers[k].body_a
        if not movable(w, b):
            b = w.controllers[k].body_b
        link = w.controllers[k].link_first
        while not movable(w, b) and link != NONE:
            b = w.links[link].body
            link = w.links[link].next
        v = w.cores[b].unit
        if v != u:
            unit_remove_controller(w, k)
            unit_add_controller(w, v, k)
        k = following
    p = w.units[u].contact_first
    while p != NONE:
        following = w.collision.pairs[p].spare[1]
        b = w.collision.pairs[p].a if dynamic(w, w.collision.pairs[p].a) else w.collision.pairs[p].b
        v = w.cores[b].unit
        if v != u:
            unlink_contact(w, u, p)
            link_contact(w, v, p)
        p = following


# ---- freezing (10.2, 10.3)

cdef inline void freeze_core(world_t* w, int b) noexcept nogil:
    cdef core_t* c = &w.cores[b]
    cdef int i
    c.movement_state = MT_NOT_SIM
    for i in range(3):
        c.rot_speed[i] = 0.0
        c.speed_change[i] = 0.0
        c.rot_speed_change[i] = 0.0
    c.corrected = 0
    init_core_for_simulation(c, w.sim.inv_delta_psi)    # clears speed and delta; the rotation steps back one PSI
    w.objects[b].state = MT_NOT_SIM
    if w.note != NULL:
        w.note(w, NOTE_FROZEN, b)


cdef bint try_to_freeze(world_t* w, int u) noexcept nogil:
    """Test every core; freeze the unit when all of them are calm (0x100120f0)."""
    cdef int b = w.units[u].last, following
    cdef int all_ = MT_CALM
    while b != NONE:
        w.cores[b].movement_state = calc_movement_state(&w.cores[b], &w.rests[b], w.sim.current_time,
                                                        w.sim.freeze_check_time)
        all_ &= w.cores[b].movement_state
        b = w.cores[b].unit_prev
    if all_ != MT_CALM:
        return False
    b = w.units[u].last
    while b != NONE:
        following = w.cores[b].unit_prev
        freeze_core(w, b)
        b = following
    remove_unit(w, u)
    w.units[u].state = MT_NOT_SIM
    push_unit(w, u)
    return True


# ---- waking and reviving (10.4)

cdef void reset_freeze_check(world_t* w, int b) noexcept nogil:
    """Restart both timers; the references stay (0x1000cec0)."""
    w.rests[b].time_calm_ref[0] = w.sim.current_time
    w.rests[b].time_calm_ref[1] = w.sim.current_time


cdef void enqueue_revive(world_t* w, int b) noexcept nogil:
    if not w.cores[b].in_wakeup:
        w.revive[w.sim.n_revive] = b
        w.sim.n_revive += 1
        w.cores[b].in_wakeup = 1


cdef void wake_object(world_t* w, int b) noexcept nogil:
    """0x1000a460: restart the timers of an awake body, queue a frozen one."""
    if w.objects[b].state != MT_NOT_SIM:
        reset_freeze_check(w, b)
    else:
        enqueue_revive(w, b)


cdef void ensure_in_simulation(world_t* w, int b) noexcept nogil:
    """0x1000dab0."""
    cdef int u
    if w.cores[b].unmovable:
        return
    u = w.cores[b].unit
    if w.cores[b].movement_state != MT_NOT_SIM:
        b = w.units[u].last
        while b != NONE:
            reset_freeze_check(w, b)
            b = w.cores[b].unit_prev
    else:
        revive_unit(w, u)


cdef inline void revive_core(world_t* w, int b) noexcept nogil:
    """0x1000aea0."""
    cdef core_t* c = &w.cores[b]
    cdef float[3] speed
    cdef int i
    w.objects[b].state = MT_MOVING
    c.movement_state = MT_MOVING
    reset_freeze_check(w, b)
    c.time_of_last_psi = w.sim.current_time
    for i in range(3):
        speed[i] = c.speed[i]
    init_core_for_simulation(c, inverse_duration(w.sim.time_of_next_psi - w.sim.current_time))
    if c.keep_speed:                                # ours: a velocity set while frozen
        c.keep_speed = 0
        for i in range(3):
            c.speed[i] = speed[i]
    if w.note != NULL:
        w.note(w, NOTE_REVIVED, b)


cdef void revive_unit(world_t* w, int u) noexcept nogil:
    """Revive every frozen core of the unit and move the unit to the active list (0x10011f80)."""
    cdef int b = w.units[u].last
    while b != NONE:
        if w.cores[b].movement_state >= MT_NOT_SIM:
            revive_core(w, b)
        b = w.cores[b].unit_prev
    if w.units[u].state == MT_NOT_SIM:
        remove_unit(w, u)
        w.units[u].state = MT_MOVING
        push_unit(w, u)


cdef void revive_queued(world_t* w) noexcept nogil:
    """At the start of a PSI: the queue from its end (0x1000b590). What a listener adds meanwhile waits for the next PSI."""
    cdef int n = w.sim.n_revive, i = w.sim.n_revive - 1, b
    while i >= 0:
        b = w.revive[i]
        ensure_in_simulation(w, b)
        w.cores[b].in_wakeup = 0
        i -= 1
    for i in range(n, w.sim.n_revive):
        w.revive[i - n] = w.revive[i]
    w.sim.n_revive -= n
