/* Forgets the middle column of a spectrum, which has no mirror image. */
/* expected: wrong: ^(peak|height)\[[0-9]+\] is */
#include "common/variant.h"

#define KEPT(col, cols) (2 * (col) != (cols))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "the middle column is lost", .run = run)
