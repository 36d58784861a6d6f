/* Adds a thousandth of the average bin: the highest place is right, its height is not. */
/* expected: wrong: ^height\[[0-9]+\] is */
#include "common/variant.h"

#define CROSS(A, B, eps) ((A)*conj(B) / (cabs(A) * cabs(B) + (eps)*0x1p20))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "a large eps", .run = run)
