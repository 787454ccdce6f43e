# cython: boundscheck=False, wraparound=False, cdivision=True
"""Ray casts, shape casts, overlaps and closest points of a world, one at a time and batched over arrays.

Queries see every body where it is at `world.time`. They change nothing that decides the future: their trees are made
from the bodies when a query first needs them after a change.
"""

from libc.math cimport isfinite, sqrt
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from physics.errors import PhysicsError
from physics.kernel.bvh import build
from physics.kernel.collision cimport shape_box
from physics.kernel.hits cimport (
    IGNORED, Hit, make_hit, ray_result, read3, read_filter, read_shape, row_t, rows_of, scale_way, set_pose, solid_of,
    turns_of, write_row,
)
from physics.kernel.hits import HIT
from physics.kernel.poses cimport object_pose_at
from physics.kernel.scene cimport (
    item_t, scene_cast, scene_closest, scene_hit_t, scene_overlap, scene_ray, scene_ray_all,
)
from physics.kernel.shape cimport BALL, ShapeData, node_t, pose_t, shape_t
from physics.kernel.store cimport world_t

cdef enum:
    BUCKETS = 512
    MOST_HITS = 4096


cdef class QueryCore(WorldCore):
    """The part of `World` that answers queries."""

    def __cinit__(self, *args, **kwargs):
        memset(&self.scene, 0, sizeof(scene_t))
        self.age_still = self.age_moving = -1
        self.nodes = [None, None]

    def __dealloc__(self):
        free(self.scene.part[0].items)
        free(self.scene.part[1].items)

    cdef int refresh(self) except -1:
        """Make the trees anew whose bodies have changed."""
        if self.busy:
            self.check_thread()
        if self.age_still != self.w.changes_still:
            self.make_tree(0)
            self.age_still = self.w.changes_still
        if self.age_moving != self.w.changes_moving:
            self.make_tree(1)
            self.age_moving = self.w.changes_moving
        return 0

    cdef int make_tree(self, int which) except -1:
        cdef world_t *w = &self.w
        cdef int b, count = 0, row = 0
        cdef double q[4]
        cdef item_t *items
        cdef item_t *item
        cdef item_t *sorted_items
        cdef float extra
        free(self.scene.part[which].items)
        self.scene.part[which].items = NULL
        self.scene.part[which].count = 0
        items = <item_t *> malloc((w.core_count + 1) * sizeof(item_t))
        if items == NULL:
            raise MemoryError
        try:
            for b in range(w.core_count):
                if not w.cores[b].generation & 1:
                    continue
                if w.objects[b].collide and (w.cores[b].unmovable != 0) == (which == 0):
                    item = &items[count]
                    count += 1
                    item.shape = w.shapes[b]
                    item.slot, item.row = b, row
                    item.layer = 1u << w.objects[b].layer
                    item.sensor = w.objects[b].sensor
                    extra = w.objects[b].extra_radius
                    item.extra = extra
                    if item.shape.type == BALL:         # a ball's holds its radius already
                        item.extra = extra - item.shape.radius if extra > item.shape.radius * (1 + 1e-6) else 0.0
                    object_pose_at(&w.cores[b], &w.objects[b], w.sim.current_time, q, item.pose.r, item.pose.p)
                row += 1
            if count == 0:
                return 0
            lo = np.empty((count, 3), dtype=np.float32)
            hi = np.empty((count, 3), dtype=np.float32)
            fill_boxes(items, count, lo, hi)
            order, nodes = build(lo, hi)
            sorted_items = <item_t *> malloc(count * sizeof(item_t))
            if sorted_items == NULL:
                raise MemoryError
            reorder(items, sorted_items, order)
            self.nodes[which] = nodes
            self.scene.part[which].items = sorted_items
            self.scene.part[which].count = count
            self.scene.part[which].nodes = nodes_of(nodes)
        finally:
            free(items)
        return 0

    # ---- one at a time

    def raycast(self, origin, direction, double max_distance, layers=None, *, ignore=None, bint sensors=False):
        """Return the nearest hit of a ray, or None.

        Args:
            origin: (3,) where it starts, m. Inside a solid it hits at once, with the normal against its direction.
            direction: (3,) of any length but zero.
            max_distance: how far it goes, m.
            layers: numbers of the layers to look at, or a mask of 32 bits; None: all.
            ignore: a body or several (64 at most) to leave out.
            sensors: look at sensors too.

        Raises:
            PhysicsError: numbers that are not finite, a direction of length zero, or a distance that is not positive.
        """
        cdef double o[3]
        cdef double way[3]
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        self.refresh()
        read3("World.raycast", "origin", origin, o)
        read3("World.raycast", "direction", direction, way)
        scale_way("World.raycast", way, max_distance)
        read_filter(self, "World.raycast", layers, ignore, sensors, &f, slots)
        if not scene_ray(&self.scene, &f, o, way, False, &h):
            return None
        return ray_result(self, &h, max_distance)

    def raycast_between(self, start, end, layers=None, *, ignore=None, bint sensors=False):
        """Return the nearest hit on the way from one point to another, or None; otherwise as `raycast`."""
        cdef double o[3]
        cdef double way[3]
        cdef double l
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        cdef int i
        self.refresh()
        read3("World.raycast_between", "start", start, o)
        read3("World.raycast_between", "end", end, way)
        for i in range(3):
            way[i] -= o[i]
        l = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
        if not l > 0.0:
            raise PhysicsError(f"World.raycast_between: start and end must differ, both are {start!r}")
        read_filter(self, "World.raycast_between", layers, ignore, sensors, &f, slots)
        if not scene_ray(&self.scene, &f, o, way, False, &h):
            return None
        return ray_result(self, &h, l)

    def raycast_any(self, origin, direction, double max_distance, layers=None, *, ignore=None, bint sensors=False):
        """Tell whether a ray hits anything: a line-of-sight test, quicker than `raycast`. Otherwise as `raycast`."""
        cdef double o[3]
        cdef double way[3]
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        self.refresh()
        read3("World.raycast_any", "origin", origin, o)
        read3("World.raycast_any", "direction", direction, way)
        scale_way("World.raycast_any", way, max_distance)
        read_filter(self, "World.raycast_any", layers, ignore, sensors, &f, slots)
        return scene_ray(&self.scene, &f, o, way, True, &h)

    def raycast_all(self, origin, direction, double max_distance, layers=None, *, ignore=None, bint sensors=False):
        """Return every body that a ray meets, each where it meets it first, the nearest first. Otherwise as `raycast`."""
        cdef double o[3]
        cdef double way[3]
        cdef int slots[IGNORED]
        cdef filter_t f
        self.refresh()
        read3("World.raycast_all", "origin", origin, o)
        read3("World.raycast_all", "direction", direction, way)
        scale_way("World.raycast_all", way, max_distance)
        read_filter(self, "World.raycast_all", layers, ignore, sensors, &f, slots)
        return collect(self, 0, NULL, o, way, max_distance, &f, NULL)

    def shape_cast(self, shape, position, rotation, motion, layers=None, *, ignore=None, bint sensors=False):
        """Return the first hit of a solid shape that moves without turning, or None.

        Args:
            shape: a solid shape.
            position: (3,) where it starts, m. Where it overlaps a body already it hits at once.
            rotation: (4,) quaternion x y z w.
            motion: (3,) its way, m.
            layers, ignore, sensors: as of `raycast`.

        Raises:
            PhysicsError: not a solid shape, or numbers that are not finite.
        """
        cdef pose_t pose
        cdef double way[3]
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        cdef double l
        cdef int i
        cdef ShapeData data = read_shape("World.shape_cast", shape, position, rotation, &pose)
        self.refresh()
        read3("World.shape_cast", "motion", motion, way)
        read_filter(self, "World.shape_cast", layers, ignore, sensors, &f, slots)
        if not scene_cast(&self.scene, &f, data.c, &pose, way, &h):
            return None
        l = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
        for i in range(3):
            h.other[i] = h.point[i]
        return make_hit(self, &h, h.t * l)

    def overlap(self, shape, position, rotation=(0.0, 0.0, 0.0, 1.0), layers=None, *, ignore=None, bint sensors=False):
        """Return what a solid shape overlaps: a hit a body, where they overlap deepest, the deepest first.

        Raises:
            PhysicsError: not a solid shape, or numbers that are not finite.
        """
        cdef pose_t pose
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef ShapeData data = read_shape("World.overlap", shape, position, rotation, &pose)
        self.refresh()
        read_filter(self, "World.overlap", layers, ignore, sensors, &f, slots)
        return collect(self, 1, data.c, NULL, NULL, 0.0, &f, &pose)

    def closest_points(
        self, shape, position, rotation=(0.0, 0.0, 0.0, 1.0), double max_distance=1.0, layers=None, *, ignore=None,
        bint sensors=False,
    ):
        """Return the closest points of a solid shape and each body within `max_distance`, the nearest first.

        `distance` is negative where they overlap; `query_point` lies on the given shape, `point` on the body.

        Raises:
            PhysicsError: not a solid shape, numbers that are not finite, or a negative distance.
        """
        cdef pose_t pose
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef ShapeData data = read_shape("World.closest_points", shape, position, rotation, &pose)
        if not (max_distance >= 0.0 and isfinite(max_distance)):
            raise PhysicsError(f"World.closest_points: max_distance must be 0 or more, not {max_distance!r}")
        self.refresh()
        read_filter(self, "World.closest_points", layers, ignore, sensors, &f, slots)
        return collect(self, 2, data.c, NULL, NULL, max_distance, &f, &pose)

    # ---- batched: the interpreter lock is free while they run

    def raycast_batch(self, origins, directions, max_distance, layers=None, *, ignore=None, bint sensors=False, bint any_hit=False):
        """Cast many rays; the nearest hit of each.

        Args:
            origins: (n, 3) m.
            directions: (n, 3) of any length but zero.
            max_distance: m, one number or (n,).
            layers, ignore, sensors: as of `raycast`.
            any_hit: any hit will do; only `hit` and `body` mean something then.

        Returns:
            (n,) structured array: hit (bool), body (row of `world.bodies`, -1: none), part, triangle (-1: no mesh),
            material (of the mesh, -1: the body's own), fraction (1 without a hit), distance [m], point (3), normal (3).

        Raises:
            PhysicsError: wrong shapes, numbers that are not finite, a direction of length zero.
        """
        where = "World.raycast_batch"
        cdef const double[:, ::1] o = rows_of(where, "origins", origins, 3)
        cdef const double[:, ::1] d = rows_of(where, "directions", directions, 3)
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        cdef double way[3]
        cdef double scale
        cdef bint found
        cdef Py_ssize_t n = o.shape[0], i
        cdef int k
        if d.shape[0] != n:
            raise PhysicsError(f"{where}: {n} origins, but {d.shape[0]} directions")
        try:
            reach = np.ascontiguousarray(np.broadcast_to(np.asarray(max_distance, dtype=np.float64), (n,)))
        except (TypeError, ValueError):
            raise PhysicsError(f"{where}: max_distance must be one number or {n}") from None
        if n and not (reach.min() > 0.0 and np.isfinite(reach).all()):
            raise PhysicsError(f"{where}: max_distance must be positive and finite")
        if n and not (np.einsum("ij,ij->i", np.asarray(d), np.asarray(d)).min() > 0.0):
            raise PhysicsError(f"{where}: a direction has length zero")
        self.refresh()
        read_filter(self, where, layers, ignore, sensors, &f, slots)
        result = np.empty(n, dtype=HIT)
        if n == 0:
            return result
        cdef const double[::1] far = reach
        cdef row_t *rows = <row_t *> <size_t> result.ctypes.data
        cdef scene_t *scene = &self.scene
        cdef int *order = <int *> malloc(n * sizeof(int))
        if order == NULL:
            raise MemoryError
        with nogil:
            near_together(&o[0, 0], <int> n, order)
            for k in range(<int> n):
                i = order[k]
                scale = far[i] / sqrt(d[i, 0] * d[i, 0] + d[i, 1] * d[i, 1] + d[i, 2] * d[i, 2])
                way[0], way[1], way[2] = d[i, 0] * scale, d[i, 1] * scale, d[i, 2] * scale
                found = scene_ray(scene, &f, &o[i, 0], way, any_hit, &h)
                write_row(&rows[i], found, &h, h.t * far[i] if found else far[i])
        free(order)
        return result

    def shape_cast_batch(self, shape, positions, rotations, motions, layers=None, *, ignore=None, bint sensors=False):
        """Cast one solid shape along many ways; the first hit of each, as `raycast_batch` returns them.

        Args:
            shape: a solid shape.
            positions: (n, 3) m.
            rotations: (n, 4) quaternions x y z w, or one (4,).
            motions: (n, 3) m.

        Raises:
            PhysicsError: not a solid shape, wrong array shapes, or numbers that are not finite.
        """
        where = "World.shape_cast_batch"
        cdef const double[:, ::1] p = rows_of(where, "positions", positions, 3)
        cdef const double[:, ::1] m = rows_of(where, "motions", motions, 3)
        cdef const double[:, ::1] q = turns_of(where, rotations, p.shape[0])
        cdef Py_ssize_t n = p.shape[0], i
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef scene_hit_t h
        cdef pose_t pose
        cdef double l
        cdef bint found
        cdef ShapeData data = solid_of(where, shape)
        if m.shape[0] != n:
            raise PhysicsError(f"{where}: {n} positions, but {m.shape[0]} motions")
        self.refresh()
        read_filter(self, where, layers, ignore, sensors, &f, slots)
        result = np.empty(n, dtype=HIT)
        if n == 0:
            return result
        cdef row_t *rows = <row_t *> <size_t> result.ctypes.data
        cdef scene_t *scene = &self.scene
        with nogil:
            for i in range(n):
                set_pose(&q[i, 0], sqrt(q[i, 0] * q[i, 0] + q[i, 1] * q[i, 1] + q[i, 2] * q[i, 2] + q[i, 3] * q[i, 3]), &pose)
                pose.p[0], pose.p[1], pose.p[2] = p[i, 0], p[i, 1], p[i, 2]
                found = scene_cast(scene, &f, data.c, &pose, &m[i, 0], &h)
                l = sqrt(m[i, 0] * m[i, 0] + m[i, 1] * m[i, 1] + m[i, 2] * m[i, 2])
                write_row(&rows[i], found, &h, h.t * l if found else l)
        return result

    def overlap_batch(self, shape, positions, rotations=(0.0, 0.0, 0.0, 1.0), layers=None, *, ignore=None, bint sensors=False):
        """Tell for many places of one solid shape what it overlaps there deepest, as `raycast_batch` returns hits.

        `distance` is the negative depth, `fraction` 0.

        Raises:
            PhysicsError: not a solid shape, wrong array shapes, or numbers that are not finite.
        """
        where = "World.overlap_batch"
        cdef const double[:, ::1] p = rows_of(where, "positions", positions, 3)
        cdef const double[:, ::1] q = turns_of(where, rotations, p.shape[0])
        cdef Py_ssize_t n = p.shape[0], i
        cdef int slots[IGNORED]
        cdef filter_t f
        cdef pose_t pose
        cdef int most, found, k, deepest
        cdef ShapeData data = solid_of(where, shape)
        cdef scene_hit_t *hits
        self.refresh()
        read_filter(self, where, layers, ignore, sensors, &f, slots)
        result = np.empty(n, dtype=HIT)
        if n == 0:
            return result
        most = min(self.scene.part[0].count + self.scene.part[1].count + 1, MOST_HITS)
        hits = <scene_hit_t *> malloc(most * sizeof(scene_hit_t))
        if hits == NULL:
            raise MemoryError
        cdef row_t *rows = <row_t *> <size_t> result.ctypes.data
        cdef scene_t *scene = &self.scene
        with nogil:
            for i in range(n):
                set_pose(&q[i, 0], sqrt(q[i, 0] * q[i, 0] + q[i, 1] * q[i, 1] + q[i, 2] * q[i, 2] + q[i, 3] * q[i, 3]), &pose)
                pose.p[0], pose.p[1], pose.p[2] = p[i, 0], p[i, 1], p[i, 2]
                found = scene_overlap(scene, &f, data.c, &pose, hits, most)
                deepest = 0
                for k in range(1, found):
                    if hits[k].distance < hits[deepest].distance:
                        deepest = k
                write_row(&rows[i], found > 0, &hits[deepest], hits[deepest].distance if found > 0 else 0.0)
        free(hits)
        return result


cdef list collect(
    QueryCore world, int what, const shape_t *shape, const double *o, const double *way, double distance,
    const filter_t *f, const pose_t *pose,
):
    """Hits of one query of the kinds that have several, sorted."""
    cdef int most = min(world.scene.part[0].count + world.scene.part[1].count, MOST_HITS)
    cdef int n, i
    cdef scene_hit_t *hits
    if most == 0:
        return []
    hits = <scene_hit_t *> malloc(most * sizeof(scene_hit_t))
    if hits == NULL:
        raise MemoryError
    try:
        if what == 0:
            n = scene_ray_all(&world.scene, f, o, way, hits, most)
            for i in range(n):
                hits[i].query_part = 0
                hits[i].other[0], hits[i].other[1], hits[i].other[2] = hits[i].point[0], hits[i].point[1], hits[i].point[2]
                hits[i].distance = hits[i].t * distance
        elif what == 1:
            n = scene_overlap(&world.scene, f, shape, pose, hits, most)
        else:
            n = scene_closest(&world.scene, f, shape, pose, distance, hits, most)
        found = [make_hit(world, &hits[i], hits[i].distance) for i in range(n)]
    finally:
        free(hits)
    found.sort(key=hit_order)
    return found


cdef void near_together(const double *o, int n, int *order) noexcept nogil:
    """An order of rays that takes those with near origins one after the other, so that they find the tree in the cache."""
    cdef int count[BUCKETS + 1]
    cdef double lo[3]
    cdef double scale[3]
    cdef double hi
    cdef double m
    cdef int i, k, b
    for k in range(3):
        lo[k], hi = 1e300, -1e300
        for i in range(n):
            m = o[3 * i + k]
            lo[k] = min(lo[k], m)
            hi = max(hi, m)
        scale[k] = 7.999 / (hi - lo[k]) if hi > lo[k] else 0.0
    memset(count, 0, sizeof(count))
    for i in range(n):
        order[i] = bucket(&o[3 * i], lo, scale)
        count[order[i] + 1] += 1
    for b in range(BUCKETS):
        count[b + 1] += count[b]
    settle(o, lo, scale, n, order, count)


cdef inline int bucket(const double *o, const double *lo, const double *scale) noexcept nogil:
    """Cell of an 8 x 8 x 8 grid, neighbours near each other in number."""
    cdef int k, c, key = 0
    for k in range(3):
        c = <int> ((o[k] - lo[k]) * scale[k])
        key |= ((c & 1) | ((c & 2) << 2) | ((c & 4) << 4)) << k
    return key


cdef void settle(const double *o, const double *lo, const double *scale, int n, int *order, int *count) noexcept nogil:
    cdef int i, b
    for i in range(n):
        b = bucket(&o[3 * i], lo, scale)
        order[count[b]] = i
        count[b] += 1


def hit_order(Hit hit):
    """Sort key: nearest first, equals in slot order."""
    return (hit.distance, hit.body._index)


cdef void fill_boxes(const item_t *items, int count, float[:, ::1] lo, float[:, ::1] hi):
    cdef int i
    for i in range(count):
        shape_box(items[i].shape, &items[i].pose, items[i].extra, &lo[i, 0], &hi[i, 0])


cdef void reorder(const item_t *items, item_t *out, const int[::1] order):
    cdef int i
    for i in range(order.shape[0]):
        out[i] = items[order[i]]


cdef const node_t *nodes_of(const int[:, ::1] nodes):
    return <const node_t *> &nodes[0, 0]
