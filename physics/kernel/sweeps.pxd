"""The sweeps of the contact solver over its rows (ours, ivp 14.4)."""

from physics.kernel.store cimport world_t

cdef void warm_start(world_t* w) noexcept nogil
cdef void iterate(world_t* w, bint pushing) noexcept nogil
cdef bint bounce(world_t* w) noexcept nogil
cdef void keep_impulses(world_t* w) noexcept nogil
