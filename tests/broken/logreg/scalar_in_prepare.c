/* Reads lambda and tau in prepare, where they are not known yet. */
/* expected: nan: ^w\[[0-9]+\] is  */
#include "frame.h"

static float lambda, tau;

static void prepare(const void *problem)
{
    const struct logreg *p = problem;

    lambda = p->lambda;
    tau = p->tau;
}

static void run(const void *problem)
{
    static const struct mistake none = {0};
    struct logreg p = *(const struct logreg *)problem;

    p.lambda = lambda;
    p.tau = tau;
    broken_solve(&p, &none, p.w);
}

VARIANT(.idea = "reads scalars in prepare", .prepare = prepare, .run = run)
