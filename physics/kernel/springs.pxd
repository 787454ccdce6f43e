"""The spring actuator (ivp 12.1 to 12.3)."""

from physics.kernel.store cimport world_t

cdef void init_anchor(world_t* w, int b, const double* point_ws, float* p_object, float* p_core) noexcept nogil
cdef bint simulate_spring(world_t* w, int row) noexcept nogil
