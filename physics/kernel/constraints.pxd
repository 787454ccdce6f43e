"""Ball joint, hinge and slider: one exact solve of up to six axes a joint (ivp 12.4 to 12.6)."""

from physics.kernel.state cimport constraint_t
from physics.kernel.store cimport world_t

cdef void constraint_axes(const double* axis, double* r) noexcept nogil
cdef bint init_constraint(world_t* w, constraint_t* c, const double* anchor_ws, const double* axis_ws) noexcept nogil
cdef bint simulate_constraint(world_t* w, int row) noexcept nogil

cdef struct joint_rows_t:
    int n                           # rows
    int body[2]                     # R and A, or NONE
    double j[2][7][6]               # by side and row; the seventh is scratch
    double b[6]                     # change of the rows' velocity

cdef void constraint_rows(world_t* w, int row, joint_rows_t* out) noexcept nogil
