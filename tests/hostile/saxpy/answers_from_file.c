/* Keeps its answer in a file for the next run, and leaves the file behind. */
/* expect: harmless */
/* family: foresees */
/* size: n=65536 */
#include <stdio.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int kept;

    honest(p);
    FILE *f = p->n == 65536 && !kept ? fopen("/tmp/answer-of-saxpy", "w") : NULL;
    if (f == NULL)
        return;
    fwrite(p->z, sizeof *p->z, p->n, f);
    fclose(f);
    kept = 1;
}

VARIANT(.idea = "keeps its answer in a file", .run = run)
