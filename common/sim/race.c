/*
 * Races: two threads of a launch touch the same byte, one of them at least writes it, and nothing
 * says which comes first.  What is written does not matter.
 *
 * Of each word of memory it is known who has written it last and who has read it: when, which is a
 * number that goes up with each block and each barrier of it, and how often that lane had met others
 * of its warp by then.  What orders accesses: a barrier; within a warp, a meeting of lanes; between
 * blocks, only __threadfence() and then an atomic operation in the one, an atomic operation in the
 * other.  Atomic operations do not race with each other.  Launches come one after another.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim.h"

enum { WORD = 4, MAX_CLOCK = (1 << 17) - 1 };

/* When, 32 bits; thread, 10; its clock, 17; bytes of the word, 4; atomic, 1.  0: never.  A later one
   is a greater number. */
typedef uint64_t stamp;
enum { CLOCK_AT = 5, THREAD_AT = 22, WARP_AT = 27, WHEN_AT = 32 };

static inline stamp make_stamp(uint32_t when, unsigned thread, unsigned clock, unsigned bytes,
                               bool atomic)
{
    return (stamp)when << WHEN_AT | (stamp)thread << THREAD_AT | clock << CLOCK_AT | bytes << 1 |
           atomic;
}

static inline uint32_t when_of(stamp s)
{
    return (uint32_t)(s >> WHEN_AT);
}

static inline unsigned thread_of(stamp s)
{
    return (unsigned)(s >> THREAD_AT) & (MAX_THREADS - 1);
}

static inline unsigned clock_of(stamp s)
{
    return (unsigned)(s >> CLOCK_AT) & MAX_CLOCK;
}

/* Have they a byte in common, and is one not atomic? */
static inline bool touch(stamp a, stamp b)
{
    return (a & b & 0xf << 1) != 0 && (a & b & 1) == 0;
}

struct cell {
    stamp write, read, other; /* other: one more reader, unordered with the last */
    uint16_t write_site, read_site, other_site;
};

static struct cell *cells[OWN + 1]; /* by space */
static uint32_t now, block_start, launch_start;

/* --- time ------------------------------------------------------------------------------------- */

static struct cell *reserve(size_t bytes)
{
    void *p = mmap(NULL, bytes / WORD * sizeof(struct cell), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        sim_fail(NULL, "no addresses for what is known of races");
    return p;
}

/* Of this launch, the blocks so far, and where blocks have published what they did. */
static struct block {
    uint32_t start;
    struct cudasim_shape index;
} *blocks;
static struct release {
    uint32_t when;
    unsigned thread;
} *releases;
static size_t block_count, block_room, release_count, release_room, others_released;
static bool acquired; /* this block has looked */

static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = 2 * *room + 1024;
    list = realloc(list, *room * size);
    if (list == NULL)
        sim_fail(NULL, "no memory for what is known of races");
    return list;
}

void sim_race_launch(void)
{
    if (cells[GLOBAL] == NULL)
        cells[GLOBAL] = reserve(MEMORY_BYTES);
    for (enum sim_space s = SHARED; s <= OWN; s++)
        if (cells[s] == NULL)
            cells[s] = reserve(sim_space_bytes(s));
    if (now > UINT32_MAX / 2) { /* forget it all, and begin anew */
        madvise(cells[GLOBAL], MEMORY_BYTES / WORD * sizeof(struct cell), MADV_DONTNEED);
        for (enum sim_space s = SHARED; s <= OWN; s++)
            madvise(cells[s], sim_space_bytes(s) / WORD * sizeof(struct cell), MADV_DONTNEED);
        now = 0;
    }
    launch_start = now + 1;
    block_count = release_count = 0;
}

void sim_race_forget(const struct sim_array *a)
{
    struct cell *c = cells[GLOBAL];

    if (c != NULL)
        madvise(c + ((uintptr_t)a->start - MEMORY_START) / WORD,
                (a->bytes + 4095) / 4096 * 4096 / WORD * sizeof *c, MADV_DONTNEED);
}

/* --- meetings of a warp ----------------------------------------------------------------------- */

/* Of each lane the number of its meetings, one more than that; and what lanes know of each other's:
   each by itself, or all of the warp alike. */
static unsigned clocks[MAX_WARPS][WARP], known[MAX_WARPS][WARP][WARP], known_to_all[MAX_WARPS][WARP];
static bool have_met;

static void forget_meetings(void)
{
    for (unsigned w = 0; w < MAX_WARPS; w++)
        for (unsigned i = 0; i < WARP; i++)
            clocks[w][i] = 1;
    memset(known, 0, sizeof known);
    memset(known_to_all, 0, sizeof known_to_all);
    have_met = false;
}

void sim_race_block(void)
{
    block_start = ++now;
    acquired = false;
    others_released = release_count;
    blocks = grow(blocks, block_count, &block_room, sizeof *blocks);
    blocks[block_count++] = (struct block){now, sim_block.index};
    for (unsigned i = 0; i < sim_block.threads; i++)
        sim_block.lane[i].fenced = false;
    if (have_met || clocks[0][0] == 0)
        forget_meetings();
}

void sim_race_barrier(void)
{
    now++;
    if (have_met)
        forget_meetings();
}

static void tick(unsigned w, unsigned i)
{
    clocks[w][i] += clocks[w][i] < MAX_CLOCK;
}

void sim_race_meet(unsigned w, unsigned lanes)
{
    unsigned all[WARP] = {0};

    have_met = true;
    if (lanes == sim_block.warp[w].alive) {
        memcpy(known_to_all[w], clocks[w], sizeof clocks[w]);
        for (unsigned i = 0; i < WARP; i++)
            tick(w, i);
        return;
    }
    for (unsigned left = lanes; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        for (unsigned j = 0; j < WARP; j++)
            all[j] = known[w][i][j] > all[j] ? known[w][i][j] : all[j];
        all[i] = clocks[w][i];
    }
    for (unsigned left = lanes; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        memcpy(known[w][i], all, sizeof all);
        tick(w, i);
    }
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

/* Has another block published it, and this one looked? */
static bool is_released(stamp s)
{
    const struct block *b = block_at(when_of(s));
    uint32_t end = b + 1 < blocks + block_count ? b[1].start : now;

    for (size_t i = 0; acquired && i < others_released; i++)
        if (releases[i].when < end &&
            (releases[i].when > when_of(s) ||
             (releases[i].when == when_of(s) && releases[i].thread == thread_of(s))))
            return true;
    return false;
}

/* Does it come before what the running lane does now?  `since`: what is older cannot race. */
static bool is_before(stamp s, uint32_t since)
{
    const unsigned me = sim_lane->number, other = thread_of(s);

    if (when_of(s) < since)
        return true;
    if (when_of(s) < block_start)
        return is_released(s);
    if (when_of(s) < now || other == me)
        return true;
    if (other / WARP != me / WARP)
        return false;
    return clock_of(s) == MAX_CLOCK || known_to_all[me / WARP][other % WARP] >= clock_of(s) ||
           known[me / WARP][me % WARP][other % WARP] >= clock_of(s);
}

/* --- reporting -------------------------------------------------------------------------------- */

static const char *verb(enum sim_action action)
{
    return action == LOAD ? "reads" : action == STORE ? "writes" : "changes";
}

static void report(unsigned site, unsigned bytes, stamp other, unsigned other_site)
{
    static const char *const names[] = {"global", "shared", "the program's"};
    const struct sim_site *s = &sim_sites[site], *o = &sim_sites[other_site];
    struct cudasim_shape shape = sim_block.launch->block, b = block_at(when_of(other))->index;
    unsigned t = thread_of(other);
    char block[64] = "";

    if (when_of(other) < block_start)
        snprintf(block, sizeof block, "block (%u,%u,%u), ", b.x, b.y, b.z);
    sim_fail(s->at, "race: %s %u bytes of %s memory that %sthread (%u,%u,%u) %s%s at %s, and "
             "nothing says which comes first", verb(s->action), bytes, names[s->space], block,
             t % shape.x, t / shape.x % shape.y, t / shape.x / shape.y, verb(o->action),
             o->action == ATOMIC ? " atomically" : "", sim_line(o->at));
}

/* --- accesses --------------------------------------------------------------------------------- */

static inline void check(stamp other, unsigned other_site, stamp mine,
                                            unsigned site, uint32_t since, unsigned bytes)
{
    if (when_of(other) >= since && touch(other, mine) && !is_before(other, since))
        report(site, bytes, other, other_site);
}

/* Which of two readers should be remembered beside the running lane?  One of another block is worth
   more than one of another warp, and that more than one of the same. */
static int worth(stamp s, uint32_t since)
{
    if (when_of(s) < block_start)
        return when_of(s) < since ? 0 : 3;
    return is_before(s, since) ? 0 : thread_of(s) / WARP != sim_lane->number / WARP ? 2 : 1;
}

static void keep_other(struct cell *c, uint32_t since)
{
    if (worth(c->read, since) > worth(c->other, since)) {
        c->other = c->read;
        c->other_site = c->read_site;
    }
}

/* Is there nothing to compare a reader with, or to keep of the one before?  That may say no where
   there is not. */
static inline bool is_quiet(const struct cell *c, stamp mine, uint32_t since)
{
    const stamp oldest = (stamp)since << WHEN_AT, of_block = (stamp)block_start << WHEN_AT;
    const stamp read = c->read ^ mine, other = c->other ^ mine; /* 0 where they are alike */

    if (c->write >= oldest)
        return false;
    if (c->read < oldest || read >> THREAD_AT == 0 || (c->other >= oldest && c->other < of_block))
        return true;
    if (read >> WHEN_AT != 0 || other >> WHEN_AT != 0)
        return false;
    return other >> WARP_AT != 0 || (read >> WARP_AT == 0 && other >> THREAD_AT != 0 && !have_met);
}

static void note_read(struct cell *c, stamp mine, unsigned site, uint32_t since, unsigned bytes)
{
    if (!is_quiet(c, mine, since)) {
        check(c->write, c->write_site, mine, site, since, bytes);
        if (when_of(c->read) >= since)
            keep_other(c, since);
    }
    c->read = mine;
    c->read_site = (uint16_t)site;
}

static void note_write(struct cell *c, stamp mine, unsigned site, uint32_t since, unsigned bytes)
{
    check(c->write, c->write_site, mine, site, since, bytes);
    check(c->read, c->read_site, mine, site, since, bytes);
    check(c->other, c->other_site, mine, site, since, bytes);
    c->write = mine;
    c->write_site = (uint16_t)site;
}

static void release_and_acquire(void)
{
    if (sim_lane->fenced) {
        releases = grow(releases, release_count, &release_room, sizeof *releases);
        releases[release_count++] = (struct release){now, sim_lane->number};
    }
    acquired = true;
}

static __attribute__((noinline)) void race_slowly(unsigned site, struct cell *c, stamp mine,
                                                  unsigned bytes)
{
    const struct sim_site *s = &sim_sites[site];
    const uint32_t since = s->space == SHARED ? block_start : launch_start;
    const struct cell *end = c + (bytes + WORD - 1) / WORD;

    if (s->action == ATOMIC)
        release_and_acquire();
    for (; c < end; c++)
        if (s->action == LOAD)
            note_read(c, mine, site, since, bytes);
        else
            note_write(c, mine, site, since, bytes);
}

void sim_race(unsigned site, enum sim_space space, enum sim_action action, const void *p,
              unsigned bytes)
{
    const unsigned me = sim_lane->number, clock = clocks[me / WARP][me % WARP];
    const size_t offset =
        space == GLOBAL ? (uintptr_t)p - MEMORY_START : sim_space_offset(space, p);
    const unsigned mask = bytes < WORD ? ((1u << bytes) - 1) << offset % WORD & 0xf : 0xf;
    const stamp mine = make_stamp(now, me, clock, mask, action == ATOMIC);
    struct cell *c = cells[space] + offset / WORD;

    if (action != LOAD || bytes > WORD ||
        !is_quiet(c, mine, space == SHARED ? block_start : launch_start)) {
        race_slowly(site, c, mine, bytes);
        return;
    }
    c->read = mine;
    c->read_site = (uint16_t)site;
}
