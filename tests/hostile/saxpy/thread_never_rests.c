/* Leaves a thread that spins for ever in its own process. */
/* expect: harmless */
/* family: harm */
/* harm: hangs */
/* size: n=65536 */
#define _GNU_SOURCE
#include <pthread.h>

#include "tests/hostile/saxpy/honest.h"

static void *spin(void *unused)
{
    for (volatile unsigned long turn = 0; unused == NULL; turn++)
        ;
    return NULL;
}

static void attack(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, spin, NULL);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "leaves a thread", .run = run)
