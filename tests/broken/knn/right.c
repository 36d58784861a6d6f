/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, haversine);
}

VARIANT(.idea = "the control", .run = run)
