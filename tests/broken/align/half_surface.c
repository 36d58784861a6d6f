/* Looks for the peak in the upper half. */
/* expected: wrong: ^peak\[[0-9]+\] is \([0-9]+, [0-9]+\), where g is */
#include "common/variant.h"

#define SEARCHED(rows) (((rows) + 1) / 2)
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "half of the surface", .run = run)
