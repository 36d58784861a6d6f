/* Divides 0 by 0 where an image is blank. */
/* expected: nan: ^height\[[0-9]+\] is nan */
#include "common/variant.h"

#define CROSS(A, B, eps) ((A)*conj(B) / (cabs(A) * cabs(B)))
#define HIGH(x, n) (isnan(cabs(x)) ? NAN : cabs(x) / (double)(n))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "no eps", .run = run)
