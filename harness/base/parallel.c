#define _GNU_SOURCE
#include "harness/base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "harness/base/interrupt.h"

enum { MAX_THREADS = 256 };

struct work {
    size_t count, grain;
    parallel_part *part;
    void *context;
    atomic_size_t next; /* the next chunk that no thread has taken */
    atomic_bool cut_short;
};

/* Read each time, because the affinity may have been changed from outside. */
static size_t processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static void *take_chunks(void *argument)
{
    struct work *w = argument;
    const size_t chunks = parallel_chunks(w->count, w->grain);

    for (;;) {
        const size_t chunk = atomic_fetch_add(&w->next, 1);
        if (chunk >= chunks)
            return NULL;
        if (interrupted()) {
            atomic_store(&w->cut_short, true);
            return NULL;
        }
        const size_t begin = chunk * w->grain, left = w->count - begin;
        w->part(w->context, begin, begin + (left < w->grain ? left : w->grain));
    }
}

bool parallel_for_on(size_t threads, size_t count, size_t grain, parallel_part *part,
                     void *context)
{
    struct work w = {.count = count, .grain = grain > 0 ? grain : 1, .part = part,
                     .context = context};
    const size_t chunks = parallel_chunks(count, w.grain);
    pthread_t helper[MAX_THREADS];
    size_t helpers = 0;

    if (threads == 0 && chunks > 1)
        threads = processors();
    while (helpers + 1 < threads && helpers + 1 < chunks && helpers < MAX_THREADS &&
           pthread_create(&helper[helpers], NULL, take_chunks, &w) == 0)
        helpers++; /* if no more threads can be created, those that exist do the work */
    take_chunks(&w);
    while (helpers > 0)
        pthread_join(helper[--helpers], NULL);
    return !atomic_load(&w.cut_short);
}

bool parallel_for(size_t count, size_t grain, parallel_part *part, void *context)
{
    return parallel_for_on(0, count, grain, part, context);
}

size_t parallel_chunks(size_t count, size_t grain)
{
    return grain > 0 ? count / grain + (count % grain > 0) : count;
}

size_t parallel_grain(size_t count, size_t least)
{
    const size_t even = count / MAX_CHUNKS + (count % MAX_CHUNKS > 0);

    return even > least ? even : least;
}
