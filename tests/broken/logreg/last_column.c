/* Never looks at the last feature. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.left_columns = 1};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "leaves out a feature", .run = run)
