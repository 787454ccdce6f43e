"""The contact solver of one sim unit: rows from touches, sequential impulses, friction cone, restitution (ours, ivp 14.4)."""

from physics.kernel.collision cimport pair_t
from physics.kernel.state cimport core_t, material_t
from physics.kernel.store cimport world_t

cdef bint solver_reserve(world_t* w, int bodies) noexcept nogil
cdef void solver_free(world_t* w) noexcept nogil
cdef void begin_solver(world_t* w, int substeps) noexcept nogil
cdef int mover_of(world_t* w, int b) noexcept nogil
cdef void mark_pushed(world_t* w) noexcept nogil
cdef void add_touch(world_t* w, const pair_t* pair, int number) noexcept nogil
cdef void load_movers(world_t* w) noexcept nogil
cdef void store_movers(world_t* w) noexcept nogil
cdef void add_gravity(world_t* w, float seconds) noexcept nogil
cdef void advance_movers(world_t* w, float h) noexcept nogil
cdef void hold_movers(world_t* w) noexcept nogil
cdef void correct_cores(world_t* w) noexcept nogil
cdef float combine(float a, float b, int rule) noexcept nogil
cdef const material_t* material_of(const world_t* w, int b, int number) noexcept nogil
cdef float size_of(const world_t* w, int a, int b) noexcept nogil
cdef void angular(const core_t* c, const float* arm, const float* way, float* j, float* i) noexcept nogil
cdef void axial(const core_t* c, const float* way, float* j, float* i) noexcept nogil
cdef float dot4(const float* a, const float* b) noexcept nogil
