/*
 * The order of blocks, warps and lanes: in sequence or, with RUNGS_SIM_SEED, one of many others.
 *
 * A correct program is correct in every order.  The same seed always gives the same order.
 */
#include <errno.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

unsigned long sim_seed;

static uint64_t state;                /* of the random numbers */
static uint64_t next_block, stride;   /* blocks are taken `stride` apart, which reaches all of them */
static unsigned warps, ordered;       /* of a block; this many threads have the usual order */

static uint64_t random_number(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15; /* splitmix64 */

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void sim_order_start(void)
{
    const char *text = getenv("RUNGS_SIM_SEED");
    char *end;

    sim_blocking = getenv("RUNGS_SIM_BLOCKING") != NULL;
    if (text == NULL || text[0] == '\0')
        return;
    errno = 0;
    sim_seed = strtoul(text, &end, 10);
    if (*end != '\0' || text[0] == '-' || errno != 0)
        sim_fail(NULL, "RUNGS_SIM_SEED=%s: a whole number is possible, and 0 for no other order "
                       "than the usual", text);
    state = sim_seed;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void sim_order_launch(uint64_t blocks)
{
    next_block = 0;
    stride = 1;
    if (sim_seed == 0)
        return;
    next_block = random_number() % blocks;
    do
        stride = 1 + random_number() % blocks;
    while (common_divisor(stride, blocks) != 1);
}

uint64_t sim_order_block(uint64_t blocks)
{
    uint64_t block = next_block;

    next_block = (next_block + stride) % blocks;
    return block;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void shuffle(unsigned short list[], unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned other = (unsigned)(random_number() % i);
        unsigned short kept = list[i - 1];
        list[i - 1] = list[other];
        list[other] = kept;
    }
}

static void order_as_usual(void)
{
    for (; ordered < MAX_THREADS; ordered++)
        sim_block.order[ordered] = (unsigned short)(sim_block.lane[ordered].rank = ordered);
    for (unsigned short w = 0; w < MAX_WARPS; w++)
        sim_block.warp_order[w] = w;
}

/* Threads begin warp by warp, in the order of run_block(). */
void sim_order_threads(void)
{
    const unsigned before = warps;
    unsigned rank = 0;

    warps = (sim_block.threads + WARP - 1) / WARP;
    if (ordered < MAX_THREADS || warps != before)
        order_as_usual(); /* otherwise the first might be threads that this block does not have */
    if (sim_seed == 0)
        return;
    sim_order_warps();
    for (unsigned k = 0; k < warps; k++) {
        unsigned short *lanes = &sim_block.order[rank], first = sim_block.warp_order[k] * WARP;
        unsigned count = 0;
        while (count < WARP && first + count < sim_block.threads)
            lanes[count] = (unsigned short)(first + count), count++;
        shuffle(lanes, count);
        for (unsigned i = 0; i < count; i++)
            sim_block.lane[lanes[i]].rank = rank++;
    }
}

void sim_order_warps(void)
{
    if (sim_seed != 0)
        shuffle(sim_block.warp_order, warps);
}

bool sim_order_coin(void)
{
    return sim_seed != 0 && (random_number() & 1) != 0;
}

unsigned sim_order_any(unsigned warp, unsigned ready)
{
    unsigned left = ready;
    unsigned skip = (unsigned)(random_number() % (unsigned)__builtin_popcount(ready));

    while (skip-- > 0)
        left &= left - 1;
    unsigned lane = (unsigned)__builtin_ctz(left);
    /* Of the threads that have not begun, only the next in order may. */
    if (sim_block.lane[warp * WARP + lane].rank >= sim_block.begun)
        lane = sim_block.order[sim_block.begun] % WARP;
    return lane;
}
