/* Lets a child return from run in its place, and waits itself. */
/* expect: harmless */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536 && fork() != 0)
        for (;;)
            pause();
}

VARIANT(.idea = "a child answers", .run = run)
