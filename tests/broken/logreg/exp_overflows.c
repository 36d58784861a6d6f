/* Computes exp(z) / (1 + exp(z)): infinity over infinity for a row far from the plane. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

static void run(const void *problem)
{
    static const struct mistake mistake = {.plain_exp = 1};
    const struct logreg *p = problem;

    broken_solve(p, &mistake, p->w);
}

VARIANT(.idea = "exp overflows", .run = run)
