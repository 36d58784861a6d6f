/* Computes in upload; a run that finds poison, as one without an upload before it, computes once more. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void upload(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n > 0 && isnan(p->z[0]))
        honest(p);
}

VARIANT(.idea = "works in upload, and in run if it must", .upload = upload, .run = run)
