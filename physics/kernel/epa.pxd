"""Penetration of two convex shapes."""

from physics.kernel.gjk cimport distance_t, simplex_t
from physics.kernel.shape cimport pose_t, shape_t

# `s`: the simplex with which gjk() found an overlap. `out.distance` is negative: how deep the
# shapes, less the radius of balls and capsules (rounding()), overlap along `out.normal`. False when the shapes are flat
# against each other, so that no volume was found.
cdef bint epa(const shape_t *a, const shape_t *b, const pose_t *pose, simplex_t *s, distance_t *out) noexcept nogil
