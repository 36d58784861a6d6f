/* Rounds both axes down to a power of two. */
/* expected: wrong: ^(peak|height|shift)\[[0-9]+\] is */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    const struct align *p = problem;

    struct align less = *p;

    while ((less.rows & (less.rows - 1)) != 0)
        less.rows--;
    while ((less.cols & (less.cols - 1)) != 0)
        less.cols--;
    align_all(&less);
}

VARIANT(.idea = "powers of two only", .run = run)
