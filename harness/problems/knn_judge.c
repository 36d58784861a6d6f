/* knn: the reference, what an answer may be off by, and the verdict. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/knn.h"
#include "harness/parallel.h"
#include "harness/problems/knn.h"
#include "harness/random.h"

/* --- reference -------------------------------------------------------------------------------- */

struct neighbour {
    double distance;
    uint32_t index;
};

/* Of references at the same place, the first comes first, whatever the arithmetic: their distances
   are the same computation.  NO_TWIN: none has the place of reference j before it. */
#define NO_TWIN UINT32_MAX

struct solution {
    uint32_t *twin;             /* [n] the last reference before j at the place of j, or NO_TWIN */
    size_t samples;
    uint64_t seed;              /* picks the samples ... */
    bool all;                   /* ... unless they are all observations */
    struct neighbour nearest[]; /* [samples][k] */
};

/* The specification to the letter, in float64.  Its own errors, 2e-16 and 2e-8 at the antipode,
   are as nothing beside what the judge allows there. */
static double haversine(const struct knn *p, size_t i, size_t j)
{
    double lat1 = p->obs_lat[i], lon1 = p->obs_lon[i];
    double lat2 = p->ref_lat[j], lon2 = p->ref_lon[j];
    double sin_lat = sin((lat2 - lat1) / 2.0);
    double sin_lon = sin((lon2 - lon1) / 2.0);
    double h = sin_lat * sin_lat + cos(lat1) * cos(lat2) * sin_lon * sin_lon;

    return 2.0 * asin(sqrt(fmin(h, 1.0)));
}

static size_t sampled(const struct solution *s, const struct knn *p, size_t sample)
{
    return s->all || p->m == 0 ? sample : random_bits(s->seed, SAMPLES, sample) % p->m;
}

/*
 * Insertion: the list stays in order, and of equal distances the first index stays first.
 *
 * Most pairs need no haversine: two points are no nearer than their latitudes are, so nothing that is
 * farther in latitude than the last of the list, by more than both distances may be off, would enter it.
 */
static void find_nearest(const struct knn *p, size_t i, struct neighbour *nearest)
{
    const double slack = 1e-7, lat = p->obs_lat[i];

    for (size_t r = 0; r < p->k; r++)
        nearest[r] = (struct neighbour){INFINITY, 0}; /* farther than any; there are k nearer ones */
    for (size_t j = 0; j < p->n; j++) {
        size_t place = p->k - 1;

        if (fabs(p->ref_lat[j] - lat) > nearest[place].distance + slack)
            continue;
        const double d = haversine(p, i, j);
        if (!(d < nearest[place].distance))
            continue;
        for (; place > 0 && d < nearest[place - 1].distance; place--)
            nearest[place] = nearest[place - 1];
        nearest[place] = (struct neighbour){d, (uint32_t)j};
    }
}

struct place {
    float lat, lon;
    uint32_t index;
};

static int by_place(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->lat != b->lat)
        return a->lat < b->lat ? -1 : 1;
    if (a->lon != b->lon)
        return a->lon < b->lon ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static bool find_twins(const struct knn *p, uint32_t *twin)
{
    struct place *places = malloc((p->n + 1) * sizeof *places);

    if (places == NULL)
        return false;
    for (size_t j = 0; j < p->n; j++)
        places[j] = (struct place){p->ref_lat[j], p->ref_lon[j], (uint32_t)j};
    qsort(places, p->n, sizeof *places, by_place);
    for (size_t j = 0; j < p->n; j++) {
        bool same = j > 0 && places[j].lat == places[j - 1].lat &&
                    places[j].lon == places[j - 1].lon;
        twin[places[j].index] = same ? places[j - 1].index : NO_TWIN;
    }
    free(places);
    return true;
}

struct search {
    const struct knn *p;
    struct solution *s;
};

static void find_samples(void *context, size_t begin, size_t end)
{
    const struct search *w = context;

    for (size_t sample = begin; sample < end; sample++)
        find_nearest(w->p, sampled(w->s, w->p, sample), w->s->nearest + sample * w->p->k);
}

/* As many observations as make some 16 million pairs. */
void *knn_solve(const void *c, uint64_t seed)
{
    const struct knn *p = c;
    size_t affordable = ((size_t)1 << 24) / p->n + 1;
    size_t samples = p->m < affordable ? p->m : affordable;
    size_t answers = samples * p->k * sizeof(struct neighbour);
    struct solution *s = calloc(1, sizeof *s + answers + p->n * sizeof *s->twin); /* one block */

    if (s == NULL)
        return NULL;
    s->twin = (uint32_t *)(void *)((char *)s->nearest + answers);
    if (!find_twins(p, s->twin)) {
        free(s);
        return NULL;
    }
    s->samples = samples;
    s->seed = seed;
    s->all = samples == p->m;
    struct search w = {p, s};
    parallel_for(samples, ((size_t)1 << 18) / p->n + 1, find_samples, &w);
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * How far from the truth the distance of a pair may lie, evaluated with unit roundoff u.
 *
 *     coordinates  Each difference is rounded once.  That is as if the point had moved by
 *                  u*|lat2 - lat1| and u*|lon2 - lon1|, and the distance by their sum at most.
 *     h            Two squares, two products more, a sum, and sines and cosines off by an ulp each
 *                  leave h with a relative error of 10u.  As dd/dh = 1/sqrt(h*(1-h)), this moves
 *                  d by 10u*tan(d/2); at the antipode, where the tangent has no bound, by no more
 *                  than the whole way from h = 1 - 10u to 1, which is 2*sqrt(10u).
 *     d            Root, arcsine, and storing: 4u*d.
 *     underflow    Below 2^-62, h is less than the smallest normal float32.
 *
 * Approximate sines and cosines (MATH_FAST) have an absolute error of u rather than a relative one;
 * the two sines and two cosines move d by 8u at most.
 */
static double distance_limit(const struct knn *p, size_t i, size_t j, double d, enum math math)
{
    double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 all the same */
    double moved = fabs((double)p->ref_lat[j] - p->obs_lat[i]) +
                   fabs((double)p->ref_lon[j] - p->obs_lon[i]);
    double from_h = fmin(10.0 * u * fabs(tan(d / 2.0)), 2.0 * sqrt(10.0 * u));

    return u * moved + from_h + 4.0 * u * d + (math == MATH_FAST ? 8.0 * u : 0.0) + 0x1p-62;
}

struct question {
    const struct knn *p;
    const struct solution *s;
    enum math math;
};

/* Which references an observation has named: a bit each. */
static bool is_named(const uint8_t *named, size_t j)
{
    return (named[j / 8] >> j % 8 & 1) != 0;
}

static void set_named(uint8_t *named, size_t j)
{
    named[j / 8] = (uint8_t)(named[j / 8] | 1U << j % 8);
}

/* What must hold of every observation: finite distances in order, indices in range and none named
   twice, each distance that of its index, and of references at one place the first one first.
   Returns false where no more can be said. */
static bool judge_consistency(struct verdict *v, const struct question *q, size_t i, uint8_t *named)
{
    const struct knn *p = q->p;
    const uint32_t *index = p->index + i * p->k, *twin = q->s->twin;
    const float *distance = p->distance + i * p->k;

    for (size_t r = 0; r < p->k; r++) {
        size_t j = index[r];

        if (!isfinite(distance[r]))
            return verdict_see(v, "distance", i * p->k + r, distance[r],
                               j < p->n ? haversine(p, i, j) : NAN, 0.0);
        if (j >= p->n) {
            verdict_reject(v, "observation %zu: reference %zu of %zu", i, j, p->n);
            return false;
        }
        if (is_named(named, j)) {
            verdict_reject(v, "observation %zu names reference %zu twice", i, j);
            return false;
        }
        if (twin[j] != NO_TWIN && !is_named(named, twin[j])) {
            verdict_reject(v, "observation %zu: reference %zu, but not %u before it, at the same place",
                           i, j, twin[j]);
            return false;
        }
        set_named(named, j);
        if (r > 0 && distance[r] < distance[r - 1]) {
            verdict_reject(v, "observation %zu: neighbour %zu is nearer than the one before", i, r);
            return false;
        }

        double d = haversine(p, i, j);

        verdict_see(v, "distance", i * p->k + r, distance[r], d,
                    distance_limit(p, i, j, d, q->math));
    }
    for (size_t r = 0; r < p->k; r++)
        named[index[r] / 8] = 0;
    return true;
}

static void judge_observations(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;
    uint8_t *named = calloc(q->p->n / 8 + 1, sizeof *named);

    if (named == NULL)
        verdict_reject(v, "no memory to judge %zu references", q->p->n);
    for (size_t i = begin; named != NULL && i < end; i++)
        if (!judge_consistency(v, q, i, named))
            break;
    free(named);
}

/* Are these the nearest?  A neighbour may be farther than the reference's of the same rank by as
   much as both distances may be off. */
static void judge_nearest(struct verdict *v, const struct question *q, size_t i,
                          const struct neighbour *nearest)
{
    const struct knn *p = q->p;

    for (size_t r = 0; r < p->k; r++) {
        size_t j = p->index[i * p->k + r], best = nearest[r].index;
        double d = haversine(p, i, j);
        double limit = distance_limit(p, i, j, d, q->math) +
                       distance_limit(p, i, best, nearest[r].distance, q->math);

        v->same += j == best;
        if (d > nearest[r].distance)
            verdict_see(v, "index's distance", i * p->k + r, d, nearest[r].distance, limit);
    }
    v->asked += p->k;
}

static void judge_samples(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;

    for (size_t sample = begin; sample < end; sample++)
        judge_nearest(v, q, sampled(q->s, q->p, sample), q->s->nearest + sample * q->p->k);
}

struct verdict knn_judge(const void *c, const void *solution, enum math math)
{
    enum { NEIGHBOURS = 1 << 12 }; /* of a chunk at least */
    const struct knn *p = c;
    const struct solution *s = solution;
    const struct question q = {p, s, math};
    struct verdict v = verdict_of(p->m, NEIGHBOURS / p->k + 1, judge_observations, &q);

    if (v.finite && v.note[0] == '\0') {
        const struct verdict sampled_ones =
            verdict_of(s->samples, NEIGHBOURS / p->k + 1, judge_samples, &q);
        verdict_add(&v, &sampled_ones);
    }
    v.columns = p->k;
    return v;
}
