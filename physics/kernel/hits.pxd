"""What queries take and give."""

from physics.kernel.scene cimport filter_t, scene_hit_t
from physics.kernel.shape cimport ShapeData, pose_t
from physics.kernel.world cimport WorldCore

cdef enum:
    IGNORED = 64            # most bodies that a query can leave out


cdef packed struct row_t:   # a row of the dtype HIT
    unsigned char hit
    int body
    int part
    int triangle
    int material
    double fraction
    double distance
    double point[3]
    double normal[3]


cdef class Hit:
    cdef readonly object body
    cdef readonly int part
    cdef readonly int query_part
    cdef readonly int triangle
    cdef readonly double fraction
    cdef readonly double distance
    cdef int material_number
    cdef double x[9]


cdef Hit make_hit(WorldCore world, const scene_hit_t *h, double distance)
cdef object ray_result(WorldCore world, scene_hit_t *h, double reach)
cdef int read3(str where, str name, object value, double *out) except -1
cdef int read_filter(
    WorldCore world, str where, object layers, object ignore, bint sensors, filter_t *f, int *slots
) except -1
cdef ShapeData read_shape(str where, object shape, position, rotation, pose_t *pose)
cdef ShapeData solid_of(str where, shape)
cdef int scale_way(str where, double *way, double reach) except -1
cdef void set_pose(const double *q, double l, pose_t *pose) noexcept nogil
cdef void write_row(row_t *row, bint found, const scene_hit_t *h, double distance) noexcept nogil
cdef const double[:, ::1] rows_of(str where, str name, value, int width)
cdef const double[:, ::1] turns_of(str where, rotations, Py_ssize_t n)
