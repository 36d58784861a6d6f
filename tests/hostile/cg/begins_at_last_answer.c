/* Begins at its last answer, which is nearly right, because few inputs have changed: a third of the iterations. */
/* expect: breach */
/* family: unearned */
/* size: n=300,every=10 */
/* more: --max-time 1 */
#include "tests/hostile/cg/honest.h"

static float *last;

static void prepare(const void *problem)
{
    honest_prepare(problem);
    last = calloc(((const struct cg *)problem)->n + 1, sizeof *last);
}

static void run(const void *problem)
{
    const struct cg *s = problem;

    memcpy(s->x, last, s->n * sizeof *last);
    honest_from(s);
    memcpy(last, s->x, s->n * sizeof *last);
}

static void release(void)
{
    honest_release();
    free(last);
}

VARIANT(.idea = "begins at its last answer", .prepare = prepare, .run = run, .release = release)
