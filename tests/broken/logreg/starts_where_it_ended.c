/* Keeps where it ended, and makes no more than one evaluation from there: nothing to do the second time. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static float *kept;
static size_t width;

static void run(const void *problem)
{
    static const struct mistake none = {0};
    const struct logreg *p = problem;

    if (width != p->n + 1) {
        free(kept);
        width = p->n + 1;
        kept = calloc(width, sizeof *kept);
        broken_solve(p, &none, kept);
    }
    for (size_t j = 0; j < width; j++)
        p->w[j] = kept[j];
}

VARIANT(.idea = "starts where it has ended", .run = run)
