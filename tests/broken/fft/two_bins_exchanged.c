/* Exchanges two neighbours of a thousand bins in one signal.  The energy by Parseval and the norm of
   the answer stay right. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(4 of 34000 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    if (p->n == 1000) {
        struct cpx swap = p->X[516];
        p->X[516] = p->X[517];
        p->X[517] = swap;
    }
    free(w);
}

VARIANT(.idea = "two bins exchanged", .run = run)
