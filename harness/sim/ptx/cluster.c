/*
 * Clusters: blocks that run together and can access each other's shared memory.
 *
 * They take turns.  One runs as far as possible; then its memory and threads are put aside and another's
 * restored.  A launch without clusters has clusters of one block.
 */
#include <stddef.h>
#include <string.h>

#include "harness/sim/ptx/ptx.h"

static struct sim_block aside[MAX_CLUSTER];
static unsigned size;    /* blocks */
static unsigned arrived; /* threads that have arrived at the cluster's barrier */
static unsigned long phase;

unsigned sim_cluster_size(void)
{
    return size;
}

struct sim_block *sim_block_of(unsigned rank)
{
    return rank == sim_block.rank ? &sim_block : &aside[rank];
}

void sim_make_ready_in(struct sim_block *b, struct sim_lane *lane)
{
    lane->state = READY;
    b->warp[lane->number / WARP].ready |= 1u << lane->number % WARP;
}

/* --- turns ------------------------------------------------------------------------------------ */

static void copy_block(struct sim_block *to, const struct sim_block *from)
{
    memcpy(to, from, offsetof(struct sim_block, lane) + from->threads * sizeof *from->lane);
}

static void put_aside(unsigned next)
{
    sim_shared_switch(sim_block.rank, next);
    copy_block(&aside[sim_block.rank], &sim_block);
}

static void take_up(unsigned rank)
{
    if (rank == sim_block.rank)
        return;
    put_aside(rank);
    copy_block(&sim_block, &aside[rank]);
}

static void start(struct cudasim_shape first)
{
    const struct cudasim_shape c = sim_block.launch->cluster;

    size = c.x * c.y * c.z;
    arrived = 0;
    for (unsigned rank = 0; rank < size; rank++) {
        if (rank > 0)
            put_aside(rank);
        sim_block.rank = rank;
        sim_block.index = (struct cudasim_shape){first.x + rank % c.x, first.y + rank / c.x % c.y,
                                                 first.z + rank / c.x / c.y};
        sim_block_start();
    }
}

/* Returns whether a block may be able to continue. */
static bool worth_a_turn(unsigned rank)
{
    const struct sim_block *b = sim_block_of(rank);

    if (b->returned == b->threads)
        return false;
    for (unsigned w = 0; w * WARP < b->threads; w++)
        if (b->warp[w].ready != 0)
            return true;
    return rank == sim_block.rank || sim_copies_wait(rank);
}

/* --- the cluster's barrier -------------------------------------------------------------------- */

/* If all threads that have not returned have arrived, lets them continue. */
static bool release(void)
{
    unsigned left = 0;

    for (unsigned rank = 0; rank < size; rank++)
        left += sim_block_of(rank)->threads - sim_block_of(rank)->returned;
    if (arrived == 0 || arrived < left)
        return false;
    arrived = 0;
    phase++;
    if (size == 1 && sim_watching != 0)
        sim_watch_barrier();
    for (unsigned rank = 0; rank < size; rank++) {
        struct sim_block *b = sim_block_of(rank);
        for (unsigned i = 0; i < b->threads; i++) {
            b->lane[i].cluster_arrived = false;
            if (b->lane[i].state == AT_CLUSTER)
                sim_make_ready_in(b, &b->lane[i]);
        }
    }
    return true;
}

void ptx_cluster_arrive(struct ptx_frame *f, const struct ptx_instruction *i)
{
    (void)i;
    if (sim_lane->cluster_arrived)
        sim_fail(f->at, "deadlock: barrier.cluster.arrive once more, without barrier.cluster.wait");
    if (sim_watching != 0)
        sim_watch_meeting(0);
    sim_lane->cluster_arrived = true;
    arrived++;
}

void ptx_cluster_wait(struct ptx_frame *f, const struct ptx_instruction *i)
{
    (void)f;
    sim_lane->place = &i->place;
    release();
    if (sim_lane->cluster_arrived)
        sim_wait(AT_CLUSTER);
}

void sim_cluster_leave(void)
{
    arrived -= sim_lane->cluster_arrived;
}

static _Noreturn void report_cluster_barrier(void)
{
    unsigned waiting = 0, returned = 0;

    for (unsigned rank = 0; rank < size; rank++) {
        waiting += sim_block_of(rank)->threads;
        returned += sim_block_of(rank)->returned;
    }
    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.lane[i].state == AT_CLUSTER)
            sim_lane = &sim_block.lane[i];
    sim_fail(NULL, "deadlock: barrier.cluster.wait, but of the cluster's %u threads only %u have "
             "arrived, and %u have returned", waiting, arrived, returned);
}

/* --- the whole -------------------------------------------------------------------------------- */

static _Noreturn void report_stuck(void)
{
    for (unsigned rank = 0; rank < size; rank++) {
        take_up(rank);
        sim_block_stuck();
    }
    report_cluster_barrier();
}

void sim_cluster_run(struct cudasim_shape first)
{
    unsigned over = 0;

    start(first);
    while (over < size) {
        bool moved = release();
        for (unsigned rank = 0; rank < size; rank++) {
            if (!worth_a_turn(rank))
                continue;
            take_up(rank);
            moved |= sim_block_advance();
            if (sim_block_over()) {
                sim_block_end();
                over++;
            }
        }
        if (!moved && over < size && !release())
            report_stuck();
    }
}
