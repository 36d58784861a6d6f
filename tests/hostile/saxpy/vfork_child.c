/* Goes on in the memory of its parent after vfork, where the parent waits for ever. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <sys/types.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536 && vfork() == 0)
        for (;;)
            pause();
}

VARIANT(.idea = "stays in vfork", .run = run)
