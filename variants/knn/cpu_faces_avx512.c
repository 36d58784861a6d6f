/*
 * knn / cpu_faces_avx512
 *
 * Idea     Vectors of sixteen: AVX-512 instead of AVX2.  The algorithm does not change.
 * Against  cpu_faces, with vectors of eight.
 * Expect   Up to twice as many pairs where the CPU has 512 bits wide units for multiply-add, and a
 *          unit besides for the maximum; a third more where two units do all three; nothing where
 *          the CPU splits the work in halves.
 * Try      GROUP = 4: each load of a reference is then shared by half as many.
 * Level    3
 * Read     avx512.h, exact.h, faces.h, nearest.h, trigonometry.h
 */
#include <immintrin.h>

#include "common/variant.h"
#include "avx512.h" /* highest, reaching */

#define VECTORS __attribute__((target("avx512f")))
enum { LANES = 16, GROUP = 8, WORDS = 3 };
typedef float word;

#include "faces.h" /* packed, ref, blocks, row_length, faced, axes; prepare, run, release */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") ? NULL : "needs a CPU with AVX-512";
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
    __m512 at2[GROUP], at3[GROUP];

    for (size_t g = 0; g < GROUP; g++) {
        at2[g] = _mm512_set1_ps(group[g].at[axis.second]);
        at3[g] = _mm512_set1_ps(group[g].at[axis.third]);
    }
    for (size_t b = 0; b < blocks; b++) {
        __m512 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm512_set1_ps(-4); /* below any score */
        for (size_t step = 0; step < TILE; step++, row += WORDS * LANES) {
            __m512 x = _mm512_load_ps(row + axis.first * LANES);
            __m512 y = _mm512_load_ps(row + axis.second * LANES);
            __m512 z = _mm512_load_ps(row + axis.third * LANES);

            for (size_t g = 0; g < GROUP; g++) {
                __m512 score = negative ? _mm512_fmsub_ps(y, at2[g], x)
                                        : _mm512_fmadd_ps(y, at2[g], x);

                top[g] = _mm512_max_ps(top[g], _mm512_fmadd_ps(z, at3[g], score));
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            _mm512_store_ps(best + g * row_length + b * LANES, top[g]);
    }
}

VARIANT(.idea = "AVX-512, and two multiply-adds a pair",
        .base = "cpu_faces",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
