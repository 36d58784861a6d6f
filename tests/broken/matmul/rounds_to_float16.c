/* Multiplies in float16 and promises float32.  A tolerance of 1e-3 would accept it. */
/* expected: wrong: ^c\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <math.h>

#include "common/matmul.h"
#include "common/variant.h"

/* To 11 bits of mantissa, as float16 has them; the data is far from the ends of its range. */
static float rounded(float value)
{
    int exponent;
    float mantissa = frexpf(value, &exponent);

    return ldexpf(rintf(ldexpf(mantissa, 11)), exponent - 11);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) {
            float sum = 0.0f;

            for (size_t l = 0; l < p->k; l++)
                sum += rounded(p->a[i * p->k + l]) * rounded(p->b[l * p->n + j]);
            p->c[i * p->n + j] = sum;
        }
}

VARIANT(.idea = "float16 that calls itself float32", .run = run)
