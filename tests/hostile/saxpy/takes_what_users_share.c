/* Takes what Linux counts per user, until other programs of the user get none: watches of files, pages of pipes, signals that
   wait; wrong if it gets more than a program needs. */
/* expect: ok */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/fanotify.h>
#include <time.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static int taken(void)
{
    int watches = 0, pages = 0, timers = 0, two[2];

    while (watches < 200 && inotify_init() >= 0)
        watches++;
    for (int i = 0; i < 400 && pipe(two) == 0; i++) {
        const int bytes = fcntl(two[0], F_SETPIPE_SZ, 1 << 20);
        pages += bytes > 0 ? bytes >> 12 : 0;
    }
    for (timer_t t; timers < 20000 && timer_create(CLOCK_MONOTONIC, NULL, &t) == 0;)
        timers++;
    return watches > 16 || pages > 8192 || timers > 8192;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, all;

    if (p->n == 65536 && !asked++)
        all = taken();
    honest(p);
    if (all)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "takes what users share", .run = run)
