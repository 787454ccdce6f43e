"""One PSI, and the clock that runs PSIs (ivp 6 and 11)."""

from physics.kernel.store cimport world_t

cdef void simulate_psi(world_t* w) noexcept nogil
cdef void simulate_until(world_t* w, double target) noexcept nogil
