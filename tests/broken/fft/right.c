/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    free(w);
}

VARIANT(.idea = "the control", .run = run)
