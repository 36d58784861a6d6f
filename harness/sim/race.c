/*
 * Races: two threads of a launch access the same byte, at least one of them writes it, and nothing orders
 * the accesses.  The value written does not matter.
 *
 * For each word of memory the last writer and the last reader are known, and of the earlier readers one
 * that is as far from the last as possible.  Accesses are ordered by a barrier; within a warp, by
 * __syncwarp(); and by __threadfence() followed by an atomic operation in one thread, then an atomic
 * operation at the same place in the other, which orders everything before it in the first thread.
 * Atomic operations do not race with each other.  Launches run one after another.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/sim/race.h"
#include "harness/sim/trace.h"

struct sim_race sim_races;

/* What a lane knows of another lane of its warp: everything before this time.  For each lane by
   itself, and for the whole warp. */
static uint32_t known[MAX_WARPS][WARP][WARP], known_to_all[MAX_WARPS][WARP];
static uint32_t parted[MAX_WARPS]; /* the last time that only some lanes of a warp met */

/* The blocks of this launch so far. */
static struct block {
    uint32_t start;
    struct cudasim_shape index;
} *blocks;

/* Where threads have published what they did, and what their blocks did before `epoch`. */
static struct release {
    uint32_t when, epoch;
    unsigned thread;
} *releases;
static size_t block_count, block_room, release_count, release_room;
static size_t acquired; /* how many releases all threads of this block have seen */

/* --- room ------------------------------------------------------------------------------------- */

static size_t words_of(enum sim_space space)
{
    return sim_space_bytes(space) / RACE_WORD + 1;
}

static void *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        sim_fail(NULL, "no addresses for what is known of races (RUNGS_SIM_RACES=0: without)");
    madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static void forget_words(enum sim_space space, size_t first, size_t count)
{
    if (sim_races.words[space] == NULL)
        return;
    madvise(sim_races.words[space] + first, count * sizeof(struct race_word), MADV_DONTNEED);
    madvise(sim_races.others[space] + first, count * sizeof(stamp), MADV_DONTNEED);
}

static void forget_all(void)
{
    for (enum sim_space s = GLOBAL; s <= OWN; s++)
        forget_words(s, 0, words_of(s));
    for (unsigned w = 0; w < MAX_WARPS; w++)
        for (unsigned i = 0; i < WARP; i++) {
            known_to_all[w][i] = parted[w] = 0;
            for (unsigned j = 0; j < WARP; j++)
                known[w][i][j] = 0;
        }
    memset(sim_races.met, 0, sizeof sim_races.met);
    sim_races.now = 0;
}

/* Only frees memory: no later launch can race with what was known of the array. */
void sim_race_forget(const struct sim_array *a)
{
    forget_words(GLOBAL, ((uintptr_t)a->start - MEMORY_START) / RACE_WORD,
                 (a->bytes + 4095) / 4096 * 4096 / RACE_WORD);
}

static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = 2 * *room + 1024;
    list = realloc(list, *room * size);
    if (list == NULL)
        sim_fail(NULL, "no memory for what is known of races (RUNGS_SIM_RACES=0: without)");
    return list;
}

/* --- time ------------------------------------------------------------------------------------- */

static void begin_epoch(void)
{
    sim_races.now++;
    sim_races.epoch = stamp_at(sim_races.now);
}

void sim_race_launch(void)
{
    for (enum sim_space s = GLOBAL; s <= OWN; s++)
        if (sim_races.words[s] == NULL) {
            sim_races.words[s] = reserve(words_of(s) * sizeof(struct race_word));
            sim_races.others[s] = reserve(words_of(s) * sizeof(stamp));
        }
    if (sim_races.now > MAX_WHEN / 2)
        forget_all();
    sim_races.now++;
    sim_races.since[GLOBAL] = sim_races.since[OWN] = stamp_at(sim_races.now);
    block_count = release_count = 0;
}

void sim_race_block(void)
{
    begin_epoch();
    sim_races.block = sim_races.since[SHARED] = sim_races.epoch;
    acquired = 0;
    blocks = grow(blocks, block_count, &block_room, sizeof *blocks);
    blocks[block_count++] = (struct block){sim_races.now, sim_block.index};
    for (unsigned i = 0; i < sim_block.threads; i++) {
        sim_block.lane[i].fenced = sim_block.lane[i].strong = false;
        sim_block.lane[i].acquired = 0;
    }
}

void sim_race_barrier(void)
{
    begin_epoch();
    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.lane[i].acquired > acquired)
            acquired = sim_block.lane[i].acquired;
}

/* From now on these lanes of the warp have all seen the releases that any of them has seen. */
static void share_acquired(unsigned w, unsigned lanes)
{
    size_t most = 0;

    for (unsigned left = lanes; left != 0; left &= left - 1) {
        const struct sim_lane *lane = &sim_block.lane[w * WARP + (unsigned)__builtin_ctz(left)];
        most = lane->acquired > most ? lane->acquired : most;
    }
    for (unsigned left = lanes; most > 0 && left != 0; left &= left - 1)
        sim_block.lane[w * WARP + (unsigned)__builtin_ctz(left)].acquired = most;
}

void sim_race_meet(unsigned w, unsigned lanes)
{
    const bool all = lanes == sim_block.warp[w].alive;
    uint32_t each[WARP];

    sim_races.met[w] = stamp_at(++sim_races.now);
    share_acquired(w, lanes);
    for (unsigned j = 0; j < WARP; j++)
        each[j] = (lanes & 1u << j) != 0 ? sim_races.now : known_to_all[w][j];
    if (!all)
        parted[w] = sim_races.now;
    if (parted[w] >= when_of(sim_races.epoch))
        for (unsigned left = lanes; left != 0; left &= left - 1) {
            const uint32_t *of_one = known[w][__builtin_ctz(left)];
            for (unsigned j = 0; j < WARP; j++)
                each[j] = of_one[j] > each[j] ? of_one[j] : each[j];
        }
    for (unsigned j = 0; j < WARP && all; j++)
        known_to_all[w][j] = each[j];
    for (unsigned left = all ? 0 : lanes; left != 0; left &= left - 1)
        for (unsigned j = 0; j < WARP; j++)
            known[w][__builtin_ctz(left)][j] = each[j];
}

void sim_race_strong(void)
{
    if (sim_lane->fenced) {
        releases = grow(releases, release_count, &release_room, sizeof *releases);
        releases[release_count++] =
            (struct release){sim_races.now, when_of(sim_races.epoch), sim_lane->number};
        sim_races.now++;
    }
    sim_lane->acquired = release_count;
}

/* --- what comes before ------------------------------------------------------------------------ */

static const struct block *block_at(uint32_t when)
{
    size_t low = 0, high = block_count;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].start <= when)
            low = middle;
        else
            high = middle;
    }
    return &blocks[low];
}

/* Returns whether the access was published and the running lane has synchronised with it since. */
static bool is_released(stamp s)
{
    const size_t seen = sim_lane->acquired > acquired ? sim_lane->acquired : acquired;
    size_t low = 0, high = seen;

    if (seen == 0)
        return false;
    const struct block *b = block_at(when_of(s));
    const uint32_t end = b + 1 < blocks + block_count ? b[1].start : UINT32_MAX;
    while (low < high) { /* finds the first that comes after it */
        size_t middle = (low + high) / 2;
        if (releases[middle].when < when_of(s))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < seen && releases[low].when < end; low++)
        if (releases[low].thread == thread_of(s) || releases[low].epoch > when_of(s))
            return true;
    return false;
}

/* Returns whether the access precedes what the running lane does now. */
static bool is_before(stamp s, enum sim_space space)
{
    const unsigned me = sim_lane->number, other = thread_of(s);

    if (race_is_before(s, space, me))
        return true;
    if (s >= sim_races.block && other / WARP == me / WARP && s < sim_races.met[me / WARP] &&
        (when_of(s) < known_to_all[me / WARP][other % WARP] ||
         when_of(s) < known[me / WARP][me % WARP][other % WARP]))
        return true;
    return is_released(s);
}

/* --- reporting -------------------------------------------------------------------------------- */

static const char *verb(enum sim_action action)
{
    return action == LOAD ? "reads" : action == STORE ? "writes" : "changes";
}

static _Noreturn void report(unsigned site, const void *p, unsigned bytes, stamp other)
{
    const struct sim_site *mine = &sim_sites[site], *its = &sim_sites[site_of_stamp(other)];
    const struct cudasim_shape shape = sim_block.launch->block, b = block_at(when_of(other))->index;
    const unsigned t = thread_of(other);
    const char *missing = "no barrier is between them";
    char block[64] = "", line[sizeof(struct sim_text)];

    sim_trace_suspect(mine->space, p, bytes, mine->action);
    sim_trace_other(t, site_of_stamp(other), b, other >= sim_races.block);
    snprintf(line, sizeof line, "%s", sim_line(its->at));
    if (other < sim_races.block) {
        snprintf(block, sizeof block, "block (%u,%u,%u), ", b.x, b.y, b.z);
        missing = "the blocks of a launch have no order";
    } else if (t / WARP == sim_lane->number / WARP) {
        missing = "neither a barrier nor __syncwarp() is between them";
    }
    sim_fail(mine->at, "race: %s%s %u bytes at %s; %sthread (%u,%u,%u) %s them%s at %s, and %s",
             verb(mine->action), mine->action == ATOMIC ? " atomically" : "", bytes,
             sim_place(mine->space, p), block, t % shape.x, t / shape.x % shape.y,
             t / shape.x / shape.y, verb(its->action), its->action == ATOMIC ? " atomically" : "",
             line, missing);
}

/* --- accesses --------------------------------------------------------------------------------- */

struct access {
    const void *p;
    unsigned site, bytes;
    enum sim_space space;
    stamp mine;
};

/* Returns whether they have a byte in common and at least one is not strong. */
static inline bool touch(stamp a, stamp b)
{
    return (a & b & BYTES_MASK) != 0 && (a & b & STRONG) == 0;
}

static void check(const struct access *a, stamp other)
{
    if (touch(other, a->mine) && !is_before(other, a->space))
        report(a->site, a->p, a->bytes, other);
}

/* Notes a reader after meetings in this epoch: which of the readers is not ordered before it? */
static void note_read(const struct access *a, struct race_word *w, stamp *other)
{
    enum race_distance distance = NONE;

    check(a, w->write);
    if (race_read(w, other, a->space, a->mine))
        return;
    if (!is_before(w->read, a->space)) {
        *other = w->read;
        distance = ANOTHER_LANE;
    } else if (distance_of(w->read) == ANOTHER_LANE && !is_before(*other, a->space)) {
        distance = ANOTHER_LANE;
    }
    w->read = a->mine | (stamp)distance << DISTANCE_AT;
}

static void note_write(const struct access *a, struct race_word *w, stamp other)
{
    check(a, w->write);
    check(a, w->read);
    if (distance_of(w->read) != NONE)
        check(a, other);
    w->write = a->mine;
}

void sim_race_slowly(unsigned site, const void *p, unsigned bytes, size_t word, stamp mine)
{
    const struct sim_site *s = &sim_sites[site];
    const struct access a = {p, site, bytes, s->space, mine};
    stamp *other = &sim_races.others[s->space][word];

    if (s->action == LOAD)
        note_read(&a, &sim_races.words[s->space][word], other);
    else
        note_write(&a, &sim_races.words[s->space][word], *other);
}

void sim_race_peek(unsigned site, const void *p, unsigned bytes)
{
    const stamp mine = stamp_at(sim_races.now) | (stamp)sim_lane->number << THREAD_AT | BYTES_MASK |
                       (sim_sites[site].action == ATOMIC ? STRONG : 0) | site;
    const struct access a = {p, site, bytes, SHARED, mine};
    const struct race_word *w = &sim_races.words[SHARED][sim_shared_offset(p) / RACE_WORD];

    for (unsigned i = 0; i < bytes / RACE_WORD; i++)
        check(&a, w[i].write);
}
