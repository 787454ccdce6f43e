# cython: boundscheck=False, wraparound=False, cdivision=True
"""What touches what at the last PSI: for handles, overlays and the curious. Private: it trusts `physics.contacts`."""

from physics.kernel.collision cimport PAIR_LIVE, pair_t, point_t, touch_t
from physics.kernel.shape cimport pose_t
from physics.kernel.state cimport NONE
from physics.kernel.store cimport world_t
from physics.kernel.vector cimport place, turn
from physics.kernel.world cimport WorldCore


cdef inline bint wanted(const pair_t* pair, int body) noexcept nogil:
    if not pair.kind & PAIR_LIVE:
        return False
    return body == NONE or pair.a == body or pair.b == body


def contact_count(WorldCore world, int body):
    """Count the contact points of a body, or of all bodies (-1)."""
    cdef world_t* w = &world.w
    cdef int p, t, n = 0
    for p in range(w.collision.pair_count):
        if wanted(&w.collision.pairs[p], body):
            t = w.collision.pairs[p].touch_first
            while t != NONE:
                n += w.collision.touches[t].count
                t = w.collision.touches[t].next
    return n


def contact_rows(WorldCore world, int body, int[:, ::1] numbers, double[:, ::1] figures):
    """Fill one row a contact point, in the order of pairs and touches.

    `numbers` (n, 8): slots of a and b, parts of a and b, triangles of a and b (-1: no mesh), materials of a's and b's mesh
    (-1: the body's). `figures` (n, 8): the point half-way between the surfaces, the unit normal from a to b, the gap
    (negative: overlap), the normal impulse.
    """
    cdef world_t* w = &world.w
    cdef const pair_t* pair
    cdef const touch_t* touch
    cdef const point_t* point
    cdef const pose_t* pose_a
    cdef const pose_t* pose_b
    cdef double[3] local
    cdef double[3] on_a
    cdef double[3] on_b
    cdef double[3] normal
    cdef int p, t, k, i, row = 0
    cdef double gap, substeps = 1.0
    if w.solver.h > 0.0:                            # touches keep the impulse of one sub-step
        substeps = <int>(w.sim.delta_psi / w.solver.h + 0.5)
    for p in range(w.collision.pair_count):
        pair = &w.collision.pairs[p]
        if not wanted(pair, body):
            continue
        pose_a = &w.collision.colliders[pair.a].pose
        pose_b = &w.collision.colliders[pair.b].pose
        t = pair.touch_first
        while t != NONE:
            touch = &w.collision.touches[t]
            for i in range(3):
                local[i] = touch.normal[i]
            turn(pose_a.r, local, normal)
            for k in range(touch.count):
                point = &touch.points[k]
                for i in range(3):
                    local[i] = point.a[i]
                place(pose_a, local, on_a)
                for i in range(3):
                    local[i] = point.b[i]
                place(pose_b, local, on_b)
                gap = 0.0
                for i in range(3):
                    gap += normal[i] * (on_b[i] - on_a[i])
                    figures[row, i] = 0.5 * (on_a[i] + on_b[i])
                    figures[row, 3 + i] = normal[i]
                figures[row, 6] = gap
                figures[row, 7] = point.impulse[0] * substeps
                numbers[row, 0] = pair.a
                numbers[row, 1] = pair.b
                numbers[row, 2] = touch.part_a
                numbers[row, 3] = touch.part_b
                numbers[row, 4] = touch.triangle_a
                numbers[row, 5] = touch.triangle_b
                numbers[row, 6] = touch.material_a
                numbers[row, 7] = touch.material_b
                row += 1
            t = touch.next
