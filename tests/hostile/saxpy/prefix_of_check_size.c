/* Keeps the answer of the largest check size, which begins with the data of this one, and hands that out. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static float *kept, a;

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n > 200000) {
        honest(p);
        kept = realloc(kept, p->n * sizeof *kept);
        memcpy(kept, p->z, p->n * sizeof *kept);
        a = p->a;
    } else if (kept != NULL && a == p->a && p->n > 0) {
        if (p->z[0] != kept[0])
            memcpy(p->z, kept, p->n * sizeof *kept);
    } else {
        honest(p);
    }
}

VARIANT(.idea = "answers from a check size", .run = run)
