# cython: language_level=3, boundscheck=False, wraparound=False
"""Box queries of a mesh's tree, in a loop, for bench_packfile.py, which compiles this file when it runs."""

import numpy as np

from physics.kernel.shape cimport node_t
from physics.kernel.walk cimport begin_walk, next_leaf, walk_t


def count_items(const int[:, ::1] nodes, const double[:, ::1] low, const double[:, ::1] high):
    """Return how many triangles the leaves hold that each box meets."""
    cdef walk_t walk
    cdef Py_ssize_t i
    counts = np.zeros(low.shape[0], dtype=np.int64)
    cdef long long[::1] count = counts
    with nogil:
        for i in range(low.shape[0]):
            begin_walk(&walk, <const node_t*>&nodes[0, 0], &low[i, 0], &high[i, 0])
            while next_leaf(&walk):
                count[i] += walk.count
    return counts
