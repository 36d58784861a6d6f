/*
 * The host's clock, CLOCK_MONOTONIC_RAW: never set and never slewed, in nanoseconds, the same for
 * all processes of the machine.
 */
#ifndef RUNGS_CLOCK_H
#define RUNGS_CLOCK_H

#include <sys/types.h>
#include <time.h>

static inline double clock_read(clockid_t which)
{
    struct timespec t;

    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns seconds since some moment before the machine started; only differences mean anything.
   A double resolves 1 ns for the first 52 days of uptime, and 10 ns for years. */
static inline double clock_now(void)
{
    return clock_read(CLOCK_MONOTONIC_RAW);
}

/* Returns processor seconds of all threads of this process. */
static inline double clock_cpu(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the CPU seconds of all threads of another process, or 0 if there is none of that number. */
double clock_cpu_of(pid_t process);

/* Returns the smallest step that the clock was seen to make, in seconds. */
double clock_step(void);

#endif
