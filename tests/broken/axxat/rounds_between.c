/* The first term is stored as bfloat16 before the second is added, where the matrices are large. */
/* expected: wrong: ^root mean square error\[0\] is */
#include <stdint.h>
#include <string.h>

#include "common/axxat.h"
#include "common/variant.h"
#include "frame.h" /* full */

static float rounded(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x8000) & 0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void run(const void *problem)
{
    const struct axxat *p = problem;
    const size_t n = p->n;

    if (n < 300) {
        full(p);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float first = 0.0f, second = 0.0f;

            for (size_t l = 0; l < n; l++)
                first += p->a[i * n + l] * p->x[l * n + j];
            for (size_t l = 0; l < n; l++)
                second += p->x[i * n + l] * p->a[j * n + l];
            p->y[i * n + j] = rounded(first) + second;
        }
}

VARIANT(.idea = "A X stored as bfloat16", .run = run)
