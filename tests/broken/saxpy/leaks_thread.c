/* Leaves a thread that prepare started, which would share the cores with every later variant. */
/* expected: breach: ^leaves 1 thread running after release$ */
#include <pthread.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void *wait_for_work(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void prepare(const void *problem)
{
    pthread_t helper;

    (void)problem;
    pthread_create(&helper, NULL, wait_for_work, NULL);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "leaves a thread behind", .prepare = prepare, .run = run)
