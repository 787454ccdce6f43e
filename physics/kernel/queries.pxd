"""The queries of a world."""

from libc.stdint cimport int64_t

from physics.kernel.scene cimport filter_t, scene_t
from physics.kernel.world cimport WorldCore


cdef class QueryCore(WorldCore):
    cdef scene_t scene
    cdef int64_t age_still              # world_t.changes_* when the trees were made
    cdef int64_t age_moving
    cdef list nodes                     # arrays that the trees' pointers lead to

    cdef int refresh(self) except -1
    cdef int make_tree(self, int which) except -1
