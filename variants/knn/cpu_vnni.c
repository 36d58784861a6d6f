/*
 * knn / cpu_vnni
 *
 * Idea
 */
#include <immintrin.h>

#include "common/variant.h"

#define VECTORS __attribute__((target("avx512f,avx512vnni")))
enum { LANES = 16, GROUP = 12, WORDS = 6 };
typedef int32_t word;

#include "faces.h" /* packed, ref, blocks, GROUP, faced, axes; prepare, run, release */

enum { REFERENCE = 32767, OBSERVATION = 16384, MIDDLE = 1 << 30 };
static const double scale = (double)REFERENCE * OBSERVATION;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni")
               ? NULL
               : "needs a CPU with AVX-512 VNNI";
}

/* [axis][block][TILE][first, others][LANES] */
INLINE word *packed_row(size_t axis, size_t row)
{
    return packed + (axis * blocks * TILE + row) * 2 * LANES;
}

INLINE double limited(double ratio)
{
    return ratio > -2 ? (ratio < 2 ? ratio : 2) : -2;
}

INLINE int32_t pair(int32_t low, int32_t high)
{
    return (int32_t)((uint32_t)high << 16 | ((uint32_t)low & 0xffff));
}

VECTORS static void pack_axis(size_t axis, const float *first, const float *second,
                              const float *third, size_t n, size_t row)
{
    word *x = packed_row(axis, row), *others = x + LANES;

#pragma omp simd
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t j = (row / TILE * LANES + lane) * TILE + row % TILE, i = j < n ? j : n - 1;
        double y = second[i] * REFERENCE, z = third[i] * REFERENCE;
        double whole_y = nearest_integer(y), whole_z = nearest_integer(z);
        double moved = limited(second[i] / first[i]) * (y - whole_y) +
                       limited(third[i] / first[i]) * (z - whole_z);

        x[lane] = MIDDLE + (int32_t)((first[i] * (double)REFERENCE + moved) * OBSERVATION);
        others[lane] = pair((int32_t)whole_y, (int32_t)whole_z);
    }
}

static void pack_references(size_t n)
{
#pragma omp for
    for (size_t row = 0; row < blocks * TILE; row++) {
        pack_axis(0, ref.x, ref.y, ref.z, n, row);
        pack_axis(1, ref.y, ref.x, ref.z, n, row);
        pack_axis(2, ref.z, ref.x, ref.y, n, row);
    }
}

VECTORS static float reach(const float at[3], float best)
{
    float longest = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);

    return best > longest - 1.5e-3f ? 0x1p-16f : 3e-4f;
}

/* Of each tile the best scores for GROUP observations on one face.  On a negative one the scores,
   and so the observations, are of the opposite sign, and the least is the best. */
INLINE VECTORS void best_on_side(const struct faced *group, float *best, int negative)
{
    const struct axes axis = axes(group);
    const float sign = negative ? -1 : 1;
    const word *row = packed_row(axis.first, 0);
    __m512i at[GROUP];

    for (size_t g = 0; g < GROUP; g++)
        at[g] = _mm512_set1_epi32(
            pair((int32_t)lrintf(sign * group[g].at[axis.second] * OBSERVATION),
                 (int32_t)lrintf(sign * group[g].at[axis.third] * OBSERVATION)));
    for (size_t b = 0; b < blocks; b++) {
        __m512 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm512_castsi512_ps(_mm512_set1_epi32(negative ? 0x7f000000 : 0x00800000));
        for (size_t step = 0; step < TILE; step++, row += 2 * LANES) {
            __m512i x = _mm512_load_si512(row);
            __m512i yz = _mm512_load_si512(row + LANES);

            for (size_t g = 0; g < GROUP; g++) {
                __m512 score = _mm512_castsi512_ps(_mm512_dpwssd_epi32(x, yz, at[g]));

                top[g] = negative ? _mm512_min_ps(top[g], score) : _mm512_max_ps(top[g], score);
            }
        }
        for (size_t g = 0; g < GROUP; g++) {
            __m512i above = _mm512_sub_epi32(_mm512_castps_si512(top[g]),
                                             _mm512_set1_epi32(MIDDLE));

            _mm512_store_ps(best + (g * blocks + b) * LANES,
                            _mm512_mul_ps(_mm512_cvtepi32_ps(above),
                                          _mm512_set1_ps(sign / (float)scale)));
        }
    }
}

VECTORS static void best_of_tiles(const struct faced *group, float *best)
{
    if (group->face % 2 == 0)
        best_on_side(group, best, 0);
    else
        best_on_side(group, best, 1);
}

VARIANT(.idea = "AVX-512 VNNI: one instruction multiplies and adds all",
        .base = "cpu_faces_avx512",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
