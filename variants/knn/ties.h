/*
 * For variants that rank references by chords in float64: what decides where chords are too close to tell which
 * reference is nearer, so that the order is that of the haversine formula, operation by operation, and of indexes.
 *
 * Chord   The straight line between two points of the sphere, between their unit vectors.
 * Error   Coordinates in float64 are off by some 1e-15, and so are chords.  Two chords that differ by more than
 *         `slack` are in the order of the formula (docs/knn-exactness.md, "CPU: chords in float64").
 * Near    The error is absolute, but an answer's tolerance is a share of the distance.  So for near references, below
 *         `near_by`, the formula gives the distance as well.
 * Tie     Copies and lattices consist of references that the formula puts at the same distance.  Mostly that is
 *         known without the formula (same_distance in exact.h).
 */
#ifndef RUNGS_KNN_TIES_H
#define RUNGS_KNN_TIES_H

#include "exact.h"        /* same_distance, haversine, HELPER */
#include "trigonometry.h" /* arcsine, half_turn */

static const double slack = 0x1p-45;   /* 2.8e-14 */
static const double near_by = 0x1p-23; /* 1.2e-7, 76 cm on the earth */

struct found {
    double rank; /* a squared chord; later the distance */
    uint32_t index;
};

/* The largest squared chord that may be as short as this one, by the formula */
INLINE double with_slack(double squared_chord)
{
    double chord = sqrt(squared_chord) + slack;

    return chord * chord;
}

/* The angle; beyond a right angle, by the distance from the antipode */
INLINE double angle_of(double squared_chord)
{
    double h = squared_chord / 4, rest = 1 - h > 0 ? 1 - h : 0;
    double angle = 2 * arcsine(sqrt(h < rest ? h : rest));

    return h < rest ? angle : half_turn - angle;
}

/* The distance of observation i from a reference that has this squared chord.  For copies the formula need not run. */
HELPER double distance_of(const struct knn *p, size_t i, size_t j, double squared_chord)
{
    if (squared_chord >= near_by * near_by)
        return angle_of(squared_chord);
    return p->ref_lat[j] == p->obs_lat[i] && p->ref_lon[j] == p->obs_lon[i] ? 0 : haversine(p, i, j);
}

HELPER int ranks_before(const void *left, const void *right)
{
    const struct found *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

HELPER void sort_found(struct found *found, size_t count)
{
    enum { SHORT = 32 };

    if (count > SHORT) {
        qsort(found, count, sizeof *found, ranks_before);
        return;
    }
    for (size_t f = 1; f < count; f++) {
        struct found moved = found[f];
        size_t to = f;

        for (; to > 0 && ranks_before(&moved, &found[to - 1]) < 0; to--)
            found[to] = found[to - 1];
        found[to] = moved;
    }
}

/* Ranks references whose chords do not tell which is nearer. */
HELPER void rank_run(const struct knn *p, size_t i, struct found *found, size_t count)
{
    const double distance = distance_of(p, i, found[0].index, found[0].rank);
    int tied = 1;

    for (size_t c = 1; c < count; c++)
        tied &= same_distance(p, i, found[0].index, found[c].index);
    for (size_t c = 0; c < count; c++)
        found[c].rank = tied ? distance : haversine(p, i, found[c].index);
    sort_found(found, count);
}

/* Answers observation i.  `found` has all references that may be among its k nearest, with squared chords.  Near the
   antipode the formula rounds more than chords do, so a run's distance may be less than the one before. */
HELPER void answer_found(const struct knn *p, size_t i, struct found *found, size_t count)
{
    double farthest = 0;

    sort_found(found, count);
    for (size_t rank = 0, run; rank < p->k; rank += run) {
        for (run = 1; rank + run < count; run++)
            if (found[rank + run].rank > with_slack(found[rank + run - 1].rank))
                break;
        rank_run(p, i, found + rank, run);
        for (size_t c = rank; c < rank + run && c < p->k; c++) {
            p->index[i * p->k + c] = found[c].index;
            farthest = fmax(farthest, found[c].rank);
            p->distance[i * p->k + c] = (float)farthest;
        }
    }
}

#endif
