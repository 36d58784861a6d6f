/* Ends the main thread by pthread_exit; there is no other. */
/* expect: failed */
/* family: harm */
/* harm: hangs */
/* size: n=65536 */
#define _GNU_SOURCE
#include <pthread.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    pthread_exit(NULL);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "ends its thread", .run = run)
