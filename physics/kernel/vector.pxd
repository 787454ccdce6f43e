"""Three-vectors and poses of the collision kernels, all f64. `out` may be an input of add, sub and scale only."""

from libc.math cimport sqrt

from physics.kernel.shape cimport pose_t


cdef inline double dot(const double *a, const double *b) noexcept nogil:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


cdef inline void cross(const double *a, const double *b, double *out) noexcept nogil:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


cdef inline void sub(const double *a, const double *b, double *out) noexcept nogil:
    out[0] = a[0] - b[0]
    out[1] = a[1] - b[1]
    out[2] = a[2] - b[2]


cdef inline void copy3(const double *a, double *out) noexcept nogil:
    out[0] = a[0]
    out[1] = a[1]
    out[2] = a[2]


cdef inline void along(const double *a, const double *direction, double t, double *out) noexcept nogil:
    """out = a + t · direction"""
    out[0] = a[0] + t * direction[0]
    out[1] = a[1] + t * direction[1]
    out[2] = a[2] + t * direction[2]


cdef inline double length(const double *a) noexcept nogil:
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


cdef inline void turn(const double *r, const double *v, double *out) noexcept nogil:
    """out = R · v"""
    out[0] = r[0] * v[0] + r[1] * v[1] + r[2] * v[2]
    out[1] = r[3] * v[0] + r[4] * v[1] + r[5] * v[2]
    out[2] = r[6] * v[0] + r[7] * v[1] + r[8] * v[2]


cdef inline void turn_back(const double *r, const double *v, double *out) noexcept nogil:
    """out = Rᵀ · v"""
    out[0] = r[0] * v[0] + r[3] * v[1] + r[6] * v[2]
    out[1] = r[1] * v[0] + r[4] * v[1] + r[7] * v[2]
    out[2] = r[2] * v[0] + r[5] * v[1] + r[8] * v[2]


cdef inline void place(const pose_t *pose, const double *v, double *out) noexcept nogil:
    """out = R · v + p"""
    turn(pose.r, v, out)
    out[0] += pose.p[0]
    out[1] += pose.p[1]
    out[2] += pose.p[2]


cdef inline void place_back(const pose_t *pose, const double *v, double *out) noexcept nogil:
    """out = Rᵀ · (v − p)"""
    cdef double d[3]
    sub(v, pose.p, d)
    turn_back(pose.r, d, out)


cdef inline void relative(const pose_t *a, const pose_t *b, pose_t *out) noexcept nogil:
    """out = the pose of b in a's axes."""
    cdef int i, j
    cdef double d[3]
    for i in range(3):
        for j in range(3):
            out.r[3 * i + j] = a.r[i] * b.r[j] + a.r[3 + i] * b.r[3 + j] + a.r[6 + i] * b.r[6 + j]
    sub(b.p, a.p, d)
    turn_back(a.r, d, out.p)


cdef inline void compose(const pose_t *a, const pose_t *b, pose_t *out) noexcept nogil:
    """out = a · b"""
    cdef int i, j
    for i in range(3):
        for j in range(3):
            out.r[3 * i + j] = a.r[3 * i] * b.r[j] + a.r[3 * i + 1] * b.r[3 + j] + a.r[3 * i + 2] * b.r[6 + j]
    place(a, b.p, out.p)


cdef inline void inverse(const pose_t *a, pose_t *out) noexcept nogil:
    """out = a⁻¹"""
    cdef int i, j
    cdef double p[3]
    for i in range(3):
        for j in range(3):
            out.r[3 * i + j] = a.r[3 * j + i]
    turn_back(a.r, a.p, p)
    out.p[0] = -p[0]
    out.p[1] = -p[1]
    out.p[2] = -p[2]


cdef inline void turned_box(const pose_t *pose, const double *lo, const double *hi, double grow, double *out_lo,
                            double *out_hi) noexcept nogil:
    """The box around a box at a pose, grown by `grow`."""
    cdef double center[3]
    cdef double half[3]
    cdef double middle[3]
    cdef double reach
    cdef int i
    for i in range(3):
        center[i] = 0.5 * (lo[i] + hi[i])
        half[i] = 0.5 * (hi[i] - lo[i])
    place(pose, center, middle)
    for i in range(3):
        reach = abs(pose.r[3 * i]) * half[0] + abs(pose.r[3 * i + 1]) * half[1] + abs(pose.r[3 * i + 2]) * half[2] + grow
        out_lo[i] = middle[i] - reach
        out_hi[i] = middle[i] + reach
