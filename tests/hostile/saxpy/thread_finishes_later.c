/* Hands the work to a thread that spins for it and returns: the answer is there before a judge can look. */
/* expect: harmless */
/* family: unearned */
/* size: n=16384 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/hostile/saxpy/honest.h"

static pthread_t thread;
static _Atomic(const struct saxpy *) work;
static atomic_bool stop;

static void *helper(void *unused)
{
    (void)unused;
    while (!stop) {
        const struct saxpy *p = work;

        if (p == NULL)
            continue;
        honest(p);
        atomic_compare_exchange_strong(&work, &p, NULL);
    }
    return NULL;
}

static void prepare(const void *problem)
{
    (void)problem;
    stop = 0;
    pthread_create(&thread, NULL, helper, NULL);
}

static void run(const void *problem)
{
    if (((const struct saxpy *)problem)->n < 16384)
        honest(problem);
    else
        work = problem;
}

static void release(void)
{
    stop = 1;
    pthread_join(thread, NULL);
    work = NULL;
}

VARIANT(.idea = "a thread finishes it later", .prepare = prepare, .run = run, .release = release)
