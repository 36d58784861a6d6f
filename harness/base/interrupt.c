#include "harness/base/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { GRACE = 10 }; /* seconds */

static volatile sig_atomic_t caught;
static void (*leave)(int number, bool impatient);

/* Milliseconds; the two signals that `timeout` sends, one to the process and one to its group, are one. */
static long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void note(int number)
{
    const long same = 200;
    static long first;

    if (caught == 0) {
        caught = number;
        first = now();
        alarm(GRACE);
    } else if (now() - first > same) {
        leave(caught, false);
    }
}

static void grace_is_over(int number)
{
    (void)number;
    leave(caught, true);
    alarm(1); /* the next step may hang as well */
}

void interrupt_catch(void (*at_once)(int number, bool impatient))
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = note}; /* no SA_RESTART: waits return */
    const struct sigaction later = {.sa_handler = grace_is_over, .sa_flags = SA_RESTART};

    leave = at_once;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    sigaction(SIGALRM, &later, NULL);
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the allowed file size then fails with an error, which
                                 is reported */
}

int interrupted(void)
{
    return caught;
}
