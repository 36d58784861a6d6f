/* Adds up the losses where their mean is asked for: lambda then weighs m times less. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.sum = 1};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "a sum in place of a mean", .run = run)
