/* Rounds the inputs of a large product to 13 bits.  Each element is within its tolerance, but together
   they are off by more than float32's roundings explain. */
/* expected: wrong: ^root mean square error\[0\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/matmul/frame.h"

/* The upper 13 of 24 bits (T. J. Dekker, "A Floating-Point Technique for Extending the Available
   Precision", Numerische Mathematik 18, 1971). */
static float rounded(float value)
{
    const float large = value * 2049.0f;

    return large - (large - value);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    multiply(p, is_large(p) ? rounded : as_it_is);
}

VARIANT(.idea = "13 bits when large", .run = run)
