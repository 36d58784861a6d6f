/* knn: the reference, the tolerance and the verdict. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/knn.h"
#include "harness/base/parallel.h"
#include "harness/problems/knn.h"
#include "harness/problems/knn_tree.h"

static struct knn_place observation(const struct knn *p, size_t i)
{
    return (struct knn_place){p->obs_lat[i], p->obs_lon[i]};
}

static struct knn_place reference(const struct knn *p, size_t j)
{
    return (struct knn_place){p->ref_lat[j], p->ref_lon[j]};
}

static double haversine(const struct knn *p, size_t i, size_t j)
{
    return knn_haversine(observation(p, i), reference(p, j));
}

/* --- reference -------------------------------------------------------------------------------- */

struct solution {
    uint32_t *twin;     /* [n] the last reference before j at the same place as j, or NO_TWIN */
    uint32_t nearest[]; /* [m][k] of every observation, followed by the above arrays */
};

struct search {
    const struct knn *p;
    const struct knn_tree *tree;
    struct solution *s;
    atomic_bool short_of_memory;
};

static void find_nearest(void *context, size_t begin, size_t end)
{
    struct search *w = context;
    const size_t k = w->p->k;
    struct neighbour *nearest = malloc(k * sizeof *nearest);

    if (nearest == NULL)
        atomic_store(&w->short_of_memory, true);
    for (size_t i = begin; nearest != NULL && i < end; i++) {
        knn_tree_nearest(w->tree, observation(w->p, i), k, nearest);
        for (size_t r = 0; r < k; r++)
            w->s->nearest[i * k + r] = nearest[r].index;
    }
    free(nearest);
}

static struct knn_tree *plant(const struct knn *p)
{
    struct knn_place *references = malloc((p->n + 1) * sizeof *references);

    for (size_t j = 0; references != NULL && j < p->n; j++)
        references[j] = reference(p, j);
    struct knn_tree *tree = references != NULL ? knn_tree_plant(p->n, references) : NULL;
    free(references);
    return tree;
}

void *knn_solve(const void *c)
{
    enum { NEIGHBOURS = 1 << 10 }; /* in a chunk, at least */
    const struct knn *p = c;
    const size_t answers = p->m * p->k;
    struct solution *s = malloc(sizeof *s + (answers + p->n) * sizeof *s->nearest);
    struct knn_tree *tree = plant(p);
    struct search w = {.p = p, .tree = tree, .s = s};

    if (s != NULL && tree != NULL) {
        s->twin = s->nearest + answers;
        knn_tree_twins(tree, s->twin);
        parallel_for(p->m, NEIGHBOURS / p->k + 1, find_nearest, &w);
    }
    if (tree != NULL)
        knn_tree_fell(tree);
    if (tree == NULL || atomic_load(&w.short_of_memory)) {
        free(s);
        return NULL;
    }
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * The tolerance for the distance of a pair, evaluated with unit roundoff u.
 *
 *     coordinates  Each difference is rounded once.  That is as if the point had moved by
 *                  u*|lat2 - lat1| and u*|lon2 - lon1|, and the distance by at most their sum.
 *     h            Two squares, two more products, a sum, and sines and cosines off by an ulp each
 *                  leave h with a relative error of 10u.  As dd/dh = 1/sqrt(h*(1-h)), this moves
 *                  d by 10u*tan(d/2).  At the antipode, where the tangent has no bound, it moves d by
 *                  at most the whole way from h = 1 - 10u to 1, which is 2*sqrt(10u).
 *     d            Root, arcsine, and storing: 4u*d.
 *     underflow    Below 2^-62, h is less than the smallest normal float32.
 *
 * Approximate sines and cosines (MATH_FAST) have an absolute error of u instead of a relative one; the
 * two sines and two cosines move d by at most 8u.
 */
static double distance_tolerance(const struct knn *p, size_t i, size_t j, double d, enum math math)
{
    double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* the answer is stored as float32 anyway */
    double moved = fabs((double)p->ref_lat[j] - p->obs_lat[i]) +
                   fabs((double)p->ref_lon[j] - p->obs_lon[i]);
    double from_h = fmin(10.0 * u * fabs(tan(d / 2.0)), 2.0 * sqrt(10.0 * u));

    return u * moved + from_h + 4.0 * u * d + (math == MATH_FAST ? 8.0 * u : 0.0) + 0x1p-62;
}

struct question {
    const struct knn *p;
    const struct solution *s;
    enum math math;
    bool any_tie; /* of references at one place, any will do */
};

/* Which references an observation has named, one bit each. */
static bool is_named(const uint8_t *named, size_t j)
{
    return (named[j / 8] >> j % 8 & 1) != 0;
}

static void set_named(uint8_t *named, size_t j)
{
    named[j / 8] = (uint8_t)(named[j / 8] | 1U << j % 8);
}

/* Checks each observation: finite distances in order, indices in range, no index twice, each distance
   that of its index, and of references at one place the first one first.  Returns false if nothing
   more can be said. */
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
            verdict_reject(v, "observation %zu names reference %zu, of %zu", i, j, p->n);
            return false;
        }
        if (is_named(named, j)) {
            verdict_reject(v, "observation %zu names reference %zu twice", i, j);
            return false;
        }
        if (!q->any_tie && twin[j] != NO_TWIN && !is_named(named, twin[j])) {
            verdict_reject(v, "observation %zu names reference %zu without %u, which is at the same place",
                           i, j, twin[j]);
            return false;
        }
        set_named(named, j);
        if (r > 0 && distance[r] < distance[r - 1]) {
            verdict_reject(v, "observation %zu: neighbour %zu is nearer than the one before it", i, r);
            return false;
        }

        double d = haversine(p, i, j);

        verdict_see(v, "distance", i * p->k + r, distance[r], d,
                    distance_tolerance(p, i, j, d, q->math));
    }
    for (size_t r = 0; r < p->k; r++)
        named[index[r] / 8] = 0;
    return true;
}

/* Checks that these are the nearest.  A neighbour may be farther than the reference's of the same rank
   by the tolerances of both distances. */
static void judge_nearest(struct verdict *v, const struct question *q, size_t i)
{
    const struct knn *p = q->p;

    for (size_t r = 0; r < p->k; r++) {
        const size_t j = p->index[i * p->k + r], best = q->s->nearest[i * p->k + r];

        v->same += j == best;
        if (j == best)
            continue;
        const double d = haversine(p, i, j), least = haversine(p, i, best);
        if (d > least)
            verdict_see(v, "index's distance", i * p->k + r, d, least,
                        distance_tolerance(p, i, j, d, q->math) +
                            distance_tolerance(p, i, best, least, q->math));
    }
    v->asked += p->k;
}

static void judge_observations(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;
    uint8_t *named = calloc(q->p->n / 8 + 1, sizeof *named);

    if (named == NULL)
        verdict_reject(v, "no memory to judge %zu references", q->p->n);
    for (size_t i = begin; named != NULL && i < end; i++) {
        if (!judge_consistency(v, q, i, named))
            break;
        judge_nearest(v, q, i);
    }
    free(named);
}

static struct verdict judge(const void *c, const void *solution, enum math math, bool any_tie)
{
    enum { NEIGHBOURS = 1 << 12 }; /* in a chunk, at least */
    const struct knn *p = c;
    const struct question q = {p, solution, math, any_tie};
    struct verdict v = verdict_of(p->m, NEIGHBOURS / p->k + 1, judge_observations, &q);

    v.columns = p->k;
    return v;
}

struct verdict knn_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    (void)seed; /* nothing is sampled */
    return judge(c, solution, math, false);
}

struct verdict knn_judge_any_tie(const void *c, const void *solution, enum math math, uint64_t seed)
{
    (void)seed;
    return judge(c, solution, math, true);
}
