"""Sine, cosine, arc cosine, exponential and arc tangent as our own f64 polynomials.

The step path calls no C library function but `sqrt`, so that every machine computes the same bits. Each is better than 1 ulp over
the range that the step uses (tests/physics/test_elementary.py measures it). Coefficients: Chebyshev fits, rounded.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    static const double fixstep_atan_high[17] = {
        0.0, 0.06241880999595735, 0.12435499454676144, 0.18534794999569476, 0.24497866312686414, 0.3028848683749714,
        0.35877067027057225, 0.4124104415973873, 0.4636476090008061, 0.5123894603107377, 0.5585993153435624,
        0.6022873461349642, 0.6435011087932844, 0.6823165548747481, 0.7188299996216245, 0.7531512809621944,
        0.7853981633974483};
    static const double fixstep_atan_low[17] = {
        0.0, -1.5490756308295046e-18, -3.1253241424539383e-18, 4.180692268843079e-18, 1.0698755618734451e-17,
        -1.1010827903001369e-17, -2.4623815582638635e-17, -1.587652227770689e-17, 2.2698777452961687e-17,
        -2.5462781472855804e-17, -5.4556305485916264e-18, 2.950430737228402e-17, 1.5834785051444286e-17,
        6.943223671560008e-18, -2.1478388444456983e-17, -2.4256934659182068e-17, 3.061616997868383e-17};
    """
    const double[17] ATAN_HIGH "fixstep_atan_high"      # atan(k / 16), and what its rounding left over
    const double[17] ATAN_LOW "fixstep_atan_low"


cdef inline double sine_reduced(double x) noexcept nogil:
    """sin x for |x| <= pi/4."""
    cdef double z = x * x
    cdef double p = ((((((-7.586543634101903e-13 * z + 1.6058529011960858e-10) * z - 2.5052106215978872e-08) * z
                        + 2.7557319219291695e-06) * z - 0.00019841269841265003) * z + 0.008333333333333331) * z
                     - 0.16666666666666666)
    return x + x * z * p


cdef inline double cosine_reduced(double x) noexcept nogil:
    """cos x for |x| <= pi/4."""
    cdef double z = x * x
    cdef double p = (((((4.7457865678652127e-14 * z - 1.1470459438155826e-11) * z + 2.08767557819242e-09) * z
                       - 2.7557319221376434e-07) * z + 2.480158730158461e-05) * z - 0.0013888888888888887) * z
    cdef double half = 0.5 * z
    cdef double w = 1.0 - half
    # what the rounding of w lost comes back in the small term
    return w + (((1.0 - w) - half) + z * z * (p + 0.041666666666666664))


cdef inline double turn_reduced(double x, int64_t* quadrant, double* rest) noexcept nogil:
    """x less its nearest multiple of pi/2, to twice the precision: good to 1e5 turns, far past the clamps of ivp 9."""
    cdef double n = x * 0.6366197723675814
    cdef int64_t k = <int64_t>(n + (0.5 if n >= 0.0 else -0.5))
    cdef double high, next_, first, back, lost, low, r
    quadrant[0] = k & 3
    n = <double>k
    high = x - n * 1.5707963267341256               # exact: the constant has 33 bits
    next_ = n * 6.077100506303966e-11               # exact: 33 bits more
    first = high - next_
    back = first - high
    lost = (high - (first - back)) - (next_ + back)
    low = n * 2.0222662487959506e-21 - lost
    r = first - low
    rest[0] = (first - r) - low
    return r


cdef inline double sine_pair(double x, double rest) noexcept nogil:
    """sin(x + rest)."""
    cdef double z = x * x
    cdef double p = ((((((-7.586543634101903e-13 * z + 1.6058529011960858e-10) * z - 2.5052106215978872e-08) * z
                        + 2.7557319219291695e-06) * z - 0.00019841269841265003) * z + 0.008333333333333331) * z
                     - 0.16666666666666666)
    return x + (x * z * p + rest * (1.0 - 0.5 * z))


cdef inline double cosine_pair(double x, double rest) noexcept nogil:
    """cos(x + rest)."""
    cdef double z = x * x
    cdef double p = (((((4.7457865678652127e-14 * z - 1.1470459438155826e-11) * z + 2.08767557819242e-09) * z
                       - 2.7557319221376434e-07) * z + 2.480158730158461e-05) * z - 0.0013888888888888887) * z
    cdef double half = 0.5 * z
    cdef double w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * z * (p + 0.041666666666666664) - x * rest))


cdef inline double sine(double x) noexcept nogil:
    """sin x."""
    cdef int64_t k
    cdef double r, rest
    if -0.7853981633974483 <= x <= 0.7853981633974483:
        return sine_reduced(x)
    r = turn_reduced(x, &k, &rest)
    if k == 0:
        return sine_pair(r, rest)
    if k == 1:
        return cosine_pair(r, rest)
    if k == 2:
        return -sine_pair(r, rest)
    return -cosine_pair(r, rest)


cdef inline double cosine(double x) noexcept nogil:
    """cos x."""
    cdef int64_t k
    cdef double r, rest
    if -0.7853981633974483 <= x <= 0.7853981633974483:
        return cosine_reduced(x)
    r = turn_reduced(x, &k, &rest)
    if k == 0:
        return cosine_pair(r, rest)
    if k == 1:
        return -sine_pair(r, rest)
    if k == 2:
        return -cosine_pair(r, rest)
    return sine_pair(r, rest)


cdef inline double high_half(double x) noexcept nogil:
    """x with the low 27 bits of its mantissa cleared, so that products of halves are exact."""
    cdef uint64_t bits
    memcpy(&bits, &x, 8)
    bits &= <uint64_t>0xFFFFFFFFF8000000
    memcpy(&x, &bits, 8)
    return x


cdef inline double arc_sine_rest(double z) noexcept nogil:
    """(asin x - x) / x for z = x * x <= 1/4."""
    cdef double p = (((((0.02875805719743414 * z - 0.014852182118030889) * z + 0.017401064081047784) * z
                       + 0.005457440499079528) * z + 0.010322829371691055) * z + 0.011479175171049853) * z
    p = (((p + 0.013971213196475301) * z + 0.017352392706346254) * z + 0.02237217294274726) * z
    p = ((p + 0.030381944138516817) * z + 0.04464285714635561) * z
    return ((p + 0.07499999999998433) * z + 0.16666666666666669) * z


cdef inline double arc_cosine(double x) noexcept nogil:
    """acos x for |x| <= 1; beyond, that of the nearer end."""
    cdef double z, s, high, low
    if x >= 1.0:
        return 0.0
    if x <= -1.0:
        return 3.141592653589793
    if -0.5 <= x <= 0.5:
        return 1.5707963267948966 - (x - (6.123233995736766e-17 - x * arc_sine_rest(x * x)))
    if x > 0.0:
        z = (1.0 - x) * 0.5                         # exact
        s = sqrt(z)
        high = high_half(s)
        low = (z - high * high) / (s + high)        # s = high + low, to twice the precision
        return 2.0 * (high + (arc_sine_rest(z) * s + low))
    z = (1.0 + x) * 0.5
    s = sqrt(z)
    high = high_half(s)
    low = (z - high * high) / (s + high)
    return 2.0 * (1.5707963267948966 - (high - (6.123233995736766e-17 - (arc_sine_rest(z) * s + low))))


cdef inline double power_of_two(int64_t k) noexcept nogil:
    """2 ** k for -1022 <= k <= 1023."""
    cdef uint64_t bits = <uint64_t>(k + 1023) << 52
    cdef double x
    memcpy(&x, &bits, 8)
    return x


cdef inline double exponential(double x) noexcept nogil:
    """exp x; 0 below -745.2, infinite above 709.8."""
    cdef double n, high, low, r, p
    cdef int64_t k
    if not x >= -745.2:                             # NaN too
        return 0.0 if x < 0.0 else x
    if x > 709.79:
        return power_of_two(1023) * 2.0
    n = x * 1.4426950408889634
    k = <int64_t>(n + (0.5 if n >= 0.0 else -0.5))
    n = <double>k
    high = x - n * 0.6931471804855391               # exact: the constant has 33 bits
    low = n * 7.440617109802979e-11 + n * 2.0941744292700725e-21
    r = high - low
    p = ((((1.6086781948613066e-10 * r + 2.091836877654225e-09) * r + 2.5052070676884162e-08) * r
          + 2.75572626528368e-07) * r + 2.755731924760984e-06) * r
    p = (((p + 2.480158733702903e-05) * r + 0.00019841269841263152) * r + 0.0013888888888878854) * r
    p = (((p + 0.008333333333333333) * r + 0.04166666666666668) * r + 0.16666666666666666) * r
    low = (high - r) - low                          # what the rounding of r lost
    p = 1.0 + (r + ((p + 0.5) * r * r + low))
    if k < -1021:
        return p * power_of_two(k + 1000) * power_of_two(-1000)
    if k > 1023:
        return p * power_of_two(k - 1) * 2.0
    return p * power_of_two(k)


cdef inline double arc_tangent_ratio(double a, double b, double* rest) noexcept nogil:
    """atan(a / b) for 0 <= a <= b, b > 0, as a table value and the rest to add."""
    cdef double t = a / b
    cdef double t_high = high_half(t), b_high = high_half(b)
    cdef double t_low = t - t_high, b_low = b - b_high
    cdef double product = t * b
    # what the division's rounding lost: (a - t * b) / b, with the exact product
    cdef double lost = ((a - product) - (((t_high * b_high - product) + t_high * b_low + t_low * b_high)
                                         + t_low * b_low)) / b
    cdef int k = 0 if t < 0.09375 else <int>(t * 16.0 + 0.5)
    cdef double c = k * 0.0625
    cdef double u = t if k == 0 else (t - c) / (1.0 + t * c)
    cdef double z = u * u
    cdef double p = ((((((-0.06488325805035225 * z + 0.07690159611645733) * z - 0.09090896224655409) * z + 0.11111111071505073) * z - 0.14285714285656193) * z
                      + 0.19999999999999968) * z - 0.3333333333333333) * z
    rest[0] = u * p + (ATAN_LOW[k] + lost / (1.0 + t * t))
    if k == 0:
        return t
    rest[0] += u
    return ATAN_HIGH[k]


cdef inline double arc_tangent2(double y, double x) noexcept nogil:
    """The angle of (x, y), in -pi..pi; 0 for a zero vector."""
    cdef double a = y if y >= 0.0 else -y
    cdef double b = x if x >= 0.0 else -x
    cdef double angle, rest, whole
    if a == 0.0 and b == 0.0:
        return 0.0
    if a <= b:
        angle = arc_tangent_ratio(a, b, &rest)
        if x < 0.0:
            whole = 3.141592653589793 - angle
            angle = whole + (((3.141592653589793 - whole) - angle) + (1.2246467991473532e-16 - rest))
        else:
            angle += rest
    else:
        angle = arc_tangent_ratio(b, a, &rest)
        if x < 0.0:
            whole = 1.5707963267948966 + angle
            angle = whole + (((1.5707963267948966 - whole) + angle) + (6.123233995736766e-17 + rest))
        else:
            whole = 1.5707963267948966 - angle
            angle = whole + (((1.5707963267948966 - whole) - angle) + (6.123233995736766e-17 - rest))
    return angle if y >= 0.0 else -angle
