/* Adds to what is in Q. */
/* expected: nan: ^norm of a - Q r, column\[0\] is -?nan */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;
    const size_t count = p->m * p->n;
    float *was = malloc((count + 1) * sizeof *was);

    for (size_t i = 0; i < count; i++)
        was[i] = p->q[i];
    full(p);
    for (size_t i = 0; i < count; i++)
        p->q[i] += was[i];
    free(was);
}

VARIANT(.idea = "adds to the output", .run = run)
