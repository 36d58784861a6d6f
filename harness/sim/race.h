/* Detects races: the data, and what can be decided quickly about an access.  The rest is in race.c. */
#ifndef CUDASIM_RACE_H
#define CUDASIM_RACE_H

#include "harness/sim/sim.h"

/*
 * An access, packed: time, 31 bits; for a reader, the distance of the other reader, 2; thread, 10; bytes
 * of the word, 4; strong (atomic), 1; site, 16.  0: none.  The time grows with each block, each barrier
 * and each meeting of a warp, so later accesses are greater numbers.
 */
typedef uint64_t stamp;
enum { RACE_WORD = 4, BYTES_AT = 17, THREAD_AT = 21, DISTANCE_AT = 31, WHEN_AT = 33 };
#define MAX_WHEN ((uint32_t)1 << 31)
#define STRONG ((stamp)1 << 16)
#define BYTES_MASK ((stamp)0xf << BYTES_AT)

enum race_distance { NONE, ANOTHER_LANE, ANOTHER_WARP, ANOTHER_BLOCK };

/* The last accesses to a word. */
struct race_word {
    stamp write, read;
};

extern struct sim_race {
    struct race_word *words[OWN + 1]; /* by space */
    stamp *others[OWN + 1];           /* the previous reader of each word */
    stamp since[OWN + 1];                 /* older accesses cannot race; by space */
    stamp block, epoch;                   /* the time when the block began, and of its last barrier */
    stamp met[MAX_WARPS];                 /* the last time that lanes of each warp met */
    uint32_t now;
} sim_races;

static inline stamp stamp_at(uint32_t when)
{
    return (stamp)when << WHEN_AT;
}

static inline uint32_t when_of(stamp s)
{
    return (uint32_t)(s >> WHEN_AT);
}

static inline unsigned thread_of(stamp s)
{
    return (unsigned)(s >> THREAD_AT) & (MAX_THREADS - 1);
}

static inline enum race_distance distance_of(stamp s)
{
    return (enum race_distance)(s >> DISTANCE_AT & 3);
}

static inline unsigned site_of_stamp(stamp s)
{
    return s & 0xffff;
}

/* Returns whether the access certainly precedes what the thread does now, as far as a quick test
   shows. */
static inline bool race_is_before(stamp s, enum sim_space space, unsigned thread)
{
    return s < sim_races.since[space] ||
           (s >= sim_races.block && (s < sim_races.epoch || thread_of(s) == thread));
}

/* Returns whether there is a reader that the writer may race with. */
static inline bool race_has_reader(stamp last, enum sim_space space, unsigned thread)
{
    if (last < sim_races.since[space])
        return false;
    if (last >= sim_races.block && last < sim_races.epoch)
        return distance_of(last) == ANOTHER_BLOCK;
    return last < sim_races.block || thread_of(last) != thread || distance_of(last) != NONE;
}

/* Notes a reader.  It need not be kept if two readers are known of which at least one races with any
   access that would race with this one: two blocks, two warps, or two lanes of this warp that have not
   met.  That is why the last reader's distance is kept. */
static inline bool race_read(struct race_word *w, stamp *other, enum sim_space space, stamp mine)
{
    const stamp last = w->read;
    const bool known = (mine & ~last & BYTES_MASK) == 0; /* the last one read the same bytes */
    const unsigned apart = thread_of(last) ^ thread_of(mine);
    stamp distance = NONE;

    if (last >= sim_races.since[space]) {
        distance = distance_of(last);
        if (distance == ANOTHER_BLOCK && known)
            return true;
        if (last < sim_races.block) {
            distance = ANOTHER_BLOCK;
            *other = last;
        } else if (distance == ANOTHER_BLOCK) {
            ;
        } else if (last < sim_races.epoch) {
            distance = NONE;
        } else if ((distance == ANOTHER_WARP || apart == 0) && known) {
            return true;
        } else if (apart / WARP != 0) {
            distance = ANOTHER_WARP;
            *other = last;
        } else if (sim_races.met[thread_of(mine) / WARP] >= sim_races.epoch) {
            return false;
        } else if (distance == ANOTHER_LANE && known) {
            return true;
        } else if (apart != 0 && distance != ANOTHER_WARP) {
            distance = ANOTHER_LANE;
            *other = last;
        }
    }
    w->read = mine | distance << DISTANCE_AT;
    return true;
}

static inline bool race_fast(struct race_word *w, stamp *other, enum sim_space space,
                             enum sim_action action, stamp mine)
{
    if ((mine & STRONG) != 0 || !race_is_before(w->write, space, thread_of(mine)))
        return false;
    if (action == LOAD)
        return race_read(w, other, space, mine);
    if (race_has_reader(w->read, space, thread_of(mine)))
        return false;
    w->write = mine;
    return true;
}

void sim_race_slowly(unsigned site, const void *p, unsigned bytes, size_t word, stamp mine);
/* An access to shared memory that is not noted, because only the last writer matters. */
void sim_race_peek(unsigned site, const void *p, unsigned bytes);
void sim_race_strong(void); /* the running lane's access may publish, and sees what was published */

/* An access of the running lane, to some bytes of a word or to whole words. */
static inline void sim_race(unsigned site, enum sim_space space, enum sim_action action,
                            const void *p, unsigned bytes)
{
    const size_t offset =
        space == GLOBAL ? (uintptr_t)p - MEMORY_START : sim_space_offset(space, p);
    const unsigned mask =
        bytes < RACE_WORD ? ((1u << bytes) - 1) << offset % RACE_WORD & 0xf : 0xf;
    const bool strong = action == ATOMIC || (sim_lane->strong && space != SHARED);

    if (strong)
        sim_race_strong();
    const stamp mine = stamp_at(sim_races.now) | (stamp)sim_lane->number << THREAD_AT |
                       (stamp)mask << BYTES_AT | (strong ? STRONG : 0) | site;
    size_t i = offset / RACE_WORD;
    const size_t end = i + (bytes + RACE_WORD - 1) / RACE_WORD;
    do
        if (!race_fast(&sim_races.words[space][i], &sim_races.others[space][i], space, action,
                       mine))
            sim_race_slowly(site, p, bytes, i, mine);
    while (++i < end);
}

#endif
