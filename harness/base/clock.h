/*
 * The host's clock.  CLOCK_MONOTONIC_RAW: never set, never slewed, nanoseconds, the same for all
 * processes of the machine.
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

/* Seconds since some moment before this machine's start: only differences mean anything.  A double
   resolves a nanosecond for the first 52 days of uptime, and 10 ns for years. */
static inline double clock_now(void)
{
    return clock_read(CLOCK_MONOTONIC_RAW);
}

/* Processor seconds of all threads of this process. */
static inline double clock_cpu(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the processor seconds of all threads of another process; 0: there is none of that number. */
double clock_cpu_of(pid_t process);

/* The smallest step that it was seen to make, seconds. */
double clock_step(void);

#endif
