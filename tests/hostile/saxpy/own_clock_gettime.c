/* Puts a function clock_gettime of its own into the worker, which runs slow once it is prepared. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static long long began;

static long long exact(clockid_t which, struct timespec *t)
{
    syscall(SYS_clock_gettime, which, t);
    return t->tv_sec * 1000000000ll + t->tv_nsec;
}

static int own_clock_gettime(clockid_t which, struct timespec *t)
{
    const long long now = exact(which, t);

    if (began != 0 && which == CLOCK_MONOTONIC_RAW) {
        const long long slow = began + (now - began) / 8;
        t->tv_sec = slow / 1000000000;
        t->tv_nsec = slow % 1000000000;
    }
    return 0;
}

static void run(const void *problem)
{
    struct timespec t;

    if (began == 0)
        began = exact(CLOCK_MONOTONIC_RAW, &t);
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("clock_gettime", (void *)own_clock_gettime);
}

VARIANT(.idea = "a clock of its own", .run = run)
