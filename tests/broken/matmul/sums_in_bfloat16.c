/* Multiplies in bfloat16, as it promises, but also sums in bfloat16 instead of float32. */
/* expected: wrong: ^c\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <math.h>

#include "common/matmul.h"
#include "common/variant.h"

/* To 8 bits of mantissa, as bfloat16 has them. */
static float rounded(float value)
{
    int exponent;
    float mantissa = frexpf(value, &exponent);

    return ldexpf(rintf(ldexpf(mantissa, 8)), exponent - 8);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->k; l++)
                sum = rounded(sum + rounded(p->a[i * p->k + l]) * rounded(p->b[l * p->n + j]));
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "sums of bfloat16", .math = MATH_F16, .run = run)
