/* Does not divide by the number of pixels. */
/* expected: wrong: ^height\[[0-9]+\] is */
#include "common/variant.h"

#define HIGH(x, n) cabs(x)
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "not scaled", .run = run)
