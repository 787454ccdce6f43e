from physics.kernel.store cimport world_t

# Before the solution of a unit, and after it.
cdef void bound_overlaps(world_t *w) noexcept nogil
cdef void calm_overlaps(world_t *w) noexcept nogil
