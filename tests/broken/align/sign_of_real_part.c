/* Takes the real part for its size: an image that is dark where the other is bright has a negative peak. */
/* expected: wrong: ^(height\[[0-9]+\] is -|peak\[[0-9]+\] is \() */
#include "common/variant.h"

#define HIGH(x, n) (creal(x) / (double)(n))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "the sign is kept", .run = run)
