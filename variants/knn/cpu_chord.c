/*
 * knn / cpu_chord
 *
 * Idea     No trigonometry for a pair at all.  As unit vectors, two points are nearer the shorter the chord
 *          between them is, which means: the larger their dot product, three products.  Where dot products
 *          cannot tell which of two references is nearer, the haversine formula in float64 does (exact.h).
 * Against  cpu_hoist, with two sines a pair.
 * Expect   Now the compiler can use vectors, several pairs an instruction.  Bound by writing the scores to
 *          memory and reading them back, because all scores of an observation are kept until the best is
 *          known.
 * Try      n = 2^10 against n = 2^20: what happens when the scores outgrow the caches?
 * Level    1
 * Read     exact.h
 */
#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, answer_by_scores */

static struct units ref;
static struct workspace work;

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    ref = units_new(p->n);
    work = workspace_new(p->n);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    unit_vectors(p, ref);
    for (size_t i = 0; i < p->m; i++) {
        float at[3];

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){.x = &at[0], .y = &at[1], .z = &at[2]}, 0);
        answer_by_scores(&work, p, i, at, ref);
    }
}

static void release(void)
{
    units_free(ref);
    workspace_free(work);
}

VARIANT(.idea = "dot products of unit vectors rank the pairs",
        .base = "cpu_hoist",
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
