/* Writes nothing.  Where the output still holds the answer of the variant before it, or a judge
   asks "error > limit" of a NaN, this passes. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "does nothing", .run = run)
