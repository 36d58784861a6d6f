/* Leaves a timer whose signal handler faults later, while the harness is at work and not the variant. */
/* expect: harmless */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#include <signal.h>
#include <sys/time.h>

#include "tests/hostile/saxpy/honest.h"

static void on_alarm(int number)
{
    *(volatile int *)8 = number;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const struct itimerval once = {{0, 0}, {0, 300}};
    static int done;

    honest(p);
    if (p->n == 65536 && !done++) {
        signal(SIGALRM, on_alarm);
        setitimer(ITIMER_REAL, &once, NULL);
    }
}

VARIANT(.idea = "faults later", .run = run)
