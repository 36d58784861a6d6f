/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {0};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "the control", .run = run)
