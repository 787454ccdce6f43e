"""Joints beyond the spec: rows that are solved with the contacts of their unit (ours)."""

from physics.kernel.store cimport world_t

cdef void add_joint_rows(world_t* w, int row) noexcept nogil
cdef void warm_start_joints(world_t* w) noexcept nogil
cdef void iterate_joints(world_t* w, bint pushing) noexcept nogil
cdef void keep_joint_impulses(world_t* w) noexcept nogil
cdef bint joint_breaks(const world_t* w, int row) noexcept nogil
