# cython: boundscheck=False, wraparound=False, cdivision=True
"""One PSI, and the clock that runs PSIs (ivp 6 and 11)."""

from physics.kernel.algebra cimport square_length_f
from physics.kernel.constraints cimport simulate_constraint
from physics.kernel.contacts cimport break_joints, finish_contacts, prepare_contacts, solve_contacts, update_contacts
from physics.kernel.damping cimport force_core, gravity_core
from physics.kernel.impacts cimport is_fast, run_impact, sweep_fast_bodies
from physics.kernel.integration cimport integrate_core, integrate_corrected, inverse_duration, sync_core
from physics.kernel.joint_trees cimport solve_joint_trees
from physics.kernel.pushes cimport commit_pushes
from physics.kernel.solver cimport load_movers, store_movers
from physics.kernel.sleep cimport sleep_countdown
from physics.kernel.springs cimport simulate_spring
from physics.kernel.state cimport (
    KIND_CONSTRAINT, KIND_FORCE, KIND_PYTHON, KIND_SPRING, NONE, PRIORITY_CONTACT, PRIORITY_GRAVITY, core_t, unit_t,
)
from physics.kernel.store cimport release_controller
from physics.kernel.units cimport detach_controller, reset_freeze_check, revive_queued, split_unit, try_to_freeze

cdef enum:
    SUBSTEPS = 4                    # of the contact solver in a PSI; with more passes one each


cdef inline bint begin_unit(world_t* w, int u, bint synced) noexcept nogil:
    """Poses at this PSI, pushes from outside it, and whether the unit is up for a sleep test (6.3)."""
    cdef unit_t* unit = &w.units[u]
    cdef core_t* c
    cdef bint fast = False
    cdef int b = unit.last
    while b != NONE:
        c = &w.cores[b]
        if not synced:
            sync_core(c, w.sim.current_time)
        commit_pushes(c)
        c.impacts = 0
        if <float>(1.0 - square_length_f(c.speed)) < 0.0:
            fast = True
        b = c.unit_prev
    if fast:
        unit.fast = 1
        return False
    unit.fast_previous = unit.fast
    if unit.fast_previous:
        b = unit.last
        while b != NONE:
            reset_freeze_check(w, b)
            b = w.cores[b].unit_prev
    unit.fast = 0
    return w.sim.sleeping and sleep_countdown(&w.sim)


cdef inline void run_controller(world_t* w, int k) noexcept nogil:
    """One entry; a spring or joint that breaks leaves its unit."""
    cdef int kind = w.controllers[k].kind
    if kind == KIND_FORCE:
        force_core(&w.cores[w.controllers[k].body_a], &w.forces[w.controllers[k].data], w.sim.current_time)
    elif kind == KIND_SPRING:
        if not simulate_spring(w, w.controllers[k].data):
            w.spring_broken(w, k)
            detach_controller(w, k)
            release_controller(w, k)
    elif kind == KIND_CONSTRAINT:
        if not simulate_constraint(w, w.controllers[k].data):
            w.spring_broken(w, k)
            detach_controller(w, k)
            release_controller(w, k)
    elif kind == KIND_PYTHON:
        w.run_python(w, k)


cdef void solve_in_passes(world_t* w, int u, int k) noexcept nogil:
    """Contacts and joints in turn, several times (ours); the other entries from k down run once, in the last pass."""
    cdef bint touching = w.units[u].n_contacts + w.units[u].n_joints > 0, direct, last
    cdef int i, e, before, n = w.sim.passes
    cdef int each = (SUBSTEPS + n - 1) / n
    if touching:
        prepare_contacts(w, u, each * n, True)
    for i in range(n):
        if touching:
            load_movers(w)
            solve_contacts(w, each)
            if i == n - 1:
                finish_contacts(w)
            else:
                store_movers(w)
        # A joint that broke in the pass before has left the list: begin anew.
        k = w.units[u].controller_last
        while k != NONE and w.controllers[k].priority >= PRIORITY_CONTACT:
            k = w.controllers[k].prev
        direct = solve_joint_trees(w, k)
        last = i == n - 1 or (direct and not touching)      # nothing is left for further passes then
        e = k
        while e != NONE:
            before = w.controllers[e].prev
            if w.controllers[e].kind == KIND_CONSTRAINT:
                if not direct:
                    run_controller(w, e)
            elif last:
                run_controller(w, e)
            e = before
        if last:
            break
    if w.units[u].n_joints:
        break_joints(w, u)


cdef inline void run_controllers(world_t* w, int u) noexcept nogil:
    """Descending priority, of equals the newest first; gravity is the oldest of its priority (6.4)."""
    cdef int k = w.units[u].controller_last, before, b
    while k != NONE and w.controllers[k].priority >= PRIORITY_GRAVITY:
        before = w.controllers[k].prev
        run_controller(w, k)
        k = before
    b = w.units[u].last
    while b != NONE:
        gravity_core(&w.cores[b], w.sim.gravity, w.sim.delta_psi)
        b = w.cores[b].unit_prev
    while k != NONE and w.controllers[k].priority >= PRIORITY_CONTACT:
        before = w.controllers[k].prev
        run_controller(w, k)
        k = before
    if w.sim.passes > 1 and k != NONE:
        solve_in_passes(w, u, k)
        return
    if w.units[u].n_contacts or w.units[u].n_joints:
        prepare_contacts(w, u, SUBSTEPS, False)
        solve_contacts(w, SUBSTEPS)
        finish_contacts(w)
        if w.units[u].n_joints:
            break_joints(w, u)
    while k != NONE:
        before = w.controllers[k].prev
        run_controller(w, k)
        k = before


cdef inline bint simulate_unit(world_t* w, int u, bint synced) noexcept nogil:
    """The unit's part of a PSI up to its integration (0x100121b0); whether it has to be split behind it."""
    cdef bint test_sleep = begin_unit(w, u, synced)
    run_controllers(w, u)
    if test_sleep:
        try_to_freeze(w, u)
    return w.units[u].changed or (test_sleep and w.units[u].contacts_changed)


cdef inline void integrate(world_t* w, int b, double dt, double inv_dt) noexcept nogil:
    """One core; with contacts it may move by more than its speed."""
    cdef core_t* c = &w.cores[b]
    if c.corrected:
        c.corrected = 0
        integrate_corrected(&w.sim, w.objects, b, c, dt, inv_dt, w.solver.held + 8 * b)
    else:
        integrate_core(&w.sim, w.objects, b, c, dt, inv_dt)
    if w.sweeping and is_fast(w, b):
        w.fast[w.n_fast] = b
        w.n_fast += 1


cdef inline int units_in_order(world_t* w) noexcept nogil:
    """The active units, newest first but the last three in reverse: the original's look-ahead of three (quirk, 6.2)."""
    cdef int n = 0, u = w.sim.active_head, i
    while u != NONE:
        w.order[n] = u
        n += 1
        u = w.units[u].next
    if n >= 2:
        i = n - 3 if n >= 3 else 0
        u = w.order[i]
        w.order[i] = w.order[n - 1]
        w.order[n - 1] = u
    return n


cdef void simulate_together(world_t* w, int n, bint synced) noexcept nogil:
    """Unit by unit: each is integrated at once. The bits are those of `simulate_apart`: nobody looks in between."""
    cdef double dt = w.sim.delta_psi
    cdef double inv_dt = inverse_duration(dt)
    cdef bint split
    cdef int i, u, b
    for i in range(n):
        u = w.order[i]
        split = simulate_unit(w, u, synced)
        b = w.units[u].first                        # cores_out backwards (8.1)
        while b != NONE:
            integrate(w, b, dt, inv_dt)
            b = w.cores[b].unit_next
        if split:
            split_unit(w, u)


cdef void simulate_apart(world_t* w, int n, bint synced) noexcept nogil:
    """As the text has it: all units, then the integration of all cores, backwards (6.3, 8.1)."""
    cdef double dt = w.sim.delta_psi
    cdef double inv_dt = inverse_duration(dt)
    cdef int i, u, b, n_out = 0
    for i in range(n):
        u = w.order[i]
        b = w.units[u].last
        while b != NONE:
            w.cores_out[n_out] = b
            n_out += 1
            b = w.cores[b].unit_prev
        if simulate_unit(w, u, synced):
            split_unit(w, u)
    for i in range(n_out - 1, -1, -1):
        integrate(w, w.cores_out[i], dt, inv_dt)


cdef void simulate_psi(world_t* w) noexcept nogil:
    """0x10013cb0: revive, listeners, units, integration."""
    cdef bint colliding = w.collision.moving.leaves > 0
    cdef int n
    w.sim.state = 0
    if w.sim.n_revive:
        revive_queued(w)
    if w.run_psi_listeners != NULL:
        w.run_psi_listeners(w, 0)
    w.sweeping = colliding and (w.collision.still.leaves > 0 or w.n_continuous > 0)
    if colliding:
        update_contacts(w)
    n = units_in_order(w)
    if w.n_python == 0 and w.note == NULL:
        simulate_together(w, n, colliding)
    else:
        simulate_apart(w, n, colliding)
    w.sim.state = 5
    w.sim.psi_count += 1


cdef void run_impacts(world_t* w, double target) noexcept nogil:
    """Run the queued impacts strictly before the target; none is queued behind the next PSI."""
    while w.sim.n_hits and target - w.sim.base_time > <double>w.hits[0].value:
        w.sim.current_time = <double>w.hits[0].value + w.sim.base_time
        run_impact(w)


cdef void simulate_until(world_t* w, double target) noexcept nogil:
    """Run every PSI strictly before the target, then stand at the target (11.2, 11.3)."""
    if w.sim.n_hits:
        run_impacts(w, target)
    w.changes_moving += 1
    while target - w.sim.base_time > <double>w.sim.psi_offset:
        w.sim.current_time = <double>w.sim.psi_offset + w.sim.base_time
        w.sim.time_of_last_psi = w.sim.current_time
        w.sim.time_of_next_psi = w.sim.delta_psi + w.sim.current_time
        w.sim.base_time = w.sim.current_time
        w.sim.n_hits = 0
        simulate_psi(w)
        w.sim.psi_offset = <float>(w.sim.time_of_next_psi - w.sim.base_time)
        if w.n_fast:
            sweep_fast_bodies(w)
            if w.sim.n_hits:
                run_impacts(w, target)
        if w.unfinished:
            w.finish_psi(w, 0)
            if w.stop:                              # a callback raised: stand at the next PSI, or at the target
                if target - w.sim.base_time > <double>w.sim.psi_offset:
                    target = <double>w.sim.psi_offset + w.sim.base_time
                break
    w.sim.current_time = target
