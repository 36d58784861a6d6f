/*
 * knn / cpu_faces
 *
 * Idea     A multiply-add less: divided by its largest component, an observation has only two
 *          numbers left to multiply with (faces.h).  Observations with the same largest one go
 *          together.
 * Against  cpu_simd_openmp, which takes three, and walks through all references for every four
 *          observations; here a block of them stays in cache while hundreds pass by.
 * Expect   Half as much again: eight pairs a clock of each core, where it has two units for
 *          multiply-add of eight lanes.  What an answer costs besides its pairs then weighs more.
 * Try      In faces.h, PASS = 64: how many groups are filled up with observations that repeat?
 */
#include <immintrin.h>

#include "common/variant.h"

#define LANES_H "avx2.h"
#define VECTORS __attribute__((target("avx2,fma")))
enum { LANES = 8, GROUP = 4, WORDS = 3 };
typedef float word;

#include "faces.h" /* packed, ref, blocks, GROUP, faced, axes; prepare, run, release */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? NULL
               : "needs a CPU with AVX2 and FMA";
}

/* [block][TILE][x, y, z][LANES] */
static void pack_references(size_t n)
{
    pack(ref, n, LANES, packed);
}

VECTORS static float least_score(const float at[3], float best)
{
    (void)at;
    return best - closest;
}

/* Of each tile the best scores for GROUP observations on one face. */
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
                __m256 score = negative ? _mm256_fmsub_ps(y, at2[g], x) : _mm256_fmadd_ps(y, at2[g], x);

                top[g] = _mm256_max_ps(top[g], _mm256_fmadd_ps(z, at3[g], score));
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            _mm256_store_ps(best + g * row_length + b * LANES, top[g]);
    }
}

VECTORS static void best_of_tiles(const struct faced *group, float *best)
{
    if (group->face % 2 == 0)
        best_on_side(group, best, 0);
    else
        best_on_side(group, best, 1);
}

VARIANT(.idea = "AVX2, and two multiply-adds a pair instead of three",
        .base = "cpu_simd_openmp",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
