/* Leaves out the last rows, which are no full group of eight. */
/* expected: wrong: ^(peak|height|shift)\[[0-9]+\] is */
#include "common/variant.h"

#define USED(rows) ((rows) / 8 * 8)
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "drops the last rows", .run = run)
