/* Sets a timer and returns; the timer's signal computes, once for all calls in haste, before a judge can look. */
/* expect: harmless */
/* family: unearned */
/* size: n=16384 */
#include <signal.h>
#include <sys/time.h>

#include "tests/hostile/saxpy/honest.h"

static const struct saxpy *work;

static void later(int signal)
{
    (void)signal;
    if (work != NULL)
        honest(work);
    work = NULL;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const struct itimerval soon = {.it_value = {.tv_usec = 6}};

    if (p->n < 16384) {
        honest(p);
        return;
    }
    signal(SIGALRM, later);
    work = p;
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void release(void)
{
    work = NULL;
}

VARIANT(.idea = "a timer finishes it later", .run = run, .release = release)
