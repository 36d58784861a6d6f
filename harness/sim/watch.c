/*
 * The second pass: checks and counts each access of a kernel that was allowed, if requested.
 *
 * Each access gets the number of its place in the code.  race.c compares it with other threads' accesses;
 * requests.c combines accesses into requests of warps, and counters.c counts these.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/late.h"
#include "harness/sim/race.h"
#include "harness/sim/trace.h"

unsigned sim_watching;
bool sim_reads_unwritten;
struct sim_site sim_sites[MAX_SITES];

/* Site numbers by hash; 0 is for those that do not fit. */
static uint16_t numbers[2 * MAX_SITES];
static unsigned site_count = 1;

static bool asked(const char *name, bool usual)
{
    const char *value = getenv(name);

    return value == NULL || value[0] == '\0' ? usual : strcmp(value, "0") != 0;
}

/* How many accesses of each launch are compared, and how many are left for this one. */
static uint64_t race_limit = UINT64_MAX, races_left;

void sim_watch_start(void)
{
    const char *limit = getenv("RUNGS_SIM_RACES"), *blocking = getenv("RUNGS_SIM_BLOCKING");

    if (asked("RUNGS_SIM_COUNTERS", false) || asked("RUNGS_SIM_TRACE", false)) {
        sim_watching |= WATCH_REQUESTS;
        sim_counters_start();
    }
    if (asked("RUNGS_SIM_TRACE", false)) {
        sim_watching |= WATCH_TRACE;
        sim_trace_start();
    }
    sim_reads_unwritten = asked("RUNGS_SIM_UNWRITTEN", false);
    if (asked("RUNGS_SIM_RACES", true))
        sim_watching |= WATCH_RACES;
    if (asked("RUNGS_SIM_WRITES", false))
        sim_watching |= WATCH_WRITES;
    if (asked("RUNGS_SIM_READS", false))
        sim_watching |= WATCH_READS;
    if (asked("RUNGS_SIM_COPIES", false))
        sim_watching |= WATCH_COPIES;
    if (asked("RUNGS_SIM_USES", false))
        sim_watching |= WATCH_USES;
    if (asked("RUNGS_SIM_BRANCHES", false))
        sim_watching |= WATCH_BRANCHES;
    if (asked("RUNGS_SIM_ADDS", false))
        sim_watching |= WATCH_ADDS;
    if (asked("RUNGS_SIM_LATE", false))
        sim_watching |= WATCH_LATE;
    if (blocking != NULL && strcmp(blocking, "2") == 0)
        sim_watching |= WATCH_ORDER;
    if (limit != NULL && strtoull(limit, NULL, 10) > 1)
        race_limit = strtoull(limit, NULL, 10);
}

void sim_watch_launch(const struct cudasim_launch *launch)
{
    races_left = race_limit;
    if ((sim_watching & WATCH_RACES) != 0)
        sim_race_launch();
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_count_launch(launch);
    if ((sim_watching & WATCH_WRITES) != 0)
        sim_writes_launch(launch);
    if ((sim_watching & WATCH_USES) != 0)
        sim_uses_launch();
    if ((sim_watching & WATCH_BRANCHES) != 0)
        sim_branches_launch();
    if ((sim_watching & WATCH_LATE) != 0)
        sim_late_launch();
}

void sim_watch_block(void)
{
    if ((sim_watching & WATCH_RACES) != 0)
        sim_race_block();
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_requests_block();
    if ((sim_watching & WATCH_TRACE) != 0) {
        sim_story_block();
        sim_history_block();
    }
    if ((sim_watching & WATCH_WRITES) != 0)
        sim_writes_block();
    if ((sim_watching & WATCH_BRANCHES) != 0)
        sim_branches_block();
    if ((sim_watching & WATCH_LATE) != 0)
        sim_late_block();
}

void sim_watch_block_end(void)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_count_block();
    if ((sim_watching & WATCH_TRACE) != 0)
        sim_story_block_end();
    if ((sim_watching & WATCH_WRITES) != 0)
        sim_writes_block_end();
}

void sim_watch_meeting(unsigned mask)
{
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_request_meeting(mask);
}

void sim_watch_barrier(void)
{
    if ((sim_watching & WATCH_RACES) != 0)
        sim_race_barrier();
    if ((sim_watching & WATCH_REQUESTS) != 0)
        sim_count_barrier((sim_block.threads + WARP - 1) / WARP);
    if ((sim_watching & WATCH_TRACE) != 0)
        sim_history_barrier();
}

void sim_watch_met(unsigned warp, unsigned lanes)
{
    if ((sim_watching & WATCH_RACES) != 0)
        sim_race_meet(warp, lanes);
}

void cudasim_fence(void)
{
    if (sim_lane != NULL)
        sim_lane->fenced = true;
    if ((sim_watching & WATCH_LATE) != 0)
        sim_late_fence();
}

bool sim_watch_stopped(unsigned warp)
{
    return (sim_watching & WATCH_REQUESTS) != 0 && sim_requests_serve(warp);
}

static __attribute__((noinline)) unsigned find_site(const void *at, enum sim_space space,
                                                    enum sim_action action)
{
    size_t i = ((uintptr_t)at * 16 + space * 4 + action) * 0x9e3779b97f4a7c15 >> 47;

    for (;; i = (i + 1) % (2 * MAX_SITES)) {
        const struct sim_site *site = &sim_sites[numbers[i]];
        if (numbers[i] == 0)
            break;
        if (site->at == at && site->space == space && site->action == action)
            return numbers[i];
    }
    if (site_count == MAX_SITES)
        return 0;
    numbers[i] = (uint16_t)site_count;
    sim_sites[site_count] = (struct sim_site){at, space, action};
    return site_count++;
}

/* The sites used last. */
static unsigned site_of(const void *at, enum sim_space space, enum sim_action action)
{
    static struct recent {
        const void *at;
        unsigned site, what;
    } recent[1024];
    struct recent *r = &recent[(uintptr_t)at % 1024];
    unsigned what = space * 4 + action;

    if (r->at != at || r->what != what)
        *r = (struct recent){at, find_site(at, space, action), what};
    return r->site;
}

/* Returns the widest access that a GPU thread can make to so many bytes at this place. */
static unsigned piece_of(const void *p, size_t bytes)
{
    size_t bits = (uintptr_t)p | bytes | 16;

    return (unsigned)(bits & -bits);
}

/* The host's accesses are noticed by closing the memory to it: managed.c. */
static inline void note_place(const void *p, enum sim_action action)
{
    if (sim_simulated(p) && sim_region(p) == MANAGED)
        sim_managed_touch(p, sim_block.device, action != LOAD);
}

unsigned sim_site_of(const void *at, enum sim_space space, enum sim_action action)
{
    return site_of(at, space, action);
}

void sim_watch(enum sim_space space, const void *p, size_t bytes, enum sim_action action,
               const void *at)
{
    if (space == PRIVATE)
        return;
    if ((sim_watching & WATCH_LATE) != 0 && space == GLOBAL)
        sim_late_access((void *)p, bytes, action, at);
    if ((sim_watching & WATCH_ADDS) != 0 && space == GLOBAL && action == ATOMIC && sim_simulated(p))
        sim_adds_add(p, at);
    if ((sim_watching & WATCH_WRITES) != 0 && space == GLOBAL && action == STORE && sim_simulated(p))
        sim_writes_add(p);
    if ((sim_watching & WATCH_READS) != 0 && space == GLOBAL && action == LOAD && sim_simulated(p))
        sim_reads_add(p, bytes);
    if ((sim_watching & WATCH_USES) != 0 && space == GLOBAL && sim_simulated(p))
        sim_uses_add(p, bytes, action != LOAD);
    if ((sim_watching & WATCH_BRANCHES) != 0 && space == GLOBAL && action == STORE && sim_simulated(p))
        sim_branches_add(p, bytes);
    if ((sim_watching & WATCH_ORDER) != 0 && space == GLOBAL && action != ATOMIC)
        sim_unordered_use(p, bytes, action == STORE, at);
    const unsigned site = site_of(at, space, action), piece = piece_of(p, bytes);
    if ((sim_watching & WATCH_TRACE) != 0)
        sim_history_add(site, p, bytes);
    if ((sim_watching & WATCH_RACES) != 0 && (space != GLOBAL || sim_simulated(p))) {
        if (piece >= RACE_WORD || piece == bytes)
            sim_race(site, space, action, p, (unsigned)bytes);
        else
            for (size_t i = 0; i < bytes; i += piece)
                sim_race(site, space, action, (const char *)p + i, piece);
        if (--races_left == 0)
            sim_watching &= ~(unsigned)WATCH_RACES; /* sim_run resets it */
    }
    if ((sim_watching & WATCH_REQUESTS) == 0 || space == OWN)
        return;
    note_place(p, action);
    for (size_t i = 0; i < bytes; i += piece)
        sim_request(site, (uintptr_t)p + i, piece);
}

void sim_watch_copy(const void *to, size_t bytes, const void *at)
{
    if ((sim_watching & WATCH_RACES) != 0 && sim_shared(to) &&
        sim_shared((const char *)to + bytes - 1))
        sim_race(site_of(at, SHARED, STORE), SHARED, STORE, to, (unsigned)bytes);
}

void sim_watch_matrix(const void *from, size_t bytes, const void *at)
{
    if ((sim_watching & WATCH_RACES) != 0)
        sim_race_peek(site_of(at, SHARED, LOAD), from, (unsigned)bytes);
}

void sim_watch_mbarrier(const void *p, size_t bytes, bool publish, const void *at)
{
    const bool fenced = sim_lane->fenced;

    if ((sim_watching & WATCH_RACES) == 0)
        return;
    /* Before it sees what others have published, because it must have known of the mbarrier. */
    sim_race_peek(site_of(at, SHARED, ATOMIC), p, (unsigned)bytes);
    sim_lane->fenced = publish;
    sim_race_strong();
    sim_lane->fenced = fenced;
}
