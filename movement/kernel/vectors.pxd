# cython: cdivision=True, boundscheck=False, wraparound=False
# Inline arithmetic shared by the movement kernels: single-precision stores, nearest-even integers, rigid transforms.
from libc.math cimport rint

cdef struct frame_t:  # a rigid transform: world = rotation @ local + position, rows first
    float rotation[9]
    float position[3]


cdef inline float f32(double value) noexcept nogil:
    """Store `value` at single precision."""
    return <float>value


cdef inline int nearest(double value) noexcept nogil:
    """Round to the nearest integer, ties to even; the processor's "integer indefinite" when it does not fit."""
    if -2147483648.5 <= value < 2147483647.5:
        return <int>rint(value)
    return -2147483647 - 1


cdef inline double dot(const float* a, const float* b) noexcept nogil:
    """Return a . b, summed at double precision."""
    return <double>a[0] * b[0] + <double>a[1] * b[1] + <double>a[2] * b[2]


cdef inline void rotate(const float* rotation, const float* vector, float* out) noexcept nogil:
    """Return rotation @ vector; each component is summed at double precision and stored once (reading)."""
    out[0] = f32(dot(rotation, vector))
    out[1] = f32(dot(rotation + 3, vector))
    out[2] = f32(dot(rotation + 6, vector))


cdef inline void rotate_back(const float* rotation, const float* vector, float* out) noexcept nogil:
    """Return the transpose of `rotation` times `vector`: the inverse of a pure rotation (reading)."""
    cdef int i
    for i in range(3):
        out[i] = f32(
            <double>rotation[i] * vector[0] + <double>rotation[3 + i] * vector[1] + <double>rotation[6 + i] * vector[2]
        )


cdef inline void to_world(const frame_t* frame, const float* local, float* out) noexcept nogil:
    """Return rotation @ local + position, each component stored once."""
    cdef int i
    for i in range(3):
        out[i] = f32(dot(&frame.rotation[3 * i], local) + frame.position[i])


cdef inline void to_local(const frame_t* frame, const float* world, float* out) noexcept nogil:
    """Return the transpose of the rotation times (world - position)."""
    cdef float offset[3]
    cdef int i
    for i in range(3):
        offset[i] = f32(<double>world[i] - frame.position[i])
    rotate_back(frame.rotation, offset, out)


cdef inline object integer_position(const float* point):
    """Return a world contact point in whole map units."""
    return nearest(point[0]), nearest(point[1]), nearest(point[2])


cdef inline object integer_normal(const float* normal):
    """Return a world normal times 256 (stored at single precision) as integers; it is not made unit again."""
    return (nearest(f32(normal[0] * 256.0)), nearest(f32(normal[1] * 256.0)), nearest(f32(normal[2] * 256.0)))
