# cython: boundscheck=False, wraparound=False, cdivision=True
"""Narrow phase: which way two shapes touch, and the contact manifolds."""


import numpy as np

from physics.kernel.clip cimport FOUND, clip_faces, found_t, place_polygon, polygon_t, reduce_points, supporting_face
from physics.kernel.epa cimport epa
from physics.kernel.gjk cimport APART, OVERLAP, distance_t, gjk, simplex_t
from physics.kernel.nearest cimport nearest_convex, nearest_t
from physics.kernel.shape cimport BALL, COMPOUND, MESH, PLANE, ShapeData, pose_t, shape_t
from physics.kernel.support cimport rounding
from physics.kernel.surface cimport ball_mesh, convex_mesh, convex_plane
from physics.kernel.vector cimport (
    along, compose, copy3, dot, inverse, length, place, place_back, relative, sub, turn, turn_back, turned_box,
)
from physics.kernel.walk cimport begin_walk, next_leaf, walk_t


cdef enum:
    GATHERED = 96           # most manifolds of the parts of compounds, before they are merged to what a pair may have
cdef double ONE_WAY = 0.9998


cdef inline void plain(manifold_t *m) noexcept nogil:
    m.part_a = m.part_b = 0
    m.triangle_a = m.triangle_b = m.material_a = m.material_b = -1


cdef int ball_convex(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin, manifold_t *out
) noexcept nogil:
    cdef double zero[3]
    cdef double c[3]
    cdef double n[3]
    cdef double radius = a.radius + extra_a
    cdef nearest_t near
    zero[0] = zero[1] = zero[2] = 0.0
    place_back(pose, zero, c)
    if not nearest_convex(b, c, radius + extra_b + margin, &near):
        return 0
    turn(pose.r, near.normal, n)
    out.normal[0], out.normal[1], out.normal[2] = -n[0], -n[1], -n[2]
    out.count = 1
    out.points[0].a[0], out.points[0].a[1], out.points[0].a[2] = -n[0] * radius, -n[1] * radius, -n[2] * radius
    along(near.point, near.normal, extra_b, out.points[0].b)
    out.points[0].separation = near.distance - radius - extra_b
    out.points[0].feature = near.feature
    plain(out)
    return 1


cdef int convex_convex(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin, double *axis,
    manifold_t *out,
) noexcept nogil:
    cdef double radius_a = a.core_radius + extra_a, radius_b = b.core_radius + extra_b
    cdef double guess[3]
    cdef double back[3]
    cdef double local[3]
    cdef simplex_t simplex
    cdef distance_t d
    cdef polygon_t face_a
    cdef polygon_t face_b
    cdef found_t points[FOUND]
    cdef double separation
    cdef int state, made, i
    if axis == NULL:
        guess[0] = guess[1] = guess[2] = 0.0
        axis = guess
    # The rounded core lies inside the shape: corners stand out by corner_gap, so cores may be that much farther apart.
    state = gjk(a, b, pose, radius_a + radius_b + margin + a.corner_gap + b.corner_gap, axis, &simplex, &d)
    if state == APART:
        return 0
    if state == OVERLAP:
        radius_a, radius_b = rounding(a) + extra_a, rounding(b) + extra_b
    if state == OVERLAP and not epa(a, b, pose, &simplex, &d):
        place(pose, b.center, d.normal)         # flat against each other: apart along the centres
        sub(d.normal, a.center, d.normal)
        d.distance = length(d.normal)
        if d.distance > 1e-12:
            d.normal[0] /= d.distance
            d.normal[1] /= d.distance
            d.normal[2] /= d.distance
        else:
            d.normal[0], d.normal[1], d.normal[2] = 0.0, 1.0, 0.0
        d.distance = 0.0
        copy3(simplex.a[0], d.a)
        copy3(simplex.b[0], d.b)
    copy3(d.normal, axis)
    supporting_face(a, d.normal, &face_a)
    back[0], back[1], back[2] = -d.normal[0], -d.normal[1], -d.normal[2]
    turn_back(pose.r, back, local)
    supporting_face(b, local, &face_b)
    place_polygon(pose, &face_b)
    face_a.radius += extra_a
    face_b.radius += extra_b
    made = clip_faces(&face_a, &face_b, d.normal, margin, points)
    separation = 1e300
    for i in range(made):
        separation = min(separation, points[i].separation)
    d.distance -= radius_a + radius_b
    # Beside corners and edges the facing faces may miss the nearest points.
    if d.distance < separation - 0.1 * (a.corner_gap + b.corner_gap) and d.distance <= margin:
        if made == FOUND:
            made -= 1
        points[made].separation = d.distance
        along(d.a, d.normal, radius_a, points[made].a)
        along(d.b, d.normal, -radius_b, points[made].b)
        points[made].feature = 0xffffffffu
        made += 1
    if made == 0:
        return 0
    made = reduce_points(points, made, d.normal)
    copy3(d.normal, out.normal)
    out.count = made
    plain(out)
    for i in range(made):
        copy3(points[i].a, out.points[i].a)
        place_back(pose, points[i].b, out.points[i].b)
        out.points[i].separation = points[i].separation
        out.points[i].feature = points[i].feature
    return 1


cdef void flip(manifold_t *m, const pose_t *pose) noexcept nogil:
    """Exchange A and B; `pose` is that of the old B in the old A's axes."""
    cdef double n[3]
    cdef double swap
    cdef int i, k
    turn_back(pose.r, m.normal, n)
    m.normal[0], m.normal[1], m.normal[2] = -n[0], -n[1], -n[2]
    for i in range(m.count):
        for k in range(3):
            swap = m.points[i].a[k]
            m.points[i].a[k] = m.points[i].b[k]
            m.points[i].b[k] = swap
    m.part_a, m.part_b = m.part_b, m.part_a
    m.triangle_a, m.triangle_b = m.triangle_b, m.triangle_a
    m.material_a, m.material_b = m.material_b, m.material_a


cdef int collide_ordered(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin, double *axis,
    manifold_t *out, int limit,
) noexcept nogil:
    """A is not of a later type than B, neither a compound."""
    if a.type >= PLANE:
        return 0                        # surfaces do not meet each other
    if b.type == PLANE:
        return convex_plane(a, b, pose, extra_a, extra_b, margin, out)
    if b.type == MESH:
        if a.type == BALL:
            return ball_mesh(a, b, pose, a.radius + extra_a, extra_b, margin, out, limit)
        return convex_mesh(a, b, pose, extra_a, extra_b, margin, out, limit)
    if a.type == BALL:
        return ball_convex(a, b, pose, extra_a, extra_b, margin, out)
    return convex_convex(a, b, pose, extra_a, extra_b, margin, axis, out)


cdef int collide_leaves(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin, double *axis,
    manifold_t *out, int limit,
) noexcept nogil:
    cdef pose_t back
    cdef double turned[3]
    cdef int n, i
    if limit <= 0:
        return 0
    if a.type <= b.type:
        return collide_ordered(a, b, pose, extra_a, extra_b, margin, axis, out, limit)
    inverse(pose, &back)
    if axis != NULL:
        turn_back(pose.r, axis, turned)
        turned[0], turned[1], turned[2] = -turned[0], -turned[1], -turned[2]
    n = collide_ordered(b, a, &back, extra_b, extra_a, margin, NULL if axis == NULL else turned, out, limit)
    if axis != NULL:
        turn(pose.r, turned, axis)
        axis[0], axis[1], axis[2] = -axis[0], -axis[1], -axis[2]
    for i in range(n):
        flip(&out[i], &back)
    return n


cdef void into_part(manifold_t *m, const pose_t *part_a, const pose_t *part_b) noexcept nogil:
    """From the axes of parts to those of their compounds (NULL: no compound)."""
    cdef double v[3]
    cdef int i
    if part_a != NULL:
        turn(part_a.r, m.normal, v)
        copy3(v, m.normal)
    for i in range(m.count):
        if part_a != NULL:
            place(part_a, m.points[i].a, v)
            copy3(v, m.points[i].a)
        if part_b != NULL:
            place(part_b, m.points[i].b, v)
            copy3(v, m.points[i].b)


cdef int collide_part(
    const shape_t *a, const shape_t *b, const pose_t *pose, const pose_t *place_a, int number_a, double extra_a,
    double extra_b, double margin, manifold_t *out, int limit,
) noexcept nogil:
    """Contacts of one part (or a whole simple shape, place_a NULL) with B, which may be a compound."""
    cdef pose_t part
    cdef pose_t back
    cdef walk_t walk
    cdef double lo[3]
    cdef double hi[3]
    cdef int n = 0, made, i, k
    if b.type != COMPOUND:
        n = collide_leaves(a, b, pose, extra_a, extra_b, margin, NULL, out, limit)
        for i in range(n):
            into_part(&out[i], place_a, NULL)
            out[i].part_a = number_a
        return n
    inverse(pose, &back)
    turned_box(&back, a.lo, a.hi, extra_a + extra_b + margin, lo, hi)
    begin_walk(&walk, b.part_nodes, lo, hi)
    while next_leaf(&walk):
        for k in range(walk.first, walk.first + walk.count):
            compose(pose, &b.part_poses[k], &part)
            made = collide_leaves(a, b.parts[k], &part, extra_a, extra_b, margin, NULL, out + n, limit - n)
            for i in range(n, n + made):
                into_part(&out[i], place_a, &b.part_poses[k])
                out[i].part_a = number_a
                out[i].part_b = b.part_original[k]
            n += made
    return n


cdef int collide(
    const shape_t *a, const pose_t *pose_a, double extra_a,
    const shape_t *b, const pose_t *pose_b, double extra_b,
    double margin, double *axis, manifold_t *out, int limit,
) noexcept nogil:
    cdef pose_t pose
    relative(pose_a, pose_b, &pose)
    return collide_relative(a, b, &pose, extra_a, extra_b, margin, axis, out, limit)


cdef int collide_relative(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b,
    double margin, double *axis, manifold_t *out, int limit,
) noexcept nogil:
    cdef manifold_t found[GATHERED]
    cdef int n, i
    if a.type != COMPOUND and b.type != COMPOUND:
        return collide_leaves(a, b, pose, extra_a, extra_b, margin, axis, out, limit)
    n = collide_compounds(a, b, pose, extra_a, extra_b, margin, found, GATHERED)
    if n > limit:
        n = merge_manifolds(found, n, pose, limit)
    for i in range(n):
        out[i] = found[i]
    return n


cdef int collide_compounds(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin,
    manifold_t *out, int limit,
) noexcept nogil:
    """Contacts of all parts, while there is room."""
    cdef pose_t part
    cdef walk_t walk
    cdef double lo[3]
    cdef double hi[3]
    cdef int n = 0, k
    if a.type != COMPOUND:
        return collide_part(a, b, pose, NULL, 0, extra_a, extra_b, margin, out, limit)
    turned_box(pose, b.lo, b.hi, extra_a + extra_b + margin, lo, hi)
    begin_walk(&walk, a.part_nodes, lo, hi)
    while next_leaf(&walk):
        for k in range(walk.first, walk.first + walk.count):
            relative(&a.part_poses[k], pose, &part)
            n += collide_part(
                a.parts[k], b, &part, &a.part_poses[k], a.part_original[k], extra_a, extra_b, margin, out + n, limit - n
            )
    return n


cdef inline double depth_of(const manifold_t *m) noexcept nogil:
    cdef double least = m.points[0].separation
    cdef int i
    for i in range(1, m.count):
        least = min(least, m.points[i].separation)
    return least


cdef int merge_manifolds(manifold_t *m, int n, const pose_t *pose, int limit) noexcept nogil:
    """Make few manifolds of many: those of one direction become one of four points, then the deepest stay.

    A machine of fifty parts on a floor rests on the four outermost points. The parts named are those of the deepest point.
    """
    cdef found_t points[4 * GATHERED]
    cdef contact_t kept[4]
    cdef manifold_t deepest
    cdef int i, j, k, count, made = 0, worst
    for i in range(n):
        if m[i].count == 0:
            continue
        deepest = m[i]
        count = 0
        for j in range(i, n):
            if m[j].count == 0 or (j > i and dot(m[j].normal, m[i].normal) < ONE_WAY):
                continue
            if depth_of(&m[j]) < depth_of(&deepest):
                deepest = m[j]
            for k in range(m[j].count):
                copy3(m[j].points[k].a, points[count].a)
                place(pose, m[j].points[k].b, points[count].b)
                points[count].separation = m[j].points[k].separation
                points[count].feature = 4 * j + k
                count += 1
            if j > i:
                m[j].count = -m[j].count        # taken; its points are still read below
        count = reduce_points(points, count, deepest.normal)
        for k in range(count):
            j = points[k].feature
            kept[k] = m[j // 4].points[j % 4]
        for k in range(count):
            deepest.points[k] = kept[k]
        deepest.count = count
        for j in range(i + 1, n):
            if m[j].count < 0:
                m[j].count = 0
        m[made] = deepest
        made += 1
    while made > limit:
        worst = 0
        for i in range(1, made):
            if depth_of(&m[i]) > depth_of(&m[worst]):
                worst = i
        made -= 1
        for i in range(worst, made):
            m[i] = m[i + 1]
    return made


def contacts(ShapeData a, pose_a, ShapeData b, pose_b, double margin, double extra_a=0.0, double extra_b=0.0):
    """Return the manifolds of two shapes at (rotation (3, 3), position (3,)) poses, for queries and tests.

    A list of (normal (3,) in world axes from a to b, points on a (n, 3), points on b (n, 3), separations (n,), features (n,),
    (part_a, part_b), (triangle_a, triangle_b)).
    """
    cdef manifold_t found[MANIFOLDS]
    cdef pose_t pa
    cdef pose_t pb
    cdef int i, k, n
    cdef double v[3]
    read_pose(pose_a, &pa)
    read_pose(pose_b, &pb)
    n = collide(a.c, &pa, extra_a, b.c, &pb, extra_b, margin, NULL, found, MANIFOLDS)
    result = []
    for i in range(n):
        on_a, on_b = [], []
        for k in range(found[i].count):
            place(&pa, found[i].points[k].a, v)
            on_a.append((v[0], v[1], v[2]))
            place(&pb, found[i].points[k].b, v)
            on_b.append((v[0], v[1], v[2]))
        turn(pa.r, found[i].normal, v)
        result.append((
            np.array([v[0], v[1], v[2]]), np.array(on_a), np.array(on_b),
            np.array([found[i].points[k].separation for k in range(found[i].count)]),
            [found[i].points[k].feature for k in range(found[i].count)],
            (found[i].part_a, found[i].part_b), (found[i].triangle_a, found[i].triangle_b),
        ))
    return result


cdef int read_pose(pose, pose_t *out) except -1:
    rotation, position = pose
    cdef double[:, ::1] r = np.ascontiguousarray(rotation, dtype=np.float64)
    cdef double[::1] p = np.ascontiguousarray(position, dtype=np.float64)
    cdef int i, j
    for i in range(3):
        out.p[i] = p[i]
        for j in range(3):
            out.r[3 * i + j] = r[i, j]
    return 0
