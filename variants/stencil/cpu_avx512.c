/*
 * stencil / cpu_avx512
 *
 * Idea     Sixteen pixels an instruction (AVX-512), lanes that move across the whole register, and
 *          masks: the vector at the end of a row leaves out the lanes beyond it.
 * Against  cpu_blocked, eight pixels an instruction.  The same tiles; there memory is no longer the
 *          limit, so that wider arithmetic can show.
 * Expect   Up to twice as much with many sweeps, less on cores that split such an instruction in
 *          two.  Nothing with one sweep, which waits for memory.
 * Try      RING_BYTES = 2^17, 2^19, 2^21: from a corner of the second-level cache to beyond it.
 */
#include "common/variant.h"
#include "fused.h" /* prepare, run, release: the tiles, which call smooth_row and smooth_pair */

#define AVX512 __attribute__((target("avx512f")))
#define AHEAD 4096          /* bytes to ask for memory in advance: smooth_row_f32.h says why */
#define NINTH (1.0f / 9.0f) /* two small roundings, and no division in the loop */

static const char *refuse(const void *problem)
{
    const struct stencil *p = problem;

    if (p->bytes)
        return "float32 only";
    return __builtin_cpu_supports("avx512f") ? NULL : "needs AVX-512";
}

/* The first n lanes, or all 16. */
static inline __mmask16 first_lanes(size_t n)
{
    return (__mmask16)(n < 16 ? (1u << n) - 1 : 0xffff);
}

/* Sums of 16 columns from c on.  Lanes that are not in the mask are 0, and not read. */
AVX512 static inline __m512 sums_16(const float *up, const float *mid, const float *down, size_t c,
                                    __mmask16 lanes)
{
    __m512 sums = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, up + c),
                                _mm512_maskz_loadu_ps(lanes, mid + c));

    return _mm512_add_ps(sums, _mm512_maskz_loadu_ps(lanes, down + c));
}

AVX512 static inline __m512 means_16(__m512 left, __m512 here, __m512 right)
{
    const __m512 ninth = _mm512_set1_ps(NINTH);

    return _mm512_fmadd_ps(_mm512_add_ps(left, right), ninth, _mm512_mul_ps(here, ninth));
}

/* Lanes move across the whole register here: no joints as with AVX2. */
AVX512 static inline __m512 means_between(__m512 before, __m512 here, __m512 next)
{
    __m512i lanes = _mm512_castps_si512(here);
    __m512i left = _mm512_alignr_epi32(lanes, _mm512_castps_si512(before), 15);
    __m512i right = _mm512_alignr_epi32(_mm512_castps_si512(next), lanes, 1);

    return means_16(_mm512_castsi512_ps(left), here, _mm512_castsi512_ps(right));
}

/* At most 16 pixels on their own, with nine loads: for the ends of a row. */
AVX512 static inline void smooth_lanes(const float *up, const float *mid, const float *down,
                                       float *out, size_t c, __mmask16 lanes)
{
    _mm512_mask_storeu_ps(out + c, lanes, means_16(sums_16(up, mid, down, c - 1, lanes),
                                                   sums_16(up, mid, down, c, lanes),
                                                   sums_16(up, mid, down, c + 1, lanes)));
}

AVX512 static void smooth_row(const float *up, const float *mid, const float *down, float *out,
                              size_t first, size_t last, bool stream)
{
    size_t line = first + (-(uintptr_t)(out + first) & 63) / sizeof *out;
    size_t c = least(line, last);

    smooth_lanes(up, mid, down, out, first, first_lanes(c - first));
    if (c + 31 <= last) {
        __m512 before = _mm512_set1_ps(up[c - 1] + mid[c - 1] + down[c - 1]);
        __m512 here = sums_16(up, mid, down, c, 0xffff);

        for (; c + 31 <= last; c += 16) {
            __m512 next = sums_16(up, mid, down, c + 16, 0xffff);

            if (stream) {
                _mm_prefetch((const char *)(down + c) + AHEAD, _MM_HINT_T0);
                _mm512_stream_ps(out + c, means_between(before, here, next));
            } else {
                _mm512_store_ps(out + c, means_between(before, here, next));
            }
            before = here;
            here = next;
        }
    }
    for (; c < last; c += 16)
        smooth_lanes(up, mid, down, out, c, first_lanes(last - c));
}

static void smooth_rows(size_t rows, size_t cols, const float *in, float *out, size_t top,
                        size_t bottom, bool stream)
{
    for (size_t r = top > 0 ? top : 1; r < bottom && r + 1 < rows; r++) {
        const float *mid = in + r * cols;
        float *to = out + r * cols;

        to[0] = mid[0];
        smooth_row(mid - cols, mid, mid + cols, to, 1, cols - 1, stream);
        to[cols - 1] = mid[cols - 1];
    }
}

AVX512 static void smooth_pair(const float *const from[4], float *const to[2], size_t n)
{
    const float *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    float *up = to[0], *down = to[1];
    __m512 upper = sums_16(b, c, a, 0, 0xffff), lower = sums_16(b, c, d, 0, 0xffff);
    __m512 before_upper = upper, before_lower = lower;

#pragma GCC unroll 2
    for (size_t i = 0; i < n; i += 16) {
        __m512 next_upper = sums_16(b, c, a, i + 16, 0xffff);
        __m512 next_lower = sums_16(b, c, d, i + 16, 0xffff);

        _mm512_store_ps(up + i, means_between(before_upper, upper, next_upper));
        _mm512_store_ps(down + i, means_between(before_lower, lower, next_lower));
        before_upper = upper;
        before_lower = lower;
        upper = next_upper;
        lower = next_lower;
    }
}

VARIANT(.idea = "sixteen pixels an instruction, masks for the rest",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
