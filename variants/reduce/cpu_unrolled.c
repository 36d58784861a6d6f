/*
 * reduce / cpu_unrolled
 *
 * Idea     Eight independent totals of each kind.  An addition only waits for the one eight elements before it.
 * Against  cpu_naive, whose additions form a single chain.
 * Expect   The chain's latency was the limit.  Now it is the number of instructions: each element is also converted to
 *          float64, two of them per instruction in the baseline's vectors.  1.6 times as fast on a Zen 4.
 * Try      TOTALS = 1, 2, 4, 16.  Where does the gain end?  Latency times additions per cycle is the number needed.
 * Level    1
 * Read     nothing else
 */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

enum { TOTALS = 8 };

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum[TOTALS] = {0.0}, squares[TOTALS] = {0.0};
    size_t i = 0;

    for (; i + TOTALS <= p->n; i += TOTALS)
        for (size_t t = 0; t < TOTALS; t++) { /* the compiler unrolls this loop */
            const double x = p->x[i + t];
            sum[t] += x;
            squares[t] += x * x;
        }
    for (; i < p->n; i++) {
        const double x = p->x[i];
        sum[0] += x;
        squares[0] += x * x;
    }
    for (size_t t = 1; t < TOTALS; t++) {
        sum[0] += sum[t];
        squares[0] += squares[t];
    }
    *p->sum = (float)sum[0];
    *p->norm = (float)sqrt(squares[0]);
}

VARIANT(.idea = "eight independent totals", .base = "cpu_naive", .math = MATH_F64, .run = run)
