/* Reads one vector ahead.  It never uses the values, but where memory ends, it crashes. */
/* expected: breach: ^reads 0 bytes past the end of x in run, reads_past_end\.c:[0-9]+$ */
#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    volatile float ahead = 0.0f;

    for (size_t i = 0; i < p->n; i++) {
        ahead = p->x[i + 1];
        p->z[i] = p->a * p->x[i] + p->y[i];
    }
    (void)ahead;
}

VARIANT(.idea = "reads past the end of its input", .run = run)
