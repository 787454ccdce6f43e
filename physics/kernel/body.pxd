"""Handles of bodies."""

from physics.kernel.world cimport WorldCore


cdef class BodyCore:
    cdef readonly WorldCore _world
    cdef readonly int _index
    cdef readonly unsigned int _generation

    cdef int row(self) except -1            # the slot, after the check that this body still lives
