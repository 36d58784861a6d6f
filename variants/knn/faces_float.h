/*
 * For cpu_faces and cpu_faces_avx512: what faces.h asks of a variant, in float32.
 */
#ifndef RUNGS_KNN_FACES_FLOAT_H
#define RUNGS_KNN_FACES_FLOAT_H

#include "faces.h" /* packed, ref, blocks, row_length, faced, axes; prepare, run, release */

static size_t packed_bytes(size_t references)
{
    return references * 3 * sizeof(float);
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

INLINE VECTORS void best_on_side(const struct faced *group, float *best, int negative)
{
    const struct axes axis = axes(group);
    const float *row = packed;
    vector at2[GROUP], at3[GROUP];

    for (size_t g = 0; g < GROUP; g++) {
        at2[g] = in_all_lanes(group[g].at[axis.second]);
        at3[g] = in_all_lanes(group[g].at[axis.third]);
    }
    for (size_t b = 0; b < blocks; b++) {
        vector top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = in_all_lanes(-4); /* below any score */
        for (size_t step = 0; step < TILE; step++, row += 3 * LANES) {
            vector x = load(row + axis.first * LANES);
            vector y = load(row + axis.second * LANES);
            vector z = load(row + axis.third * LANES);

            for (size_t g = 0; g < GROUP; g++) {
                vector score = negative ? multiply_subtract(y, at2[g], x)
                                        : multiply_add(y, at2[g], x);

                top[g] = maximum(top[g], multiply_add(z, at3[g], score));
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            store(best + g * row_length + b * LANES, top[g]);
    }
}

#endif
