/* Stops at three times tau. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.slack = 3.0};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "stops a step too early", .run = run)
