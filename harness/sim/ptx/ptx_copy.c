/*
 * Copies that one thread starts, that arrive in shared memory and count at an mbarrier there: boxes of an
 * array (cp.async.bulk.tensor) and contiguous bytes (cp.async.bulk).
 *
 * A copy arrives when a thread waits for it and the block cannot continue: as late as possible.  With
 * RUNGS_SIM_SEED, some arrive at once.
 */
#include <stdlib.h>

#include "harness/sim/ptx/ptx.h"
#include "harness/sim/ptx/tensor_map.h"

struct copy {
    struct tensor_map map; /* for contiguous bytes: one row of single bytes */
    int64_t column, row;
    uint64_t to, barrier; /* in the block where it arrives */
    const void *at;
    struct cudasim_place place;
    unsigned rank, thread; /* that started it */
};

static struct list {
    struct copy *copy;
    size_t count, room;
} under_way[MAX_CLUSTER];

enum { CHUNK = 16 };

/* --- arriving --------------------------------------------------------------------------------- */

/* Rounds to 10 bits of mantissa, to nearest, ties to even. */
static uint32_t to_tf32(uint32_t bits)
{
    if ((bits & 0x7f800000) == 0x7f800000) /* infinite or NaN */
        return bits;
    return (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000;
}

static void round_row(char *row, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, row + i * sizeof bits, sizeof bits);
        bits = to_tf32(bits);
        memcpy(row + i * sizeof bits, &bits, sizeof bits);
    }
}

/* The part of the box beyond the array is 0. */
static void read_row(char *row, const struct copy *c, unsigned r)
{
    const struct tensor_map *m = &c->map;
    const int64_t y = c->row + r, first = c->column > 0 ? c->column : 0;
    int64_t end = c->column + m->box[0];

    end = end < (int64_t)m->side[0] ? end : (int64_t)m->side[0];
    memset(row, 0, (size_t)m->box[0] * m->size);
    if (y < 0 || y >= (int64_t)m->side[1] || first >= end)
        return;
    const char *from = m->start + (size_t)y * m->row_bytes + (size_t)first * m->size;
    const size_t bytes = (size_t)(end - first) * m->size;
    sim_check(from, bytes, false, c->place.operation, c->at);
    memcpy(row + (size_t)(first - c->column) * m->size, from, bytes);
    if (m->tf32)
        round_row(row, m->box[0]);
}

static void write_row(const struct copy *c, const char *row, unsigned r)
{
    const unsigned bytes = c->map.box[0] * c->map.size;

    for (unsigned b = 0; b < bytes; b += CHUNK) {
        uint64_t to = c->to + (uint64_t)r * bytes + b;
        to ^= (to >> 7 & ((1u << c->map.swizzle) - 1)) << 4;
        sim_shared_copied(to, CHUNK, c->at);
        memcpy(sim_shared_at(to), row + b, CHUNK);
    }
}

static void arrive(const struct copy *c)
{
    const unsigned bytes = c->map.box[0] * c->map.size;
    char *row = malloc(bytes);

    if (row == NULL)
        abort();
    for (unsigned r = 0; r < c->map.box[1]; r++) {
        read_row(row, c, r);
        write_row(c, row, r);
    }
    free(row);
    sim_mbarrier_arrived(c->barrier, (size_t)bytes * c->map.box[1], c->at);
}

/* A report names the thread that started the copy, if it belongs to this block. */
static void arrive_for(const struct copy *c)
{
    sim_lane = c->rank == sim_block.rank ? &sim_block.lane[c->thread] : NULL;
    arrive(c);
    sim_lane = NULL;
}

static bool is_awaited(const struct copy *c)
{
    const uint64_t place = c->barrier & ((1u << WHOSE_AT) - 1);

    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.lane[i].state == AT_MBARRIER && sim_block.lane[i].mbarrier == place)
            return true;
    return false;
}

bool sim_copies_arrive(void)
{
    struct list *l = &under_way[sim_block.rank];
    size_t first = 0, left = 0;

    while (first < l->count && !is_awaited(&l->copy[first]))
        first++;
    if (first == l->count)
        return false;
    const uint64_t barrier = l->copy[first].barrier;
    for (size_t i = 0; i < l->count; i++)
        if (l->copy[i].barrier == barrier)
            arrive_for(&l->copy[i]);
        else
            l->copy[left++] = l->copy[i];
    l->count = left;
    return true;
}

bool sim_copies_wait(unsigned rank)
{
    return under_way[rank].count > 0;
}

void sim_copies_end(void)
{
    const struct list *l = &under_way[sim_block.rank];

    if (l->count > 0)
        sim_fail(l->copy[0].at, "unfinished: %s to block (%u,%u,%u), which has ended and not "
                 "waited for it", l->copy[0].place.operation, sim_block.index.x, sim_block.index.y,
                 sim_block.index.z);
}

/* --- asking ----------------------------------------------------------------------------------- */

static void put(unsigned rank, struct copy c)
{
    struct list *l = &under_way[rank];
    const struct sim_block *b = sim_block_of(rank);

    c.rank = sim_block.rank;
    c.thread = sim_lane->number;
    c.to = (c.to & ((1u << WHOSE_AT) - 1)) | (uint64_t)(rank + 1) << WHOSE_AT;
    c.barrier = (c.barrier & ((1u << WHOSE_AT) - 1)) | (uint64_t)(rank + 1) << WHOSE_AT;
    if (b->returned == b->threads)
        sim_fail(c.at, "use after free: %s to block (%u,%u,%u) of the cluster, which has ended",
                 c.place.operation, b->index.x, b->index.y, b->index.z);
    if (sim_order_coin()) {
        arrive(&c);
        return;
    }
    if (l->count == l->room) {
        l->room = 2 * l->room + 16;
        l->copy = realloc(l->copy, l->room * sizeof *l->copy);
        if (l->copy == NULL)
            abort();
    }
    l->copy[l->count++] = c;
}

static unsigned rank_of(uint64_t address)
{
    const unsigned whose = (unsigned)(address >> WHOSE_AT);

    return whose == 0 ? sim_block.rank : whose - 1;
}

/* cp.async.bulk.tensor.2d [to], [map, {column, row}], [barrier] {, blocks} */
void ptx_copy_box(struct ptx_frame *f, const struct ptx_instruction *i)
{
    struct copy c = {.at = f->at, .place = i->place};
    const bool several = i->groups > 3;

    memcpy(&c.map, (const void *)(uintptr_t)ptx_get(f, i, 1), sizeof c.map);
    c.to = ptx_get(f, i, 0);
    c.column = (int32_t)ptx_get(f, i, 2);
    c.row = (int32_t)ptx_get(f, i, 3);
    c.barrier = ptx_get(f, i, 4);
    if (c.map.magic != MAP_MAGIC)
        sim_fail(f->at, "%s of what is no CUtensorMap", i->place.operation);
    if (c.to % 128 != 0)
        sim_fail(f->at, "misaligned: %s to an address that is no multiple of 128",
                 i->place.operation);
    if (!several)
        put(rank_of(c.to), c);
    for (unsigned rank = 0; several && ptx_get(f, i, 5) >> rank != 0; rank++)
        if ((ptx_get(f, i, 5) >> rank & 1) != 0 && rank >= sim_cluster_size())
            sim_fail(f->at, "out of bounds: %s to block %u of a cluster of %u", i->place.operation,
                     rank, sim_cluster_size());
        else if ((ptx_get(f, i, 5) >> rank & 1) != 0)
            put(rank, c);
}

/* cp.async.bulk [to], [from], bytes, [barrier] */
void ptx_copy_bytes(struct ptx_frame *f, const struct ptx_instruction *i)
{
    const uint32_t bytes = (uint32_t)ptx_get(f, i, 2);
    struct copy c = {.at = f->at, .place = i->place};

    c.to = ptx_get(f, i, 0);
    c.barrier = ptx_get(f, i, 3);
    c.map = (struct tensor_map){.size = 1, .box = {bytes, 1}, .side = {bytes, 1},
                                .start = (const char *)(uintptr_t)ptx_get(f, i, 1)};
    if ((c.to | (uintptr_t)c.map.start | bytes) % CHUNK != 0)
        sim_fail(f->at, "misaligned: %s of addresses and bytes that are no multiples of 16",
                 i->place.operation);
    put(rank_of(c.to), c);
}
