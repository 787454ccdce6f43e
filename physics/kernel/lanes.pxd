"""Four f32 numbers at once: SSE where it is always there (x86-64), plain loops elsewhere, the same bits either way."""

cdef extern from *:
    """
    #ifndef FIXSTEP_LANES
    #define FIXSTEP_LANES
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    typedef __m128 fx4;
    static inline fx4 fx_load(const float *p) { return _mm_loadu_ps(p); }
    static inline void fx_store(float *p, fx4 a) { _mm_storeu_ps(p, a); }
    static inline fx4 fx_all(float s) { return _mm_set1_ps(s); }
    static inline fx4 fx_add(fx4 a, fx4 b) { return _mm_add_ps(a, b); }
    static inline fx4 fx_sub(fx4 a, fx4 b) { return _mm_sub_ps(a, b); }
    static inline fx4 fx_mul(fx4 a, fx4 b) { return _mm_mul_ps(a, b); }
    static inline float fx_sum(fx4 a) {        /* (x + z) + (y + w) */
        fx4 b = _mm_add_ps(a, _mm_movehl_ps(a, a));
        return _mm_cvtss_f32(_mm_add_ss(b, _mm_shuffle_ps(b, b, 1)));
    }
    #else
    typedef struct { float f[4]; } fx4;
    static inline fx4 fx_load(const float *p) { fx4 r = {{p[0], p[1], p[2], p[3]}}; return r; }
    static inline void fx_store(float *p, fx4 a) { int i; for (i = 0; i < 4; i++) p[i] = a.f[i]; }
    static inline fx4 fx_all(float s) { fx4 r = {{s, s, s, s}}; return r; }
    static inline fx4 fx_add(fx4 a, fx4 b) { int i; for (i = 0; i < 4; i++) a.f[i] += b.f[i]; return a; }
    static inline fx4 fx_sub(fx4 a, fx4 b) { int i; for (i = 0; i < 4; i++) a.f[i] -= b.f[i]; return a; }
    static inline fx4 fx_mul(fx4 a, fx4 b) { int i; for (i = 0; i < 4; i++) a.f[i] *= b.f[i]; return a; }
    static inline float fx_sum(fx4 a) { return (a.f[0] + a.f[2]) + (a.f[1] + a.f[3]); }
    #endif
    #endif
    """
    ctypedef struct fx4:
        pass
    fx4 fx_load(const float *p) noexcept nogil
    void fx_store(float *p, fx4 a) noexcept nogil
    fx4 fx_all(float s) noexcept nogil
    fx4 fx_add(fx4 a, fx4 b) noexcept nogil
    fx4 fx_sub(fx4 a, fx4 b) noexcept nogil
    fx4 fx_mul(fx4 a, fx4 b) noexcept nogil
    float fx_sum(fx4 a) noexcept nogil
