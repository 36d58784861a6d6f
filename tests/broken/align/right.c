/* Makes no mistake.  It must pass, whatever the other variants of the run do. */
/* expected: ok */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "the control", .run = run)
