# cython: cdivision=True, boundscheck=False, wraparound=False
# Which models and sub-objects a sphere or a segment is tested against, before any face.
from libc.math cimport sqrt

from movement.kernel.vectors cimport dot, f32, rotate_back


cdef inline bint sphere_admits_model(
    const float* center, double radius, const float* origin, const float* rotation,
    const float* position, double model_radius
) noexcept nogil:
    """Test a body sphere (actor axes) against a model's radius: squares are summed, not radii."""
    cdef float offset[3]
    cdef float local[3]
    cdef float apart[3]
    cdef int i
    for i in range(3):
        offset[i] = f32(<double>position[i] - origin[i])
    rotate_back(rotation, offset, local)
    for i in range(3):
        apart[i] = f32(<double>center[i] - local[i])
    return dot(apart, apart) <= model_radius * model_radius + radius * radius


cdef inline bint sphere_admits_sub_object(
    const double* center, double radius, const float* sub_center, double sub_radius, const float* extents
) noexcept nogil:
    """Test a sphere in model axes against a sub-object's ellipsoid."""
    cdef double d[3]
    cdef double squared = 0.0, reach = 0.0, length
    cdef float component
    cdef int i
    for i in range(3):
        d[i] = center[i] - sub_center[i]
        squared += d[i] * d[i]
    length = sqrt(squared)
    if length == 0.0:
        return True  # reading: the text leaves the centre itself open
    for i in range(3):
        component = f32(d[i] * sub_radius / length * extents[i])
        reach += <double>component * component
    return squared <= reach + radius * radius


cdef inline bint segment_near_origin(const float* a, const float* b, double radius, bint zero_allowed) noexcept nogil:
    """Test the segment a to b against a ball about the origin, as for models and for scaled sub-objects.

    `zero_allowed`: the projection may be zero (models); for sub-objects it must be positive.
    """
    cdef float squared_radius = f32(radius * radius)
    cdef float squared_a = f32(dot(a, a))
    cdef double x = <double>a[0] - b[0], y = <double>a[1] - b[1], z = <double>a[2] - b[2]
    cdef float length, projection
    if squared_a <= squared_radius or dot(b, b) <= squared_radius:
        return True
    length = f32(x * x + y * y + z * z)
    projection = f32(a[0] * x + a[1] * y + a[2] * z)
    if not length >= f32(0.1):
        return False
    if not (projection > 0.0 or (zero_allowed and projection == 0.0)):
        return False
    if not projection <= length:
        return False
    return <double>squared_a * length - <double>projection * projection <= <double>squared_radius * length


cdef inline bint segment_admits_sub_object(
    const float* a, const float* b, const float* sub_center, double sub_radius, const float* extents
) noexcept nogil:
    """Test a segment in model axes against a sub-object: scaled by its reciprocal extents to a ball."""
    cdef float scaled_a[3]
    cdef float scaled_b[3]
    cdef float reciprocal
    cdef int i
    for i in range(3):
        reciprocal = f32(1.0 / extents[i])
        scaled_a[i] = f32((<double>a[i] - sub_center[i]) * reciprocal)
        scaled_b[i] = f32((<double>b[i] - sub_center[i]) * reciprocal)
    return segment_near_origin(scaled_a, scaled_b, sub_radius, False)
