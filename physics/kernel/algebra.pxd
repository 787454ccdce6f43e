"""Quaternions (x y z w), 3 x 3 matrices by rows and f32 vectors, in the order of operations of ivp 3."""

from libc.math cimport sqrt

from physics.kernel.elementary cimport arc_cosine, sine, sine_reduced

cdef extern from *:
    """
    static const double fixstep_sixth = (double)(float)(1.0 / 6.0);
    """
    const double SIXTH "fixstep_sixth"              # (f32)(1/6), 0x3e2aaaab


# ---- vectors

cdef inline double dot3(const double* a, const double* b) noexcept nogil:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


cdef inline double square_length_f(const float* v) noexcept nogil:
    """Squared length of an f32 vector, not rounded (0x1001e7a0)."""
    return <double>v[0] * v[0] + <double>v[1] * v[1] + <double>v[2] * v[2]


cdef inline void cross_f(const float* a, const float* b, float* out) noexcept nogil:
    """f32 cross product (0x1000e2c0): out may not alias."""
    out[0] = <float>(<double>a[1] * b[2] - <double>a[2] * b[1])
    out[1] = <float>(<double>a[2] * b[0] - <double>a[0] * b[2])
    out[2] = <float>(<double>a[0] * b[1] - <double>a[1] * b[0])


cdef inline bint normalize3(double* v) noexcept nogil:
    """f64 normalize (0x1000e120); False and unchanged when |v|^2 < 1e-19. Exact 1/sqrt: a reading."""
    cdef double n = dot3(v, v)
    if n < 1e-19:
        return False
    n = 1.0 / sqrt(n)
    v[0] *= n
    v[1] *= n
    v[2] *= n
    return True


cdef inline double normalize_f(float* v) noexcept nogil:
    """f32 normalize (0x1000df30): the length, or 0 and unchanged when |v|^2 < 1e-19."""
    cdef double n = square_length_f(v), length
    if n < 1e-19:
        return 0.0
    length = sqrt(n)
    n = 1.0 / length
    v[0] = <float>(v[0] * n)
    v[1] = <float>(v[1] * n)
    v[2] = <float>(v[2] * n)
    return length


# ---- matrices

cdef inline void mul_mv(const double* r, const double* v, double* out) noexcept nogil:
    """R v (0x1000f6f0): out may not alias v."""
    out[0] = r[0] * v[0] + r[1] * v[1] + r[2] * v[2]
    out[1] = r[3] * v[0] + r[4] * v[1] + r[5] * v[2]
    out[2] = r[6] * v[0] + r[7] * v[1] + r[8] * v[2]


cdef inline void mul_mtv(const double* r, const double* v, double* out) noexcept nogil:
    """R^T v (0x1000f760): out may not alias v."""
    out[0] = r[0] * v[0] + r[3] * v[1] + r[6] * v[2]
    out[1] = r[1] * v[0] + r[4] * v[1] + r[7] * v[2]
    out[2] = r[2] * v[0] + r[5] * v[1] + r[8] * v[2]


cdef inline void mul_mv_f(const double* r, const float* v, float* out) noexcept nogil:
    """R v, f32 in and out (0x1000f690)."""
    cdef double x = v[0], y = v[1], z = v[2]
    out[0] = <float>(r[0] * x + r[1] * y + r[2] * z)
    out[1] = <float>(r[3] * x + r[4] * y + r[5] * z)
    out[2] = <float>(r[6] * x + r[7] * y + r[8] * z)


cdef inline void mul_mtv_f(const double* r, const float* v, float* out) noexcept nogil:
    """R^T v, f32 in and out (0x1000f7d0)."""
    cdef double x = v[0], y = v[1], z = v[2]
    out[0] = <float>(r[0] * x + r[3] * y + r[6] * z)
    out[1] = <float>(r[1] * x + r[4] * y + r[7] * z)
    out[2] = <float>(r[2] * x + r[5] * y + r[8] * z)


cdef inline void to_world(const double* r, const double* vv, const float* p, double* out) noexcept nogil:
    """R p + vv for an f32 point (0x1000f5f0)."""
    cdef double x = p[0], y = p[1], z = p[2]
    out[0] = r[0] * x + r[1] * y + r[2] * z + vv[0]
    out[1] = r[3] * x + r[4] * y + r[5] * z + vv[1]
    out[2] = r[6] * x + r[7] * y + r[8] * z + vv[2]


cdef inline void to_world_d(const double* r, const double* vv, const double* p, double* out) noexcept nogil:
    """R p + vv."""
    mul_mv(r, p, out)
    out[0] += vv[0]
    out[1] += vv[1]
    out[2] += vv[2]


cdef inline void to_local(const double* r, const double* vv, const double* p, double* out) noexcept nogil:
    """R^T (p - vv) (0x1000f3e0)."""
    cdef double[3] d
    d[0] = p[0] - vv[0]
    d[1] = p[1] - vv[1]
    d[2] = p[2] - vv[2]
    mul_mtv(r, d, out)


cdef inline void to_local_f(const double* r, const double* vv, const double* p, float* out) noexcept nogil:
    """(f32)(R^T (p - vv)) (0x1000f370)."""
    cdef double[3] d
    to_local(r, vv, p, d)
    out[0] = <float>d[0]
    out[1] = <float>d[1]
    out[2] = <float>d[2]


cdef inline void mul_mm(const double* a, const double* b, double* out) noexcept nogil:
    """A B of rotations: out may not alias."""
    cdef int i
    for i in range(3):
        out[3 * i] = a[3 * i] * b[0] + a[3 * i + 1] * b[3] + a[3 * i + 2] * b[6]
        out[3 * i + 1] = a[3 * i] * b[1] + a[3 * i + 1] * b[4] + a[3 * i + 2] * b[7]
        out[3 * i + 2] = a[3 * i] * b[2] + a[3 * i + 1] * b[5] + a[3 * i + 2] * b[8]


cdef inline void mul_mmt(const double* a, const double* b, double* out) noexcept nogil:
    """A B^T of rotations (0x1000f140): out may not alias."""
    cdef int i, j
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2]


cdef inline void mul_mtm(const double* a, const double* b, double* out) noexcept nogil:
    """A^T B of rotations: out may not alias."""
    cdef int i, j
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j]


cdef inline void transpose(const double* a, double* out) noexcept nogil:
    cdef int i, j
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = a[3 * j + i]


cdef inline void set_identity(double* r) noexcept nogil:
    r[0] = r[4] = r[8] = 1.0
    r[1] = r[2] = r[3] = r[5] = r[6] = r[7] = 0.0


cdef inline bint invert3(double* m) noexcept nogil:
    """General inverse in place by cofactors (0x1000e8f0); False and unchanged when |det| < 1e-19."""
    cdef double a = m[4] * m[8] - m[5] * m[7], b = m[5] * m[6] - m[3] * m[8], c = m[3] * m[7] - m[4] * m[6]
    cdef double det = m[0] * a + m[1] * b + m[2] * c
    cdef double d, e, f, g, h, i
    if -1e-19 < det < 1e-19:
        return False
    det = 1.0 / det
    d = m[2] * m[7] - m[1] * m[8]
    e = m[0] * m[8] - m[2] * m[6]
    f = m[1] * m[6] - m[0] * m[7]
    g = m[1] * m[5] - m[2] * m[4]
    h = m[2] * m[3] - m[0] * m[5]
    i = m[0] * m[4] - m[1] * m[3]
    m[0] = a * det
    m[1] = d * det
    m[2] = g * det
    m[3] = b * det
    m[4] = e * det
    m[5] = h * det
    m[6] = c * det
    m[7] = f * det
    m[8] = i * det
    return True


# ---- quaternions

cdef inline void normalize4(double* q) noexcept nogil:
    """Cheap quaternion normalize (ivp 2.3)."""
    cdef double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if n > 1e-19:
        n = 1.0 / sqrt(n)
        q[0] *= n
        q[1] *= n
        q[2] *= n
        q[3] *= n


cdef inline void normalize4_iterative(double* q) noexcept nogil:
    """Newton steps around 1 until nothing changes (0x10019540); the cell of the table was cut: a reading.

    Rounding can make the last bit swing between two values, so the number of steps is bounded.
    """
    cdef double n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * 0.5
    cdef double y = 1.5 - n, previous
    cdef int i
    for i in range(64):
        previous = y
        y = y + (0.5 - y * y * n)
        if y == previous:
            break
    q[0] *= y
    q[1] *= y
    q[2] *= y
    q[3] *= y


cdef inline void quat_product(const double* a, const double* b, double* out) noexcept nogil:
    """Hamilton product a b (0x1001e7c0): out may alias."""
    cdef double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1]
    cdef double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0]
    cdef double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3]
    cdef double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]
    out[0] = x
    out[1] = y
    out[2] = z
    out[3] = w


cdef inline void quat_to_matrix(const double* q, double* r) noexcept nogil:
    """0x100190c0."""
    cdef double x = q[0], y = q[1], z = q[2], w = q[3]
    cdef double x2 = x + x, y2 = y + y, z2 = z + z
    r[0] = 1.0 - (z2 * z + y2 * y)
    r[1] = x2 * y - z2 * w
    r[2] = y2 * w + x2 * z
    r[3] = z2 * w + x2 * y
    r[4] = 1.0 - (z2 * z + x2 * x)
    r[5] = z2 * y - x2 * w
    r[6] = z2 * x - y2 * w
    r[7] = x2 * w + z2 * y
    r[8] = 1.0 - (y2 * y + x2 * x)


cdef inline void matrix_to_quat(const double* r, double* q) noexcept nogil:
    """0x100191b0, normalized as ivp 2.3."""
    cdef double t = r[0] + r[4] + r[8], s
    cdef int i, j, k
    if t > 0.0:
        s = sqrt(t + 1.0)
        q[3] = s * 0.5
        s = 0.5 / s
        q[0] = (r[7] - r[5]) * s
        q[1] = (r[2] - r[6]) * s
        q[2] = (r[3] - r[1]) * s
    else:
        i = 1 if r[0] < r[4] else 0
        if r[4 * i] < r[8]:
            i = 2
        j = (i + 1) % 3
        k = (j + 1) % 3
        s = sqrt(r[4 * i] - (r[4 * k] + r[4 * j]) + 1.0)
        q[i] = s * 0.5
        if s != 0.0:
            s = 0.5 / s
        q[3] = (r[3 * k + j] - r[3 * j + k]) * s
        q[j] = (r[3 * j + i] + r[3 * i + j]) * s
        q[k] = (r[3 * k + i] + r[3 * i + k]) * s
    normalize4(q)


cdef inline void slerp(const double* a, const double* b, double t, double* out) noexcept nogil:
    """0x10019320: out may alias."""
    cdef double d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    cdef double sign = 1.0, angle, k, ca, cb, n, y
    cdef int i
    if d <= 0.0:
        d = -d
        sign = -1.0
    if d < 0.9989999999525025:                      # (f64)0.999f by its bits: a reading
        angle = arc_cosine(d)
        k = 1.0 / sqrt(1.0 - d * d)
        ca = sine((1.0 - t) * angle) * k
        cb = sine(t * angle) * sign * k
        for i in range(4):
            out[i] = cb * b[i] + ca * a[i]
    else:
        for i in range(4):
            out[i] = (sign * b[i] - a[i]) * t + a[i]
        n = (out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]) * 0.5
        y = 1.5 - n
        y = (0.5 - y * y * n) + y
        y = (0.5 - y * y * n) + y
        for i in range(4):
            out[i] *= y


cdef inline void quat_poly(const float* w, double dt, double* q) noexcept nogil:
    """Rotation of this step by a cubic sine of each half angle (0x10018f80)."""
    cdef double h = dt * 0.5, n
    cdef double x = w[0] * h, y = w[1] * h, z = w[2] * h
    x = x - x * x * x * SIXTH
    y = y - y * y * y * SIXTH
    z = z - z * z * z * SIXTH
    n = x * x + y * y + z * z
    q[0] = x
    q[1] = y
    q[2] = z
    q[3] = sqrt(1.0 - n) if n <= 1.0 else 0.0       # the cell of the table was cut: a reading


cdef inline void quat_sine(const float* w, double dt, double* q) noexcept nogil:
    """Rotation of this step by the sine of each half angle (0x10019010)."""
    cdef double h = dt * 0.5, n
    cdef double x = w[0] * h, y = w[1] * h, z = w[2] * h
    cdef double limit = 0.7853981633974483
    if -limit <= x <= limit and -limit <= y <= limit and -limit <= z <= limit:
        x = sine_reduced(x)
        y = sine_reduced(y)
        z = sine_reduced(z)
    else:
        x = sine(x)
        y = sine(y)
        z = sine(z)
    n = x * x + y * y + z * z
    if n <= 1.0:
        q[3] = sqrt(1.0 - n)
    else:                                           # the cell of the table was cut: a reading
        q[3] = 0.0
        n = 1.0 / sqrt(n)
        x *= n
        y *= n
        z *= n
    q[0] = x
    q[1] = y
    q[2] = z
