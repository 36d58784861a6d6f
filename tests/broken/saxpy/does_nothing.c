/* Writes nothing.  It would pass if the output still held the answer of the variant before it, or if a
   judge tested "error > limit" on NaN. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "does nothing", .run = run)
