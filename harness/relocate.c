#define _GNU_SOURCE
#include "harness/relocate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/device.h"
#include "harness/clock.h"
#include "harness/random.h"

enum { SMALL = 2 << 20 }; /* bytes of outputs below which they have small pages */

/* What a reply makes of an entrant: false where it is out. */
static bool went_well(struct entrant *e, bool answered, const struct reply *reply)
{
    struct fate fate;

    if (answered && reply->outcome == OUTCOME_OK)
        return true;
    if (answered)
        fate_set(&fate, reply->outcome, "%s", reply->text);
    entrant_out(e, answered ? &fate : &e->worker.fate);
    return false;
}

/* A kernel gives the pages back that it got last, so that the outputs would have the same ones in
   turn for ever.  So: take many more pages, and let go of as many as are needed, here and there.
   They are the next to be given out. */
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

/* Opens the case again, with other pages for the outputs, while they are small ones. */
static bool reopen(struct cell *c, struct entrant *e, struct reply *reply)
{
    const struct layout *layout = arena_layout(c->arena);
    size_t held = 0;
    void *pool = NULL;

    worker_shrink(&e->worker);
    if (layout->output_bytes < SMALL)
        pool = scatter(layout->output_bytes / (size_t)sysconf(_SC_PAGESIZE) + 1, &held);
    bool answered = worker_open(&e->worker, layout, c->timeout, reply);
    if (pool != NULL) {
        if (answered)
            (void)fallocate(e->worker.output_file, 0, 0, (off_t)layout->output_bytes);
        munmap(pool, held);
    }
    return answered;
}

bool relocate(struct cell *c, struct entrant *e, double *seconds)
{
    const struct device *device = e->worker.variant->device;
    const struct request away = {.op = OP_RELEASE}, back = {.op = OP_PREPARE, .blind = true};
    double start = clock_now();
    struct reply reply;

    *seconds = 0.0;
    if (device != NULL && device != &device_cpu)
        return true;
    if (!went_well(e, worker_ask(&e->worker, &away, &reply, c->timeout), &reply))
        return false;
    if (!went_well(e, reopen(c, e, &reply), &reply) ||
        !went_well(e, worker_ask(&e->worker, &back, &reply, c->timeout), &reply))
        return false;
    *seconds = clock_now() - start;
    return true;
}

void relocate_heap(void)
{
    static void *small, *large;
    static size_t large_bytes;
    static uint64_t times;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint64_t bits = random_bits((uint64_t)(clock_now() * 1e9), (uint64_t)getpid(), times++);

    free(small); /* what malloc takes from the heap comes behind a block of any length, */
    small = malloc((1 + bits % 64) * page + (bits >> 8) % 64 * 64);
    if (large_bytes > 0)
        munmap(large, large_bytes);
    large_bytes = (1 + (bits >> 32) % 512) * page; /* and what it maps, below pages of any number */
    large = mmap(NULL, large_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (large == MAP_FAILED)
        large_bytes = 0;
}
