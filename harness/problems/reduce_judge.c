/* reduce: the reference, the tolerance and the verdict. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "common/reduce.h"
#include "harness/base/parallel.h"
#include "harness/problems/reduce.h"

enum { CHUNK = 1 << 16 };

/* A sum with its rounding errors (A. Neumaier, ZAMM 54, 1974): off by some 2^-105 of the sum of magnitudes. */
struct total {
    double sum, lost;
};

static void add(struct total *t, double x)
{
    const double sum = t->sum + x;

    t->lost += fabs(t->sum) >= fabs(x) ? (t->sum - sum) + x : (x - sum) + t->sum;
    t->sum = sum;
}

enum { SUM, MAGNITUDES, SQUARES, TOTALS };

struct totals {
    struct total of[TOTALS];
};

struct solution {
    double sum, magnitudes, norm;
};

struct chunks {
    const struct reduce *p;
    struct totals *totals; /* of each chunk */
};

/* In float64 the square of a float32 is exact and in range: from 2^-298 to 2^256. */
static void sum_chunk(void *context, size_t begin, size_t end)
{
    const struct chunks *chunks = context;
    struct total *of = chunks->totals[begin / CHUNK].of;

    for (size_t i = begin; i < end; i++) {
        const double x = chunks->p->x[i];
        add(&of[SUM], x);
        add(&of[MAGNITUDES], fabs(x));
        add(&of[SQUARES], x * x);
    }
}

static double join(const struct chunks *chunks, size_t count, int which)
{
    struct total all = {0.0, 0.0};

    for (size_t i = 0; i < count; i++) {
        add(&all, chunks->totals[i].of[which].sum);
        add(&all, chunks->totals[i].of[which].lost);
    }
    return all.sum + all.lost;
}

void *reduce_solve(const void *c)
{
    const struct reduce *p = c;
    const size_t count = parallel_chunks(p->n, CHUNK);
    struct solution *s = malloc(sizeof *s);
    struct chunks chunks = {p, calloc(count + 1, sizeof *chunks.totals)};

    if (s == NULL || chunks.totals == NULL) {
        free(s);
        free(chunks.totals);
        return NULL;
    }
    parallel_for(p->n, CHUNK, sum_chunk, &chunks);
    *s = (struct solution){join(&chunks, count, SUM), join(&chunks, count, MAGNITUDES),
                           sqrt(join(&chunks, count, SQUARES))};
    free(chunks.totals);
    return s;
}

/*
 * The tolerance is the error bound of sums in a tree over runs of 64.  With h = 64 + log2(max(n, 2)) at most h
 * roundings meet a term, each by a factor 1 + d, |d| <= u (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, section 4.2):
 *
 *     |error of the sum| <= u h A, with A the sum of magnitudes
 *
 * Longer runs may pass, because the signs of rounding errors differ.  Each square is rounded once more, and the root
 * of N^2 (1 + d) is N (1 + d/2):
 *
 *     |error of the norm| <= N (u (h + 1)/2 + u0)
 *
 * u0 = 2^-24 is the rounding of the root.  The answer is stored as float32, which adds u0 of it.  With inputs rounded
 * to a class's v (TF32, F16), terms are off by v and squares by 2v + v^2, and sums are of float32.  A class of
 * float64 is held to its own u.  Below the smallest normal number half a subnormal step is added.
 */
struct tolerance {
    double sum, norm;
};

static struct tolerance tolerance_of(const struct solution *s, size_t n, enum math math)
{
    const double u0 = 0x1p-24, h = 64.0 + log2(n > 2 ? (double)n : 2.0);
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double v = rounded ? math_unit(math) : 0.0;
    const double u = rounded || math == MATH_FAST ? u0 : math_unit(math);
    const double root = math == MATH_F64 ? 0.0 : math == MATH_FAST ? 0x1p-21 : u0;

    return (struct tolerance){
        (u * h + v) * s->magnitudes + u0 * fabs(s->sum) + 0x1p-149,
        s->norm * (u * (h + 1.0) / 2.0 + v + v * v / 2.0 + root + u0) + 0x1p-149,
    };
}

struct verdict reduce_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct reduce *p = c;
    const struct solution *s = solution;
    const struct tolerance tolerance = tolerance_of(s, p->n, math);
    struct verdict v = verdict_start();

    (void)seed; /* nothing is sampled */
    if (p->n == 0 && (*p->sum != 0.0f || *p->norm != 0.0f)) {
        verdict_reject(&v, "the sum of no numbers is %g and their norm %g, both must be 0", (double)*p->sum,
                       (double)*p->norm);
        return v;
    }
    if (verdict_see(&v, "sum", 0, *p->sum, s->sum, tolerance.sum))
        verdict_see(&v, "norm", 0, *p->norm, s->norm, tolerance.norm);
    return v;
}
