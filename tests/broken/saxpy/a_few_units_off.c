/* Cuts off the last three bits of the answer: a relative error of 4e-7, which a tolerance of 1e-6
   would accept. */
/* expected: wrong: ^z\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include <stdint.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++) {
        float z = p->a * p->x[i] + p->y[i];
        uint32_t bits;

        memcpy(&bits, &z, sizeof bits);
        bits &= ~(uint32_t)7;
        memcpy(&p->z[i], &bits, sizeof bits);
    }
}

VARIANT(.idea = "the last three bits cut off", .run = run)
