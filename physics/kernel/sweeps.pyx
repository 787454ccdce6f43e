# cython: boundscheck=False, wraparound=False, cdivision=True
"""The sweeps of the contact solver over its rows: warm start, friction and normals, restitution (ours, ivp 14.4)."""

from libc.math cimport sqrt

from physics.kernel.collision cimport touch_t
from physics.kernel.lanes cimport fx4, fx_add, fx_all, fx_load, fx_mul, fx_store, fx_sub, fx_sum
from physics.kernel.rows cimport block_t, mover_t, normal_speed, roll_t, row_t, solver_t
from physics.kernel.state cimport NONE
from physics.kernel.store cimport world_t

cdef float MOST_PUSH = 4.0          # m/s: deep overlaps come apart no faster


cdef void warm_start(world_t* w) noexcept nogil:
    """Apply the impulses of the last PSI."""
    cdef solver_t* s = &w.solver
    cdef block_t* block
    cdef row_t* row
    cdef fx4 va, wa, vb, wb, p
    cdef mover_t* a
    cdef mover_t* b
    cdef int i, k
    cdef float total
    for i in range(s.block_count):
        block = &s.blocks[i]
        a = &s.movers[block.a]
        b = &s.movers[block.b]
        va = fx_load(a.v)
        wa = fx_load(a.w)
        vb = fx_load(b.v)
        wb = fx_load(b.w)
        total = 0.0
        for k in range(block.first, block.first + block.count):
            row = &s.rows[k]
            total += row.impulse
            wa = fx_sub(wa, fx_mul(fx_load(row.ia), fx_all(row.impulse)))
            wb = fx_add(wb, fx_mul(fx_load(row.ib), fx_all(row.impulse)))
        p = fx_mul(fx_load(block.n), fx_all(total))
        for k in range(2):
            p = fx_add(p, fx_mul(fx_load(block.t[k]), fx_all(block.push[k])))
            wa = fx_sub(wa, fx_mul(fx_load(block.ia[k]), fx_all(block.push[k])))
            wb = fx_add(wb, fx_mul(fx_load(block.ib[k]), fx_all(block.push[k])))
        wa = fx_sub(wa, fx_mul(fx_load(block.ina), fx_all(block.twist)))
        wb = fx_add(wb, fx_mul(fx_load(block.inb), fx_all(block.twist)))
        if block.roll != NONE:
            for k in range(2):
                total = s.rolls[block.roll].push[k]
                wa = fx_sub(wa, fx_mul(fx_load(s.rolls[block.roll].ia[k]), fx_all(total)))
                wb = fx_add(wb, fx_mul(fx_load(s.rolls[block.roll].ib[k]), fx_all(total)))
        fx_store(a.v, fx_sub(va, fx_mul(p, fx_all(block.inv_mass_a))))
        fx_store(a.w, wa)
        fx_store(b.v, fx_add(vb, fx_mul(p, fx_all(block.inv_mass_b))))
        fx_store(b.w, wb)


cdef inline void solve_roll(roll_t* roll, float total, fx4* wa, fx4* wb) noexcept nogil:
    """Both rolling directions at once, held within a circle."""
    cdef fx4 a = wa[0], b = wb[0]
    cdef float x, y, px, py, limit, size
    x = fx_sum(fx_sub(fx_mul(fx_load(roll.jb[0]), b), fx_mul(fx_load(roll.ja[0]), a)))
    y = fx_sum(fx_sub(fx_mul(fx_load(roll.jb[1]), b), fx_mul(fx_load(roll.ja[1]), a)))
    px = roll.push[0] - (roll.k[0] * x + roll.k[1] * y)
    py = roll.push[1] - (roll.k[1] * x + roll.k[2] * y)
    limit = roll.length * total
    size = px * px + py * py
    if size > limit * limit:
        size = limit / <float>sqrt(size)
        px *= size
        py *= size
    x = px - roll.push[0]
    y = py - roll.push[1]
    roll.push[0] = px
    roll.push[1] = py
    wa[0] = fx_sub(a, fx_add(fx_mul(fx_load(roll.ia[0]), fx_all(x)), fx_mul(fx_load(roll.ia[1]), fx_all(y))))
    wb[0] = fx_add(b, fx_add(fx_mul(fx_load(roll.ib[0]), fx_all(x)), fx_mul(fx_load(roll.ib[1]), fx_all(y))))


cdef void iterate(world_t* w, bint pushing) noexcept nogil:
    """One sweep over all touches, in order: normals and friction. `pushing`: overlaps are pushed apart."""
    cdef solver_t* s = &w.solver
    cdef block_t* block
    cdef row_t* row
    cdef fx4 va, wa, vb, wb, n, dv
    cdef mover_t* a
    cdef mover_t* b
    cdef int i, k, stage
    cdef float total, x, y, px, py, limit, size, impulse, change
    for i in range(s.block_count):
        block = &s.blocks[i]
        a = &s.movers[block.a]
        b = &s.movers[block.b]
        va = fx_load(a.v)
        wa = fx_load(a.w)
        vb = fx_load(b.v)
        wb = fx_load(b.w)
        for stage in range(2):
            # Friction comes last where it counts: by the normal impulses that hold in the end.
            if (stage == 0) == pushing:
                total = 0.0
                for k in range(block.first, block.first + block.count):
                    total += s.rows[k].impulse
                if block.twist_arm > 0.0 or block.spinning > 0.0:
                    x = fx_sum(fx_sub(fx_mul(fx_load(block.nb), wb), fx_mul(fx_load(block.na), wa)))
                    limit = (block.friction * block.twist_arm + block.spinning) * total
                    impulse = block.twist - block.twist_mass * x
                    impulse = limit if impulse > limit else (-limit if impulse < -limit else impulse)
                    change = impulse - block.twist
                    block.twist = impulse
                    wa = fx_sub(wa, fx_mul(fx_load(block.ina), fx_all(change)))
                    wb = fx_add(wb, fx_mul(fx_load(block.inb), fx_all(change)))
                if block.roll != NONE:
                    solve_roll(&s.rolls[block.roll], total, &wa, &wb)
                # friction: both tangents at once, held within the cone
                dv = fx_sub(vb, va)
                x = block.target[0] + fx_sum(fx_add(fx_mul(fx_load(block.t[0]), dv), fx_sub(
                    fx_mul(fx_load(block.jb[0]), wb), fx_mul(fx_load(block.ja[0]), wa))))
                y = block.target[1] + fx_sum(fx_add(fx_mul(fx_load(block.t[1]), dv), fx_sub(
                    fx_mul(fx_load(block.jb[1]), wb), fx_mul(fx_load(block.ja[1]), wa))))
                px = block.push[0] - (block.k[0] * x + block.k[1] * y)
                py = block.push[1] - (block.k[1] * x + block.k[2] * y)
                limit = block.friction * total
                size = px * px + py * py
                if size > limit * limit:
                    size = limit / <float>sqrt(size)
                    px *= size
                    py *= size
                x = px - block.push[0]
                y = py - block.push[1]
                block.push[0] = px
                block.push[1] = py
                dv = fx_add(fx_mul(fx_load(block.t[0]), fx_all(x)), fx_mul(fx_load(block.t[1]), fx_all(y)))
                va = fx_sub(va, fx_mul(dv, fx_all(block.inv_mass_a)))
                vb = fx_add(vb, fx_mul(dv, fx_all(block.inv_mass_b)))
                wa = fx_sub(wa, fx_add(fx_mul(fx_load(block.ia[0]), fx_all(x)), fx_mul(fx_load(block.ia[1]), fx_all(y))))
                wb = fx_add(wb, fx_add(fx_mul(fx_load(block.ib[0]), fx_all(x)), fx_mul(fx_load(block.ib[1]), fx_all(y))))
            else:
                # normals
                n = fx_load(block.n)
                for k in range(block.first, block.first + block.count):
                    row = &s.rows[k]
                    x = fx_sum(fx_add(fx_mul(n, fx_sub(vb, va)), fx_sub(
                        fx_mul(fx_load(row.jb), wb), fx_mul(fx_load(row.ja), wa))))
                    y = row.separation + fx_sum(fx_add(fx_mul(n, fx_sub(fx_load(b.dv), fx_load(a.dv))), fx_sub(
                        fx_mul(fx_load(row.jb), fx_load(b.dw)), fx_mul(fx_load(row.ja), fx_load(a.dw)))))
                    if y > 0.0:
                        impulse = row.impulse - row.mass * (x + y * s.inv_h)
                    elif pushing:
                        y = (y + row.slop) * s.rate if y < -row.slop else 0.0
                        if y < -MOST_PUSH:
                            y = -MOST_PUSH
                        impulse = row.impulse - row.mass * s.hardness * (x + y) - s.leak * row.impulse
                    else:
                        impulse = row.impulse - row.mass * x
                    if impulse < 0.0:
                        impulse = 0.0
                    change = impulse - row.impulse
                    row.impulse = impulse
                    if not pushing:
                        row.total += impulse
                    dv = fx_mul(n, fx_all(change))
                    va = fx_sub(va, fx_mul(dv, fx_all(block.inv_mass_a)))
                    vb = fx_add(vb, fx_mul(dv, fx_all(block.inv_mass_b)))
                    wa = fx_sub(wa, fx_mul(fx_load(row.ia), fx_all(change)))
                    wb = fx_add(wb, fx_mul(fx_load(row.ib), fx_all(change)))
        fx_store(a.v, va)
        fx_store(a.w, wa)
        fx_store(b.v, vb)
        fx_store(b.w, wb)
    # Row 0 may have been written by fixed bodies: their inverse masses are 0, so it still stands.


cdef bint bounce(world_t* w) noexcept nogil:
    """One sweep over the points that came fast: give them their velocity back. True when there was one."""
    cdef solver_t* s = &w.solver
    cdef block_t* block
    cdef row_t* row
    cdef mover_t* a
    cdef mover_t* b
    cdef fx4 dv
    cdef bint any_ = False
    cdef int i, k
    cdef float impulse, change
    for i in range(s.block_count):
        block = &s.blocks[i]
        for k in range(block.first, block.first + block.count):
            row = &s.rows[k]
            if not row.bounce > 0.0 or not row.total > 0.0:
                continue
            any_ = True
            a = &s.movers[block.a]
            b = &s.movers[block.b]
            impulse = row.impulse - row.mass * (normal_speed(s, block, row) - row.bounce)
            if impulse < 0.0:
                impulse = 0.0
            change = impulse - row.impulse
            row.impulse = impulse
            row.total += change
            dv = fx_mul(fx_load(block.n), fx_all(change))
            fx_store(a.v, fx_sub(fx_load(a.v), fx_mul(dv, fx_all(block.inv_mass_a))))
            fx_store(b.v, fx_add(fx_load(b.v), fx_mul(dv, fx_all(block.inv_mass_b))))
            fx_store(a.w, fx_sub(fx_load(a.w), fx_mul(fx_load(row.ia), fx_all(change))))
            fx_store(b.w, fx_add(fx_load(b.w), fx_mul(fx_load(row.ib), fx_all(change))))
    return any_


cdef void keep_impulses(world_t* w) noexcept nogil:
    """Store the impulses in the touches, for the next PSI."""
    cdef solver_t* s = &w.solver
    cdef const block_t* block
    cdef touch_t* touch
    cdef int i, k
    for i in range(s.block_count):
        block = &s.blocks[i]
        touch = &w.collision.touches[block.touch]
        for k in range(block.count):
            touch.points[k].impulse[0] = s.rows[block.first + k].impulse
        for k in range(3):
            touch.patch[k] = block.t[0][k] * block.push[0] + block.t[1][k] * block.push[1]
        touch.patch[3] = block.twist
