"""Contact points between two supporting faces."""

from physics.kernel.narrow cimport contact_t
from physics.kernel.shape cimport pose_t, shape_t

cdef enum:
    CORNERS = 32            # most corners of a face that are looked at
    FOUND = 64              # most points of one clipping


cdef struct polygon_t:
    int n
    double v[32][3]
    unsigned int id[32]
    double radius           # rounding around the polygon: ball and capsule
    double normal[3]        # outward, of three corners and more


cdef struct found_t:
    double a[3]             # both in A's axes
    double b[3]
    double separation
    unsigned int feature


# The face of a shape (in its own axes) that looks most along `d`.
cdef void supporting_face(const shape_t *s, const double *d, polygon_t *out) noexcept nogil

# Points of two faces (both in A's axes) that face each other along `normal` (from A to B), up to `margin` apart.
# Returns how many; at most FOUND. 0: no area faces the other.
cdef int clip_faces(
    const polygon_t *pa, const polygon_t *pb, const double *normal, double margin, found_t *out
) noexcept nogil

# Turn a polygon of B into A's axes.
cdef void place_polygon(const pose_t *pose, polygon_t *polygon) noexcept nogil

# Keep the four points that span most: the deepest, the farthest from it, and the widest to both sides.
cdef int reduce_points(found_t *points, int n, const double *normal) noexcept nogil
