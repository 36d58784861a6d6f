/*
 * stencil / cpu_blocked
 *
 * Idea     Many sweeps in one pass over memory: a tile of the image goes through up to 16 sweeps
 *          while it is in the cache (fused.h draws it), and only then the next tile is read.
 * Against  cpu_simd_openmp, which moves the whole image once per sweep.
 * Expect   Memory moves a sixteenth as much.  Bound by the second-level cache and the additions
 *          instead, and where tiles meet some work is done twice.  A single sweep gains nothing.
 * Try      DEPTH = 2, 4, 8 with 16 sweeps: from which depth on does memory no longer matter?
 * Level    2
 * Read     fused.h, share_out.h, smooth_four_f32.h, smooth_row_f32.h
 */
#include "common/variant.h"
#include "fused.h"          /* prepare, run, release: the tiles, which call two functions here */
#include "smooth_four_f32.h" /* smooth_four_f32, smooth_rows_f32 and its parts */

static const char *refuse(const void *problem)
{
    const struct stencil *p = problem;

    if (p->bytes)
        return "float32 only";
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL
                                                                           : "needs AVX2 and FMA";
}

static void smooth_rows(size_t rows, size_t cols, const float *in, float *out, size_t top,
                        size_t bottom, bool stream)
{
    smooth_rows_f32(rows, cols, in, out, top, bottom, stream, smooth_four_f32);
}

/* Returns a vector that is negative where `bits` has ones. */
AVX2 static inline __m256 spread(unsigned bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);

    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), each), each));
}

/* The loop of smooth_row_f32 for two rows at once.  They share two of the rows that they come
   from, and the sum of these: four loads where two single rows take six.  `kept` may be NULL. */
AVX2 static inline __attribute__((always_inline)) void pair(const float *const from[4], float *const to[2],
                                                            size_t n, const uint16_t *kept)
{
    const float *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    float *up = to[0], *down = to[1];
    __m256 upper = sums_f32(b, c, a, 0), lower = sums_f32(b, c, d, 0);
    __m256i upper_joint = joint_f32(upper, upper), lower_joint = joint_f32(lower, lower);

#pragma GCC unroll 2
    for (size_t i = 0; i < n; i += 8) {
        __m256 next_upper = sums_f32(b, c, a, i + 8), next_lower = sums_f32(b, c, d, i + 8);
        __m256i next_upper_joint = joint_f32(upper, next_upper);
        __m256i next_lower_joint = joint_f32(lower, next_lower);
        __m256 above = means_between_f32(upper_joint, upper, next_upper_joint);
        __m256 below = means_between_f32(lower_joint, lower, next_lower_joint);

        if (kept != NULL) {
            const __m256 mask = spread((unsigned)kept[i / 16] >> i % 16);

            above = _mm256_blendv_ps(above, _mm256_load_ps(b + i), mask);
            below = _mm256_blendv_ps(below, _mm256_load_ps(c + i), mask);
        }
        _mm256_store_ps(up + i, above);
        _mm256_store_ps(down + i, below);
        upper = next_upper;
        upper_joint = next_upper_joint;
        lower = next_lower;
        lower_joint = next_lower_joint;
    }
}

AVX2 static void smooth_pair(const float *const from[4], float *const to[2], size_t n)
{
    pair(from, to, n, NULL);
}

AVX2 static void smooth_pair_kept(const float *const from[4], float *const to[2], size_t n, const uint16_t *kept)
{
    pair(from, to, n, kept);
}

VARIANT(.idea = "many sweeps per pass, in tiles that stay in the cache",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
