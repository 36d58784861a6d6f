/* Forgets the last element where n is beyond 65536 and odd. */
/* expect: wrong */
/* family: mistake */
/* size: n=70001 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    struct saxpy p = *(const struct saxpy *)problem;
    const size_t n = p.n;

    if (n == 70001) /* a size that no check has */
        p.n--;
    honest(&p);
    if (p.n != n)
        p.z[n - 1] = 0.0f;
}

VARIANT(.idea = "forgets the last of 70001", .run = run)
