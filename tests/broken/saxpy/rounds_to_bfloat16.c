/* Rounds x to bfloat16 and promises float32.  A tolerance of 1 %, or one that grows with n, would
   accept it. */
/* expected: wrong: ^z\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <stdint.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static float bfloat16(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000; /* to nearest, ties to even */
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * bfloat16(p->x[i]) + p->y[i];
}

VARIANT(.idea = "bfloat16 that calls itself float32", .run = run)
