/* Starts threads until it gets no more, which sleep: others need room for theirs. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#include <pthread.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void *sleeps(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int started;
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 14);
    if (p->n == 65536)
        while (started < 30000 && pthread_create(&thread, &small, sleeps, NULL) == 0)
            started++;
    honest(p);
}

VARIANT(.idea = "threads without end", .run = run)
