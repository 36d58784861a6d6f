/*
 * Combines the accesses of lanes into requests of warps.
 *
 * The lanes of a GPU run side by side; here each runs by itself until it meets others.  So a lane's
 * accesses are queued, and when the warp cannot continue they are replayed side by side.  The lanes that
 * are furthest behind in the code go first.  Lanes at the same place, in the same iteration of each loop
 * around it, make one request.  The others wait for them, as a GPU's lanes wait at the end of a divergent
 * section.  A lane whose queue is full waits until there is room.
 *
 * The order of code is that of the machine code; the scanner has marked the loops.
 */
#include <string.h>

#include "harness/sim/trace.h"

enum { ROOM = 64, ORDERED = 6 /* loops, from the outermost */ };

/* The loops that a lane is in. */
struct position {
    unsigned depth;
    struct {
        uint32_t place, turns;
    } loop[ORDERED]; /* the innermost loop's iterations are stored with the access */
};

struct entry {
    uintptr_t address;      /* of an access; for a meeting, its mask */
    uint32_t turns;         /* of the innermost loop */
    unsigned char position; /* index of its position in the lane's list */
};

/* Of the lanes of a warp.  Entries at the same place in the lanes' queues lie side by side in memory. */
struct queues {
    unsigned char first[WARP], count[WARP];
    uint64_t key[ROOM][WARP]; /* accesses with the same key may be in one request */
    struct entry entry[ROOM][WARP];
    unsigned positions[WARP]; /* how many were stored; the last ROOM are kept */
    uint64_t start[WARP];     /* of the last position: the hash when the innermost loop began */
    struct position position[WARP][ROOM];
};

static struct queues queues[MAX_WARPS];
static unsigned serving; /* the warp whose queues are being served */
static struct cudasim_level levels[MAX_THREADS][CUDASIM_LEVELS]
    __attribute__((aligned(CUDASIM_LEVELS * sizeof(struct cudasim_level))));
struct cudasim_level *cudasim_level = levels[0]; /* until a lane runs */

/* A key combines the lane's position, hashed, the site, and the bytes of the access. */
static uint64_t make_key(uint64_t hash, unsigned site, unsigned bytes)
{
    return (hash * 0x9e3779b97f4a7c15) >> 32 << 32 | site << 8 | bytes;
}

static unsigned site_in(uint64_t key)
{
    return key >> 8 & 0xffff;
}

static unsigned bytes_in(uint64_t key) /* 0: a meeting */
{
    return key & 0xff;
}

/* --- what a lane does ------------------------------------------------------------------------- */

/* The queue of the running lane. */
static struct {
    struct queues *q;
    unsigned lane, row, room; /* where the next access goes; how many fit */
    uint64_t start;           /* as in queues */
} here;

void sim_requests_resume(void)
{
    struct queues *q = &queues[sim_lane->number / WARP];
    unsigned i = sim_lane->number % WARP;

    here.q = q;
    here.lane = i;
    here.row = (q->first[i] + q->count[i]) % ROOM;
    here.room = ROOM - q->count[i];
    here.start = q->start[i];
}

void sim_requests_stop(void)
{
    here.q->count[here.lane] = (unsigned char)(ROOM - here.room);
}

static void note_position(void)
{
    const struct cudasim_level *l = levels[sim_lane->number];
    unsigned depth = (unsigned)(cudasim_level - l);
    struct position *p = &here.q->position[here.lane][here.q->positions[here.lane]++ % ROOM];

    here.start = here.q->start[here.lane] = cudasim_level->start;
    p->depth = depth < ORDERED ? depth : ORDERED;
    for (unsigned d = 0; d < p->depth; d++) {
        p->loop[d].place = (uint32_t)(uintptr_t)l[d + 1].place;
        p->loop[d].turns = (uint32_t)(l[d + 1].hash - l[d + 1].start);
    }
}

static inline void put(uint64_t key, uintptr_t address, const struct cudasim_level *level)
{
    here.q->key[here.row][here.lane] = key;
    here.q->entry[here.row][here.lane] =
        (struct entry){address, (uint32_t)(level->hash - level->start),
                       (unsigned char)((here.q->positions[here.lane] - 1) % ROOM)};
    here.row = (here.row + 1) % ROOM;
    here.room--;
}

static __attribute__((noinline)) void put_slowly(uint64_t key, uintptr_t address)
{
    if (here.room == 0) {
        sim_block.warp[sim_lane->number / WARP].paused |= 1u << sim_lane->number % WARP;
        sim_wait(PAUSED);
    }
    if (cudasim_level->start != here.start)
        note_position();
    put(key, address, cudasim_level);
}

void sim_request(unsigned site, uintptr_t address, unsigned bytes)
{
    const struct cudasim_level *level = cudasim_level;
    const uint64_t key = make_key(level->hash, site, bytes);

    if (__builtin_expect(here.room == 0 || level->start != here.start, 0))
        put_slowly(key, address);
    else
        put(key, address, level);
}

void sim_request_meeting(unsigned mask)
{
    put_slowly(make_key(0, 0, 0), mask);
}

void sim_requests_block(void)
{
    for (unsigned w = 0; w * WARP < sim_block.threads; w++) {
        struct queues *q = &queues[w];
        memset(q->first, 0, sizeof q->first);
        memset(q->count, 0, sizeof q->count);
        memset(q->start, 0, sizeof q->start);
        for (unsigned i = 0; i < WARP; i++)
            q->positions[i] = 1; /* outside of all loops */
    }
    for (unsigned i = 0; i < sim_block.threads; i++)
        sim_block.lane[i].level = levels[i];
}

/* --- who is where ----------------------------------------------------------------------------- */

static uint64_t key_of(const struct queues *q, unsigned i)
{
    return q->key[q->first[i]][i];
}

static const struct entry *head(const struct queues *q, unsigned i)
{
    return &q->entry[q->first[i]][i];
}

static void drop(struct queues *q, unsigned i)
{
    q->first[i] = (unsigned char)((q->first[i] + 1) % ROOM);
    q->count[i]--;
}

static bool is_meeting(const struct queues *q, unsigned i)
{
    return bytes_in(key_of(q, i)) == 0;
}

/* Returns where the code is that the lane is in: a loop, or else the access. */
static uint32_t place(const struct queues *q, unsigned i, const struct position *p, unsigned depth)
{
    return depth < p->depth ? p->loop[depth].place
                            : (uint32_t)(uintptr_t)sim_sites[site_in(key_of(q, i))].at;
}

static uint32_t turns(const struct queues *q, unsigned i, const struct position *p, unsigned depth)
{
    return depth + 1 == p->depth ? head(q, i)->turns : p->loop[depth].turns;
}

/* Returns whether lane a is behind lane b in the code. */
static bool behind(const struct queues *q, unsigned a, unsigned b)
{
    const struct position *of_a = &q->position[a][head(q, a)->position];
    const struct position *of_b = &q->position[b][head(q, b)->position];
    unsigned d = 0;

    for (; d < of_a->depth && d < of_b->depth; d++) {
        if (of_a->loop[d].place != of_b->loop[d].place)
            break;
        if (turns(q, a, of_a, d) != turns(q, b, of_b, d))
            return turns(q, a, of_a, d) < turns(q, b, of_b, d);
    }
    return place(q, a, of_a, d) < place(q, b, of_b, d);
}

/* --- side by side ----------------------------------------------------------------------------- */

/* For the trace: where the lanes wait that do not take part. */
static void trace_request(uint64_t key, const uintptr_t address[], const unsigned char lane[], unsigned lanes,
                          unsigned parts, unsigned least)
{
    struct sim_request r = {.lanes = (unsigned char)lanes, .bytes = (unsigned char)bytes_in(key),
                            .site = (unsigned short)site_in(key), .parts = parts, .least = least};
    const struct queues *q = &queues[serving];

    for (unsigned i = 0; i < WARP; i++)
        r.elsewhere[i] = (unsigned short)(q->count[i] > 0 && !is_meeting(q, i) ? site_in(key_of(q, i)) : 0);
    for (unsigned i = 0; i < lanes; i++) {
        r.lane[i] = lane[i];
        r.address[i] = address[i];
        r.elsewhere[lane[i]] = 0;
    }
    sim_story_add(serving, &r);
}

static void count_request(uint64_t key, const uintptr_t address[], const unsigned char lane[],
                          unsigned lanes)
{
    const unsigned bytes = bytes_in(key);
    const struct sim_site *site = &sim_sites[site_in(key)];
    struct sim_tally *t = sim_tally(site_in(key));
    const unsigned distinct = sim_distinct_bytes(address, lanes, bytes);
    unsigned parts = 0, least = 0;

    if (site->space == GLOBAL) {
        parts = sim_sectors(address, lanes, bytes);
        least = (distinct + 31) / 32;
    } else if (site->action != ATOMIC) {
        parts = sim_wavefronts(address, lane, lanes, bytes, &least);
    }
    t->requests++;
    t->bytes += distinct;
    t->parts += parts;
    t->least += least;
    t->accesses += lanes;
    t->warps |= 1u << serving % WARP;
    if ((sim_watching & WATCH_TRACE) != 0)
        trace_request(key, address, lane, lanes, parts, least);
}

/* If all lanes that lane i must meet have arrived, completes the meeting. */
static bool meet(struct queues *q, unsigned i, unsigned waiting)
{
    uintptr_t named = head(q, i)->address;
    unsigned mask = (named == 0 ? ~0u : (unsigned)named) & waiting;

    for (unsigned left = mask; left != 0; left &= left - 1) {
        unsigned other = (unsigned)__builtin_ctz(left);
        if (!is_meeting(q, other) || head(q, other)->address != named)
            return false;
    }
    for (unsigned left = mask; left != 0; left &= left - 1)
        drop(q, (unsigned)__builtin_ctz(left));
    return true;
}

/* Handles one request, or one completed meeting, of the lanes that have queued entries. */
static void step(struct queues *q, unsigned waiting)
{
    uintptr_t address[WARP];
    unsigned char lane[WARP];
    unsigned first = WARP, lanes = 0;

    for (unsigned left = waiting; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (is_meeting(q, i) && meet(q, i, waiting))
            return;
        if (!is_meeting(q, i) &&
            (first == WARP || (key_of(q, i) != key_of(q, first) && behind(q, i, first))))
            first = i;
    }
    if (first == WARP) { /* a meeting that some lanes never reach: block.c reports it */
        drop(q, (unsigned)__builtin_ctz(waiting));
        return;
    }
    const uint64_t key = key_of(q, first);
    for (unsigned left = waiting; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (key_of(q, i) != key)
            continue;
        lane[lanes] = (unsigned char)i;
        address[lanes++] = head(q, i)->address;
        drop(q, i);
    }
    count_request(key, address, lane, lanes);
}

/* Does the same as steps, quickly, as long as all 32 lanes have the same entries at the same places. */
static void march(struct queues *q)
{
    static const unsigned char lane[WARP] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
        16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    unsigned rows = ROOM, row = 0, first = q->first[0];

    for (unsigned i = 0; i < WARP; i++) {
        rows = q->count[i] < rows ? q->count[i] : rows;
        if (q->first[i] != first)
            return;
    }
    for (; row < rows; row++) {
        const unsigned at = (first + row) % ROOM;
        const uint64_t key = q->key[at][0];
        uintptr_t address[WARP];
        uint64_t other = 0;

        for (unsigned i = 0; i < WARP; i++)
            other |= q->key[at][i] ^ key;
        if (other != 0 || bytes_in(key) == 0)
            break;
        for (unsigned i = 0; i < WARP; i++)
            address[i] = q->entry[at][i].address;
        count_request(key, address, lane, WARP);
    }
    for (unsigned i = 0; i < WARP; i++) {
        q->first[i] = (unsigned char)((first + row) % ROOM);
        q->count[i] = (unsigned char)(q->count[i] - row);
    }
}

/* Continues until a lane that has not finished has an empty queue, and makes lanes with room ready. */
bool sim_requests_serve(unsigned warp)
{
    struct sim_warp *w = &sim_block.warp[warp];
    struct queues *q = &queues[warp];

    serving = warp;
    for (;;) {
        unsigned waiting = 0;
        march(q);
        for (unsigned i = 0; i < WARP; i++)
            waiting |= (unsigned)(q->count[i] > 0) << i;
        if (waiting == 0 || (w->paused & ~waiting) != 0)
            break;
        step(q, waiting);
    }
    for (unsigned left = w->paused; left != 0; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (q->count[i] < ROOM) {
            w->paused &= ~(1u << i);
            sim_make_ready(&sim_block.lane[warp * WARP + i]);
        }
    }
    return w->ready != 0;
}

unsigned sim_requests_alike(unsigned site, unsigned bytes, unsigned char lane[WARP], uintptr_t address[WARP])
{
    const uint64_t key = make_key(cudasim_level->hash, site, bytes);
    unsigned count = 0;

    for (unsigned i = 0; i < WARP; i++)
        for (unsigned n = 0; n < here.q->count[i]; n++) {
            const unsigned row = (here.q->first[i] + n) % ROOM;
            if (i == here.lane || here.q->key[row][i] != key)
                continue;
            lane[count] = (unsigned char)i;
            address[count++] = here.q->entry[row][i].address;
            break;
        }
    return count;
}
