/* Eight running totals in float32, from one end to the other: as a compiler makes them with -ffast-math. */
/* expected: wrong: ^(sum|norm)\[0\] is */
#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    float sums[8] = {0.0f};
    double squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sums[i % 8] += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    for (int lane = 1; lane < 8; lane++)
        sums[0] += sums[lane];
    *p->sum = sums[0];
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "eight float32 totals", .run = run)
