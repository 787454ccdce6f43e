"""The bodies of a world as queries see them: poses at `world.time`, in two trees made when a query needs them."""

from libc.stdint cimport uint32_t

from physics.kernel.shape cimport node_t, pose_t, shape_t

cdef struct item_t:
    pose_t pose
    const shape_t *shape
    double extra            # radius around the shape
    int slot
    int row                 # of world.bodies
    uint32_t layer          # 1 << layer
    int sensor


cdef struct items_t:
    item_t *items           # in leaf order
    int count
    const node_t *nodes     # NULL when there are none


cdef struct scene_t:
    items_t part[2]         # fixed bodies, the others


cdef struct filter_t:
    uint32_t layers         # bits of the layers to look at
    int sensors             # look at sensors too
    const int *ignored      # slots to leave out
    int ignored_count


cdef struct scene_hit_t:
    const item_t *item
    double t                # share of the way
    double point[3]         # world axes
    double normal[3]        # world axes, out of the body
    double distance         # of closest points; depth is its negative
    double other[3]         # the point on the query's own shape
    int part
    int query_part
    int triangle
    int material


cdef inline bint wanted(const filter_t *f, const item_t *item) noexcept nogil:
    cdef int i
    if not f.layers & item.layer or (item.sensor and not f.sensors):
        return False
    for i in range(f.ignored_count):
        if f.ignored[i] == item.slot:
            return False
    return True


# The nearest (or with `any_hit` some) hit of a ray, origin + t * way with t from 0 to 1.
cdef bint scene_ray(
    const scene_t *s, const filter_t *f, const double *origin, const double *way, bint any_hit, scene_hit_t *out
) noexcept nogil
# Every body that the ray meets, once, in no order; at most `limit`. Returns how many.
cdef int scene_ray_all(
    const scene_t *s, const filter_t *f, const double *origin, const double *way, scene_hit_t *out, int limit
) noexcept nogil
# The first body that a moving shape meets.
cdef bint scene_cast(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, const double *way, scene_hit_t *out
) noexcept nogil
# The deepest contact of a shape with each body that it overlaps.
cdef int scene_overlap(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, scene_hit_t *out, int limit
) noexcept nogil
# The closest points of a shape and each body within `most`.
cdef int scene_closest(
    const scene_t *s, const filter_t *f, const shape_t *shape, const pose_t *pose, double most, scene_hit_t *out, int limit
) noexcept nogil
