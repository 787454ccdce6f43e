"""Contacts with triangle meshes, height fields and planes."""

from physics.kernel.narrow cimport manifold_t
from physics.kernel.shape cimport mesh_t, pose_t, shape_t

# The nearest feature of a triangle counts only where no neighbour comes closer: False when a contact whose normal
# leaves the surface along `normal` at `region` (nearest_triangle's number) belongs to the neighbour there.
cdef bint own_feature(const mesh_t *m, int triangle, int region, const double *normal) noexcept nogil

# `pose`: of the mesh (or plane) in A's axes. As collide(): the number of manifolds written.
cdef int ball_mesh(
    const shape_t *a, const shape_t *b, const pose_t *pose, double radius, double extra, double margin,
    manifold_t *out, int limit,
) noexcept nogil
cdef int convex_mesh(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin,
    manifold_t *out, int limit,
) noexcept nogil
cdef int convex_plane(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin,
    manifold_t *out,
) noexcept nogil
