"""Four-wide f32 operations: SSE2 on x86-64 (where it is always there), plain loops elsewhere, the same bits either way."""

cdef extern from *:
    """
    #ifndef FIXSTEP_SIMD
    #define FIXSTEP_SIMD
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #define FIXSTEP_SSE2 1
    #else
    #define FIXSTEP_SSE2 0
    #endif

    /* Bit i is set when box i of a node overlaps the box qlo..qhi. Boxes: x of four, y of four, z of four. */
    static inline int fixstep_overlap4(const float *lo, const float *hi, const float *qlo, const float *qhi) {
    #if FIXSTEP_SSE2
        __m128 miss = _mm_cmpgt_ps(_mm_loadu_ps(lo), _mm_set1_ps(qhi[0]));
        miss = _mm_or_ps(miss, _mm_cmpgt_ps(_mm_loadu_ps(lo + 4), _mm_set1_ps(qhi[1])));
        miss = _mm_or_ps(miss, _mm_cmpgt_ps(_mm_loadu_ps(lo + 8), _mm_set1_ps(qhi[2])));
        miss = _mm_or_ps(miss, _mm_cmplt_ps(_mm_loadu_ps(hi), _mm_set1_ps(qlo[0])));
        miss = _mm_or_ps(miss, _mm_cmplt_ps(_mm_loadu_ps(hi + 4), _mm_set1_ps(qlo[1])));
        miss = _mm_or_ps(miss, _mm_cmplt_ps(_mm_loadu_ps(hi + 8), _mm_set1_ps(qlo[2])));
        return _mm_movemask_ps(miss) ^ 15;
    #else
        int i, mask = 0;
        for (i = 0; i < 4; i++)
            if (!(lo[i] > qhi[0] || lo[4 + i] > qhi[1] || lo[8 + i] > qhi[2] ||
                  hi[i] < qlo[0] || hi[4 + i] < qlo[1] || hi[8 + i] < qlo[2])) mask |= 1 << i;
        return mask;
    #endif
    }

    /* Slab test of a ray against the four boxes of a node grown by `grow` (3,). `inverse` holds 1 / direction without
       zeros. entry[i]: the parameter where the ray enters box i. Bit i of the result: it does so before `most`. */
    static inline int fixstep_ray4(const float *lo, const float *hi, const float *origin, const float *inverse,
                                   const float *grow, float most, float *entry) {
    #if FIXSTEP_SSE2
        __m128 t0 = _mm_setzero_ps(), t1 = _mm_set1_ps(most), a, b, o, v, g;
        int k;
        for (k = 0; k < 3; k++) {
            o = _mm_set1_ps(origin[k]); v = _mm_set1_ps(inverse[k]); g = _mm_set1_ps(grow[k]);
            a = _mm_mul_ps(_mm_sub_ps(_mm_sub_ps(_mm_loadu_ps(lo + 4 * k), g), o), v);
            b = _mm_mul_ps(_mm_sub_ps(_mm_add_ps(_mm_loadu_ps(hi + 4 * k), g), o), v);
            t0 = _mm_max_ps(t0, _mm_min_ps(a, b));
            t1 = _mm_min_ps(t1, _mm_max_ps(a, b));
        }
        _mm_storeu_ps(entry, t0);
        /* 4 ulp: the slabs' rounding must not lose a grazing ray */
        return _mm_movemask_ps(_mm_cmple_ps(_mm_mul_ps(t0, _mm_set1_ps(0.9999995f)), _mm_mul_ps(t1, _mm_set1_ps(1.0000005f))));
    #else
        int i, k, mask = 0;
        for (i = 0; i < 4; i++) {
            float t0 = 0.0f, t1 = most;
            for (k = 0; k < 3; k++) {
                float a = ((lo[4 * k + i] - grow[k]) - origin[k]) * inverse[k];
                float b = ((hi[4 * k + i] + grow[k]) - origin[k]) * inverse[k];
                float near_side = a < b ? a : b, far_side = a > b ? a : b;
                t0 = t0 > near_side ? t0 : near_side;
                t1 = t1 < far_side ? t1 : far_side;
            }
            entry[i] = t0;
            if (t0 * 0.9999995f <= t1 * 1.0000005f) mask |= 1 << i;
        }
        return mask;
    #endif
    }

    /* The first of `count` (a multiple of four) points with the largest dot product with (dx, dy, dz). */
    static inline int fixstep_farthest(const float *x, const float *y, const float *z, int count, float dx, float dy, float dz) {
        int i, k, best = 0;
        float values[4], most;
        int at[4];
    #if FIXSTEP_SSE2
        __m128 vx = _mm_set1_ps(dx), vy = _mm_set1_ps(dy), vz = _mm_set1_ps(dz), dot, greater;
        __m128 top = _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x), vx), _mm_mul_ps(_mm_loadu_ps(y), vy)),
                                _mm_mul_ps(_mm_loadu_ps(z), vz));
        __m128i where = _mm_set_epi32(3, 2, 1, 0), now = where, four = _mm_set1_epi32(4);
        for (i = 4; i < count; i += 4) {
            now = _mm_add_epi32(now, four);
            dot = _mm_add_ps(_mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x + i), vx), _mm_mul_ps(_mm_loadu_ps(y + i), vy)),
                             _mm_mul_ps(_mm_loadu_ps(z + i), vz));
            greater = _mm_cmpgt_ps(dot, top);
            top = _mm_max_ps(dot, top);
            where = _mm_or_si128(_mm_and_si128(_mm_castps_si128(greater), now),
                                 _mm_andnot_si128(_mm_castps_si128(greater), where));
        }
        _mm_storeu_ps(values, top);
        _mm_storeu_si128((__m128i *) at, where);
    #else
        for (k = 0; k < 4; k++) { values[k] = (x[k] * dx + y[k] * dy) + z[k] * dz; at[k] = k; }
        for (i = 4; i < count; i += 4)
            for (k = 0; k < 4; k++) {
                float dot = (x[i + k] * dx + y[i + k] * dy) + z[i + k] * dz;
                if (dot > values[k]) { values[k] = dot; at[k] = i + k; }
            }
    #endif
        most = values[0];
        best = at[0];
        for (k = 1; k < 4; k++)
            if (values[k] > most || (values[k] == most && at[k] < best)) { most = values[k]; best = at[k]; }
        return best;
    }
    #endif
    """
    int overlap4 "fixstep_overlap4"(const float *lo, const float *hi, const float *qlo, const float *qhi) noexcept nogil
    int ray4 "fixstep_ray4"(
        const float *lo, const float *hi, const float *origin, const float *inverse, const float *grow, float most,
        float *entry,
    ) noexcept nogil
    int farthest "fixstep_farthest"(
        const float *x, const float *y, const float *z, int count, float dx, float dy, float dz
    ) noexcept nogil
