/* Answers every case of a size as it did the first. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static float *kept;
static int filled;

static void prepare(const void *problem)
{
    kept = malloc(((const struct cg *)problem)->n * sizeof(float) + 1);
    filled = 0;
}

static void run(const void *problem)
{
    const struct cg *s = problem;

    if (!filled) {
        solve(s, (double)s->tol, s->n);
        memcpy(kept, s->x, s->n * sizeof(float));
        filled = 1;
    }
    memcpy(s->x, kept, s->n * sizeof(float));
}

static void release(void)
{
    free(kept);
}

VARIANT(.idea = "the first answer again", .prepare = prepare, .run = run, .release = release)
