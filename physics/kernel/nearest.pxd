"""Nearest point of a shape's surface to a point: the whole of a ball's narrow phase."""

from physics.kernel.shape cimport shape_t

cdef struct nearest_t:
    double point[3]         # on the surface
    double normal[3]        # unit, outward from the surface towards the point's side
    double distance         # along the normal; negative inside
    unsigned int feature


# The nearest point of a convex shape's surface to `c`, all in shape axes. False when farther than `reach`.
cdef bint nearest_convex(const shape_t *s, const double *c, double reach, nearest_t *out) noexcept nogil

# The nearest point of a triangle. Returns where it lies: 0 inside, 1..3 on edge 0..2, 4..6 at corner 0..2.
cdef int nearest_triangle(
    const double *a, const double *b, const double *c, const double *p, double *out
) noexcept nogil
