# cython: boundscheck=False, wraparound=False, cdivision=True
"""Queries over the bodies of a scene: an ordered walk for rays and casts, a box walk for the rest."""

from libc.math cimport fabs
from libc.string cimport memset

from physics.kernel.distance cimport closest_shapes
from physics.kernel.narrow cimport MANIFOLDS, collide, manifold_t
from physics.kernel.raycast cimport ray_hit_t, ray_shape
from physics.kernel.shape cimport BALL
from physics.kernel.simd cimport ray4
from physics.kernel.sweep cimport cast_shape, impact_t
from physics.kernel.vector cimport along, copy3, place, place_back, turn, turn_back, turned_box
from physics.kernel.walk cimport STACK, begin_walk, next_leaf, round_up, walk_t


cdef struct entry_t:
    float t
    int node            # >= 0: an inner node
    int first           # of a leaf's items
    int count


cdef inline int push_entered(
    const node_t *n, const float *origin, const float *inverse, const float *grow, float most, entry_t *stack, int depth
) noexcept nogil:
    """Push the children that the way enters, the nearest last."""
    cdef float entry[4]
    cdef int mask = ray4(n.lo, n.hi, origin, inverse, grow, most, entry)
    cdef int i, k, first = depth
    for i in range(4):
        if mask & (1 << i) and n.child[i] >= 0:
            k = depth
            while k > first and stack[k - 1].t < entry[i]:
                stack[k] = stack[k - 1]
                k -= 1
            stack[k].t = entry[i]
            stack[k].node = n.child[i] if n.count[i] == 0 else -1
            stack[k].first = n.child[i]
            stack[k].count = n.count[i]
            depth += 1
    return depth


cdef inline void prepare_way(
    const double *origin, const double *way, const double *half, float *o, float *inverse, float *grow
) noexcept nogil:
    cdef int i
    for i in range(3):
        o[i] = <float> origin[i]
        grow[i] = round_up(half[i] + fabs(origin[i]) * 1.2e-7)
        if fabs(way[i]) > 1e-30:
            inverse[i] = <float> (1.0 / way[i])
        else:
            inverse[i] = <float> 1e30


cdef void ball_shape(shape_t *s, double radius) noexcept nogil:
    cdef int i
    memset(s, 0, sizeof(shape_t))
    s.type = BALL
    s.solid = 1
    s.radius = s.core_radius = s.inner_radius = radius
    for i in range(3):
        s.lo[i] = -radius
        s.hi[i] = radius


cdef bint ray_item(const item_t *item, const double *origin, const double *way, double most, bint any_hit, scene_hit_t *out) noexcept nogil:
    cdef ray_hit_t hit
    cdef impact_t touch
    cdef shape_t ball
    cdef pose_t start
    cdef double o[3]
    cdef double d[3]
    cdef double c[3]
    cdef int i
    place_back(&item.pose, origin, o)
    turn_back(item.pose.r, way, d)
    if item.extra > 0.0:                # a rounded shape meets a ray where a ball of that radius meets the shape
        ball_shape(&ball, item.extra + (item.shape.radius if item.shape.type == BALL else 0.0))
        if item.shape.type == BALL:
            if not ray_shape(&ball, o, d, most, any_hit, &hit):
                return False
        else:
            for i in range(9):
                start.r[i] = 1.0 if i % 4 == 0 else 0.0
            copy3(origin, start.p)
            c[0], c[1], c[2] = way[0] * most, way[1] * most, way[2] * most
            if not cast_shape(&ball, 0.0, &start, c, item.shape, 0.0, &item.pose, &touch):
                return False
            out.t = touch.t * most
            out.normal[0], out.normal[1], out.normal[2] = -touch.normal[0], -touch.normal[1], -touch.normal[2]
            out.part, out.triangle, out.material = touch.part_b, touch.triangle, touch.material
            along(origin, way, out.t, out.point)
            out.item = item
            return True
    elif not ray_shape(item.shape, o, d, most, any_hit, &hit):
        return False
    out.item = item
    out.t = hit.t
    turn(item.pose.r, hit.normal, out.normal)
    along(origin, way, hit.t, out.point)
    out.part, out.triangle, out.material = hit.part, hit.triangle, hit.material
    return True


cdef bint scene_ray(
    const scene_t *s, const filter_t *f, const double *origin, const double *way, bint any_hit, scene_hit_t *out
) noexcept nogil:
    cdef entry_t stack[STACK]
    cdef float o[3]
    cdef float inverse[3]
    cdef float grow[3]
    cdef double half[3]
    cdef const items_t *part
    cdef double most = 1.0
    cdef bint found = False
    cdef int which, depth, i, first, count
    half[0] = half[1] = half[2] = 0.0
    prepare_way(origin, way, half, o, inverse, grow)
    for which in range(2):
        part = &s.part[which]
        if part.count == 0:
            continue
        depth = push_entered(part.nodes, o, inverse, grow, <float> most * <float> 1.0000002, stack, 0)
        while depth > 0:
            depth -= 1
            if stack[depth].t > most * 1.0000004:
                continue
            if stack[depth].node >= 0:
                depth = push_entered(
                    &part.nodes[stack[depth].node], o, inverse, grow, <float> most * <float> 1.0000002, stack, depth
                )
                continue
            first, count = stack[depth].first, stack[depth].count
            for i in range(first, first + count):
                if wanted(f, &part.items[i]) and ray_item(&part.items[i], origin, way, most, any_hit, out):
                    found = True
                    most = out.t
                    if any_hit:
                        return True
    return found


cdef int scene_ray_all(
    const scene_t *s, const filter_t *f, const double *origin, const double *way, scene_hit_t *out, int limit
) noexcept nogil:
    cdef entry_t stack[STACK]
    cdef float o[3]
    cdef float inverse[3]
    cdef float grow[3]
    cdef double half[3]
    cdef const items_t *part
    cdef int which, depth, i, first, count, found = 0
    half[0] = half[1] = half[2] = 0.0
    prepare_way(origin, way, half, o, inverse, grow)
    for which in range(2):
        part = &s.part[which]
        if part.count == 0:
            continue
        depth = push_entered(part.nodes, o, inverse, grow, <float> 1.0000002, stack, 0)
        while depth > 0:
            depth -= 1
            if stack[depth].node >= 0:
                depth = push_entered(&part.nodes[stack[depth].node], o, inverse, grow, <float> 1.0000002, stack, depth)
                continue
            first, count = stack[depth].first, stack[depth].count
            for i in range(first, first + count):
                if found < limit and wanted(f, &part.items[i]) and ray_item(&part.items[i], origin, way, 1.0, False, &out[found]):
                    found += 1
    return found


cdef bint scene_cast(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, const double *way, scene_hit_t *out
) noexcept nogil:
    cdef entry_t stack[STACK]
    cdef float o[3]
    cdef float inverse[3]
    cdef float grow[3]
    cdef double lo[3]
    cdef double hi[3]
    cdef double half[3]
    cdef double middle[3]
    cdef double rest[3]
    cdef const items_t *part
    cdef impact_t hit
    cdef double most = 1.0
    cdef bint found = False
    cdef int which, depth, i, k, first, count
    turned_box(pose, shape.lo, shape.hi, 1e-4 * shape.inner_radius, lo, hi)
    for k in range(3):
        middle[k] = 0.5 * (lo[k] + hi[k])
        half[k] = 0.5 * (hi[k] - lo[k])
    prepare_way(middle, way, half, o, inverse, grow)
    for which in range(2):
        part = &s.part[which]
        if part.count == 0:
            continue
        depth = push_entered(part.nodes, o, inverse, grow, <float> most * <float> 1.0000002, stack, 0)
        while depth > 0:
            depth -= 1
            if stack[depth].t > most * 1.0000004:
                continue
            if stack[depth].node >= 0:
                depth = push_entered(
                    &part.nodes[stack[depth].node], o, inverse, grow, <float> most * <float> 1.0000002, stack, depth
                )
                continue
            first, count = stack[depth].first, stack[depth].count
            for i in range(first, first + count):
                if not wanted(f, &part.items[i]):
                    continue
                rest[0], rest[1], rest[2] = way[0] * most, way[1] * most, way[2] * most
                if cast_shape(shape, 0.0, pose, rest, part.items[i].shape, part.items[i].extra, &part.items[i].pose, &hit):
                    if found and hit.t >= 1.0:
                        continue
                    found = True
                    most *= hit.t
                    out.item = &part.items[i]
                    out.t = most
                    out.normal[0], out.normal[1], out.normal[2] = -hit.normal[0], -hit.normal[1], -hit.normal[2]
                    copy3(hit.point, out.point)
                    out.distance = hit.separation
                    out.part, out.query_part = hit.part_b, hit.part_a
                    out.triangle, out.material = hit.triangle, hit.material
                    if most == 0.0:
                        return True
    return found


cdef int scene_overlap(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, scene_hit_t *out, int limit
) noexcept nogil:
    cdef walk_t walk
    cdef manifold_t found[MANIFOLDS]
    cdef double lo[3]
    cdef double hi[3]
    cdef const items_t *part
    cdef const item_t *item
    cdef manifold_t *m
    cdef scene_hit_t *hit
    cdef double n[3]
    cdef int which, i, k, j, n_found, made = 0
    turned_box(pose, shape.lo, shape.hi, 0.0, lo, hi)
    for which in range(2):
        part = &s.part[which]
        if part.count == 0:
            continue
        begin_walk(&walk, part.nodes, lo, hi)
        while next_leaf(&walk):
            for i in range(walk.first, walk.first + walk.count):
                item = &part.items[i]
                if made == limit or not wanted(f, item):
                    continue
                n_found = collide(
                    shape, pose, 0.0, item.shape, &item.pose, item.extra, 0.0, NULL, found, MANIFOLDS
                )
                if n_found == 0:
                    continue
                hit = &out[made]
                made += 1
                hit.item = item
                hit.distance = 1e300
                for k in range(n_found):
                    m = &found[k]
                    for j in range(m.count):
                        if m.points[j].separation < hit.distance:
                            hit.distance = m.points[j].separation
                            place(&item.pose, m.points[j].b, hit.point)
                            place(pose, m.points[j].a, hit.other)
                            turn(pose.r, m.normal, n)
                            hit.normal[0], hit.normal[1], hit.normal[2] = -n[0], -n[1], -n[2]
                            hit.part, hit.query_part = m.part_b, m.part_a
                            hit.triangle, hit.material = m.triangle_b, m.material_b
                hit.t = 0.0
    return made


cdef int scene_closest(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, double most, scene_hit_t *out, int limit
) noexcept nogil:
    cdef walk_t walk
    cdef double lo[3]
    cdef double hi[3]
    cdef const items_t *part
    cdef const item_t *item
    cdef impact_t near
    cdef int which, i, made = 0
    turned_box(pose, shape.lo, shape.hi, most, lo, hi)
    for which in range(2):
        part = &s.part[which]
        if part.count == 0:
            continue
        begin_walk(&walk, part.nodes, lo, hi)
        while next_leaf(&walk):
            for i in range(walk.first, walk.first + walk.count):
                item = &part.items[i]
                if made == limit or not wanted(f, item):
                    continue
                if closest_shapes(shape, pose, item.shape, &item.pose, item.extra, most, &near, out[made].other):
                    out[made].item = item
                    out[made].t = 0.0
                    out[made].distance = near.separation
                    copy3(near.point, out[made].point)
                    out[made].normal[0], out[made].normal[1], out[made].normal[2] = (
                        -near.normal[0], -near.normal[1], -near.normal[2]
                    )
                    out[made].part, out[made].query_part = near.part_b, near.part_a
                    out[made].triangle, out[made].material = near.triangle, near.material
                    made += 1
    return made
