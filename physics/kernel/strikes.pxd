"""Impacts that run through rows of touching bodies (ours)."""

from physics.kernel.store cimport world_t

# Before a unit's contacts are solved: pass fast approaches on from ball to ball, each impact with its own elasticity.
cdef void pass_strikes_on(world_t *w) noexcept nogil
