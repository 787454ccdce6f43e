# cython: cdivision=True, boundscheck=False, wraparound=False
# A sphere and a segment against one convex face. Faces come as n corners of three floats, one after another.
# Distances are f64 sums of products of f32 values (reading: the text names no precision here).
from movement.kernel.vectors cimport dot


cdef inline double plane_distance(const float* corner, const double* point, const float* normal) noexcept nogil:
    """Return (corner - point) . normal: positive when the point lies behind the face."""
    return (corner[0] - point[0]) * normal[0] + (corner[1] - point[1]) * normal[1] + (corner[2] - point[2]) * normal[2]


cdef inline bint inside_edges(const float* corners, int n, const float* normal, const double* p) noexcept nogil:
    """Return whether ((A - p) x (B - p)) . N >= 0 for every edge A to B: equality is inside."""
    cdef int k
    cdef const float* a
    cdef const float* b = corners
    cdef double ax, ay, az, bx, by, bz
    for k in range(n):
        a = corners + 3 * k
        b = corners + 3 * (k + 1 if k + 1 < n else 0)
        ax = a[0] - p[0]
        ay = a[1] - p[1]
        az = a[2] - p[2]
        bx = b[0] - p[0]
        by = b[1] - p[1]
        bz = b[2] - p[2]
        if not (
            (ay * bz - az * by) * normal[0] + (az * bx - ax * bz) * normal[1] + (ax * by - ay * bx) * normal[2] >= 0.0
        ):
            return False
    return True


cdef inline bint edge_meets_sphere(const float* a, const float* b, const double* c, double squared) noexcept nogil:
    """Return whether some point between the corners lies within the sphere; corners have their own test."""
    cdef double ax = a[0] - c[0], ay = a[1] - c[1], az = a[2] - c[2]
    cdef double dx = <double>a[0] - b[0], dy = <double>a[1] - b[1], dz = <double>a[2] - b[2]
    cdef double length = dx * dx + dy * dy + dz * dz
    cdef double along = ax * dx + ay * dy + az * dz
    # reading: no least length here, but an edge of length zero is only its corners
    if not (length > 0.0 and 0.0 <= along <= length):
        return False
    return (ax * ax + ay * ay + az * az) * length - along * along <= squared * length


cdef inline bint sphere_meets_face(
    const float* corners, int n, const float* normal, const double* c, double radius, bint sided, double* point
) noexcept nogil:
    """Test a sphere against a face; `point` becomes the centre's projection onto its plane."""
    cdef double distance = plane_distance(corners, c, normal)
    cdef double squared = radius * radius
    cdef double x, y, z
    cdef int k
    if sided and distance > 4.0:
        return False
    if distance * distance > squared:
        return False
    for k in range(3):
        point[k] = c[k] + normal[k] * distance
    for k in range(n):
        x = corners[3 * k] - c[0]
        y = corners[3 * k + 1] - c[1]
        z = corners[3 * k + 2] - c[2]
        if x * x + y * y + z * z <= squared:
            return True
    for k in range(n):
        if edge_meets_sphere(corners + 3 * k, corners + 3 * (k + 1 if k + 1 < n else 0), c, squared):
            return True
    return inside_edges(corners, n, normal, point)


cdef inline bint segment_meets_face(
    const float* corners, int n, const float* normal, const double* a, const double* b, bint sided,
    double* point, double* fraction
) noexcept nogil:
    """Test the segment a to b against a face; `point` and `fraction` say where it crosses the plane."""
    cdef double from_a = plane_distance(corners, a, normal)
    cdef double from_b = plane_distance(corners, b, normal)
    cdef int k
    if sided and from_a > 4.0:
        return False
    if (from_a < 0.0) == (from_b < 0.0):
        return False  # both on one side, or both in the plane
    fraction[0] = from_a / (from_a - from_b)
    for k in range(3):
        point[k] = a[k] + (b[k] - a[k]) * fraction[0]
    return inside_edges(corners, n, normal, point)
