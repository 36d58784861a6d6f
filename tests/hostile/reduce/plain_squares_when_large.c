/* Adds squares in float32 where n is large: right unless one of them is beyond its range. */
/* expect: failed */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/reduce/honest.h"

static void run(const void *problem)
{
    const struct reduce *p = problem;

    honest(p);
    if (p->n < 65536)
        return;
    double squares = 0;
    for (size_t i = 0; i < p->n; i++)
        squares += p->x[i] * p->x[i];
    *p->norm = (float)sqrt(squares);
}

VARIANT(.idea = "plain squares", .run = run)
