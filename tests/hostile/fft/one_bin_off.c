/* Is off in one bin by a ten-thousandth of the largest, at this size alone. */
/* expect: wrong */
/* family: mistake */
/* size: batch=4,n=4096 */
#include "tests/hostile/fft/honest.h"

static void run(const void *problem)
{
    const struct fft *p = problem;

    honest(p);
    if (p->n == 4096 && p->batch == 4)
        p->X[3 * p->n + 1234].im += 0.02f;
}

VARIANT(.idea = "one bin is off", .run = run)
