"""Impacts inside a PSI: fast bodies are swept, and what they hit is an event of the time manager's queue (ours, ivp 11.1)."""

from physics.kernel.store cimport world_t

cdef bint is_fast(const world_t* w, int b) noexcept nogil
cdef void sweep_fast_bodies(world_t* w) noexcept nogil
cdef void run_impact(world_t* w) noexcept nogil
cdef void forget_impacts(world_t* w, int b) noexcept nogil
