/* Keeps the sizes of the bins: a correlation, in units of the images' energy. */
/* expected: wrong: ^height\[[0-9]+\] is */
#include "common/variant.h"

#define CROSS(A, B, eps) ((A)*conj(B) / ((eps)*0x1p30))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "not normalised", .run = run)
