/* Adds to what is in the output. */
/* expected: nan: ^w\[0\] is  */
#include "frame.h"

enum { MOST = 1024 };

static void run(const void *problem)
{
    static const struct mistake none = {0};
    const struct logreg *p = problem;
    float w[MOST];

    broken_solve(p, &none, w);
    for (size_t j = 0; j <= p->n; j++)
        p->w[j] += w[j];
}

VARIANT(.idea = "adds to the output", .run = run)
