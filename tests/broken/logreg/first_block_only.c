/* Takes the first 256 samples. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.first_block = 1};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "the first 256 samples", .run = run)
