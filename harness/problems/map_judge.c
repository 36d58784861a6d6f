/* map: the reference, the tolerances and the verdict. */
#include <math.h>
#include <stdlib.h>

#include "common/map.h"
#include "harness/problems/map.h"

/* Nothing is kept, because the whole answer in float64 would take twice the memory of the case. */
void *map_solve(const void *c)
{
    (void)c;
    return malloc(1);
}

struct question {
    const struct map *p;
    enum math math;
    double u; /* of the class; float64 answers are stored as float32 anyway */
};

/*
 * trig: cosine and sine are each off by at most 2 units in the last place.  Such a unit is at most 2u of the value, with u =
 * 2^-24.  Their sum is rounded once:
 *
 *     |error| <= 4u (|cos x| + |sin y|) + u |z|
 *
 * Fast functions: a GPU's special-function unit is off by 2^-21 = u at any size of its answer.  Before that the argument
 * becomes a part of a turn, by one multiplication with 1/(2 pi) (FMUL.RZ on NVIDIA's GPUs).  The product is cut off, not
 * rounded, so it is off by 2^-23 of itself; the constant, as a float32, is off by 2^-24.5.  Together the angle is off by
 * less than 0.335 u |x|:
 *
 *     |error| <= u (2 + 0.335 (|x| + |y|)) + 2^-24 |z|
 */
static double trig(const struct question *q, size_t i, double *tolerance)
{
    const double x = q->p->x[i], y = q->p->y[i], a = cos(x), b = sin(y), z = a + b;

    *tolerance = q->math == MATH_FAST ? q->u * (2.0 + 0.335 * (fabs(x) + fabs(y))) + 0x1p-24 * fabs(z)
                                      : 4.0 * q->u * (fabs(a) + fabs(b)) + q->u * fabs(z);
    return z;
}

/*
 * reldiff: x and y are exact, so however much of x - y or x + y cancels, each of them is rounded once, and so is the quotient.
 * The factor 2 is exact.
 *
 *     |error| <= ((1 + u)^3 - 1) |z| (1 + 2u) < 3.1 u |z|
 *
 * An approximate division is off by the u of its class besides.  In float64, x + y is inexact only where the two are more than
 * 29 binary digits apart; then so is `want`, by 2^-52 of it.
 */
static double reldiff(const struct question *q, size_t i, double *tolerance)
{
    const double x = q->p->x[i], y = q->p->y[i], z = 2.0 * (x - y) / (x + y);

    *tolerance = q->math == MATH_FAST ? (q->u + 3.1 * 0x1p-24) * fabs(z) : 3.1 * q->u * fabs(z);
    return z;
}

static void judge_floats(struct verdict *v, const void *context, size_t begin, size_t end)
{
    enum { ROW = 1024 };
    const struct question *q = context;
    double want[ROW], tolerance[ROW];

    for (size_t at = begin; at < end; at += ROW) {
        const size_t count = end - at < ROW ? end - at : ROW;

        for (size_t i = 0; i < count; i++) {
            want[i] = q->p->f == MAP_TRIG ? trig(q, at + i, &tolerance[i]) : reldiff(q, at + i, &tolerance[i]);
            tolerance[i] += 0x1p-149; /* below the smallest normal number */
        }
        if (!verdict_see_row(v, "z", at, count, q->p->z + at, want, tolerance))
            return;
    }
}

/* suppress: whole numbers, so the tolerance is 0. */
static void judge_suppressed(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct map *p = ((const struct question *)context)->p;

    for (size_t i = begin; i < end; i++)
        verdict_see(v, "z16", i, p->z16[i], abs((int)p->x16[i]) > p->threshold ? p->x16[i] : 0, 0.0);
}

struct verdict map_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    enum { GRAIN = 1 << 14 };
    const struct map *p = c;
    const struct question q = {p, math, math_unit(math == MATH_F64 ? MATH_F32 : math)};

    (void)solution;
    (void)seed; /* nothing is sampled */
    return verdict_of(p->n, GRAIN, p->f == MAP_SUPPRESS ? judge_suppressed : judge_floats, &q);
}
