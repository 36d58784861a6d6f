#define _GNU_SOURCE
#include "harness/measure/randomize_layout.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/random.h"
#include "harness/model/registry.h"
#include "harness/worker/parent.h"

enum { SMALL = 2 << 20 }; /* outputs of fewer bytes have small pages */

/* A kernel reuses the pages that were freed last, so the outputs would get the same ones again and
   again.  So take many more pages, and free as many as are needed, here and there.  They will be
   reused next. */
static void *scatter(size_t pages, size_t *held)
{
    enum { MORE = 4 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const uint64_t seed = (uint64_t)(clock_now() * 1e9);
    char *pool = mmap(NULL, MORE * pages * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    *held = MORE * pages * page;
    if (pool == MAP_FAILED)
        return NULL;
    for (size_t i = 0; i < pages; i++)
        madvise(pool + random_bits(seed, 0, i) % (MORE * pages) * page, page, MADV_DONTNEED);
    return pool;
}

/* Opens the case again, with other pages for outputs that have small pages. */
static bool reopen(struct cell *c, struct entrant *e, struct reply *reply)
{
    const struct layout *layout = arena_layout(c->arena);
    size_t held = 0;
    void *pool = NULL;

    worker_shrink(&e->worker);
    if (layout->output_bytes < SMALL)
        pool = scatter(layout->output_bytes / (size_t)sysconf(_SC_PAGESIZE) + 1, &held);
    const bool answered = entrant_open(c, e, true, reply);
    if (pool != NULL) {
        if (answered)
            (void)fallocate(e->worker.output_file, 0, 0, (off_t)layout->output_bytes);
        munmap(pool, held);
    }
    if (answered && reply->outcome != OUTCOME_OK) /* it refuses a case that it has accepted before */
        return entrant_out(e, reply->outcome, "%s", reply->text);
    return answered;
}

bool randomize_layout(struct cell *c, struct entrant *e, double *seconds)
{
    double start = clock_now();
    struct reply reply;

    *seconds = 0.0;
    if (!card_on_cpu(e->worker.variant))
        return true;
    if (!entrant_do(c, e, OP_RELEASE, &reply) || !reopen(c, e, &reply) ||
        !entrant_do(c, e, OP_PREPARE, &reply) || !entrant_show(c, e, &reply))
        return false;
    *seconds = clock_now() - start;
    return true;
}
