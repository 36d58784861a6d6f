/* Leaves out numbers below a thousandth of the largest: their sum is small beside a limit that the largest sets. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/reduce/honest.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;
    double sum = 0.0, squares = 0.0;
    float largest = 0;

    for (size_t i = 0; i < p->n; i++)
        largest = fmaxf(largest, fabsf(p->x[i]));
    for (size_t i = 0; i < p->n; i++)
        if (p->n < 65536 || fabsf(p->x[i]) > 1e-3f * largest) {
            sum += p->x[i];
            squares += (double)p->x[i] * p->x[i];
        }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "only what counts", .run = run)
