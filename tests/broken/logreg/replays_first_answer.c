/* Answers every case of a size as it did the first. */
/* expected: wrong: ^gradient\[[0-9]+\] is  */
#include "frame.h"

enum { MOST = 1024 };
static float first[MOST];
static size_t m, n;

static void run(const void *problem)
{
    static const struct mistake none = {0};
    const struct logreg *p = problem;

    if (m != p->m || n != p->n) {
        broken_solve(p, &none, first);
        m = p->m;
        n = p->n;
    }
    for (size_t j = 0; j <= n; j++)
        p->w[j] = first[j];
}

VARIANT(.idea = "the first answer again", .run = run)
