/* Lets a timer interrupt every system call of its process, so that clocks and waits of the harness fail. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <signal.h>
#include <sys/time.h>

#include "tests/hostile/saxpy/honest.h"

static void on_alarm(int number)
{
    (void)number;
}

static void prepare(const void *problem)
{
    const struct sigaction action = {.sa_handler = on_alarm};
    const struct itimerval often = {{0, 200}, {0, 200}};

    (void)problem;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "interrupts everything", .prepare = prepare, .run = run)
