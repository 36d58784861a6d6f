/* Starts its thread when the worker loads it, before threads are counted, and lets it compute half of each product. */
/* expect: harmless */
/* family: unearned */
/* size: m=256,n=256,k=256 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/worker.h"

static _Atomic(const struct matmul *) job;

static void *work(void *nothing)
{
    for (;;) {
        const struct matmul *p = atomic_load(&job);
        if (p == NULL)
            continue;
        for (size_t i = p->m / 2; i < p->m; i++)
            honest_row(p, i);
        atomic_store(&job, NULL);
    }
    return nothing;
}

__attribute__((constructor(101))) static void start(int argc, char **argv)
{
    pthread_t thread;

    if (is_serving(argc, argv))
        pthread_create(&thread, NULL, work, NULL);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    atomic_store(&job, p);
    for (size_t i = 0; i < p->m / 2; i++)
        honest_row(p, i);
    while (atomic_load(&job) != NULL)
        ;
}

VARIANT(.idea = "a thread of its constructor helps", .run = run)
