/* Defines a clock_gettime of its own that runs a hundred times slower once it is timed.  That has no
   effect: the worker reads the system's clock. */
/* expected: ok */
/* expected when timed: ok: . */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static double since;

static double seconds(clockid_t which)
{
    struct timespec t;

    syscall(SYS_clock_gettime, which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    const long status = syscall(SYS_clock_gettime, which, t);

    if (since > 0.0 && which == CLOCK_MONOTONIC_RAW) {
        const double now = since + (seconds(which) - since) / 100.0;
        t->tv_sec = (time_t)now;
        t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
    }
    return (int)status;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (++calls == 100 && p->n > 1000)
        since = seconds(CLOCK_MONOTONIC_RAW);
}

VARIANT(.idea = "brings its own clock", .run = run)
