/*
 * For variants that rank by a cheap float32 score and then name exactly the neighbours that float64 names.
 *
 * Score   The dot product of two unit vectors is the cosine of the angle between them, so the nearest point
 *         has the highest score.
 * Error   A score is within E = 32u of the cosine (u = 2^-24), with room for a vector that is divided by its
 *         largest component (faces.h).  Derivation: docs/knn-exactness.md, "CPU: float32 dot products".
 * Window  If k scores are at least s, the k nearest have scores of at least s - 2E.  References that score
 *         that much are candidates.  A single one is the nearest.  Of several, the haversine formula in
 *         float64 decides, and with it the tie rule.  There are few more than k of them, unless points crowd
 *         within 3e-3 radians; then the answer is still exact, but slow.
 */
#ifndef RUNGS_KNN_EXACT_H
#define RUNGS_KNN_EXACT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/knn.h"

/* static, so that each variant has its own copy for its own instruction set; none needs them all. */
#define HELPER __attribute__((unused)) static
#define INLINE static inline __attribute__((always_inline, unused))

enum { TILE = 64, CHUNK = 32 };       /* references in a tile; scores tested together */
static const float window = 0x1p-18f; /* 2E */

struct units { /* unit vectors of points on the sphere, whole tiles of them */
    float *x, *y, *z;
};

struct candidate {
    double distance;
    uint32_t index;
};

struct workspace { /* what one thread needs to answer one observation */
    float *score;
    float *sorted;
    uint32_t *place;
    uint32_t *tile; /* candidates, and the best score of each: nearest.h */
    float *top;
    struct candidate *candidate;
    size_t candidates;
};

/* Allocates n floats, rounded up to a multiple of `whole`, which is 16 or more: whole lines of 64 bytes. */
HELPER float *floats(size_t n, size_t whole)
{
    return aligned_alloc(64, (n + whole - 1) / whole * whole * sizeof(float));
}

HELPER struct units units_new(size_t n)
{
    return (struct units){floats(n, TILE), floats(n, TILE), floats(n, TILE)};
}

HELPER void units_free(struct units v)
{
    free(v.x);
    free(v.y);
    free(v.z);
}

HELPER struct workspace workspace_new(size_t n)
{
    return (struct workspace){.score = floats(n, TILE),
                              .sorted = floats(n, TILE),
                              .place = malloc(n * sizeof(uint32_t)),
                              .tile = malloc((n + TILE - 1) / TILE * sizeof(uint32_t)),
                              .top = malloc((n + TILE - 1) / TILE * sizeof(float)),
                              .candidate = malloc(n * sizeof(struct candidate))};
}

HELPER void workspace_free(struct workspace w)
{
    free(w.score);
    free(w.sorted);
    free(w.place);
    free(w.tile);
    free(w.top);
    free(w.candidate);
}

/* Writes the unit vector of point i of (lat, lon) to `place` of v. */
HELPER void unit_vector(const float *lat, const float *lon, size_t i, struct units v, size_t place)
{
    float cos_lat = cosf(lat[i]);

    v.x[place] = cos_lat * cosf(lon[i]);
    v.y[place] = cos_lat * sinf(lon[i]);
    v.z[place] = sinf(lat[i]);
}

/* Writes the unit vectors of all references.  The rest of the last tile repeats the last one, which changes
   no maximum.  In a parallel region the threads share the loop; elsewhere it is an ordinary loop. */
HELPER void unit_vectors(const struct knn *p, struct units v)
{
#pragma omp for
    for (size_t j = 0; j < (p->n + TILE - 1) / TILE * TILE; j++)
        unit_vector(p->ref_lat, p->ref_lon, j < p->n ? j : p->n - 1, v, j);
}

/* Must not be inlined: in a function compiled for FMA, compilers fuse products and sums, and this would
   round otherwise than float64's formula does elsewhere. */
__attribute__((noinline)) HELPER double haversine(const struct knn *p, size_t i, size_t j)
{
    double lat1 = p->obs_lat[i], lon1 = p->obs_lon[i];
    double lat2 = p->ref_lat[j], lon2 = p->ref_lon[j];
    double sin_lat = sin((lat2 - lat1) / 2);
    double sin_lon = sin((lon2 - lon1) / 2);
    double h = sin_lat * sin_lat + cos(lat1) * cos(lat2) * sin_lon * sin_lon;

    return 2 * asin(sqrt(fmin(h, 1)));
}

/* Writes the scores of `count` references from `first` on, which are whole tiles. */
HELPER inline void scores(struct units ref, size_t first, size_t count, const float at[3], float *s)
{
    for (size_t j = 0; j < count; j++)
        s[j] = at[0] * ref.x[first + j] + at[1] * ref.y[first + j] + at[2] * ref.z[first + j];
}

/* Writes the places where v[0 .. n-1] is `least` or more, ascending; returns how many there are.  Few are, so
   vector instructions first test a whole tile.  Then a mask replaces branches that would be mispredicted. */
HELPER inline size_t at_least(const float *v, size_t n, float least, uint32_t *place)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i += TILE) {
        size_t count = n - i < TILE ? n - i : TILE;
        int any = count < TILE;
        uint64_t mask = 0;

        for (size_t c = 0; count == TILE && c < TILE; c++)
            any |= v[i + c] >= least;
        if (!any)
            continue;
        for (size_t c = 0; c < count; c++)
            mask |= (uint64_t)(v[i + c] >= least) << c;
        for (; mask != 0; mask &= mask - 1) /* clears the lowest bit set */
            place[found++] = (uint32_t)(i + (size_t)__builtin_ctzll(mask));
    }
    return found;
}

/* Returns the largest.  CHUNK maxima are independent; a single one would wait for each comparison. */
HELPER inline float largest(const float *v, size_t n)
{
    float top[CHUNK], best = v[0];
    size_t i = 0;

    for (size_t c = 0; c < CHUNK; c++)
        top[c] = best;
    for (; i + CHUNK <= n; i += CHUNK)
        for (size_t c = 0; c < CHUNK; c++)
            top[c] = v[i + c] > top[c] ? v[i + c] : top[c];
    for (; i < n; i++)
        best = v[i] > best ? v[i] : best;
    for (size_t c = 0; c < CHUNK; c++)
        best = top[c] > best ? top[c] : best;
    return best;
}

/* Returns the k-th largest, by quickselect (C. A. R. Hoare, "Algorithm 65: Find", 1961) in a copy. */
HELPER float kth_largest(const float *v, size_t n, size_t k, float *copy)
{
    if (k == 1)
        return largest(v, n);

    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k - 1;

    memcpy(copy, v, n * sizeof *copy);
    while (low < high) {
        float pivot = copy[wanted];
        ptrdiff_t i = low, j = high;

        while (i <= j) {
            while (copy[i] > pivot)
                i++;
            while (copy[j] < pivot)
                j--;
            if (i <= j) {
                float swap = copy[i];

                copy[i++] = copy[j];
                copy[j--] = swap;
            }
        }
        if (j < wanted)
            low = i;
        if (wanted < i)
            high = j;
    }
    return copy[wanted];
}

HELPER void consider(struct workspace *w, size_t j)
{
    w->candidate[w->candidates++].index = (uint32_t)j;
}

HELPER int nearer(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* The distance in float32, for an only candidate */
HELPER float plain_haversine(const struct knn *p, size_t i, size_t j)
{
    float sin_lat = sinf((p->ref_lat[j] - p->obs_lat[i]) / 2);
    float sin_lon = sinf((p->ref_lon[j] - p->obs_lon[i]) / 2);
    float h = sin_lat * sin_lat + cosf(p->obs_lat[i]) * cosf(p->ref_lat[j]) * sin_lon * sin_lon;

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

/* Answers observation i: writes the k nearest candidates, and empties the list of candidates. */
HELPER void answer(struct workspace *w, const struct knn *p, size_t i)
{
    if (w->candidates == 1) {
        p->index[i] = w->candidate[0].index;
        p->distance[i] = plain_haversine(p, i, w->candidate[0].index);
        w->candidates = 0;
        return;
    }
    for (size_t c = 0; c < w->candidates; c++)
        w->candidate[c].distance = haversine(p, i, w->candidate[c].index);
    if (p->k == 1) { /* no need to sort */
        for (size_t c = 1; c < w->candidates; c++)
            if (nearer(&w->candidate[c], &w->candidate[0]) < 0)
                w->candidate[0] = w->candidate[c];
    } else {
        qsort(w->candidate, w->candidates, sizeof *w->candidate, nearer);
    }
    for (size_t r = 0; r < p->k; r++) {
        p->index[i * p->k + r] = w->candidate[r].index;
        p->distance[i * p->k + r] = (float)w->candidate[r].distance;
    }
    w->candidates = 0;
}

/* Answers observation i, whose unit vector is `at`, by the score of every reference. */
HELPER inline void answer_by_scores(struct workspace *w, const struct knn *p, size_t i,
                                    const float at[3], struct units ref)
{
    scores(ref, 0, p->n, at, w->score);

    float least = kth_largest(w->score, p->n, p->k, w->sorted) - window;
    size_t found = at_least(w->score, p->n, least, w->place);

    for (size_t f = 0; f < found; f++)
        consider(w, w->place[f]);
    answer(w, p, i);
}

/* Answers observation i by the best score of each tile.  The best scores of k tiles are scores of k
   references, so the window starts at the k-th best tile's.  Only tiles that reach into it are scored
   again.  With fewer tiles than k, all references are. */
HELPER inline void answer_by_tiles(struct workspace *w, const struct knn *p, size_t i,
                                   const float at[3], struct units ref, const float *best)
{
    size_t tiles = (p->n + TILE - 1) / TILE;

    if (p->k > tiles) {
        answer_by_scores(w, p, i, at, ref);
        return;
    }

    float least = kth_largest(best, tiles, p->k, w->sorted) - window;
    size_t good = at_least(best, tiles, least, w->place);

    for (size_t g = 0; g < good; g++) {
        size_t first = w->place[g] * (size_t)TILE;
        size_t count = p->n - first < TILE ? p->n - first : TILE;
        uint32_t place[TILE];

        scores(ref, first, TILE, at, w->score);
        for (size_t f = 0, found = at_least(w->score, count, least, place); f < found; f++)
            consider(w, first + place[f]);
    }
    answer(w, p, i);
}

/* References in the order in which simd.h and faces_float.h read them.  In a block of `lanes` tiles, lane l
   of a vector works on tile l, so the maximum in lane l is tile l's, and lanes are never compared:
   [block][step in the tile][x, y, z][lane]. */
HELPER float *packed_new(size_t n, size_t lanes)
{
    return floats(3 * ((n + TILE * lanes - 1) / (TILE * lanes)) * TILE * lanes, CHUNK);
}

HELPER void pack(struct units ref, size_t n, size_t lanes, float *packed)
{
    size_t rows = (n + TILE * lanes - 1) / (TILE * lanes) * TILE;

#pragma omp for
    for (size_t row = 0; row < rows; row++)
        for (size_t lane = 0; lane < lanes; lane++) {
            size_t j = (row / TILE * lanes + lane) * TILE + row % TILE;

            j = j < n ? j : n - 1;
            packed[(3 * row + 0) * lanes + lane] = ref.x[j];
            packed[(3 * row + 1) * lanes + lane] = ref.y[j];
            packed[(3 * row + 2) * lanes + lane] = ref.z[j];
        }
}

#endif
