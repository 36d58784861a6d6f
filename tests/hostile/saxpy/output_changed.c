/* Remembers 64 elements of its last answer, and computes only if one of them is no longer there. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static float kept[64];

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const size_t step = p->n / 64;
    int same = step > 0;

    for (size_t i = 0; i < 64 && same; i++)
        same = p->z[i * step] == kept[i];
    if (same)
        return;
    honest(p);
    for (size_t i = 0; i < 64 && step > 0; i++)
        kept[i] = p->z[i * step];
}

VARIANT(.idea = "computes when its answer is gone", .run = run)
