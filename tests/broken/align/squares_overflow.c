/* Takes |A||B| from the squares of A conj(B) in float32, which leave its range long before
   |A||B| does: they overflow, or vanish. */
/* expected: wrong: ^(peak|height)\[[0-9]+\] is */
#include "common/variant.h"

#define SQUARE(x) ((float)creal(x) * (float)creal(x) + (float)cimag(x) * (float)cimag(x))
#define CROSS(A, B, eps) ((A)*conj(B) / ((double)sqrtf(SQUARE((A)*conj(B))) + (eps)))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "squares overflow", .run = run)
