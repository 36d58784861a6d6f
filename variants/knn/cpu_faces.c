/*
 * knn / cpu_faces
 *
 * Idea     A multiply-add less: divided by its largest component, an observation has only two
 *          numbers left to multiply with (faces.h).  Observations with the same largest one go
 *          together.
 * Against  cpu_simd_openmp, which takes three, and answers one observation after the other; here a
 *          group of them is answered in vectors as well (nearest.h).
 * Expect   Half as much again: eight pairs a clock of each core, where it has two units for
 *          multiply-add of eight lanes, and another one for the maximum.
 * Try      In faces.h, PASS = 64: how many groups are filled up with observations that repeat?
 * Level    3
 * Read     avx2.h, exact.h, faces.h, nearest.h, trigonometry.h
 */
#include <immintrin.h>

#include "common/variant.h"
#include "avx2.h" /* highest, reaching */

#define VECTORS __attribute__((target("avx2,fma")))
enum { LANES = 8, GROUP = 4, WORDS = 3 };
typedef float word;

#include "faces.h" /* packed, ref, blocks, row_length, faced, axes; prepare, run, release */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? NULL
               : "needs a CPU with AVX2 and FMA";
}

/* As [block][TILE][x, y, z][LANES] */
static void pack_references(size_t n)
{
    pack(ref, n, LANES, packed);
}

VECTORS static float least_score(const float at[3], float best)
{
    (void)at;
    return best - narrow_window;
}

/* Of each tile the best scores for GROUP observations on one face, whose first is 1, or -1 */
INLINE VECTORS void best_on_side(const struct faced *group, float *best, int negative)
{
    const struct axes axis = axes(group);
    const float *row = packed;
    __m256 at2[GROUP], at3[GROUP];

    for (size_t g = 0; g < GROUP; g++) {
        at2[g] = _mm256_set1_ps(group[g].at[axis.second]);
        at3[g] = _mm256_set1_ps(group[g].at[axis.third]);
    }
    for (size_t b = 0; b < blocks; b++) {
        __m256 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm256_set1_ps(-4); /* below any score */
        for (size_t step = 0; step < TILE; step++, row += WORDS * LANES) {
            __m256 x = _mm256_load_ps(row + axis.first * LANES);
            __m256 y = _mm256_load_ps(row + axis.second * LANES);
            __m256 z = _mm256_load_ps(row + axis.third * LANES);

            for (size_t g = 0; g < GROUP; g++) {
                __m256 score = negative ? _mm256_fmsub_ps(y, at2[g], x)
                                        : _mm256_fmadd_ps(y, at2[g], x);

                top[g] = _mm256_max_ps(top[g], _mm256_fmadd_ps(z, at3[g], score));
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            _mm256_store_ps(best + g * row_length + b * LANES, top[g]);
    }
}

VARIANT(.idea = "AVX2, and two multiply-adds a pair instead of three",
        .base = "cpu_simd_openmp",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
