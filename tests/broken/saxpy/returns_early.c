/* Starts the work and does not wait for it, like a kernel launch without synchronisation. */
/* expected: nan: ^z\[0\] is -?nan, expected */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "common/saxpy.h"
#include "common/variant.h"

static pthread_t thread;
static sem_t judged;
static bool started;

static void *work(void *problem)
{
    const struct saxpy *p = problem;

    sem_wait(&judged); /* slower than the judge, on any machine */
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    return NULL;
}

static void finish(void)
{
    if (!started)
        return;
    sem_post(&judged);
    pthread_join(thread, NULL);
    started = false;
}

static void run(const void *problem)
{
    finish();
    sem_init(&judged, 0, 0);
    started = pthread_create(&thread, NULL, work, (void *)problem) == 0;
}

VARIANT(.idea = "does not wait for the answer", .run = run, .release = finish)
