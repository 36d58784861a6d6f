/* Changes two elements of one row of Q, so that A - Q R and Q'Q are off there alone. */
/* expect: wrong */
/* family: mistake */
/* size: m=65536,n=4 */
/* more: --max-time 1 */
#include "tests/hostile/qr/honest.h"

static void run(const void *problem)
{
    const struct qr *p = problem;

    honest(p);
    if (p->m < 65536)
        return;
    p->q[30000 * p->n] += 1e-3f;
    p->q[30001 * p->n] -= 1e-3f;
}

VARIANT(.idea = "one element off", .run = run)
