/*
 * For variants that rank by a cheap float32 score and then name exactly the neighbours that float64 names.
 *
 * Score   The dot product of two unit vectors is the cosine of the angle between them, so the nearest point
 *         has the highest score.
 * Error   A score is within E = 32u of the cosine (u = 2^-24), with room for a vector that is divided by its
 *         largest component (faces.h).  Derivation: docs/knn-exactness.md, "CPU: float32 dot products".
 * Window  If k scores are at least s, the k nearest have scores of at least s - 2E.  References that score
 *         that much are candidates.  A single one is the nearest.  Of several, the haversine formula in
 *         float64 decides, and with it the tie rule.
 * Crowds  Where points crowd within 3e-3 radians, all of them are candidates.  Then their tiles are looked at
 *         again, by chords computed in float64 (look_again), which tell apart what the cosine does not.
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
enum { FEW = 32 };                    /* candidates more than k that the formula decides between at once */
static const float window = 0x1p-18f;       /* 2E */
static const double chord_slack = 0x1p-45;  /* the same for chords in float64 */

struct units { /* unit vectors of points on the sphere, whole tiles of them */
    float *x, *y, *z;
    double *fine; /* the same in float64: [tile][x, y, z][TILE] */
};

struct candidate {
    double distance;
    uint32_t index;
};

struct workspace { /* what one thread needs to answer one observation */
    float *score;
    float *sorted;
    uint32_t *place;
    uint32_t *tile; /* that reach into the window, and the best score of each: nearest.h */
    float *top;
    double *chord;
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
    return (struct units){floats(n, TILE), floats(n, TILE), floats(n, TILE),
                          aligned_alloc(64, (n + TILE - 1) / TILE * TILE * 3 * sizeof(double))};
}

HELPER void units_free(struct units v)
{
    free(v.x);
    free(v.y);
    free(v.z);
    free(v.fine);
}

HELPER struct workspace workspace_new(size_t n)
{
    return (struct workspace){.score = floats(n, TILE),
                              .sorted = floats(n, TILE),
                              .place = malloc(n * sizeof(uint32_t)),
                              .tile = malloc((n + TILE - 1) / TILE * sizeof(uint32_t)),
                              .top = malloc((n + TILE - 1) / TILE * sizeof(float)),
                              .chord = aligned_alloc(64, (n + TILE - 1) / TILE * TILE * sizeof(double)),
                              .candidate = malloc(n * sizeof(struct candidate))};
}

HELPER void workspace_free(struct workspace w)
{
    free(w.score);
    free(w.sorted);
    free(w.place);
    free(w.tile);
    free(w.top);
    free(w.chord);
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

HELPER void fine_unit_vector(double lat, double lon, double at[3])
{
    at[0] = cos(lat) * cos(lon);
    at[1] = cos(lat) * sin(lon);
    at[2] = sin(lat);
}

/* Writes the unit vectors of all references.  The rest of the last tile repeats the last one, which changes
   no maximum.  In a parallel region the threads share the loop; elsewhere it is an ordinary loop. */
HELPER void unit_vectors(const struct knn *p, struct units v)
{
#pragma omp for
    for (size_t j = 0; j < (p->n + TILE - 1) / TILE * TILE; j++) {
        double *fine = v.fine + j / TILE * 3 * TILE + j % TILE, at[3];
        size_t i = j < p->n ? j : p->n - 1;

        fine_unit_vector(p->ref_lat[i], p->ref_lon[i], at);
        v.x[j] = (float)(fine[0] = at[0]);
        v.y[j] = (float)(fine[TILE] = at[1]);
        v.z[j] = (float)(fine[2 * TILE] = at[2]);
    }
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

/* Writes the places where v[0 .. n-1] is `least` or more, ascending; returns how many there are, or at least more than
   `most`.  Few are, so vector instructions first test a whole tile.  Then a mask replaces branches that would be
   mispredicted. */
HELPER inline size_t at_least(const float *v, size_t n, float least, uint32_t *place, size_t most)
{
    size_t found = 0;

    for (size_t i = 0; i < n && found <= most; i += TILE) {
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

/* Does the formula give the same distance of observation i from both references?  It does if both are as far north
   or south of it, and as far east or west, and their latitudes have the same cosine, or it does not count: then its
   numbers are the same but for signs.  0: perhaps. */
HELPER int same_distance(const struct knn *p, size_t i, size_t a, size_t b)
{
    double lat = p->obs_lat[i], lon = p->obs_lon[i];

    return fabs(p->ref_lat[a] - lat) == fabs(p->ref_lat[b] - lat) &&
           fabs(p->ref_lon[a] - lon) == fabs(p->ref_lon[b] - lon) &&
           (p->ref_lat[a] == p->ref_lat[b] || p->ref_lon[a] == lon);
}

/* Answers observation i: writes the k nearest candidates, and empties the list of candidates. */
HELPER void answer(struct workspace *w, const struct knn *p, size_t i)
{
    struct candidate *candidate = w->candidate;
    size_t same = 1, sorted = 1, count = w->candidates;

    while (same < count && same_distance(p, i, candidate[0].index, candidate[same].index))
        same++;
    if (same == count) /* one, or copies of it, or others that tie */
        candidate[0].distance = plain_haversine(p, i, candidate[0].index);
    for (size_t c = 0; c < count; c++)
        candidate[c].distance =
            same == count ? candidate[0].distance : haversine(p, i, candidate[c].index);
    while (sorted < count && nearer(&candidate[sorted - 1], &candidate[sorted]) < 0)
        sorted++;
    if (p->k == 1) { /* no need to sort */
        for (size_t c = sorted; c < count; c++)
            if (nearer(&candidate[c], &candidate[0]) < 0)
                candidate[0] = candidate[c];
    } else if (sorted < count) {
        qsort(candidate, count, sizeof *candidate, nearer);
    }
    for (size_t r = 0; r < p->k; r++) {
        p->index[i * p->k + r] = candidate[r].index;
        p->distance[i * p->k + r] = (float)candidate[r].distance;
    }
    w->candidates = 0;
}

/* Writes minus the squared chords from `at` to the references of a tile.  Returns the largest. */
INLINE double chords(const double *fine, const double at[3], double *chord)
{
    const double *x = fine, *y = x + TILE, *z = y + TILE;
    double top[CHUNK / 2];

    for (size_t c = 0; c < CHUNK / 2; c++)
        top[c] = -5;
    for (size_t from = 0; from < TILE; from += CHUNK / 2)
        for (size_t c = 0; c < CHUNK / 2; c++) {
            double dx = x[from + c] - at[0], dy = y[from + c] - at[1], dz = z[from + c] - at[2];
            double squared = -(dx * dx + dy * dy + dz * dz);

            chord[from + c] = squared;
            top[c] = squared > top[c] ? squared : top[c];
        }
    for (size_t c = 1; c < CHUNK / 2; c++)
        top[0] = top[c] > top[0] ? top[c] : top[0];
    return top[0];
}

/* Answers observation i, all of whose k nearest are in the first `tiles` of w->tile, by chords in float64.  The score
   says how much longer than the shortest a squared chord is, so that float32 loses little of it
   (docs/knn-exactness.md, "CPU: second look by chords"). */
INLINE void look_again(struct workspace *w, const struct knn *p, size_t i, struct units ref, size_t tiles)
{
    double at[3], best = -5, farthest, longer;
    size_t found;
    float least;

    fine_unit_vector(p->obs_lat[i], p->obs_lon[i], at);
    for (size_t t = 0; t < tiles; t++)
        best = fmax(best, chords(ref.fine + w->tile[t] * (size_t)(3 * TILE), at, w->chord + t * TILE));
    for (size_t c = 0; c < tiles * TILE; c++)
        w->score[c] = (float)(w->chord[c] - best);
    for (size_t t = 0; t < tiles; t++)
        for (size_t c = TILE, first = w->tile[t] * (size_t)TILE; first + c > p->n; c--)
            w->score[t * TILE + c - 1] = -9; /* a repetition of the last reference: below any score */
    least = kth_largest(w->score, tiles * TILE, p->k, w->sorted) * (1 + 0x1p-22f);
    farthest = sqrt(fmax(0, -best - least));
    longer = farthest + chord_slack;
    least -= (float)(longer * longer - farthest * farthest) * (1 + 0x1p-22f);
    found = at_least(w->score, tiles * TILE, least, w->place, p->n);
    for (size_t f = 0; f < found; f++)
        consider(w, w->tile[w->place[f] / TILE] * (size_t)TILE + w->place[f] % TILE);
    answer(w, p, i);
}

/* Answers observation i, whose unit vector is `at`, by the score of every reference. */
HELPER inline void answer_by_scores(struct workspace *w, const struct knn *p, size_t i,
                                    const float at[3], struct units ref)
{
    size_t tiles = 0, found;

    scores(ref, 0, p->n, at, w->score);
    found = at_least(w->score, p->n, kth_largest(w->score, p->n, p->k, w->sorted) - window, w->place, p->n);
    if (found <= p->k + FEW) {
        for (size_t f = 0; f < found; f++)
            consider(w, w->place[f]);
        answer(w, p, i);
        return;
    }
    for (size_t f = 0; f < found; f++)
        if (tiles == 0 || w->tile[tiles - 1] != w->place[f] / TILE)
            w->tile[tiles++] = w->place[f] / TILE;
    look_again(w, p, i, ref, tiles);
}

/* Scores the references of the first `tiles` of w->tile again. */
HELPER inline void score_tiles(struct workspace *w, const struct knn *p, const float at[3], struct units ref,
                               size_t tiles)
{
    for (size_t t = 0; t < tiles; t++) {
        size_t first = w->tile[t] * (size_t)TILE;

        scores(ref, first, TILE, at, w->score + t * TILE);
        for (size_t c = TILE; first + c > p->n; c--)
            w->score[t * TILE + c - 1] = -4; /* a repetition of the last reference: below any score */
    }
}

/* Answers observation i by those references of the first `tiles` of w->tile that score at least `least`. */
HELPER inline void answer_scored(struct workspace *w, const struct knn *p, size_t i, struct units ref, float least,
                                 size_t tiles)
{
    size_t found = at_least(w->score, tiles * TILE, least, w->place, p->k + FEW);

    if (found > p->k + FEW) {
        look_again(w, p, i, ref, tiles);
        return;
    }
    for (size_t f = 0; f < found; f++)
        consider(w, w->tile[w->place[f] / TILE] * (size_t)TILE + w->place[f] % TILE);
    answer(w, p, i);
}

/* Answers observation i if all references of the first `tiles` of w->tile that score at least `least` tie, as copies of
   a place do; otherwise returns 0, as soon as two do not. */
HELPER inline int answer_if_tied(struct workspace *w, const struct knn *p, size_t i, const float at[3],
                                 struct units ref, float least, size_t tiles)
{
    for (size_t t = 0; t < tiles; t++) {
        size_t first = w->tile[t] * (size_t)TILE, count = p->n - first < TILE ? p->n - first : TILE;

        scores(ref, first, TILE, at, w->score);
        for (size_t f = 0, found = at_least(w->score, count, least, w->place, TILE); f < found; f++) {
            consider(w, first + w->place[f]);
            if (!same_distance(p, i, w->candidate[0].index, first + w->place[f])) {
                w->candidates = 0;
                return 0;
            }
        }
    }
    if (w->candidates < p->k) {
        w->candidates = 0;
        return 0;
    }
    answer(w, p, i);
    return 1;
}

/* Answers observation i by the best score of each tile.  The best scores of k tiles are scores of k
   references, so the window starts at the k-th best tile's.  Only tiles that reach into it are looked at
   again.  With fewer tiles than k, all references are. */
HELPER inline void answer_by_tiles(struct workspace *w, const struct knn *p, size_t i,
                                   const float at[3], struct units ref, const float *best)
{
    size_t tiles = (p->n + TILE - 1) / TILE, good;
    float least;

    if (p->k > tiles) {
        answer_by_scores(w, p, i, at, ref);
        return;
    }
    least = kth_largest(best, tiles, p->k, w->sorted) - window;
    good = at_least(best, tiles, least, w->tile, tiles);
    if (good > p->k + FEW && answer_if_tied(w, p, i, at, ref, least, good))
        return;
    score_tiles(w, p, at, ref, good);
    answer_scored(w, p, i, ref, least, good);
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
