"""The memory of a world: `world_t`, its arrays and their growth."""

from libc.stdint cimport int32_t, int64_t, uint32_t

from physics.kernel.collision cimport collision_t
from physics.kernel.shape cimport shape_t
from physics.kernel.rows cimport solver_t
from physics.kernel.state cimport (
    constraint_t, controller_t, core_t, force_t, joint_t, link_t, material_t, object_t, rest_t, sim_t, spring_t, unit_t,
)

cdef enum:
    NOTE_REVIVED = 1
    NOTE_FROZEN = 2

cdef struct event_t:                # what happened between two bodies, until the next simulate
    double time
    int32_t kind
    int32_t a
    int32_t b
    uint32_t generation_a
    uint32_t generation_b
    float impulse
    float point[3]
    float normal[3]

cdef struct hit_t:                  # an impact inside this PSI, queued at its time
    double point[3]
    double stamp_a                  # time_of_last_psi of both when it was found
    double stamp_b
    float value                     # offset from base_time, as all queued times (ivp 11.1)
    float normal[3]                 # from a to b
    int32_t a
    int32_t b
    int32_t material                # of b's mesh, -1: the body's
    uint32_t generation_a
    uint32_t generation_b
    int32_t spare

cdef struct world_t

ctypedef bint (*ask_t)(world_t* w, int pair) noexcept nogil
ctypedef void (*note_t)(world_t* w, int what, int body) noexcept nogil
ctypedef void (*call_t)(world_t* w, int index) noexcept nogil

cdef struct world_t:
    sim_t sim                       # scalars; with the arrays below, all that decides the future
    core_t* cores                   # these three share slots
    object_t* objects
    rest_t* rests
    unit_t* units                   # never more units than cores, so a step does not grow them
    int32_t* revive                 # cores queued for revive (ivp 6.1)
    int32_t core_count              # slots in use or free: the arrays' length
    int32_t core_capacity
    controller_t* controllers
    int32_t controller_count
    int32_t controller_capacity
    link_t* links
    int32_t link_count
    int32_t link_capacity
    force_t* forces
    int32_t force_count
    int32_t force_capacity
    spring_t* springs
    int32_t spring_count
    int32_t spring_capacity
    constraint_t* constraints
    int32_t constraint_count
    int32_t constraint_capacity
    joint_t* joints
    int32_t joint_count
    int32_t joint_capacity
    collision_t collision           # trees, colliders, pairs, touches
    hit_t* hits                     # sorted by time
    int32_t hit_capacity
    # from here on nothing that decides the future but is not said above too
    const shape_t** shapes          # by core; the handles keep them alive
    const material_t** surfaces     # by core: the materials of its mesh, or NULL; the handles keep them alive
    solver_t solver                 # scratch of the contact solver
    int32_t* order                  # scratch: the units of this PSI in the order of ivp 6.2
    int32_t* scratch                # scratch for splits
    int32_t* cores_out              # the cores of this PSI in the order of ivp 6.3
    int32_t n_cores_out
    int32_t sweeping                # this PSI looks for fast bodies
    int32_t n_fast                  # bodies to be swept
    int32_t* fast
    int32_t n_continuous            # bodies that are swept against all
    int32_t n_python                # Python controllers
    int64_t changes_still           # how often fixed bodies were made, moved or removed: the age of query trees
    int64_t changes_moving          # the same of all bodies, and of time
    void* owner                     # the Python object around this
    note_t note                     # revived / frozen listeners, or NULL
    call_t run_python               # runs the Python controller of an entry
    call_t run_psi_listeners        # or NULL
    call_t spring_broken            # tells of the spring of a controller that is about to go
    call_t finish_psi               # does what callbacks asked for
    ask_t ask_pair                  # the Python pair callback, or NULL
    bint tell_persisted             # contacts that last are events too
    event_t* events
    int32_t event_count
    int32_t event_capacity
    int32_t unfinished              # callbacks asked for something
    int32_t stop                    # a callback raised: stop behind this PSI

cdef bint grow_cores(world_t* w, int32_t count) noexcept nogil
cdef void free_world(world_t* w) noexcept nogil
cdef int take_controller(world_t* w) noexcept nogil
cdef void release_controller(world_t* w, int k) noexcept nogil
cdef int take_link(world_t* w) noexcept nogil
cdef int take_force(world_t* w) noexcept nogil
cdef int take_spring(world_t* w) noexcept nogil
cdef int take_constraint(world_t* w) noexcept nogil
cdef int take_joint(world_t* w) noexcept nogil
cdef int take_unit(world_t* w) noexcept nogil
cdef void release_unit(world_t* w, int u) noexcept nogil
cdef int take_core(world_t* w) noexcept nogil
cdef void release_core(world_t* w, int b) noexcept nogil
