# cython: boundscheck=False, wraparound=False, cdivision=True
"""Snapshot, restore and digest: the state is its arrays, copied in one order (see `state.pxd`)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from physics.errors import PhysicsError
from physics.kernel.collision cimport TREE_NONE, collider_t, collision_t, pair_t, touch_t
from physics.kernel.shape cimport ShapeData
from physics.kernel.state cimport (
    KIND_PYTHON, constraint_t, controller_t, core_t, force_t, joint_t, link_t, material_t, object_t, rest_t, sim_t,
    spring_t, unit_t,
)
from physics.kernel.store cimport grow_cores, hit_t, reserve, world_t
from physics.kernel.tree cimport branch_t
from physics.kernel.world cimport WorldCore

cdef enum:
    PARTS = 19
    COUNTS = 25                     # numbers in front: a layout number, the lengths of the arrays, heads of chains
    LAYOUT = 2


cdef void counts_of(const world_t* w, int32_t* n) noexcept:
    """The numbers in front of a snapshot."""
    cdef const collision_t* c = &w.collision
    n[0] = LAYOUT
    n[1] = w.core_count
    n[2] = w.sim.n_units
    n[3] = w.sim.n_revive
    n[4] = w.controller_count
    n[5] = w.link_count
    n[6] = w.force_count
    n[7] = w.spring_count
    n[8] = w.constraint_count
    n[9] = c.pair_count
    n[10] = c.touch_count
    n[11] = c.moved_count
    n[12] = c.still.count
    n[13] = c.moving.count
    n[14] = c.pairs_live
    n[15] = c.still.leaves
    n[16] = c.moving.leaves
    n[17] = c.pair_free
    n[18] = c.touch_free
    n[19] = c.still.root
    n[20] = c.still.free_node
    n[21] = c.moving.root
    n[22] = c.moving.free_node
    n[23] = w.sim.n_hits
    n[24] = w.joint_count


cdef void sizes_of(const int32_t* n, size_t* size) noexcept:
    """Bytes of each array, from the counts."""
    size[0] = sizeof(sim_t)
    size[1] = n[1] * sizeof(core_t)
    size[2] = n[1] * sizeof(object_t)
    size[3] = n[1] * sizeof(rest_t)
    size[4] = n[2] * sizeof(unit_t)
    size[5] = n[3] * sizeof(int32_t)
    size[6] = n[4] * sizeof(controller_t)
    size[7] = n[5] * sizeof(link_t)
    size[8] = n[6] * sizeof(force_t)
    size[9] = n[7] * sizeof(spring_t)
    size[10] = n[8] * sizeof(constraint_t)
    size[11] = n[1] * sizeof(collider_t)
    size[12] = n[9] * sizeof(pair_t)
    size[13] = n[10] * sizeof(touch_t)
    size[14] = n[11] * sizeof(int32_t)
    size[15] = n[12] * sizeof(branch_t)
    size[16] = n[13] * sizeof(branch_t)
    size[17] = n[23] * sizeof(hit_t)
    size[18] = n[24] * sizeof(joint_t)


cdef void parts_of(world_t* w, void** data) noexcept:
    """The arrays that are the state, in the order of a snapshot."""
    data[0] = &w.sim
    data[1] = w.cores
    data[2] = w.objects
    data[3] = w.rests
    data[4] = w.units
    data[5] = w.revive
    data[6] = w.controllers
    data[7] = w.links
    data[8] = w.forces
    data[9] = w.springs
    data[10] = w.constraints
    data[11] = w.collision.colliders
    data[12] = w.collision.pairs
    data[13] = w.collision.touches
    data[14] = w.collision.moved
    data[15] = w.collision.still.nodes
    data[16] = w.collision.moving.nodes
    data[17] = w.hits
    data[18] = w.joints


def save(WorldCore world):
    """Return the state as bytes."""
    cdef void* data[PARTS]
    cdef size_t size[PARTS]
    cdef int32_t counts[COUNTS]
    cdef size_t total = sizeof(counts)
    cdef int i
    cdef char* out
    counts_of(&world.w, counts)
    sizes_of(counts, size)
    parts_of(&world.w, data)
    for i in range(PARTS):
        total += size[i]
    saved = PyBytes_FromStringAndSize(NULL, total)
    out = PyBytes_AS_STRING(saved)
    memcpy(out, counts, sizeof(counts))
    out += sizeof(counts)
    for i in range(PARTS):
        if size[i]:
            memcpy(out, data[i], size[i])
            out += size[i]
    return saved


cdef int check(const char* blob, size_t length, int32_t* counts, size_t* size) except -1:
    """Refuse bytes that cannot be a state before anything changes."""
    cdef size_t total = COUNTS * sizeof(int32_t)
    cdef int i
    if length < total:
        raise PhysicsError(f"snapshot: at least {total} bytes expected, {length} found")
    memcpy(counts, blob, total)
    if counts[0] != LAYOUT:
        raise PhysicsError(f"snapshot: layout {LAYOUT} expected, {counts[0]} found")
    for i in range(1, COUNTS):
        if 17 <= i < 23:
            continue                                # heads of chains: -1 when there is none
        if counts[i] < 0:
            raise PhysicsError(f"snapshot: count {i} is {counts[i]}")
    if counts[2] > counts[1] or counts[3] > counts[1] or counts[11] > counts[1]:
        raise PhysicsError("snapshot: a count is out of bounds")
    sizes_of(counts, size)
    for i in range(PARTS):
        total += size[i]
    if length != total:
        raise PhysicsError(f"snapshot: {total} bytes expected, {length} found")
    return 0


cdef int make_room(world_t* w, const int32_t* n) except -1:
    """Memory for all that a snapshot holds."""
    cdef collision_t* c = &w.collision
    cdef int32_t count
    while w.core_capacity < n[1]:
        count = w.core_count
        w.core_count = w.core_capacity
        if not grow_cores(w):
            raise MemoryError
        w.core_count = count
    if not (reserve(<void**>&w.controllers, &w.controller_capacity, n[4], sizeof(controller_t))
            and reserve(<void**>&w.links, &w.link_capacity, n[5], sizeof(link_t))
            and reserve(<void**>&w.forces, &w.force_capacity, n[6], sizeof(force_t))
            and reserve(<void**>&w.springs, &w.spring_capacity, n[7], sizeof(spring_t))
            and reserve(<void**>&w.constraints, &w.constraint_capacity, n[8], sizeof(constraint_t))
            and reserve(<void**>&w.joints, &w.joint_capacity, n[24], sizeof(joint_t))
            and reserve(<void**>&w.hits, &w.hit_capacity, n[23], sizeof(hit_t))
            and reserve(<void**>&c.pairs, &c.pair_capacity, n[9], sizeof(pair_t))
            and reserve(<void**>&c.touches, &c.touch_capacity, n[10], sizeof(touch_t))
            and reserve(<void**>&c.still.nodes, &c.still.capacity, n[12], sizeof(branch_t))
            and reserve(<void**>&c.moving.nodes, &c.moving.capacity, n[13], sizeof(branch_t))):
        raise MemoryError
    return 0


def load(WorldCore world, bytes saved, handles):
    """Put the state back; `handles`: the bodies of its slots, None in a free one."""
    cdef world_t* w = &world.w
    cdef collision_t* c = &w.collision
    cdef const char* blob = PyBytes_AS_STRING(saved)
    cdef void* data[PARTS]
    cdef size_t size[PARTS]
    cdef int32_t n[COUNTS]
    cdef int i
    check(blob, len(saved), n, size)
    if len(handles) != n[1]:
        raise PhysicsError(f"snapshot: {n[1]} handles expected, {len(handles)} found")
    make_room(w, n)
    parts_of(w, data)
    blob += sizeof(n)
    for i in range(PARTS):
        if size[i]:
            memcpy(data[i], blob, size[i])
            blob += size[i]
    w.core_count = n[1]
    w.controller_count = n[4]
    w.link_count = n[5]
    w.force_count = n[6]
    w.spring_count = n[7]
    w.constraint_count = n[8]
    w.joint_count = n[24]
    c.pair_count = n[9]
    c.touch_count = n[10]
    c.moved_count = n[11]
    c.still.count = n[12]
    c.moving.count = n[13]
    c.pairs_live = n[14]
    c.still.leaves = n[15]
    c.moving.leaves = n[16]
    c.pair_free = n[17]
    c.touch_free = n[18]
    c.still.root = n[19]
    c.still.free_node = n[20]
    c.moving.root = n[21]
    c.moving.free_node = n[22]
    w.n_python = 0
    for i in range(w.controller_count):
        w.n_python += w.controllers[i].kind == KIND_PYTHON
    w.changes_still += 1
    w.changes_moving += 1
    relink_shapes(world, handles)


cdef int relink_shapes(WorldCore world, handles) except -1:
    """The pointers to shapes, from the handles that keep them alive."""
    cdef world_t* w = &world.w
    cdef ShapeData shape
    cdef int i
    w.n_continuous = 0
    for i in range(w.core_capacity):
        w.shapes[i] = NULL
        w.surfaces[i] = NULL
        w.collision.shapes[i] = NULL
    for i in range(w.core_count):
        if handles[i] is None:
            continue
        shape = handles[i].shape._data
        w.shapes[i] = shape.c
        w.n_continuous += w.cores[i].continuous
        if handles[i]._surface is not None:
            w.surfaces[i] = <const material_t*>PyBytes_AS_STRING(handles[i]._surface)
        if w.collision.colliders[i].tree != TREE_NONE:
            w.collision.shapes[i] = shape.c
    return 0


def digest(WorldCore world):
    """Return a hash of the state, as hex text."""
    from hashlib import blake2b                     # here: it costs a tenth of the import of the package

    hashed = blake2b(digest_size=16)
    hashed.update(save(world))
    return hashed.hexdigest()
