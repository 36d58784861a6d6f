/* Returns right answers, but its release waits for a thread that never ends. */
/* expected: timeout: ^no answer from release within 3 s$ */
#include <pthread.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static pthread_t helper;

static void *wait_for_work(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void prepare(const void *problem)
{
    (void)problem;
    pthread_create(&helper, NULL, wait_for_work, NULL);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

static void release(void)
{
    pthread_join(helper, NULL);
}

VARIANT(.idea = "waits for ever in release", .prepare = prepare, .run = run, .release = release)
