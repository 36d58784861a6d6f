/*
 * Barriers in shared memory that count arrivals and bytes: mbarrier.
 *
 * A phase ends when all expected threads and all announced bytes have arrived.  Threads that wait for it
 * then continue.  If a phase cannot end, the report says what is missing.
 */
#include <stdlib.h>

#include "harness/sim/ptx/ptx.h"

/* Stored in the 8 bytes that a program provides. */
struct barrier {
    uint32_t made : 1, phase : 1, pending : 15, expected : 15;
    int32_t bytes; /* still to come; negative: arrived before they were announced */
};
_Static_assert(sizeof(struct barrier) == 8, "as on a card");

enum { MOST_ARRIVALS = (1 << 15) - 1, MOST_BYTES = (1 << 20) - 1 };

static uint64_t place_of(uint64_t address)
{
    return address & ((1u << WHOSE_AT) - 1);
}

static struct sim_block *block_of(uint64_t address)
{
    const unsigned whose = (unsigned)(address >> WHOSE_AT);

    return whose == 0 ? &sim_block : sim_block_of(whose - 1);
}

/* In this block or in another block of the cluster. */
static struct barrier *barrier_at(uint64_t address, const void *at)
{
    struct barrier *b = (struct barrier *)(void *)sim_shared_at(address);
    const struct sim_block *block = block_of(address);

    if (b == NULL)
        sim_fail(at, "out of bounds: no mbarrier is at the shared address %#zx", (size_t)address);
    if (block->returned == block->threads)
        sim_fail(at, "use after free: an mbarrier of block (%u,%u,%u) of the cluster, which has "
                 "ended", block->index.x, block->index.y, block->index.z);
    if (block == &sim_block)
        sim_check_window(place_of(address), sizeof *b, at);
    if (!b->made)
        sim_fail(at, "never written: an mbarrier without mbarrier.init");
    return b;
}

/* Announces bytes, or counts bytes that have arrived. */
static void expect(struct barrier *b, int64_t bytes, const void *at)
{
    const int64_t sum = b->bytes + bytes;

    if (sum > MOST_BYTES || sum < -MOST_BYTES)
        sim_fail(at, "out of bounds: an mbarrier that waits for %lld bytes; %d are possible",
                 (long long)sum, MOST_BYTES);
    b->bytes = (int32_t)sum;
}

/* If the phase is over, begins the next one. */
static void advance(uint64_t address, struct barrier *b)
{
    struct sim_block *block = block_of(address);

    if (b->pending > 0 || b->bytes != 0)
        return;
    b->phase ^= 1;
    b->pending = b->expected;
    for (unsigned i = 0; i < block->threads; i++)
        if (block->lane[i].state == AT_MBARRIER && block->lane[i].mbarrier == place_of(address))
            sim_make_ready_in(block, &block->lane[i]);
}

void sim_mbarrier_arrived(uint64_t address, size_t bytes, const void *at)
{
    struct barrier *b = barrier_at(address, at);

    expect(b, -(int64_t)bytes, at);
    advance(address, b);
}

/* --- instructions ----------------------------------------------------------------------------- */

void ptx_mbarrier_init(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint64_t count = ptx_get(f, i, 1);
    struct barrier *b = (struct barrier *)(void *)sim_access_shared(ptx_get(f, i, 0), sizeof *b,
                                                                    true, f->at);

    if (count < 1 || count > MOST_ARRIVALS)
        sim_fail(f->at, "mbarrier.init: %zu arrivals; 1 to %d are possible", (size_t)count,
                 MOST_ARRIVALS);
    *b = (struct barrier){.made = 1, .pending = count & MOST_ARRIVALS,
                          .expected = count & MOST_ARRIVALS};
}

void ptx_mbarrier_inval(struct ptx_frame *f, const struct ptx_instruction *i)
{
    barrier_at(ptx_get(f, i, 0), f->at)->made = 0;
}

static void arrive(struct ptx_frame *f, uint64_t address, struct barrier *b, uint64_t count)
{
    if (count > b->pending)
        sim_fail(f->at, "mbarrier.arrive: more than the %u arrivals that the mbarrier expects in a "
                 "phase", (unsigned)b->expected);
    if (sim_shared(b))
        sim_watch_mbarrier(b, sizeof *b, true, f->at);
    b->pending -= count & MOST_ARRIVALS;
    advance(address, b);
}

/* mbarrier.arrive state, [address] {, count} */
void ptx_mbarrier_arrive(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint64_t address = ptx_get(f, i, 1);

    arrive(f, address, barrier_at(address, f->at), i->groups > 2 ? ptx_get(f, i, 2) : 1);
}

/* mbarrier.arrive.expect_tx state, [address], bytes */
void ptx_mbarrier_arrive_expect(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint64_t address = ptx_get(f, i, 1);
    struct barrier *b = barrier_at(address, f->at);

    expect(b, (int64_t)ptx_get(f, i, 2), f->at);
    arrive(f, address, b, 1);
}

/* mbarrier.expect_tx [address], bytes */
void ptx_mbarrier_expect(struct ptx_frame *f, const struct ptx_instruction *i)
{
    expect(barrier_at(ptx_get(f, i, 0), f->at), (int64_t)ptx_get(f, i, 1), f->at);
}

/* mbarrier.try_wait.parity over, [address], parity: true once the phase of that parity is over. */
void ptx_mbarrier_wait(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint64_t address = ptx_get(f, i, 1), parity = ptx_get(f, i, 2) & 1;

    if (address >> WHOSE_AT != 0)
        sim_fail(f->at, "mbarrier.try_wait at another block's mbarrier");
    for (;;) {
        const struct barrier *b = barrier_at(address, f->at);
        if (b->phase != parity)
            break;
        sim_lane->mbarrier = address;
        sim_lane->place = &i->place;
        sim_wait(AT_MBARRIER);
    }
    sim_watch_mbarrier(sim_shared_at(address), sizeof(struct barrier), false, f->at);
    ptx_set(f, i, 0, 1);
}

/* mapa address, address in this block, rank: the same place in another block */
void ptx_mapa(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint64_t rank = ptx_get(f, i, 2);

    if (rank >= sim_cluster_size())
        sim_fail(f->at, "out of bounds: mapa to block %zu of a cluster of %u", (size_t)rank,
                 sim_cluster_size());
    ptx_set(f, i, 0, place_of(ptx_get(f, i, 1)) | (rank + 1) << WHOSE_AT);
}

void sim_mbarriers_stuck(void)
{
    for (unsigned n = 0; n < sim_block.threads; n++) {
        struct sim_lane *lane = &sim_block.lane[n];
        if (lane->state != AT_MBARRIER)
            continue;
        const struct barrier *b = barrier_at(lane->mbarrier, NULL);
        sim_lane = lane;
        sim_fail(NULL, "deadlock: waits at an mbarrier for the end of a phase, but %u of %u "
                 "arrivals are missing, and %d bytes %s", (unsigned)b->pending,
                 (unsigned)b->expected,
                 abs(b->bytes), b->bytes < 0 ? "came that are not expected" : "are still to come");
    }
}
