# cython: boundscheck=False, wraparound=False, cdivision=True
"""GJK: the distance between two convex cores, by closest points of simplices of their difference B - A."""

from libc.math cimport fabs, sqrt

from physics.kernel.shape cimport pose_t, shape_t
from physics.kernel.support cimport support, support_exact
from physics.kernel.vector cimport copy3, cross, dot, place, sub, turn_back

cdef enum:
    ROUNDS = 48
cdef double CONVERGED = 1e-10       # of the squared distance
cdef double TOUCHING = 1e-24        # squared distance, of the squared size, below which cores count as overlapping


cdef inline void support_difference(
    const shape_t *a, const shape_t *b, const pose_t *pose, const double *v, bint exact, simplex_t *s, int i
) noexcept nogil:
    """Set corner i to the point of B - A farthest along -v."""
    cdef double d[3]
    cdef double local[3]
    d[0], d[1], d[2] = -v[0], -v[1], -v[2]
    turn_back(pose.r, d, local)
    if exact:
        support_exact(a, v, s.a[i])
        support_exact(b, local, d)
    else:
        support(a, v, s.a[i])
        support(b, local, d)
    place(pose, d, s.b[i])
    sub(s.b[i], s.a[i], s.w[i])


cdef inline double segment(const double *a, const double *b, double *weight) noexcept nogil:
    """Weights of the point of a segment nearest the origin; returns its squared length."""
    cdef double ab[3]
    cdef double t, l, x, y, z
    sub(b, a, ab)
    l = dot(ab, ab)
    t = -dot(a, ab)
    if t <= 0.0 or l <= 0.0:
        weight[0], weight[1] = 1.0, 0.0
        return dot(a, a)
    if t >= l:
        weight[0], weight[1] = 0.0, 1.0
        return dot(b, b)
    t /= l
    weight[0], weight[1] = 1.0 - t, t
    x, y, z = a[0] + t * ab[0], a[1] + t * ab[1], a[2] + t * ab[2]
    return x * x + y * y + z * z


cdef double triangle(const double *a, const double *b, const double *c, double *weight) noexcept nogil:
    """Weights of the point of a triangle nearest the origin; returns its squared length."""
    cdef double ab[3]
    cdef double ac[3]
    cdef double n[3]
    cdef double d1, d2, d3, d4, d5, d6, va, vb, vc, t, denominator, nn, best, other
    cdef double w[2]
    sub(b, a, ab)
    sub(c, a, ac)
    d1, d2 = -dot(ab, a), -dot(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        weight[0], weight[1], weight[2] = 1.0, 0.0, 0.0
        return dot(a, a)
    d3, d4 = -dot(ab, b), -dot(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        weight[0], weight[1], weight[2] = 0.0, 1.0, 0.0
        return dot(b, b)
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        weight[0], weight[1], weight[2] = 0.0, 0.0, 1.0
        return dot(c, c)
    cross(ab, ac, n)
    nn = dot(n, n)
    vc = d1 * d4 - d3 * d2
    vb = d5 * d2 - d1 * d6
    va = d3 * d6 - d5 * d4
    if nn > 1e-28 * dot(ab, ab) * dot(ac, ac) and va > 0.0 and vb > 0.0 and vc > 0.0:
        denominator = 1.0 / (va + vb + vc)
        weight[1], weight[2] = vb * denominator, vc * denominator
        weight[0] = 1.0 - weight[1] - weight[2]
        t = dot(n, a)
        return t * t / nn
    # On an edge, or a triangle that is a line: the best of the edges.
    best = segment(a, b, w)
    weight[0], weight[1], weight[2] = w[0], w[1], 0.0
    other = segment(a, c, w)
    if other < best:
        best = other
        weight[0], weight[1], weight[2] = w[0], 0.0, w[1]
    other = segment(b, c, w)
    if other < best:
        best = other
        weight[0], weight[1], weight[2] = 0.0, w[0], w[1]
    return best


cdef inline double signed_volume(const double *a, const double *b, const double *c, const double *d) noexcept nogil:
    cdef double ab[3]
    cdef double ac[3]
    cdef double n[3]
    cdef double ad[3]
    sub(b, a, ab)
    sub(c, a, ac)
    sub(d, a, ad)
    cross(ab, ac, n)
    return dot(n, ad)


cdef bint tetrahedron(simplex_t *s) noexcept nogil:
    """Weights of the point nearest the origin; True when the origin lies inside."""
    cdef double zero[3]
    cdef double w[3]
    cdef double best = 1e300, square, to_corner, to_origin, size = 0.0, flat
    cdef int f, i, j, k, l
    cdef bint outside, any_outside = False
    for i in range(4):
        size = max(size, dot(s.w[i], s.w[i]))
    flat = 1e-13 * size * sqrt(size)    # below it the signs of volumes are rounding: no inside then
    zero[0] = zero[1] = zero[2] = 0.0
    for f in range(4):              # the face without corner l
        l = f
        i, j, k = (f + 1) % 4, (f + 2) % 4, (f + 3) % 4
        to_corner = signed_volume(s.w[i], s.w[j], s.w[k], s.w[l])
        to_origin = signed_volume(s.w[i], s.w[j], s.w[k], zero)
        outside = to_corner * to_origin <= 0.0 or fabs(to_corner) < flat
        if not outside:
            continue
        any_outside = True
        square = triangle(s.w[i], s.w[j], s.w[k], w)
        if square < best:
            best = square
            s.weight[i], s.weight[j], s.weight[k], s.weight[l] = w[0], w[1], w[2], 0.0
    return not any_outside


cdef inline void drop_unused(simplex_t *s) noexcept nogil:
    cdef int i, kept = 0
    for i in range(s.n):
        if s.weight[i] > 0.0:
            if kept != i:
                copy3(s.w[i], s.w[kept])
                copy3(s.a[i], s.a[kept])
                copy3(s.b[i], s.b[kept])
                s.weight[kept] = s.weight[i]
            kept += 1
    s.n = kept


cdef inline void sum_points(const simplex_t *s, double *v, const double (*points)[3]) noexcept nogil:
    cdef int i
    v[0] = v[1] = v[2] = 0.0
    for i in range(s.n):
        v[0] += s.weight[i] * points[i][0]
        v[1] += s.weight[i] * points[i][1]
        v[2] += s.weight[i] * points[i][2]


cdef int gjk(
    const shape_t *a, const shape_t *b, const pose_t *pose, double stop, double *axis, simplex_t *s, distance_t *out
) noexcept nogil:
    return closest(a, b, pose, stop, False, axis, s, out)


cdef int gjk_exact(
    const shape_t *a, const shape_t *b, const pose_t *pose, double stop, double *axis, simplex_t *s, distance_t *out
) noexcept nogil:
    return closest(a, b, pose, stop, True, axis, s, out)


cdef int closest(
    const shape_t *a, const shape_t *b, const pose_t *pose, double stop, bint exact, double *axis, simplex_t *s,
    distance_t *out,
) noexcept nogil:
    cdef double v[3]
    cdef double vv, vw, last = 1e300, size, square
    cdef int step, i
    cdef bint repeated
    cdef simplex_t before
    copy3(axis, v)
    vv = dot(v, v)
    if not vv > 1e-30:
        copy3(pose.p, v)
        vv = dot(v, v)
        if not vv > 1e-30:
            v[0], v[1], v[2] = 0.0, 1.0, 0.0
            vv = 1.0
    s.n = 0
    for step in range(ROUNDS):
        i = s.n
        support_difference(a, b, pose, v, exact, s, i)
        vw = dot(v, s.w[i])
        if vw > 0.0 and vw * vw > stop * stop * vv:
            copy3(v, axis)
            return APART
        if step > 0:
            if vv - vw <= CONVERGED * vv:
                break
            repeated = False
            for i in range(s.n):
                if s.w[i][0] == s.w[s.n][0] and s.w[i][1] == s.w[s.n][1] and s.w[i][2] == s.w[s.n][2]:
                    repeated = True
            if repeated:
                break
            before = s[0]
        s.n += 1
        if s.n == 1:
            s.weight[0] = 1.0
        elif s.n == 2:
            segment(s.w[0], s.w[1], s.weight)
        elif s.n == 3:
            triangle(s.w[0], s.w[1], s.w[2], s.weight)
        elif tetrahedron(s):
            copy3(v, axis)
            return OVERLAP
        drop_unused(s)
        sum_points(s, v, s.w)
        square = dot(v, v)
        size = 0.0
        for i in range(s.n):
            size = max(size, dot(s.w[i], s.w[i]))
        if square <= TOUCHING * size or square < 1e-60:
            copy3(v, axis)
            return OVERLAP
        if step > 0 and square >= last:       # rounding: no nearer than before
            s[0] = before
            sum_points(s, v, s.w)
            vv = dot(v, v)
            break
        vv = last = square
    vv = sqrt(vv)
    out.distance = vv
    out.normal[0], out.normal[1], out.normal[2] = v[0] / vv, v[1] / vv, v[2] / vv
    sum_points(s, out.a, s.a)
    sum_points(s, out.b, s.b)
    copy3(out.normal, axis)
    return CLOSE
