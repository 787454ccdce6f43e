"""Joints of a unit solved all at once, where they form trees (ours)."""

from physics.kernel.store cimport world_t

# All ball joints, hinges and sliders from controller `k` down, exactly; False (and nothing done) when they form loops,
# hold on to the world in two places of one tree, or can break.
cdef bint solve_joint_trees(world_t* w, int k) noexcept nogil
