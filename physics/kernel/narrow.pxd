"""Contacts between two shapes: the interface of the narrow phase."""

from physics.kernel.shape cimport pose_t, shape_t

cdef enum:
    MANIFOLD_POINTS = 4     # most points of one manifold
    MANIFOLDS = 16          # most manifolds of one pair of bodies


cdef struct contact_t:
    double a[3]             # the point on A's surface, in A's shape axes
    double b[3]             # the point on B's surface, in B's shape axes
    double separation       # along the normal, negative when the surfaces overlap
    unsigned int feature    # which corner of which face: the same from step to step while the contact stays


cdef struct manifold_t:
    double normal[3]        # unit, from A to B, in A's shape axes
    contact_t points[4]
    int count
    int part_a              # child of a compound, 0 otherwise
    int part_b
    int triangle_a          # the user's triangle number of the deepest point, -1: no mesh
    int triangle_b
    int material_a          # the mesh's material number there, -1: the body's own
    int material_b


# Contacts of shape `a` at `pose_a` with shape `b` at `pose_b`, up to `margin` apart. `extra_a`, `extra_b`: radius added
# around each. `axis` (3,), in A's axes: a guess of the normal from the step before, replaced by a better one; or NULL.
# Returns the number of manifolds written to `out` (at most `limit`).
cdef int collide(
    const shape_t *a, const pose_t *pose_a, double extra_a,
    const shape_t *b, const pose_t *pose_b, double extra_b,
    double margin, double *axis, manifold_t *out, int limit,
) noexcept nogil


# The same with the pose of B in A's axes.
cdef int collide_relative(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b,
    double margin, double *axis, manifold_t *out, int limit,
) noexcept nogil
cdef int read_pose(pose, pose_t *out) except -1
