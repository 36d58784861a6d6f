/*
 * Copies requested with __pipeline_memcpy_async, until the thread waits for them.
 *
 * A copy happens when its thread waits for it, which is the latest possible time.  A thread that reads
 * before that reads the old content.  A copy that is never waited for never arrives.
 */
#include <stdlib.h>

#include "harness/sim/sim.h"

static struct queue {
    struct cudasim_copy *copies;
    size_t first, count, room; /* those before `first` are done */
    size_t batch;              /* the open one */
} queues[MAX_CLUSTER][MAX_THREADS];

static size_t used[MAX_CLUSTER]; /* of the queues: threads below this have made requests */

static struct queue *mine(void)
{
    if (used[sim_block.rank] <= sim_lane->number)
        used[sim_block.rank] = sim_lane->number + 1;
    return &queues[sim_block.rank][sim_lane->number];
}

void sim_forget_copies(void)
{
    struct queue *first = queues[sim_block.rank];

    for (struct queue *q = first; q < first + used[sim_block.rank]; q++)
        q->first = q->count = q->batch = 0;
    used[sim_block.rank] = 0;
}

void cudasim_copy_put(const struct cudasim_copy *c)
{
    struct queue *q = mine();

    sim_watch_copy(c->to, c->bytes, CALLER);
    if (q->first == q->count)
        q->first = q->count = 0;
    if (q->count == q->room) {
        q->room = 2 * q->room + 16;
        q->copies = realloc(q->copies, q->room * sizeof *q->copies);
        if (q->copies == NULL)
            abort();
    }
    q->copies[q->count] = *c;
    q->copies[q->count++].batch = q->batch;
}

void cudasim_copies_commit(void)
{
    mine()->batch++;
}

int cudasim_copy_take(size_t prior, struct cudasim_copy *c)
{
    struct queue *q = mine();

    if (q->first == q->count || q->copies[q->first].batch + prior >= q->batch)
        return 0;
    *c = q->copies[q->first++];
    return 1;
}
