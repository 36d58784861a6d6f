/* Penalises the intercept as if it were a weight. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.penalised = 1};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "the intercept is penalised", .run = run)
