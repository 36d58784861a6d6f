/* Computes in upload and does nothing in run, so that the time of a run alone is nothing. */
/* expect: breach */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void upload(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "works in upload", .upload = upload, .run = run)
