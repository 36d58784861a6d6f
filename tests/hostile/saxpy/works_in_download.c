/* Computes in download: end to end it is honest, but the run alone is nothing. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void download(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "works in download", .run = run, .download = download)
