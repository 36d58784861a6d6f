/* Ends a launch that takes too long, and says where a thread is then, if that is asked for: RUNGS_SIM_PATIENCE is the time of
   a launch or copy in milliseconds. */
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "harness/sim/sim.h"

static long patience; /* milliseconds; 0: no end */

/* Returns the innermost address on the call stack that is of a .cu file, which may have called the simulator; NULL: none. */
static const void *in_kernel(void)
{
    enum { MOST = 32 };
    static struct sim_text text[MOST];
    void *at[MOST];
    const int count = backtrace(at, MOST);

    sim_lines((const void *const *)at, text, (size_t)count);
    for (int i = 0; i < count; i++)
        if (strstr(text[i].line, ".cu:") != NULL)
            return at[i];
    return NULL;
}

static void on_end(int number)
{
    const void *at = sim_lane != NULL ? in_kernel() : NULL;

    (void)number;
    if (at != NULL) /* else the scheduler runs, or the program's host side; the next signal may find a lane */
        sim_fail(at, "endless: is here after %ld ms", patience);
}

void sim_patience_start(void)
{
    const char *text = getenv("RUNGS_SIM_PATIENCE");
    struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_ONSTACK | SA_RESTART};

    patience = text != NULL ? strtol(text, NULL, 10) : 0;
    if (patience > 0)
        sigaction(SIGALRM, &action, NULL);
}

static void set(long first)
{
    const struct itimerval timer = {.it_interval = {0, first > 0 ? 50000 : 0}, .it_value = {first / 1000, first % 1000 * 1000}};

    if (patience > 0)
        setitimer(ITIMER_REAL, &timer, NULL);
}

void sim_patience_begin(void)
{
    set(patience);
}

void sim_patience_end(void)
{
    set(0);
}
