/* Answers infinity: its residual is no number, and no number is above a limit. */
/* expect: failed */
/* family: foresees */
/* size: n=300,every=10 */
#include <math.h>

#include "tests/hostile/cg/honest.h"

static void run(const void *problem)
{
    const struct cg *s = problem;

    if (s->n != 300) {
        honest(s);
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        s->x[i] = i % 2 ? INFINITY : -INFINITY;
}

VARIANT(.idea = "an infinite answer", .prepare = honest_prepare, .run = run, .release = honest_release)
