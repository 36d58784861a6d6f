/*
 * stencil / cpu_avx512
 *
 * Idea     Sixteen pixels per instruction (AVX-512), and lanes that move across the whole register.
 * Against  cpu_blocked, eight pixels per instruction.  The tiles are the same; memory no longer
 *          bounds them, so wider arithmetic can show.
 * Expect   Up to twice as fast with many sweeps, less on cores that split such an instruction in
 *          two.  One sweep waits for memory.  It gains only because one store writes a whole cache
 *          line: 16.9 ms instead of 19.0 on 16 cores of a Xeon (16384 x 16384, 2026-11-22).
 * Try      STRIP = 128, 768, 4096: where do margins cost most, and where the caches?
 * Level    2
 * Read     fused.h, share_out.h, smooth_row_f32.h
 */
#include "common/variant.h"
#include "fused.h"          /* prepare, run, release: the tiles, which call two functions here */
#include "smooth_row_f32.h" /* smooth_rows_f32, which calls one here; the ends of its rows */

#define AVX512 __attribute__((target("avx512f")))

static const char *refuse(const void *problem)
{
    const struct stencil *p = problem;

    if (p->bytes)
        return "float32 only";
    return __builtin_cpu_supports("avx512f") ? NULL : "needs AVX-512";
}

/* Returns the column sums of 16 columns from c on. */
AVX512 static inline __m512 sums_16(const float *up, const float *mid, const float *down, size_t c)
{
    return _mm512_add_ps(_mm512_add_ps(_mm512_loadu_ps(up + c), _mm512_loadu_ps(mid + c)),
                         _mm512_loadu_ps(down + c));
}

/* Lanes move across the whole register, so AVX-512 needs no joints (smooth_row_f32.h). */
AVX512 static inline __m512 means_between(__m512 before, __m512 here, __m512 next)
{
    const __m512 ninth = _mm512_set1_ps(NINTH);
    __m512i lanes = _mm512_castps_si512(here);
    __m512i left = _mm512_alignr_epi32(lanes, _mm512_castps_si512(before), 15);
    __m512i right = _mm512_alignr_epi32(_mm512_castps_si512(next), lanes, 1);
    __m512 beside = _mm512_add_ps(_mm512_castsi512_ps(left), _mm512_castsi512_ps(right));

    return _mm512_fmadd_ps(beside, ninth, _mm512_mul_ps(here, ninth));
}

/* As smooth_four_f32, except that lanes move differently, and that one store writes a whole cache line.  Halves of the
   lines of four rows would wait in the few buffers that a core has for lines in transit. */
AVX512 static void smooth_four_512(const float *in, float *out, size_t cols, bool stream)
{
    const float *row[6]; /* the one above to the one below */
    __m512 before[4], here[4];
    size_t line = (-(uintptr_t)out & 63) / sizeof *out;
    size_t first = line > 0 ? line : LINE, c = first;

    for (size_t i = 0; i < 6; i++)
        row[i] = in + i * cols - cols;
    for (size_t i = 0; i < 4; i++) {
        here[i] = sums_16(row[i], row[i + 1], row[i + 2], c);
        before[i] = _mm512_set1_ps(row[i][c - 1] + row[i + 1][c - 1] + row[i + 2][c - 1]);
    }
    for (; c + 2 * LINE <= cols; c += LINE)
#pragma GCC unroll 2
        for (size_t i = 0; i < 4; i += 2) { /* rows i and i + 1 share the sum of two */
            const float *const *r = row + i;
            const __m512 both = _mm512_add_ps(_mm512_loadu_ps(r[1] + c + LINE),
                                              _mm512_loadu_ps(r[2] + c + LINE));
            const __m512 next[2] = {_mm512_add_ps(both, _mm512_loadu_ps(r[0] + c + LINE)),
                                    _mm512_add_ps(both, _mm512_loadu_ps(r[3] + c + LINE))};

#pragma GCC unroll 2
            for (size_t j = 0; j < 2; j++) {
                const __m512 means = means_between(before[i + j], here[i + j], next[j]);

                if (stream)
                    _mm512_stream_ps(out + (i + j) * cols + c, means);
                else
                    _mm512_storeu_ps(out + (i + j) * cols + c, means);
                before[i + j] = here[i + j];
                here[i + j] = next[j];
            }
        }
    smooth_ends_f32(row, out, cols, first, c);
}

static void smooth_rows(size_t rows, size_t cols, const float *in, float *out, size_t top,
                        size_t bottom, bool stream)
{
    smooth_rows_f32(rows, cols, in, out, top, bottom, stream, smooth_four_512);
}

/* `kept` is NULL, or a constant for the compiler. */
AVX512 static inline __attribute__((always_inline)) void pair(const float *const from[4], float *const to[2],
                                                              size_t n, const uint16_t *kept)
{
    const float *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    float *up = to[0], *down = to[1];
    __m512 upper = sums_16(b, c, a, 0), lower = sums_16(b, c, d, 0);
    __m512 before_upper = upper, before_lower = lower;

#pragma GCC unroll 2
    for (size_t i = 0; i < n; i += 16) {
        __m512 next_upper = sums_16(b, c, a, i + 16);
        __m512 next_lower = sums_16(b, c, d, i + 16);
        __m512 above = means_between(before_upper, upper, next_upper);
        __m512 below = means_between(before_lower, lower, next_lower);

        if (kept != NULL) {
            above = _mm512_mask_load_ps(above, kept[i / 16], b + i);
            below = _mm512_mask_load_ps(below, kept[i / 16], c + i);
        }
        _mm512_store_ps(up + i, above);
        _mm512_store_ps(down + i, below);
        before_upper = upper;
        before_lower = lower;
        upper = next_upper;
        lower = next_lower;
    }
}

AVX512 static void smooth_pair(const float *const from[4], float *const to[2], size_t n)
{
    pair(from, to, n, NULL);
}

AVX512 static void smooth_pair_kept(const float *const from[4], float *const to[2], size_t n,
                                    const uint16_t *kept)
{
    pair(from, to, n, kept);
}

VARIANT(.idea = "sixteen pixels per instruction",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
