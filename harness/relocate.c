#define _GNU_SOURCE
#include "harness/relocate.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/device.h"
#include "harness/clock.h"
#include "harness/random.h"

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
    worker_shrink(&e->worker);
    if (!went_well(e, worker_open(&e->worker, arena_layout(c->arena), c->timeout, &reply), &reply) ||
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
