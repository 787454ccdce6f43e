"""Contacts of a PSI: from poses to touches, units that merge through them, and their solution (ours, ivp 14.4)."""

from physics.kernel.store cimport hit_t, world_t

cdef enum:
    PAIR_LINKED = 16                # in the contact list of a unit
    PAIR_TOUCHING = 32              # its beginning has been told
    PAIR_REFUSED = 64               # the callback does not want it

    EVENT_BEGUN = 1
    EVENT_ENDED = 2
    EVENT_IMPACT = 3
    EVENT_SENSOR_BEGUN = 4
    EVENT_SENSOR_ENDED = 5
    EVENT_PERSISTED = 6

cdef bint add_collider(world_t* w, int b) noexcept nogil
cdef void remove_collider(world_t* w, int b) noexcept nogil
cdef void refilter(world_t* w, int b) noexcept nogil
cdef void move_collider(world_t* w, int b) noexcept nogil
cdef void update_contacts(world_t* w) noexcept nogil
cdef void prepare_contacts(world_t* w, int u, int substeps, bint all_) noexcept nogil
cdef void solve_contacts(world_t* w, int substeps) noexcept nogil
cdef void finish_contacts(world_t* w) noexcept nogil
cdef void wake_partners(world_t* w, int b) noexcept nogil
cdef void wake_touching(world_t* w, int b) noexcept nogil
cdef int accepts(void* world, int a, int b) noexcept nogil
cdef void tell_hit(world_t* w, const hit_t* hit, float impulse) noexcept nogil
cdef void break_joints(world_t* w, int u) noexcept nogil
