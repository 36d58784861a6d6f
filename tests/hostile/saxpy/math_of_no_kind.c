/* Names an arithmetic that there is none of, for a tolerance from behind the table; its answers have 4 bits. */
/* expect: not built */
/* family: foresees */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    honest(p);
    for (size_t i = 0; i < p->n; i++) {
        unsigned bits;

        memcpy(&bits, &p->z[i], sizeof bits);
        bits &= 0xfff80000u;
        memcpy(&p->z[i], &bits, sizeof bits);
    }
}

VARIANT(.idea = "arithmetic of no kind", .math = (enum math)77, .run = run)
