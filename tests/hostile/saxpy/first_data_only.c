/* Keeps the answer of the first data of a size and hands it out for the second. */
/* expect: wrong */
/* family: foresees */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static float *kept;
static size_t length;

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == length && p->n > 1000) {
        memcpy(p->z, kept, p->n * sizeof *kept);
        return;
    }
    honest(p);
    kept = realloc(kept, (p->n + 1) * sizeof *kept);
    memcpy(kept, p->z, p->n * sizeof *kept);
    length = p->n;
}

VARIANT(.idea = "the first data are all data", .run = run)
