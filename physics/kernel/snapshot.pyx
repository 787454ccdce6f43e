# cython: boundscheck=False, wraparound=False, cdivision=True
"""Snapshot, restore and digest: the state is its arrays, copied in one order (see `state.pxd`)."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from hashlib import blake2b

from physics.errors import PhysicsError
from physics.kernel.shape cimport ShapeData
from physics.kernel.state cimport (
    constraint_t, controller_t, core_t, force_t, link_t, object_t, rest_t, sim_t, spring_t, unit_t,
)
from physics.kernel.store cimport grow_cores, reserve, world_t
from physics.kernel.world cimport WorldCore

cdef enum:
    PARTS = 11
    COUNTS = 8                      # numbers in front: a layout number, then the lengths of the arrays
    LAYOUT = 1


cdef struct part_t:
    void* data
    size_t size


cdef void parts_of(world_t* w, part_t* parts) noexcept:
    """The arrays that are the state, in the order of a snapshot."""
    parts[0].data = &w.sim
    parts[0].size = sizeof(sim_t)
    parts[1].data = w.cores
    parts[1].size = w.core_count * sizeof(core_t)
    parts[2].data = w.objects
    parts[2].size = w.core_count * sizeof(object_t)
    parts[3].data = w.rests
    parts[3].size = w.core_count * sizeof(rest_t)
    parts[4].data = w.units
    parts[4].size = w.sim.n_units * sizeof(unit_t)
    parts[5].data = w.revive
    parts[5].size = w.sim.n_revive * sizeof(int32_t)
    parts[6].data = w.controllers
    parts[6].size = w.controller_count * sizeof(controller_t)
    parts[7].data = w.links
    parts[7].size = w.link_count * sizeof(link_t)
    parts[8].data = w.forces
    parts[8].size = w.force_count * sizeof(force_t)
    parts[9].data = w.springs
    parts[9].size = w.spring_count * sizeof(spring_t)
    parts[10].data = w.constraints
    parts[10].size = w.constraint_count * sizeof(constraint_t)


def save(WorldCore world):
    """Return the state as bytes."""
    cdef world_t* w = &world.w
    cdef part_t[PARTS] parts
    cdef int32_t[COUNTS] counts
    cdef size_t total = sizeof(counts)
    cdef int i
    cdef char* out
    parts_of(w, parts)
    for i in range(PARTS):
        total += parts[i].size
    counts[0] = LAYOUT
    counts[1] = w.core_count
    counts[2] = w.sim.n_units
    counts[3] = w.controller_count
    counts[4] = w.link_count
    counts[5] = w.force_count
    counts[6] = w.spring_count
    counts[7] = w.constraint_count
    saved = PyBytes_FromStringAndSize(NULL, total)
    out = PyBytes_AS_STRING(saved)
    memcpy(out, counts, sizeof(counts))
    out += sizeof(counts)
    for i in range(PARTS):
        if parts[i].size:
            memcpy(out, parts[i].data, parts[i].size)
            out += parts[i].size
    return saved


cdef int check(const char* blob, size_t length, int32_t* counts) except -1:
    """Refuse bytes that cannot be a state before anything changes."""
    cdef sim_t sim
    cdef size_t total = COUNTS * sizeof(int32_t) + sizeof(sim_t)
    if length < total:
        raise PhysicsError(f"snapshot: at least {total} bytes expected, {length} found")
    memcpy(counts, blob, COUNTS * sizeof(int32_t))
    memcpy(&sim, blob + COUNTS * sizeof(int32_t), sizeof(sim_t))
    if counts[0] != LAYOUT:
        raise PhysicsError(f"snapshot: layout {LAYOUT} expected, {counts[0]} found")
    if min(counts[i] for i in range(COUNTS)) < 0 or not 0 <= sim.n_revive <= counts[1] or sim.n_units > counts[1]:
        raise PhysicsError("snapshot: a count is out of bounds")
    total += counts[1] * (sizeof(core_t) + sizeof(object_t) + sizeof(rest_t)) + counts[2] * sizeof(unit_t)
    total += counts[3] * sizeof(controller_t) + counts[4] * sizeof(link_t) + counts[5] * sizeof(force_t)
    total += counts[6] * sizeof(spring_t) + counts[7] * sizeof(constraint_t) + sim.n_revive * sizeof(int32_t)
    if length != total:
        raise PhysicsError(f"snapshot: {total} bytes expected, {length} found")
    return 0


def load(WorldCore world, bytes saved, handles):
    """Put the state back; `handles`: the bodies of its slots, None in a free one."""
    cdef world_t* w = &world.w
    cdef const char* blob = PyBytes_AS_STRING(saved)
    cdef int32_t[COUNTS] counts
    cdef part_t[PARTS] parts
    cdef ShapeData shape
    cdef int i
    cdef int32_t count
    check(blob, len(saved), counts)
    if len(handles) != counts[1]:
        raise PhysicsError(f"snapshot: {counts[1]} handles expected, {len(handles)} found")
    while w.core_capacity < counts[1]:
        count = w.core_count
        w.core_count = w.core_capacity
        if not grow_cores(w):
            raise MemoryError
        w.core_count = count
    if not (reserve(<void**>&w.controllers, &w.controller_capacity, counts[3], sizeof(controller_t))
            and reserve(<void**>&w.links, &w.link_capacity, counts[4], sizeof(link_t))
            and reserve(<void**>&w.forces, &w.force_capacity, counts[5], sizeof(force_t))
            and reserve(<void**>&w.springs, &w.spring_capacity, counts[6], sizeof(spring_t))
            and reserve(<void**>&w.constraints, &w.constraint_capacity, counts[7], sizeof(constraint_t))):
        raise MemoryError
    memcpy(&w.sim, blob + sizeof(counts), sizeof(sim_t))
    w.core_count = counts[1]
    w.controller_count = counts[3]
    w.link_count = counts[4]
    w.force_count = counts[5]
    w.spring_count = counts[6]
    w.constraint_count = counts[7]
    parts_of(w, parts)
    blob += sizeof(counts)
    for i in range(PARTS):
        if parts[i].size:
            memcpy(parts[i].data, blob, parts[i].size)
            blob += parts[i].size
    for i in range(w.core_count):
        if handles[i] is None:
            w.shapes[i] = NULL
        else:
            shape = handles[i].shape._data
            w.shapes[i] = shape.c


def digest(WorldCore world):
    """Return a hash of the state, as hex text."""
    hashed = blake2b(digest_size=16)
    hashed.update(save(world))
    return hashed.hexdigest()
