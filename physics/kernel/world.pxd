"""The world as an extension type: owner of a `world_t`."""

from physics.kernel.store cimport world_t


cdef class WorldCore:
    cdef world_t w
    cdef readonly list _handles             # Body by slot, None in a free one
    cdef readonly list _controllers         # handle by controller entry
    cdef readonly list _psi_listeners
    cdef readonly list _revived_listeners
    cdef readonly list _frozen_listeners
    cdef readonly list _deferred            # callables: what callbacks asked for, done when the PSI ends
    cdef list _told                         # ContactEvents of the last call, as far as they have been read
    cdef readonly list _broken              # JointBrokens of the last call
    cdef readonly list _later               # ContactEvents that the next call's list begins with, put back by a restore
    cdef readonly dict _gone                # (slot, generation) -> Body removed since the last call began: events name it
    cdef int read                           # how many of w.events are in _told
    cdef int told                           # how many of w.events the last call told; those behind came after it
    cdef object _pair_callback
    cdef object _error                      # the first exception of a callback
    cdef object __weakref__
    cdef bint busy
    cdef unsigned long thread

    cdef int enter(self) except -1
    cdef int leave(self) except -1
    cdef int begin_events(self) except -1
    cdef list event_list(self, int first, int end)
    cdef object event_body(self, int slot, unsigned int generation)
    cdef int run(self, double target) except -1
    cdef int check_thread(self) except -1


cdef class ControllerCore:
    cdef readonly WorldCore _world
    cdef readonly int _index
    cdef readonly unsigned int _generation

    cdef int row(self) except -1
