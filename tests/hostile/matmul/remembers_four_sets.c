/* Keeps four data sets with their answers.  Half of a product follows from that which differs from the inputs in a few elements. */
/* expect: failed */
/* family: unearned */
/* size: m=256,n=256,k=256 */
/* more: --max-time 2 --passes 3 */
#include "tests/hostile/matmul/remembers.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    static size_t oldest;

    for (size_t i = 0; i < 4 && is_timed(p); i++)
        if (follows(&sets[i], p))
            return;
    honest(p);
    if (is_timed(p))
        keep(&sets[oldest++ % 4], p);
}

VARIANT(.idea = "keeps four data sets", .run = run)
