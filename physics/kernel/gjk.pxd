"""Distance between the cores of two convex shapes."""

from physics.kernel.shape cimport pose_t, shape_t

cdef enum:
    APART = 0       # farther than the given distance: `axis` separates them
    CLOSE = 1       # distance, direction and points are set
    OVERLAP = 2     # the cores overlap; the simplex holds the origin


cdef struct simplex_t:
    int n
    double w[4][3]          # b - a
    double a[4][3]          # on A's core
    double b[4][3]          # on B's core, in A's axes
    double weight[4]


cdef struct distance_t:
    double normal[3]        # unit, from A to B, in A's axes
    double distance         # between the cores
    double a[3]             # nearest core points, in A's axes
    double b[3]


# `pose`: of B in A's axes. `stop`: distance beyond which only APART matters. `axis`: a guess of the direction from A to
# B in A's axes, replaced by the last direction used.
cdef int gjk(
    const shape_t *a, const shape_t *b, const pose_t *pose, double stop, double *axis, simplex_t *s, distance_t *out
) noexcept nogil
# The same for shapes to their corners, less the radius of balls and capsules.
cdef int gjk_exact(
    const shape_t *a, const shape_t *b, const pose_t *pose, double stop, double *axis, simplex_t *s, distance_t *out
) noexcept nogil
