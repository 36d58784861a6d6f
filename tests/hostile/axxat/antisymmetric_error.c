/* Adds an error with opposite signs at [i][j] and [j][i]: a test of v'Y v would not see it, whatever v is. */
/* expect: wrong */
/* family: foresees */
/* size: n=512 */
#include "tests/hostile/axxat/honest.h"

static void run(const void *problem)
{
    const struct axxat *p = problem;

    honest(p);
    if (p->n < 512)
        return;
    for (size_t i = 100; i < 164; i += 2) {
        p->y[i * p->n + i + 1] += 2.0f;
        p->y[(i + 1) * p->n + i] -= 2.0f;
    }
}

VARIANT(.idea = "an antisymmetric error", .run = run)
