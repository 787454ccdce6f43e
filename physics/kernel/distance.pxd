"""Closest points of two shapes of any kind."""

from physics.kernel.shape cimport pose_t, shape_t
from physics.kernel.sweep cimport impact_t

# Within `most`: `out.separation` (negative: overlap), `out.point` on b, `on_a` on a, `out.normal` from a to b, world axes.
# `a` is a solid.
cdef bint closest_shapes(
    const shape_t *a, const pose_t *pose_a, const shape_t *b, const pose_t *pose_b, double extra_b, double most,
    impact_t *out, double *on_a,
) noexcept nogil
