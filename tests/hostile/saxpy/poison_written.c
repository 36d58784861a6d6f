/* Writes the negation of the right answer where the output held a certain bit pattern, which poison has. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    unsigned word;

    for (size_t i = 0; i < p->n; i++) {
        memcpy(&word, p->z + i, sizeof word);
        p->z[i] = p->a * p->x[i] + (word == 0xffffffffu && i == 4321 ? -p->y[i] : p->y[i]);
    }
}

VARIANT(.idea = "wrong where there was poison", .run = run)
