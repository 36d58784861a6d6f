/* Multiplies the spectra, which is a convolution. */
/* expected: wrong: ^peak\[[0-9]+\] is \([0-9]+, [0-9]+\), where g is */
#include "common/variant.h"

#define CROSS(A, B, eps) ((A) * (B) / (cabs(A) * cabs(B) + (eps)))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "no conjugate", .run = run)
