/* Has no parabola at the first and the last place, instead of one around the edge. */
/* expected: wrong: ^shift\[[0-9]+\] is */
#include "common/variant.h"

#define PARABOLA(at, length) ((at) > 0 && (at) + 1 < (length))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "edges are not wrapped around", .run = run)
