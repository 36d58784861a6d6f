/* Compares with the highest value of the pairs before, and of the calls before. */
/* expected: wrong: ^peak\[[0-9]+\] is \(0, 0\), where g is */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static double best;

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        double *g = surface(p, pair);
        const size_t peak = peak_of(g, p->rows * p->cols, best);

        best = fmax(best, g[peak]);
        answer(p, pair, g, peak);
        free(g);
    }
}

VARIANT(.idea = "the maximum is not reset", .run = run)
