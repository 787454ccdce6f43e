# cython: boundscheck=False, wraparound=False, cdivision=True
"""What queries take and give: checked arguments, hits, and the rows of batches."""

from libc.math cimport isfinite, sqrt

import numpy as np

from physics.errors import PhysicsError
from physics.kernel.shape cimport ShapeData

cdef enum:
    EVERY_LAYER = 0xffffffff

# A row of a batch. `body` is a row of world.bodies, -1: no hit; `part`, `triangle` as of Hit; `material` the number of
# the mesh's material, -1: the body's own.
HIT = np.dtype([
    ("hit", np.bool_), ("body", np.int32), ("part", np.int32), ("triangle", np.int32), ("material", np.int32),
    ("fraction", np.float64), ("distance", np.float64), ("point", np.float64, 3), ("normal", np.float64, 3),
])


cdef class Hit:
    """What a query found.

    Attributes:
        body: the body.
        part: which part of a compound, 0 otherwise.
        query_part: which part of the query's own compound.
        triangle: the number of the triangle in the mesh as given, -1: no mesh.
        fraction: share of the way, 0 to 1; 0 for overlaps and closest points.
        distance: of a ray, from its origin [m]; of a cast, how far the shape moved; of closest points, between the
            surfaces, negative for overlaps.
    """

    @property
    def point(self):
        """(3,) the point on the body's surface, world axes."""
        return np.array((self.x[0], self.x[1], self.x[2]))

    @property
    def normal(self):
        """(3,) the body's outward unit normal there; against the ray where a triangle was hit from behind."""
        return np.array((self.x[3], self.x[4], self.x[5]))

    @property
    def query_point(self):
        """(3,) the point on the query's own shape, for overlaps and closest points; else the same as `point`."""
        return np.array((self.x[6], self.x[7], self.x[8]))

    @property
    def depth(self):
        """How deep the shapes overlap [m]: the negative of `distance`, at least 0."""
        return max(0.0, -self.distance)

    @property
    def material(self):
        """The material there: the triangle's own, or the body's."""
        return self.body._material_at(self.part, self.material_number)

    def __repr__(self):
        return (
            f"Hit({self.body!r}, fraction={self.fraction:.6g}, distance={self.distance:.6g}, "
            f"point=({self.x[0]:.6g}, {self.x[1]:.6g}, {self.x[2]:.6g}))"
        )


cdef Hit make_hit(WorldCore world, const scene_hit_t *h, double distance):
    cdef Hit hit = Hit.__new__(Hit)
    cdef int i
    hit.body = world._handles[h.item.slot]
    hit.part, hit.query_part, hit.triangle, hit.material_number = h.part, h.query_part, h.triangle, h.material
    hit.fraction = h.t
    hit.distance = distance
    for i in range(3):
        hit.x[i] = h.point[i]
        hit.x[3 + i] = h.normal[i]
        hit.x[6 + i] = h.other[i]
    return hit


cdef int read3(str where, str name, object value, double *out) except -1:
    """Three finite numbers from any sequence."""
    if type(value) is tuple and len(<tuple> value) == 3:
        out[0], out[1], out[2] = (<tuple> value)[0], (<tuple> value)[1], (<tuple> value)[2]
    elif type(value) is list and len(<list> value) == 3:
        out[0], out[1], out[2] = (<list> value)[0], (<list> value)[1], (<list> value)[2]
    else:
        try:
            x, y, z = value
            out[0], out[1], out[2] = x, y, z
        except (TypeError, ValueError):
            raise PhysicsError(f"{where}: {name} must be three numbers, not {value!r}") from None
    if not (isfinite(out[0]) and isfinite(out[1]) and isfinite(out[2])):
        raise PhysicsError(f"{where}: {name} must be finite, not {value!r}")
    return 0


cdef int read_filter(WorldCore world, str where, object layers, object ignore, bint sensors, filter_t *f, int *slots) except -1:
    cdef unsigned int mask = 0
    f.sensors = sensors
    f.ignored = slots
    f.ignored_count = 0
    if layers is None:
        f.layers = EVERY_LAYER
    elif isinstance(layers, int):
        if not 0 <= layers <= 0xffffffff:
            raise PhysicsError(f"{where}: layers must be a mask of 32 bits or layer numbers, not {layers!r}")
        f.layers = layers
    else:
        for layer in layers:
            if not isinstance(layer, int) or not 0 <= layer <= 31:
                raise PhysicsError(f"{where}: layers must be numbers 0 to 31, not {layer!r}")
            mask |= 1u << <int> layer
        f.layers = mask
    if ignore is not None:
        bodies = ignore if isinstance(ignore, (list, tuple, set, frozenset)) else (ignore,)
        if len(bodies) > IGNORED:
            raise PhysicsError(f"{where}: at most {IGNORED} bodies can be ignored, {len(bodies)} given")
        for body in bodies:
            if getattr(body, "_world", None) is not world:
                raise PhysicsError(f"{where}: {body!r} is no body of this world")
            slots[f.ignored_count] = body._index
            f.ignored_count += 1
    return 0


cdef ShapeData read_shape(str where, object shape, position, rotation, pose_t *pose):
    """The shape's data, and its pose from a position and a quaternion."""
    cdef double q[4]
    cdef double l
    cdef ShapeData data
    if not isinstance(getattr(shape, "_data", None), ShapeData) or not shape.solid:
        raise PhysicsError(f"{where}: a solid shape expected, not {shape!r}")
    data = shape._data
    read3(where, "position", position, pose.p)
    try:
        x, y, z, w = rotation
        q[0], q[1], q[2], q[3] = x, y, z, w
    except (TypeError, ValueError):
        raise PhysicsError(f"{where}: rotation must be a quaternion x y z w, not {rotation!r}") from None
    l = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if not (l > 1e-9 and isfinite(l)):
        raise PhysicsError(f"{where}: rotation must be a quaternion x y z w, not {rotation!r}")
    set_pose(q, l, pose)
    return data


cdef void set_pose(const double *q, double l, pose_t *pose) noexcept nogil:
    cdef double x = q[0] / l, y = q[1] / l, z = q[2] / l, w = q[3] / l
    pose.r[0], pose.r[1], pose.r[2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    pose.r[3], pose.r[4], pose.r[5] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    pose.r[6], pose.r[7], pose.r[8] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)


cdef void write_row(row_t *row, bint found, const scene_hit_t *h, double distance) noexcept nogil:
    cdef int i
    row.hit = found
    if not found:
        row.body = row.triangle = row.material = -1
        row.part = 0
        row.fraction = 1.0
        row.distance = distance
        for i in range(3):
            row.point[i] = row.normal[i] = 0.0
        return
    row.body, row.part, row.triangle, row.material = h.item.row, h.part, h.triangle, h.material
    row.fraction = h.t
    row.distance = distance
    for i in range(3):
        row.point[i] = h.point[i]
        row.normal[i] = h.normal[i]


cdef const double[:, ::1] rows_of(str where, str name, value, int width):
    try:
        array = np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise PhysicsError(f"{where}: {name} must be numbers (n, {width})") from None
    if array.ndim != 2 or array.shape[1] != width:
        raise PhysicsError(f"{where}: {name} must be (n, {width}), not {array.shape}")
    if not np.isfinite(array).all():
        raise PhysicsError(f"{where}: {name} must be finite")
    return array


cdef object ray_result(WorldCore world, scene_hit_t *h, double reach):
    cdef int i
    h.query_part = 0
    for i in range(3):
        h.other[i] = h.point[i]
    return make_hit(world, h, h.t * reach)


cdef int scale_way(str where, double *way, double reach) except -1:
    cdef double l = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2])
    if not l > 0.0:
        raise PhysicsError(f"{where}: direction must have a length")
    if not (reach > 0.0 and isfinite(reach)):
        raise PhysicsError(f"{where}: max_distance must be positive and finite, not {reach!r}")
    l = reach / l
    way[0] *= l
    way[1] *= l
    way[2] *= l
    return 0


cdef ShapeData solid_of(str where, shape):
    if not isinstance(getattr(shape, "_data", None), ShapeData) or not shape.solid:
        raise PhysicsError(f"{where}: a solid shape expected, not {shape!r}")
    return shape._data


cdef const double[:, ::1] turns_of(str where, rotations, Py_ssize_t n):
    try:
        array = np.asarray(rotations, dtype=np.float64)
    except (TypeError, ValueError):
        raise PhysicsError(f"{where}: rotations must be numbers (n, 4)") from None
    if array.shape == (4,):
        array = np.broadcast_to(array, (n, 4))
    if array.shape != (n, 4):
        raise PhysicsError(f"{where}: rotations must be ({n}, 4) or (4,), not {array.shape}")
    if n and not (np.isfinite(array).all() and np.einsum("ij,ij->i", array, array).min() > 1e-18):
        raise PhysicsError(f"{where}: rotations must be quaternions x y z w")
    return np.ascontiguousarray(array)
