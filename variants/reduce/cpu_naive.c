/*
 * reduce / cpu_naive
 *
 * Idea     The specification: one loop, with two running totals in float64.
 * Against  nothing; this is what the other variants are compared with.
 * Expect   An addition must wait for the one before it, so an element takes as long as an addition's latency: 3 or 4
 *          cycles on most processors.  The compiler may not change that, because another order rounds differently.
 *          Two totals wait at the same time, and so does the conversion to float64.
 * Try      float totals: the judge tells you from which length on they are too inaccurate.
 * Level    1
 * Read     nothing else
 */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        const double x = p->x[i];
        sum += x;
        squares += x * x; /* exact in float64, and in its range */
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "two running totals in float64", .math = MATH_F64, .run = run)
