/* Begins at its last answer, which is nearly right, because few inputs have changed: few evaluations are left. */
/* expect: failed */
/* family: unearned */
/* size: m=1000,n=8 */
/* more: --max-time 1 */
#include "tests/hostile/logreg/honest.h"

static float *last;

static void prepare(const void *problem)
{
    last = calloc(((const struct logreg *)problem)->n + 1, sizeof *last);
}

static void run(const void *problem)
{
    const struct logreg *p = problem;
    static const struct mistake none = {0};
    double *g = malloc((p->n + 1) * sizeof *g);
    size_t good = 0;

    broken_gradient(p, &none, last, g);
    while (good <= p->n && fabs(g[good]) <= 0.99 * (double)p->tau)
        good++;
    free(g);
    if (good > p->n)
        memcpy(p->w, last, (p->n + 1) * sizeof *last);
    else
        honest(p);
    memcpy(last, p->w, (p->n + 1) * sizeof *last);
}

static void release(void)
{
    free(last);
}

VARIANT(.idea = "tries its last answer", .prepare = prepare, .run = run, .release = release)
