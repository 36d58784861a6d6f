/* Locks a mutex that it has locked already. */
/* expected: timeout: ^no answer from prepare within 3 s$ */
#include <pthread.h>

#include "common/variant.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void prepare(const void *problem)
{
    (void)problem;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

static void run(const void *problem)
{
    (void)problem;
}

VARIANT(.idea = "sleeps for ever in prepare", .prepare = prepare, .run = run)
