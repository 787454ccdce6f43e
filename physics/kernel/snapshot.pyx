# cython: boundscheck=False, wraparound=False, cdivision=True
"""Snapshot, restore and digest: the state is its arrays, copied in one order (see `state.pxd`)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from physics.errors import PhysicsError
from physics.kernel.collision cimport TREE_NONE, collider_t, collision_t, pair_t, touch_t
from physics.kernel.memory cimport reserve
from physics.kernel.shape cimport ShapeData
from physics.kernel.state cimport (
    KIND_PYTHON, constraint_t, controller_t, core_t, force_t, joint_t, link_t, material_t, object_t, rest_t, sim_t,
    spring_t, unit_t,
)
from physics.kernel.store cimport grow_cores, hit_t, world_t
from physics.kernel.tree cimport branch_t
from physics.kernel.world cimport WorldCore

cdef enum:
    LAYOUT = 2

    N_LAYOUT = 0                    # the numbers in front of a snapshot: LAYOUT, lengths of the arrays, heads of chains
    N_CORES
    N_UNITS
    N_REVIVE
    N_CONTROLLERS
    N_LINKS
    N_FORCES
    N_SPRINGS
    N_CONSTRAINTS
    N_PAIRS
    N_TOUCHES
    N_MOVED
    N_STILL
    N_MOVING
    N_PAIRS_LIVE
    N_STILL_LEAVES
    N_MOVING_LEAVES
    HEAD_PAIR                       # heads: -1 when there is none
    HEAD_TOUCH
    HEAD_STILL
    HEAD_STILL_FREE
    HEAD_MOVING
    HEAD_MOVING_FREE
    N_HITS
    N_JOINTS
    NUMBERS                         # how many there are

    PARTS = 18

cdef struct part_t:                 # an array of the state
    void** data
    int32_t* capacity               # NULL: it grows with the bodies
    int number                      # which of the numbers in front is its length
    size_t item                     # bytes


cdef void numbers_of(world_t* w, int32_t** n) noexcept:
    """Where the numbers in front of a snapshot are kept; LAYOUT is nowhere."""
    cdef collision_t* c = &w.collision
    n[N_LAYOUT] = NULL
    n[N_CORES] = &w.core_count
    n[N_UNITS] = &w.sim.n_units
    n[N_REVIVE] = &w.sim.n_revive
    n[N_CONTROLLERS] = &w.controller_count
    n[N_LINKS] = &w.link_count
    n[N_FORCES] = &w.force_count
    n[N_SPRINGS] = &w.spring_count
    n[N_CONSTRAINTS] = &w.constraint_count
    n[N_PAIRS] = &c.pair_count
    n[N_TOUCHES] = &c.touch_count
    n[N_MOVED] = &c.moved_count
    n[N_STILL] = &c.still.count
    n[N_MOVING] = &c.moving.count
    n[N_PAIRS_LIVE] = &c.pairs_live
    n[N_STILL_LEAVES] = &c.still.leaves
    n[N_MOVING_LEAVES] = &c.moving.leaves
    n[HEAD_PAIR] = &c.pair_free
    n[HEAD_TOUCH] = &c.touch_free
    n[HEAD_STILL] = &c.still.root
    n[HEAD_STILL_FREE] = &c.still.free_node
    n[HEAD_MOVING] = &c.moving.root
    n[HEAD_MOVING_FREE] = &c.moving.free_node
    n[N_HITS] = &w.sim.n_hits
    n[N_JOINTS] = &w.joint_count


cdef void parts_of(world_t* w, part_t* p) noexcept:
    """The arrays that are the state, in the order of a snapshot; `world_t.sim` stands before them."""
    cdef collision_t* c = &w.collision
    p[0] = part_t(<void**>&w.cores, NULL, N_CORES, sizeof(core_t))
    p[1] = part_t(<void**>&w.objects, NULL, N_CORES, sizeof(object_t))
    p[2] = part_t(<void**>&w.rests, NULL, N_CORES, sizeof(rest_t))
    p[3] = part_t(<void**>&w.units, NULL, N_UNITS, sizeof(unit_t))
    p[4] = part_t(<void**>&w.revive, NULL, N_REVIVE, sizeof(int32_t))
    p[5] = part_t(<void**>&w.controllers, &w.controller_capacity, N_CONTROLLERS, sizeof(controller_t))
    p[6] = part_t(<void**>&w.links, &w.link_capacity, N_LINKS, sizeof(link_t))
    p[7] = part_t(<void**>&w.forces, &w.force_capacity, N_FORCES, sizeof(force_t))
    p[8] = part_t(<void**>&w.springs, &w.spring_capacity, N_SPRINGS, sizeof(spring_t))
    p[9] = part_t(<void**>&w.constraints, &w.constraint_capacity, N_CONSTRAINTS, sizeof(constraint_t))
    p[10] = part_t(<void**>&c.colliders, NULL, N_CORES, sizeof(collider_t))
    p[11] = part_t(<void**>&c.pairs, &c.pair_capacity, N_PAIRS, sizeof(pair_t))
    p[12] = part_t(<void**>&c.touches, &c.touch_capacity, N_TOUCHES, sizeof(touch_t))
    p[13] = part_t(<void**>&c.moved, NULL, N_MOVED, sizeof(int32_t))
    p[14] = part_t(<void**>&c.still.nodes, &c.still.capacity, N_STILL, sizeof(branch_t))
    p[15] = part_t(<void**>&c.moving.nodes, &c.moving.capacity, N_MOVING, sizeof(branch_t))
    p[16] = part_t(<void**>&w.hits, &w.hit_capacity, N_HITS, sizeof(hit_t))
    p[17] = part_t(<void**>&w.joints, &w.joint_capacity, N_JOINTS, sizeof(joint_t))


cdef size_t length_of(const part_t* parts, const int32_t* n) noexcept:
    """Bytes of a snapshot with these numbers in front."""
    cdef size_t total = NUMBERS * sizeof(int32_t) + sizeof(sim_t)
    cdef int i
    for i in range(PARTS):
        total += n[parts[i].number] * parts[i].item
    return total


def save(WorldCore world):
    """Return the state as bytes."""
    cdef part_t[PARTS] parts
    cdef int32_t* kept[NUMBERS]
    cdef int32_t[NUMBERS] n
    cdef size_t size
    cdef int i
    cdef char* out
    numbers_of(&world.w, kept)
    parts_of(&world.w, parts)
    n[N_LAYOUT] = LAYOUT
    for i in range(1, NUMBERS):
        n[i] = kept[i][0]
    saved = PyBytes_FromStringAndSize(NULL, length_of(parts, n))
    out = PyBytes_AS_STRING(saved)
    memcpy(out, n, sizeof(n))
    out += sizeof(n)
    memcpy(out, &world.w.sim, sizeof(sim_t))
    out += sizeof(sim_t)
    for i in range(PARTS):
        size = n[parts[i].number] * parts[i].item
        if size:
            memcpy(out, parts[i].data[0], size)
            out += size
    return saved


cdef int check(const char* blob, size_t length, const part_t* parts, int32_t* n) except -1:
    """Refuse bytes that cannot be a state before anything changes; the numbers in front go to `n`."""
    cdef size_t least = NUMBERS * sizeof(int32_t)
    cdef sim_t sim
    cdef int i
    if length < least:
        raise PhysicsError(f"snapshot: at least {least} bytes expected, {length} found")
    memcpy(n, blob, least)
    if n[N_LAYOUT] != LAYOUT:
        raise PhysicsError(f"snapshot: layout {LAYOUT} expected, {n[N_LAYOUT]} found")
    for i in range(1, NUMBERS):
        if n[i] < 0 and not HEAD_PAIR <= i <= HEAD_MOVING_FREE:
            raise PhysicsError(f"snapshot: count {i} is {n[i]}")
    if n[N_UNITS] > n[N_CORES] or n[N_REVIVE] > n[N_CORES] or n[N_MOVED] > n[N_CORES]:
        raise PhysicsError("snapshot: a count is out of bounds")
    if length != length_of(parts, n):
        raise PhysicsError(f"snapshot: {length_of(parts, n)} bytes expected, {length} found")
    memcpy(&sim, blob + least, sizeof(sim_t))
    if sim.n_units != n[N_UNITS] or sim.n_revive != n[N_REVIVE] or sim.n_hits != n[N_HITS]:
        raise PhysicsError("snapshot: a count differs from the one in front")
    return 0


def load(WorldCore world, bytes saved, handles):
    """Put the state back; `handles`: the bodies of its slots, None in a free one."""
    cdef world_t* w = &world.w
    cdef const char* blob = PyBytes_AS_STRING(saved)
    cdef part_t[PARTS] parts
    cdef int32_t* kept[NUMBERS]
    cdef int32_t[NUMBERS] n
    cdef size_t size
    cdef int i
    parts_of(w, parts)
    check(blob, len(saved), parts, n)
    if len(handles) != n[N_CORES]:
        raise PhysicsError(f"snapshot: {n[N_CORES]} handles expected, {len(handles)} found")
    if not grow_cores(w, n[N_CORES]):
        raise MemoryError
    for i in range(PARTS):
        if parts[i].capacity and not reserve(parts[i].data, parts[i].capacity, n[parts[i].number], parts[i].item):
            raise MemoryError
    blob += sizeof(n)
    memcpy(&w.sim, blob, sizeof(sim_t))
    blob += sizeof(sim_t)
    for i in range(PARTS):
        size = n[parts[i].number] * parts[i].item
        if size:
            memcpy(parts[i].data[0], blob, size)
            blob += size
    numbers_of(w, kept)
    for i in range(1, NUMBERS):
        kept[i][0] = n[i]
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
