/*
 * stencil / cpu_avx512
 *
 * Idea     Sixteen pixels an instruction, and masks: the vector at the end of a row leaves out the
 *          lanes beyond it, so there is no loop for what is left over.
 * Against  cpu_blocked, eight pixels an instruction.  The same tiles; there memory is no longer the
 *          limit, so that wider arithmetic can show.
 * Expect   Up to twice as much with many sweeps, less on cores that split such an instruction in
 *          two.  Nothing with one sweep, which waits for memory.
 * Try      RING_BYTES = 2^20: is the second-level cache wide enough for registers of 64 bytes?
 */
#include "common/variant.h"
#include "fused.h" /* prepare, smooth_all, release: the tiles */

#define AHEAD 4096             /* bytes to ask for memory in advance: smooth_row_f32.h says why */
#define NINTH (1.0f / 9.0f)    /* two small roundings, and no division in the loop */

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
__attribute__((target("avx512f"))) static inline __m512
sums_16(const float *up, const float *mid, const float *down, size_t c, __mmask16 lanes)
{
    __m512 sums = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, up + c),
                                _mm512_maskz_loadu_ps(lanes, mid + c));

    return _mm512_add_ps(sums, _mm512_maskz_loadu_ps(lanes, down + c));
}

__attribute__((target("avx512f"))) static inline __m512 means_16(__m512 left, __m512 here,
                                                                 __m512 right)
{
    return _mm512_mul_ps(_mm512_add_ps(_mm512_add_ps(left, here), right), _mm512_set1_ps(NINTH));
}

/* At most 16 pixels on their own, with nine loads: for the ends of a row. */
__attribute__((target("avx512f"))) static inline void smooth_lanes(const float *up,
                                                                   const float *mid,
                                                                   const float *down, float *out,
                                                                   size_t c, __mmask16 lanes)
{
    _mm512_mask_storeu_ps(out + c, lanes, means_16(sums_16(up, mid, down, c - 1, lanes),
                                                   sums_16(up, mid, down, c, lanes),
                                                   sums_16(up, mid, down, c + 1, lanes)));
}

__attribute__((target("avx512f"))) static void smooth_row_512(const float *up, const float *mid,
                                                              const float *down, float *out,
                                                              size_t first, size_t last,
                                                              bool stream)
{
    size_t line = first + (-(uintptr_t)(out + first) & 63) / sizeof *out;
    size_t c = least(line, last);

    smooth_lanes(up, mid, down, out, first, first_lanes(c - first));
    if (c + 31 <= last) {
        __m512 here = sums_16(up, mid, down, c, 0xffff);
        __m512 before = _mm512_set1_ps(up[c - 1] + mid[c - 1] + down[c - 1]);

        for (; c + 31 <= last; c += 16) {
            __m512 next = sums_16(up, mid, down, c + 16, 0xffff);
            __m512i lanes = _mm512_castps_si512(here);
            __m512i to_left = _mm512_alignr_epi32(lanes, _mm512_castps_si512(before), 15);
            __m512i to_right = _mm512_alignr_epi32(_mm512_castps_si512(next), lanes, 1);
            __m512 means = means_16(_mm512_castsi512_ps(to_left), here,
                                    _mm512_castsi512_ps(to_right));

            if (stream) {
                _mm_prefetch((const char *)(down + c) + AHEAD, _MM_HINT_T0);
                _mm512_stream_ps(out + c, means);
            } else {
                _mm512_store_ps(out + c, means);
            }
            before = here;
            here = next;
        }
    }
    for (; c < last; c += 16)
        smooth_lanes(up, mid, down, out, c, first_lanes(last - c));
}

static void run(const void *problem)
{
    smooth_all(problem, smooth_row_512);
}

VARIANT(.idea = "sixteen pixels an instruction, masks for the rest",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
