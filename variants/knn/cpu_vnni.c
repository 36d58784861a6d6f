/*
 * knn / cpu_vnni
 *
 * Idea     Coordinates of 16 bits: one instruction of VNNI multiplies two of a reference with two
 *          of an observation and adds both products to the third, of 32 bits.  Like that a score is
 *          coarse; but what rounding a reference did to it is known, for observations that are
 *          near, and the third coordinate makes up for it.
 * Against  cpu_faces_avx512, with two multiply-adds of float32.
 * Expect   Half as many pairs again, two instructions in place of three for sixteen; twice as many
 *          where the maximum has a unit of its own.
 * Try      Leave out `lost`, and 3e-4 for all windows: how much do answers cost then?
 *
 * Score    s = x + b y + c z, y and z in units of 2^-15 (1 / 32767, to be exact), b and c of 2^-14,
 *          x and s of 2^-29.  2^30 more makes it positive, and then its bits, taken for a float32,
 *          are in the same order: of floats Intel's processors find two maxima a clock, of
 *          integers one.
 * Near     Rounding moves y and z by e = 2^-16 at most, and the score by b and c times that: just
 *          what x takes back if b = y / x and c = z / x, that is, if the observation is where the
 *          reference is.  At an angle t from there, 0.06 at most, b and c differ by sqrt(3) 1.91 t,
 *          taken together, and the score by e sqrt(2) times that: 7.2e-5 t.  Rounding b and c is a
 *          step of 2^-15 sqrt(2), the same for all references; scores of two of them change by that
 *          times how far they are apart: 4.4e-5 (t + t').  So no score is better than that of a
 *          nearer reference by more than 2.3e-4 t, where t is its own angle.
 * Window   A score, off by 1.4e-4 at most (see Far), says that t^2 / 2 <= 1.4e-4 + l - s, with
 *          the length l of the observation's vector; and 1e-6 is for what float32 is off by, 2E in
 *          nearest.h.
 * Far      Anywhere y / x and z / x are limited to 2, and b and c to 1: the score is off by 6 e and
 *          2^-15 sqrt(2), two scores by 3e-4.
 * Level    3
 * Read     avx512.h, exact.h, faces.h, nearest.h, trigonometry.h
 */
#include <float.h>
#include <immintrin.h>

#include "common/variant.h"
#include "avx512.h" /* highest, reaching */

#define VECTORS __attribute__((target("avx512f,avx512vnni")))
enum { LANES = 16, GROUP = 10, WORDS = 6 };
typedef int32_t word;

#include "faces.h" /* packed, ref, blocks, row_length, faced, axes; prepare, run, release */

enum { REFERENCE = 32767, OBSERVATION = 1 << 14, MIDDLE = 1 << 30 };
static const float scale = (float)REFERENCE * OBSERVATION;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni")
               ? NULL
               : "needs a CPU with AVX-512 VNNI";
}

/* For each axis as first: [axis][block][TILE][first, both others][LANES] */
INLINE word *packed_row(size_t axis, size_t row)
{
    return packed + (axis * blocks * TILE + row) * 2 * LANES;
}

INLINE word pair(int low, int high)
{
    return (word)((uint32_t)high << 16 | ((uint32_t)low & 0xffff));
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
        double larger = (square + 0.25 + fabs(square - 0.25)) / 2; /* the larger of both */
        double lost = (second[c] * (y - whole_y) + third[c] * (z - whole_z)) * first[c] / larger;

        x[c] = MIDDLE + (word)((first[c] * (double)REFERENCE + lost) * OBSERVATION);
        others[c] = pair((int)whole_y, (int)whole_z);
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

/* Scores of tiles are kept as they are found: a word, taken for a float. */
VECTORS static float least_score(const float at[3], float best)
{
    const float length = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    float angle, least; /* half its square, at most */
    word score;

    memcpy(&score, &best, sizeof score);
    angle = length - (float)(score - MIDDLE) / scale + 1.4e-4f;
    score -= (word)(scale * (angle < 1.8e-3f ? 3.3e-4f * sqrtf(angle) + 1e-6f : 3e-4f));
    memcpy(&least, &score, sizeof least);
    return least;
}

INLINE VECTORS __m512i both_others(const struct faced *q, float sign)
{
    const struct axes axis = axes(q);

    return _mm512_set1_epi32(pair((int)lrintf(sign * q->at[axis.second] * OBSERVATION),
                                  (int)lrintf(sign * q->at[axis.third] * OBSERVATION)));
}

/* Of each tile the best scores for GROUP observations on one face.  Where their first is -1, they
   take the opposite sign and so do the scores, of which the least is the best. */
INLINE VECTORS void best_on_side(const struct faced *group, float *best, int negative)
{
    const word *row = packed_row(axes(group).first, 0);
    __m512i at[GROUP];

    for (size_t g = 0; g < GROUP; g++)
        at[g] = both_others(group + g, negative ? -1 : 1);
    for (size_t b = 0; b < blocks; b++) {
        __m512 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm512_set1_ps(negative ? FLT_MAX : FLT_MIN); /* beyond any score */
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

            if (negative) /* 2 MIDDLE less the score */
                score = _mm512_sub_epi32(_mm512_set1_epi32(INT32_MIN), score);
            _mm512_store_si512(best + g * row_length + b * LANES, score);
        }
    }
}

VARIANT(.idea = "16 bits: one instruction of VNNI for both multiply-adds",
        .base = "cpu_faces_avx512",
        .math = MATH_F32,
        .traits = TRAIT_PAIRS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
