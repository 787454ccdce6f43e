# cython: boundscheck=False, wraparound=False, cdivision=True
"""Nearest surface points of the convex shapes, by formula."""

from libc.math cimport fabs, sqrt

from physics.kernel.shape cimport BOX, CAPSULE, CYLINDER, HULL, TRIANGLE, hull_t, shape_t
from physics.kernel.vector cimport along, copy3, cross, dot, sub


cdef inline bint finish(const double *c, nearest_t *out, double square, unsigned int feature) noexcept nogil:
    """Set normal and distance of a point outside from the squared distance."""
    cdef double d = sqrt(square)
    out.distance = d
    out.normal[0] = (c[0] - out.point[0]) / d
    out.normal[1] = (c[1] - out.point[1]) / d
    out.normal[2] = (c[2] - out.point[2]) / d
    out.feature = feature
    return True


cdef bint nearest_box(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil:
    cdef double square = 0.0, d, least = 1e300
    cdef int i, axis = 0
    cdef unsigned int feature = 0
    for i in range(3):
        if c[i] > s.half[i]:
            out.point[i] = s.half[i]
            feature |= 1 << (2 * i)
        elif c[i] < -s.half[i]:
            out.point[i] = -s.half[i]
            feature |= 2 << (2 * i)
        else:
            out.point[i] = c[i]
        d = c[i] - out.point[i]
        square += d * d
    if square > reach * reach:
        return False
    if square > 0.0:
        return finish(c, out, square, feature)
    for i in range(3):
        d = s.half[i] - fabs(c[i])
        if d < least:
            axis, least = i, d
    d = 1.0 if c[axis] >= 0.0 else -1.0
    out.normal[0] = out.normal[1] = out.normal[2] = 0.0
    out.normal[axis] = d
    out.point[axis] = d * s.half[axis]
    out.distance = -least
    out.feature = (1 if d > 0.0 else 2) << (2 * axis)
    return True


cdef bint nearest_capsule(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil:
    cdef double y = min(max(c[1], -s.half[1]), s.half[1])
    cdef double d = sqrt(c[0] * c[0] + (c[1] - y) * (c[1] - y) + c[2] * c[2])
    if d - s.radius > reach:
        return False
    if d > 1e-12 * s.radius:
        out.normal[0], out.normal[1], out.normal[2] = c[0] / d, (c[1] - y) / d, c[2] / d
    else:
        out.normal[0], out.normal[1], out.normal[2] = 1.0, 0.0, 0.0
    out.point[0] = s.radius * out.normal[0]
    out.point[1] = y + s.radius * out.normal[1]
    out.point[2] = s.radius * out.normal[2]
    out.distance = d - s.radius
    out.feature = 0
    return True


cdef bint nearest_cylinder(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil:
    cdef double r = s.half[0], h = s.half[1]
    cdef double side = sqrt(c[0] * c[0] + c[2] * c[2])
    cdef double y = min(max(c[1], -h), h)
    cdef double x = 1.0, z = 0.0, square, out_side
    if side > 1e-12 * r:
        x, z = c[0] / side, c[2] / side
    if side <= r and fabs(c[1]) <= h:           # inside: to the end or to the side
        if h - fabs(c[1]) < r - side:
            out.normal[0] = out.normal[2] = 0.0
            out.normal[1] = 1.0 if c[1] >= 0.0 else -1.0
            out.point[0], out.point[1], out.point[2] = c[0], h * out.normal[1], c[2]
            out.distance = fabs(c[1]) - h
            out.feature = 1 if c[1] >= 0.0 else 2
        else:
            out.normal[0], out.normal[1], out.normal[2] = x, 0.0, z
            out.point[0], out.point[1], out.point[2] = r * x, c[1], r * z
            out.distance = side - r
            out.feature = 0
        return True
    out_side = min(side, r)
    out.point[0], out.point[1], out.point[2] = out_side * x, y, out_side * z
    square = (side - out_side) * (side - out_side) + (c[1] - y) * (c[1] - y)
    if square > reach * reach:
        return False
    return finish(c, out, square, (0 if side > r else 3) + (0 if c[1] == y else 1 if c[1] > 0.0 else 2))


cdef double nearest_polygon(const hull_t *h, int face, const double *c, double above, double *out) noexcept nogil:
    """The nearest point of a hull's face; returns the squared distance."""
    cdef const double *normal = &h.planes[4 * face]
    cdef const double *v
    cdef const double *u
    cdef double edge[3]
    cdef double side[3]
    cdef double d[3]
    cdef double p[3]
    cdef double best = 1e300, t, square
    cdef int i, start = h.face_start[face], n = h.face_start[face + 1] - start
    cdef bint beyond = False
    for i in range(n):
        u = &h.vertices[3 * h.face_index[start + i]]
        v = &h.vertices[3 * h.face_index[start + (i + 1 if i + 1 < n else 0)]]
        sub(v, u, edge)
        cross(edge, normal, side)
        sub(c, u, d)
        if dot(side, d) > 0.0:
            beyond = True
            t = min(max(dot(d, edge) / dot(edge, edge), 0.0), 1.0)
            along(u, edge, t, p)
            sub(c, p, d)
            square = dot(d, d)
            if square < best:
                best = square
                copy3(p, out)
    if not beyond:
        along(c, normal, -above, out)
        best = above * above
    return best


cdef bint nearest_hull(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil:
    cdef const hull_t *h = s.hull
    cdef double above, most = -1e300, square, best = 1e300
    cdef double p[3]
    cdef int f, face = 0, nearest = 0
    for f in range(h.face_count):
        above = dot(&h.planes[4 * f], c) - h.planes[4 * f + 3]
        if above > most:
            face, most = f, above
            if above > reach:
                return False
    if most <= 0.0:
        copy3(&h.planes[4 * face], out.normal)
        along(c, out.normal, -most, out.point)
        out.distance = most
        out.feature = face
        return True
    for f in range(h.face_count):
        above = dot(&h.planes[4 * f], c) - h.planes[4 * f + 3]
        if above > 0.0 and above * above < best:
            square = nearest_polygon(h, f, c, above, p)
            if square < best:
                best, nearest = square, f
                copy3(p, out.point)
    if best > reach * reach:
        return False
    if best <= 1e-300:
        copy3(&h.planes[4 * face], out.normal)
        out.distance = most
        out.feature = face
        return True
    return finish(c, out, best, nearest)


cdef bint nearest_convex(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil:
    cdef double d
    cdef double u[3]
    if s.type == BOX:
        return nearest_box(s, c, reach, out)
    if s.type == CAPSULE:
        return nearest_capsule(s, c, reach, out)
    if s.type == CYLINDER:
        return nearest_cylinder(s, c, reach, out)
    if s.type == HULL:
        return nearest_hull(s, c, reach, out)
    if s.type == TRIANGLE:
        out.feature = nearest_triangle(&s.triangle[0], &s.triangle[3], &s.triangle[6], c, out.point)
        sub(c, out.point, u)
        d = dot(u, u)
        if d > reach * reach:
            return False
        if d > 0.0:
            return finish(c, out, d, out.feature)
        out.distance = 0.0
        out.normal[0], out.normal[1], out.normal[2] = 0.0, 1.0, 0.0
        return True
    d = sqrt(dot(c, c))
    if d - s.radius > reach:
        return False
    if d > 1e-12 * s.radius:
        out.normal[0], out.normal[1], out.normal[2] = c[0] / d, c[1] / d, c[2] / d
    else:
        out.normal[0], out.normal[1], out.normal[2] = 0.0, 1.0, 0.0
    out.point[0], out.point[1], out.point[2] = s.radius * out.normal[0], s.radius * out.normal[1], s.radius * out.normal[2]
    out.distance = d - s.radius
    out.feature = 0
    return True


cdef int nearest_triangle(
    const double *a, const double *b, const double *c, const double *p, double *out
) noexcept nogil:
    cdef double ab[3]
    cdef double ac[3]
    cdef double ap[3]
    cdef double bc[3]
    cdef double d1, d2, d3, d4, d5, d6, va, vb, vc, t, l
    sub(b, a, ab)
    sub(c, a, ac)
    sub(p, a, ap)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    if d1 <= 0.0 and d2 <= 0.0:
        copy3(a, out)
        return 4
    sub(p, b, ap)
    d3, d4 = dot(ab, ap), dot(ac, ap)
    if d3 >= 0.0 and d4 <= d3:
        copy3(b, out)
        return 5
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        along(a, ab, d1 / (d1 - d3), out)
        return 1
    sub(p, c, ap)
    d5, d6 = dot(ab, ap), dot(ac, ap)
    if d6 >= 0.0 and d5 <= d6:
        copy3(c, out)
        return 6
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        along(a, ac, d2 / (d2 - d6), out)
        return 3
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        sub(c, b, bc)
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        along(b, bc, t, out)
        return 2
    l = 1.0 / (va + vb + vc)
    out[0] = a[0] + ab[0] * vb * l + ac[0] * vc * l
    out[1] = a[1] + ab[1] * vb * l + ac[1] * vc * l
    out[2] = a[2] + ab[2] * vb * l + ac[2] * vc * l
    return 0
