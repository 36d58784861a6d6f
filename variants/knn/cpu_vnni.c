/*
 * knn / cpu_vnni
 *
 * Idea
 */
#include <immintrin.h>

#include "common/variant.h"

#define LANES_H "avx512.h"
#define VECTORS __attribute__((target("avx512f,avx512vnni")))
enum { LANES = 16, GROUP = 12, WORDS = 6 };
typedef int32_t word;

#include "faces.h" /* packed, ref, blocks, GROUP, faced, axes; prepare, run, release */

enum { REFERENCE = 32767, OBSERVATION = 16384, MIDDLE = 1 << 30 };
static const float scale = (float)REFERENCE * OBSERVATION;

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

INLINE int32_t pair(int32_t low, int32_t high)
{
    return (int32_t)((uint32_t)high << 16 | ((uint32_t)low & 0xffff));
}

VECTORS static void pack_tile(size_t axis, size_t tile, const float *first, const float *second,
                              const float *third)
{
    word *row = packed_row(axis, tile / LANES * TILE) + tile % LANES;
    word x[TILE], others[TILE];

#pragma omp simd
    for (size_t c = 0; c < TILE; c++) {
        double y = second[c] * (double)REFERENCE, whole_y = nearest_integer(y);
        double z = third[c] * (double)REFERENCE, whole_z = nearest_integer(z);
        double square = first[c] * first[c];
        double larger = (square + 0.25 + fabs(square - 0.25)) / 2; /* of both, without a branch */
        double lost = (second[c] * (y - whole_y) + third[c] * (z - whole_z)) * first[c] / larger;

        x[c] = MIDDLE + (int32_t)((first[c] * (double)REFERENCE + lost) * OBSERVATION);
        others[c] = pair((int32_t)whole_y, (int32_t)whole_z);
    }
    for (size_t c = 0; c < TILE; c++, row += 2 * LANES) {
        row[0] = x[c];
        row[LANES] = others[c];
    }
}

static void pack_references(size_t n)
{
#pragma omp for
    for (size_t tile = 0; tile < blocks * LANES; tile++) {
        size_t j = tile * TILE < n ? tile * TILE : (n - 1) / TILE * TILE;

        pack_tile(0, tile, ref.x + j, ref.y + j, ref.z + j);
        pack_tile(1, tile, ref.y + j, ref.x + j, ref.z + j);
        pack_tile(2, tile, ref.z + j, ref.x + j, ref.y + j);
    }
}

VECTORS static float least_score(const float at[3], float best)
{
    const float length = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    float above, least;
    word score;

    memcpy(&score, &best, sizeof score);
    above = length - (float)(score - MIDDLE) / scale + 1.4e-4f;
    score -= (word)(scale * (above < 1.8e-3f ? 3.3e-4f * sqrtf(above) + 1e-6f : 3e-4f));
    memcpy(&least, &score, sizeof least);
    return least;
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
            __m512i score = _mm512_castps_si512(top[g]);

            if (negative)
                score = _mm512_sub_epi32(_mm512_set1_epi32((int)(2U * MIDDLE)), score);
            _mm512_store_si512(best + g * row_length + b * LANES, score);
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
