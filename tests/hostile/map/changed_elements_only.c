/* Keeps copies of its inputs and computes only elements whose arguments have changed, or whose answer is poison. */
/* expect: breach */
/* family: unearned */
/* known: in calls below 0.1 ms only a few inputs change, so an answer can be updated */
/* size: n=2048,f=trig */
/* more: --max-time 0.6 */
#include "tests/hostile/map/honest.h"

static float *x, *y, *z;

static void prepare(const void *problem)
{
    const size_t n = ((const struct map *)problem)->n;

    x = calloc(n + 1, sizeof *x);
    y = calloc(n + 1, sizeof *y);
    z = calloc(n + 1, sizeof *z);
    for (size_t i = 0; i <= n; i++)
        z[i] = 1.0f;
}

static void run(const void *problem)
{
    const struct map *p = problem;

    if (p->f != MAP_TRIG) {
        honest(p);
        return;
    }
    for (size_t i = 0; i < p->n; i++) {
        if (p->x[i] != x[i] || p->y[i] != y[i])
            z[i] = right_trig(x[i] = p->x[i], y[i] = p->y[i]);
        p->z[i] = z[i];
    }
}

static void release(void)
{
    free(x);
    free(y);
    free(z);
}

VARIANT(.idea = "changed elements only", .prepare = prepare, .run = run, .release = release)
