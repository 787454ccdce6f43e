# cython: boundscheck=False, wraparound=False, cdivision=True
"""Contact manifolds: the supporting faces of two shapes clipped against each other."""

from libc.math cimport fabs, sqrt

from physics.kernel.shape cimport BOX, CAPSULE, CYLINDER, HULL, TRIANGLE, hull_t, pose_t, shape_t
from physics.kernel.vector cimport along, copy3, cross, dot, place, sub, turn

cdef double RIM[16]         # eight directions of a cylinder's end, cos and sin of multiples of 45 degrees
RIM[:] = [
    1.0, 0.0, 0.7071067811865476, 0.7071067811865476, 0.0, 1.0, -0.7071067811865476, 0.7071067811865476,
    -1.0, 0.0, -0.7071067811865476, -0.7071067811865476, 0.0, -1.0, 0.7071067811865476, -0.7071067811865476,
]


cdef inline void set_corner(polygon_t *p, int i, double x, double y, double z, unsigned int name) noexcept nogil:
    p.v[i][0] = x
    p.v[i][1] = y
    p.v[i][2] = z
    p.id[i] = name


cdef void box_face(const shape_t *s, const double *d, polygon_t *out) noexcept nogil:
    cdef int axis = 0, u, v
    cdef double sign
    cdef double c[3]
    cdef unsigned int name
    cdef int i
    if fabs(d[1]) > fabs(d[axis]):
        axis = 1
    if fabs(d[2]) > fabs(d[axis]):
        axis = 2
    u, v = (axis + 1) % 3, (axis + 2) % 3
    sign = 1.0 if d[axis] >= 0.0 else -1.0
    out.n = 4
    out.normal[u] = out.normal[v] = 0.0
    out.normal[axis] = sign
    c[axis] = sign * s.half[axis]
    for i in range(4):
        c[u] = s.half[u] if i == 0 or i == 3 else -s.half[u]
        c[v] = sign * (s.half[v] if i < 2 else -s.half[v])
        name = (c[0] > 0.0) | ((c[1] > 0.0) << 1) | ((c[2] > 0.0) << 2)
        set_corner(out, i, c[0], c[1], c[2], name)


cdef void cylinder_face(const shape_t *s, const double *d, polygon_t *out) noexcept nogil:
    cdef double side = sqrt(d[0] * d[0] + d[2] * d[2])
    cdef double x = 1.0, z = 0.0, y, r = s.half[0]
    cdef int i, k
    if side > 1e-9 * fabs(d[1]):
        x, z = d[0] / side, d[2] / side
    if fabs(d[1]) < side:               # a line along the side
        out.n = 2
        set_corner(out, 0, r * x, s.half[1], r * z, 0)
        set_corner(out, 1, r * x, -s.half[1], r * z, 1)
        return
    y = s.half[1] if d[1] >= 0.0 else -s.half[1]
    out.n = 8                           # an end: eight points of its rim, the first the one farthest along d
    out.normal[0] = out.normal[2] = 0.0
    out.normal[1] = 1.0 if d[1] >= 0.0 else -1.0
    for i in range(8):
        k = (8 - i) % 8 if y > 0.0 else i
        set_corner(
            out, i, r * (x * RIM[2 * k] - z * RIM[2 * k + 1]), y, r * (z * RIM[2 * k] + x * RIM[2 * k + 1]), 2 + k
        )


cdef void hull_face(const hull_t *h, const double *d, polygon_t *out) noexcept nogil:
    cdef int f, best = 0, i, n, start
    cdef double value, most = -1e300
    for f in range(h.face_count):
        value = dot(&h.planes[4 * f], d)
        if value > most:
            best, most = f, value
    start = h.face_start[best]
    n = h.face_start[best + 1] - start
    out.n = min(n, <int> CORNERS)       # a face of more corners keeps an even choice of them
    copy3(&h.planes[4 * best], out.normal)
    for i in range(out.n):
        f = h.face_index[start + i * n // out.n]
        set_corner(out, i, h.vertices[3 * f], h.vertices[3 * f + 1], h.vertices[3 * f + 2], <unsigned int> f)


cdef void supporting_face(const shape_t *s, const double *d, polygon_t *out) noexcept nogil:
    cdef int i, k
    cdef double u[3]
    cdef double v[3]
    out.radius = 0.0
    if s.type == BOX:
        box_face(s, d, out)
    elif s.type == HULL:
        hull_face(s.hull, d, out)
    elif s.type == CYLINDER:
        cylinder_face(s, d, out)
    elif s.type == CAPSULE:
        out.radius = s.radius
        if d[1] * d[1] > 0.9999 * dot(d, d):      # end on: the ball at that end
            out.n = 1
            k = 0 if d[1] > 0.0 else 1
            set_corner(out, 0, 0.0, s.half[1] if k == 0 else -s.half[1], 0.0, k)
        else:
            out.n = 2
            set_corner(out, 0, 0.0, s.half[1], 0.0, 0)
            set_corner(out, 1, 0.0, -s.half[1], 0.0, 1)
    elif s.type == TRIANGLE:
        out.n = 3
        sub(&s.triangle[3], &s.triangle[0], u)
        sub(&s.triangle[6], &s.triangle[0], v)
        cross(u, v, out.normal)
        k = 1
        if dot(out.normal, d) < 0.0:              # seen from the back: turn the winding round
            k = 2
            out.normal[0], out.normal[1], out.normal[2] = -out.normal[0], -out.normal[1], -out.normal[2]
        for i in range(3):
            set_corner(
                out, i, s.triangle[3 * (i * k % 3)], s.triangle[3 * (i * k % 3) + 1], s.triangle[3 * (i * k % 3) + 2],
                i * k % 3,
            )
        u[0] = 1.0 / sqrt(dot(out.normal, out.normal))
        out.normal[0] *= u[0]
        out.normal[1] *= u[0]
        out.normal[2] *= u[0]
    else:
        out.n = 1
        out.radius = s.radius
        set_corner(out, 0, 0.0, 0.0, 0.0, 0)


cdef void place_polygon(const pose_t *pose, polygon_t *polygon) noexcept nogil:
    cdef int i
    cdef double v[3]
    for i in range(polygon.n):
        place(pose, polygon.v[i], v)
        copy3(v, polygon.v[i])
    if polygon.n > 2:
        turn(pose.r, polygon.normal, v)
        copy3(v, polygon.normal)


cdef int clip_plane(
    const double (*source)[3], const unsigned int *source_id, int n, bint closed, const double *normal, double offset,
    unsigned int plane_id, double (*result)[3], unsigned int *result_id,
) noexcept nogil:
    """Cut what lies outside (normal · x > offset) off a polygon, or a segment when not closed."""
    cdef int i, j, made = 0
    cdef double here, there, t
    for i in range(n):
        here = dot(normal, source[i]) - offset
        if here <= 0.0 and made < FOUND:
            copy3(source[i], result[made])
            result_id[made] = source_id[i]
            made += 1
        if i == n - 1 and not closed:
            break
        j = i + 1 if i + 1 < n else 0
        there = dot(normal, source[j]) - offset
        if ((here < 0.0 and there > 0.0) or (here > 0.0 and there < 0.0)) and made < FOUND:
            t = here / (here - there)
            result[made][0] = source[i][0] + t * (source[j][0] - source[i][0])
            result[made][1] = source[i][1] + t * (source[j][1] - source[i][1])
            result[made][2] = source[i][2] + t * (source[j][2] - source[i][2])
            # named after the edge's corner that stays and the plane that cut it
            result_id[made] = (source_id[i] if here < 0.0 else source_id[j]) * 33 + plane_id + 0x1000
            made += 1
    return made


cdef int segment_pair(
    const polygon_t *pa, const polygon_t *pb, const double *normal, double margin, found_t *out
) noexcept nogil:
    """Two nearly parallel segments: the ends of the stretch where they lie beside each other."""
    cdef double da[3]
    cdef double db[3]
    cdef double c[3]
    cdef double d[3]
    cdef double la, t0, t1, t, s, lb
    cdef int i, made = 0
    sub(pa.v[1], pa.v[0], da)
    sub(pb.v[1], pb.v[0], db)
    la, lb = dot(da, da), dot(db, db)
    cross(da, db, c)
    if not dot(c, c) < 0.01 * la * lb:       # more than 6 degrees apart: they cross in a point
        return 0
    sub(pb.v[0], pa.v[0], d)
    t0 = dot(d, da) / la
    sub(pb.v[1], pa.v[0], d)
    t1 = dot(d, da) / la
    for i in range(2):
        t = min(max(t0 if i == 0 else t1, 0.0), 1.0)
        s = (t - t0) / (t1 - t0)
        if not -1e-9 <= s <= 1.0 + 1e-9:
            return 0                         # no stretch in common
        along(pa.v[0], da, t, out[made].a)
        along(pb.v[0], db, s, out[made].b)
        sub(out[made].b, out[made].a, d)
        out[made].separation = dot(d, normal) - pa.radius - pb.radius
        out[made].feature = i
        if out[made].separation <= margin:
            along(out[made].a, normal, pa.radius, out[made].a)
            along(out[made].b, normal, -pb.radius, out[made].b)
            made += 1
    return made


cdef int clip_faces(
    const polygon_t *pa, const polygon_t *pb, const double *normal, double margin, found_t *out
) noexcept nogil:
    cdef double first[FOUND][3]
    cdef double second[FOUND][3]
    cdef unsigned int first_id[FOUND]
    cdef unsigned int second_id[FOUND]
    cdef const polygon_t *face
    cdef const polygon_t *other
    cdef double edge[3]
    cdef double side[3]
    cdef double sign, slope_a, slope_b, slope, t, separation
    cdef int i, n, made = 0
    cdef bint on_a
    if pa.n == 1 or pb.n == 1:
        return 0
    if pa.n == 2 and pb.n == 2:
        return segment_pair(pa, pb, normal, margin, out)
    slope_a = dot(pa.normal, normal) if pa.n > 2 else 0.0
    slope_b = -dot(pb.normal, normal) if pb.n > 2 else 0.0
    on_a = pa.n > 2 and slope_a >= 0.98 * slope_b        # the better aligned face cuts; A's by preference
    face, other = (pa, pb) if on_a else (pb, pa)
    slope = slope_a if on_a else slope_b
    if slope < 0.2:
        return 0
    n = other.n
    for i in range(n):
        copy3(other.v[i], first[i])
        first_id[i] = other.id[i]
    sign = 1.0 if on_a else -1.0
    for i in range(face.n):
        sub(face.v[i + 1 if i + 1 < face.n else 0], face.v[i], edge)
        # A's loop runs counter-clockwise about the normal, B's about its opposite: outward = edge x sign * normal
        cross(edge, normal, side)
        side[0] *= sign
        side[1] *= sign
        side[2] *= sign
        if i % 2 == 0:
            n = clip_plane(
                first, first_id, n, other.n > 2, side, dot(side, face.v[i]), face.id[i], second, second_id
            )
        else:
            n = clip_plane(
                second, second_id, n, other.n > 2, side, dot(side, face.v[i]), face.id[i], first, first_id
            )
        if n == 0:
            return 0
    for i in range(n):
        if face.n % 2 == 1:
            copy3(second[i], first[i])
            first_id[i] = second_id[i]
        sub(face.v[0], first[i], edge)
        t = sign * dot(edge, face.normal) / slope        # first + t * normal lies on the face
        if on_a:
            separation = -t - pa.radius - pb.radius
        else:
            separation = t - pa.radius - pb.radius
        if separation > margin:
            continue
        if on_a:
            along(first[i], normal, t + pa.radius, out[made].a)
            along(first[i], normal, -pb.radius, out[made].b)
        else:
            along(first[i], normal, pa.radius, out[made].a)
            along(first[i], normal, t - pb.radius, out[made].b)
        out[made].separation = separation
        out[made].feature = first_id[i] | (0 if on_a else 0x80000000u)
        made += 1
    return made


cdef int reduce_points(found_t *points, int n, const double *normal) noexcept nogil:
    cdef int i
    cdef int kept[4]
    cdef double d[3]
    cdef double e[3]
    cdef double c[3]
    cdef double value, best, low, span
    cdef found_t four[4]
    if n <= 4:
        return n
    kept[0] = 0
    for i in range(1, n):
        if points[i].separation < points[kept[0]].separation:
            kept[0] = i
    kept[1] = -1
    best = -1.0
    for i in range(n):                      # far from the deepest; deeper ones first where it makes no difference
        sub(points[i].b, points[kept[0]].b, d)
        value = dot(d, d)
        if i != kept[0] and value > best:
            kept[1], best = i, value
    span = best
    sub(points[kept[1]].b, points[kept[0]].b, e)
    cross(normal, e, c)
    kept[2] = kept[3] = -1
    best, low = 1e-6 * span, -1e-6 * span
    for i in range(n):
        sub(points[i].b, points[kept[0]].b, d)
        value = dot(d, c)
        if value > best:
            kept[2], best = i, value
        if value < low:
            kept[3], low = i, value
    n = 0
    for i in range(4):
        if kept[i] >= 0:
            four[n] = points[kept[i]]
            n += 1
    for i in range(n):
        points[i] = four[i]
    return n
