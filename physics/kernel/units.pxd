"""Simulation units: their lists, merging and splitting, freezing and reviving (ivp 6.4, 10.0, 10.3, 10.4)."""

from physics.kernel.store cimport world_t

cdef void push_unit(world_t* w, int u) noexcept nogil
cdef void remove_unit(world_t* w, int u) noexcept nogil
cdef void unit_add_core(world_t* w, int u, int b) noexcept nogil
cdef void unit_remove_core(world_t* w, int b) noexcept nogil
cdef void unit_add_controller(world_t* w, int u, int k) noexcept nogil
cdef void unit_remove_controller(world_t* w, int k) noexcept nogil
cdef int merge_units(world_t* w, int u, int v) noexcept nogil
cdef void split_unit(world_t* w, int u) noexcept nogil
cdef void attach_controller(world_t* w, int k) noexcept nogil
cdef void detach_controller(world_t* w, int k) noexcept nogil
cdef void reset_freeze_check(world_t* w, int b) noexcept nogil
cdef void wake_object(world_t* w, int b) noexcept nogil
cdef void enqueue_revive(world_t* w, int b) noexcept nogil
cdef void ensure_in_simulation(world_t* w, int b) noexcept nogil
cdef void revive_unit(world_t* w, int u) noexcept nogil
cdef void revive_queued(world_t* w) noexcept nogil
cdef bint try_to_freeze(world_t* w, int u) noexcept nogil
cdef void link_contact(world_t* w, int u, int p) noexcept nogil
cdef void unlink_contact(world_t* w, int u, int p) noexcept nogil
