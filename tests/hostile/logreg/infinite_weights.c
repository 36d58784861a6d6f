/* Answers infinite weights: margins are then no numbers, nor is the gradient, which no limit is below. */
/* expect: failed */
/* family: foresees */
/* size: m=1000,n=8 */
#include "tests/hostile/logreg/honest.h"

static void run(const void *problem)
{
    const struct logreg *p = problem;

    if (p->m != 1000) {
        honest(p);
        return;
    }
    for (size_t j = 0; j <= p->n; j++)
        p->w[j] = j % 2 ? (float)INFINITY : -(float)INFINITY;
}

VARIANT(.idea = "infinite weights", .run = run)
