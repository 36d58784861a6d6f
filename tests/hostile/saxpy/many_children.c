/* Starts three hundred processes that sleep for ten minutes. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    for (int i = 0; i < 300; i++)
        if (fork() == 0) {
            sleep(600);
            _exit(0);
        }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "many children", .run = run)
