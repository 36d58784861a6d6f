/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "frame.h" /* qr; full */

static void run(const void *problem)
{
    const struct qr *p = problem;

    full(p);
}

VARIANT(.idea = "the control", .run = run)
