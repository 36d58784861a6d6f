/*
 * For variants that answer many observations from the best score of every tile: what comes before and after the
 * sweep, in vectors.  exact.h has the idea, and does it one observation at a time.
 *
 * One      Mostly, a single tile reaches into the window, and a single reference of it.  Then there are no
 *          branches that are hard to predict, and float64 has nothing to decide.
 * Several  Otherwise candidates are collected from all tiles that reach into the window, and float64 decides,
 *          as in exact.h.
 * Error    A score is within E = 8u of the exact one (u = 2^-24), because coordinates are off by u only
 *          (trigonometry.h).  Derivation: docs/knn-exactness.md, "CPU: precise unit vectors".
 *
 * A variant includes avx2.h or avx512.h before this, for VECTORS, `highest` and `reaching`, and writes
 * least_score().
 */
#ifndef RUNGS_KNN_NEAREST_H
#define RUNGS_KNN_NEAREST_H

#include "exact.h" /* TILE, units, workspace, scores, consider, answer */
#include "trigonometry.h"

static const float narrow_window = 0x1p-20f; /* 2E */

#define SEVERAL UINT32_MAX

/* The least score of a tile that has one of the k nearest, where the k-th best tile scores `best`.  `at` is the
   observation.  The variant says in which unit it keeps scores of tiles. */
VECTORS static float least_score(const float at[3], float best);

/* Writes the unit vectors of `count` references, TILE at most, from `first` on.  The rest of the tile repeats
   the last one. */
VECTORS static void to_unit_vectors(const struct knn *p, size_t first, size_t count, struct units v)
{
    double *x = v.fine + 3 * first, *y = x + TILE, *z = y + TILE;

#pragma omp simd
    for (size_t c = 0; c < count; c++) {
        to_fine_unit_vector(p->ref_lat[first + c], p->ref_lon[first + c], &x[c], &y[c], &z[c]);
        v.x[first + c] = (float)x[c];
        v.y[first + c] = (float)y[c];
        v.z[first + c] = (float)z[c];
    }
    for (size_t last = first + count - 1, j = last + 1; j < first + TILE; j++) {
        v.x[j] = v.x[last];
        v.y[j] = v.y[last];
        v.z[j] = v.z[last];
    }
}

/* Writes the unit vectors of all references; threads share the loop, as in unit_vectors(). */
HELPER void precise_unit_vectors(const struct knn *p, struct units v)
{
#pragma omp for
    for (size_t first = 0; first < p->n; first += TILE)
        to_unit_vectors(p, first, p->n - first < TILE ? p->n - first : TILE, v);
}

/* Returns the place of the only number in v[0 .. n-1] that is `least` or more, or SEVERAL.  n: whole tiles */
INLINE VECTORS uint32_t only_one(const float *v, size_t n, float least)
{
    uint32_t place = 0;
    int count = 0;

    for (size_t i = 0; i < n; i += TILE) {
        uint64_t mask = reaching(v + i, least);

        count += __builtin_popcountll(mask);
        place = mask == 0 ? place : (uint32_t)(i + (size_t)__builtin_ctzll(mask));
    }
    return count == 1 ? place : SEVERAL;
}

/* Returns the only candidate of a tile, or SEVERAL. */
INLINE VECTORS uint32_t only_one_of_tile(struct units ref, size_t tile, const float at[3])
{
    _Alignas(64) float score[TILE];
    uint32_t place;

    scores(ref, tile * TILE, TILE, at, score);
    place = only_one(score, TILE, highest(score, TILE) - narrow_window);
    return place == SEVERAL ? SEVERAL : (uint32_t)(tile * TILE) + place;
}

/* Answers observation i, whose vector is `at`, by the best score of each tile, like answer_by_tiles().  But the
   variant's scores may be coarser than float32, so of a few tiles that reach into its window the references are
   scored again, and the window of candidates starts at the k-th best of these scores. */
HELPER VECTORS void answer_candidates(struct workspace *w, const struct knn *p, size_t i,
                                      const float at[3], struct units ref, const float *best)
{
    size_t tiles = (p->n + TILE - 1) / TILE, good, top = 0;
    float least;

    if (p->k > tiles) {
        answer_by_scores(w, p, i, at, ref);
        return;
    }
    least = least_score(at, kth_largest(best, tiles, p->k, w->sorted));
    good = at_least(best, tiles, least, w->tile, tiles);
    if (good > p->k + FEW) { /* are they copies of what the best tile has? */
        for (size_t g = 1; g < good; g++)
            top = best[w->tile[g]] > best[w->tile[top]] ? g : top;
        scores(ref, w->tile[top] * (size_t)TILE, TILE, at, w->score);
        if (answer_if_tied(w, p, i, at, ref, highest(w->score, TILE) - narrow_window, good))
            return;
    }
    score_tiles(w, p, at, ref, good);
    for (size_t g = 0; g < good; g++)
        w->top[g] = highest(w->score + g * TILE, TILE);
    least = kth_largest(w->top, good, p->k, w->sorted) - narrow_window;
    answer_scored(w, p, i, ref, least, good);
}

/* Writes the distances of the nearest references of `count` observations, k = 1. */
INLINE VECTORS void measure(const struct knn *p, size_t first, size_t count)
{
#pragma omp simd
    for (size_t i = first; i < first + count; i++) {
        uint32_t j = p->index[i];

        p->distance[i] = (float)angle_between(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j],
                                              p->ref_lon[j]);
    }
}

#endif
