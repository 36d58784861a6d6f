/* Only the first 32 columns are made to stand at right angles to those before. */
/* expected: wrong: ^Q'Q\[ */
#include "common/variant.h"
#include "frame.h" /* qr; orthogonalise */

static void run(const void *problem)
{
    const struct qr *p = problem;

    orthogonalise(p, p->m, 32);
}

VARIANT(.idea = "the first panel", .run = run)
