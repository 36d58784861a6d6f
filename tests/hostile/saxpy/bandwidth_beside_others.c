/* Leaves four processes that keep the memory busy while others are timed. */
/* expect: harmless */
/* family: harm */
/* harm: slows */
/* size: n=65536 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(void)
{
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            char *room = malloc(1 << 26);

            setsid();
            for (int turn = 0;; turn++)
                memset(room, turn, 1 << 26);
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

VARIANT(.idea = "takes the bandwidth of others", .run = run)
