"""Support points of the convex shapes' cores: the farthest point of a core in a direction, in shape axes."""

from libc.math cimport sqrt

from physics.kernel.shape cimport BALL, BOX, CAPSULE, CYLINDER, HULL, TRIANGLE, hull_t, shape_t
from physics.kernel.simd cimport farthest


cdef inline void support(const shape_t *s, const double *d, double *out) noexcept nogil:
    """The core's point farthest along d (any length)."""
    cdef double n, p0, p1, p2
    cdef int i
    cdef const hull_t *h
    cdef const double *v
    if s.type == BOX:
        out[0] = s.core[0] if d[0] >= 0.0 else -s.core[0]
        out[1] = s.core[1] if d[1] >= 0.0 else -s.core[1]
        out[2] = s.core[2] if d[2] >= 0.0 else -s.core[2]
    elif s.type == HULL:
        h = s.hull
        i = farthest(h.core_x, h.core_y, h.core_z, h.padded_count, <float> d[0], <float> d[1], <float> d[2])
        if i >= h.vertex_count:
            i = 0
        v = h.core + 3 * i
        out[0] = v[0]
        out[1] = v[1]
        out[2] = v[2]
    elif s.type == TRIANGLE:
        v = &s.triangle[0]
        p0 = v[0] * d[0] + v[1] * d[1] + v[2] * d[2]
        p1 = v[3] * d[0] + v[4] * d[1] + v[5] * d[2]
        p2 = v[6] * d[0] + v[7] * d[1] + v[8] * d[2]
        i = 0
        if p1 > p0:
            i, p0 = 3, p1
        if p2 > p0:
            i = 6
        out[0] = v[i]
        out[1] = v[i + 1]
        out[2] = v[i + 2]
    elif s.type == CYLINDER:
        n = sqrt(d[0] * d[0] + d[2] * d[2])
        if n > 1e-150:
            out[0] = s.core[0] * d[0] / n
            out[2] = s.core[0] * d[2] / n
        else:
            out[0] = s.core[0]
            out[2] = 0.0
        out[1] = s.core[1] if d[1] >= 0.0 else -s.core[1]
    elif s.type == CAPSULE:
        out[0] = 0.0
        out[1] = s.core[1] if d[1] >= 0.0 else -s.core[1]
        out[2] = 0.0
    else:
        out[0] = out[1] = out[2] = 0.0


cdef inline void support_exact(const shape_t *s, const double *d, double *out) noexcept nogil:
    """The same for the shape without rounding: boxes, cylinders and hulls to their corners."""
    cdef double n
    cdef int i
    cdef const hull_t *h
    if s.type == BOX:
        out[0] = s.half[0] if d[0] >= 0.0 else -s.half[0]
        out[1] = s.half[1] if d[1] >= 0.0 else -s.half[1]
        out[2] = s.half[2] if d[2] >= 0.0 else -s.half[2]
    elif s.type == HULL:
        h = s.hull
        i = farthest(h.core_x, h.core_y, h.core_z, h.padded_count, <float> d[0], <float> d[1], <float> d[2])
        if i >= h.vertex_count:
            i = 0
        out[0] = h.vertices[3 * i]
        out[1] = h.vertices[3 * i + 1]
        out[2] = h.vertices[3 * i + 2]
    elif s.type == CYLINDER:
        n = sqrt(d[0] * d[0] + d[2] * d[2])
        if n > 1e-150:
            out[0] = s.half[0] * d[0] / n
            out[2] = s.half[0] * d[2] / n
        else:
            out[0] = s.half[0]
            out[2] = 0.0
        out[1] = s.half[1] if d[1] >= 0.0 else -s.half[1]
    else:
        support(s, d, out)


cdef inline double rounding(const shape_t *s) noexcept nogil:
    """The radius that support_exact leaves out: a ball's or capsule's."""
    return s.core_radius if s.type == CAPSULE or s.type == BALL else 0.0
