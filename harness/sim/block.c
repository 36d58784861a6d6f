/*
 * Runs a launch's blocks, one after another, and the threads of each.
 *
 * A thread runs until it must wait for others, or returns.  One that returns hands its stack to the next
 * thread that has not begun, without a switch.  So a kernel in which no thread waits is a plain loop.
 */
#include <stdio.h>
#include <string.h>

#include "harness/sim/ptx/ptx.h"

struct sim_block sim_block;
__thread struct sim_lane *sim_lane;

static void *scheduler; /* its stack, while a thread runs */

unsigned cudasim_thread(int axis)
{
    const struct cudasim_shape *t = &sim_lane->thread;

    return axis == 0 ? t->x : axis == 1 ? t->y : t->z;
}

static unsigned along(const struct cudasim_shape *shape, int axis)
{
    return axis == 0 ? shape->x : axis == 1 ? shape->y : shape->z;
}

unsigned cudasim_block(int axis)
{
    return along(&sim_block.index, axis);
}

unsigned cudasim_block_size(int axis)
{
    return along(&sim_block.launch->block, axis);
}

unsigned cudasim_grid_size(int axis)
{
    return along(&sim_block.launch->grid, axis);
}

/* --- one thread ------------------------------------------------------------------------------- */

static struct sim_warp *warp_of(const struct sim_lane *lane)
{
    return &sim_block.warp[lane->number / WARP];
}

static unsigned bit_of(const struct sim_lane *lane)
{
    return 1u << lane->number % WARP;
}

void sim_make_ready(struct sim_lane *lane)
{
    lane->state = READY;
    warp_of(lane)->ready |= bit_of(lane);
}

void sim_wait(enum state state)
{
    struct sim_lane *lane = sim_lane;

    lane->state = state;
    warp_of(lane)->ready &= ~bit_of(lane);
    lane->level = cudasim_level;
    sim_watch_stop();
    fiber_switch(&lane->stack, scheduler);
}

static void start_lane(struct sim_lane *lane)
{
    sim_lane = lane;
    cudasim_level = lane->level;
    sim_watch_resume();
}

static void fiber_main(void)
{
    for (;;) {
        sim_block.launch->run(sim_block.launch);
        ptx_thread_ends();
        sim_watch_stop();
        sim_lane->state = RETURNED;
        warp_of(sim_lane)->ready &= ~bit_of(sim_lane);
        warp_of(sim_lane)->alive &= ~bit_of(sim_lane);
        sim_block.returned++;
        if (sim_block.begun == sim_block.threads)
            break;
        struct sim_lane *next = &sim_block.lane[sim_block.order[sim_block.begun++]];
        next->stack = sim_lane->stack;
        start_lane(next);
    }
    sim_stack_give(__builtin_frame_address(0));
    fiber_switch(&sim_lane->stack, scheduler); /* does not return */
}

static void resume(struct sim_lane *lane)
{
    start_lane(lane);
    fiber_switch(&scheduler, lane->stack);
    sim_lane = NULL;
}

static void begin(struct sim_lane *lane)
{
    sim_block.begun++;
    lane->stack = sim_stack_take(fiber_main);
    resume(lane);
}

void cudasim_returns(int line)
{
    if (sim_lane != NULL)
        sim_lane->left = line;
}

/* --- who is where ----------------------------------------------------------------------------- */

const char *sim_threads_in(const struct sim_lane *first, unsigned count, enum state state, const struct cudasim_place *place, char text[80])
{
    enum { RUNS = 4 };
    size_t used = 0;
    unsigned runs = 0;

    text[0] = '\0';
    for (unsigned i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && first[end].state == state && (place == NULL || first[end].place == place); end++)
            ;
        if (end == i || runs++ > RUNS)
            continue;
        if (runs > RUNS)
            used += (size_t)snprintf(text + used, 80 - used, " and more");
        else if (end == i + 1)
            used += (size_t)snprintf(text + used, 80 - used, "%s%u", runs > 1 ? ", " : "", i);
        else
            used += (size_t)snprintf(text + used, 80 - used, "%s%u to %u", runs > 1 ? ", " : "", i, end - 1);
    }
    return text;
}

const char *sim_where_left(const struct sim_lane *first, unsigned count, char text[80])
{
    int line = -1;

    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        if (first[i].state != RETURNED)
            continue;
        if (line >= 0 && line != first[i].left)
            return text;
        line = first[i].left;
    }
    if (line > 0)
        snprintf(text, 80, " by the return in line %d", line);
    else if (line == 0)
        snprintf(text, 80, " at the end of the kernel");
    return text;
}

/* --- deadlocks ------------------------------------------------------------------------------------ */

static _Noreturn void fail_in(struct sim_lane *lane, const char *text)
{
    sim_lane = lane;
    sim_fail(NULL, "%s", text);
}

/* Releases lanes that waited only for lanes that have since returned. */
static bool met_without_the_returned(void)
{
    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.lane[i].state == IN_WARP && sim_try_meet(&sim_block.lane[i]))
            return true;
    return false;
}

/* Reports a lane whose warp operation names a lane that is alive but elsewhere. */
static void report_missing_lane(void)
{
    char text[256];

    for (unsigned i = 0; i < sim_block.threads; i++) {
        struct sim_lane *lane = &sim_block.lane[i];
        if (lane->state != IN_WARP)
            continue;
        for (unsigned other = 0; other < WARP; other++) {
            const struct sim_lane *named = &sim_block.lane[i / WARP * WARP + other];
            if ((lane->mask & warp_of(lane)->alive & 1u << other) == 0 ||
                (named->state == IN_WARP && named->mask == lane->mask))
                continue;
            snprintf(text, sizeof text,
                     "missing lane: %s waits for lane %u of its mask 0x%x, which waits in %s "
                     "(%s:%d)",
                     lane->place->operation, other, lane->mask, named->place->operation,
                     named->place->file, named->place->line);
            fail_in(lane, text);
        }
    }
}

/* Reports that `first` waits at a barrier that not all threads reach.  Of the others, one that waits
   elsewhere explains more than one that has returned. */
static void report_divergent_barrier(struct sim_lane *first)
{
    const struct sim_lane *other = first;
    unsigned there = 0;
    char text[400], who[80], where[80];

    for (unsigned i = 0; i < sim_block.threads; i++) {
        const struct sim_lane *lane = &sim_block.lane[i];
        if (lane->state == AT_BARRIER && lane->place == first->place)
            there++;
        else if (other == first || other->state == RETURNED)
            other = lane;
    }
    if (other->state == RETURNED)
        snprintf(text, sizeof text,
                 "divergent barrier: %u thread%s in %s, but %u ha%s returned%s; those that have returned: %s", there,
                 there == 1 ? " waits" : "s wait", first->place->operation, sim_block.returned, sim_block.returned == 1 ? "s" : "ve",
                 sim_where_left(sim_block.lane, sim_block.threads, where),
                 sim_threads_in(sim_block.lane, sim_block.threads, RETURNED, NULL, who));
    else
        snprintf(text, sizeof text,
                 "divergent barrier: %u thread%s in %s, but thread %u waits in %s (%s:%d)", there,
                 there == 1 ? " waits" : "s wait", first->place->operation, other->number, other->place->operation,
                 other->place->file, other->place->line);
    fail_in(first, text);
}

void sim_block_stuck(void)
{
    struct sim_lane *first = sim_block.lane;

    sim_report_unwritten();
    report_missing_lane();
    ptx_report_missing();
    while (first < sim_block.lane + sim_block.threads && first->state != AT_BARRIER)
        first++;
    if (first < sim_block.lane + sim_block.threads)
        report_divergent_barrier(first);
    sim_mbarriers_stuck();
}

static bool release_barrier(void)
{
    struct sim_lane *first = sim_block.lane;

    if (sim_block.at_barrier < sim_block.threads)
        return false;
    for (unsigned i = 0; i < sim_block.threads; i++)
        if (sim_block.lane[i].place != first->place)
            report_divergent_barrier(first);
    sim_block.answer = sim_block.yes;
    sim_block.at_barrier = sim_block.yes = 0;
    sim_watch_barrier();
    sim_order_warps();
    for (unsigned i = 0; i < sim_block.threads; i++)
        sim_make_ready(&sim_block.lane[i]);
    return true;
}

int cudasim_barrier(const struct cudasim_place *here, int yes)
{
    if (sim_lane == NULL)
        sim_fail(CALLER, "%s outside a kernel", here->operation);
    if (sim_watching != 0)
        sim_watch_meeting(0);
    sim_lane->place = here;
    sim_block.at_barrier++;
    sim_block.yes += yes != 0;
    sim_wait(AT_BARRIER);
    return (int)sim_block.answer;
}

/* --- a block ---------------------------------------------------------------------------------- */

void sim_block_start(void)
{
    struct cudasim_shape shape = sim_block.launch->block, t = {0, 0, 0};

    sim_block.begun = sim_block.returned = sim_block.at_barrier = sim_block.yes = 0;
    for (unsigned i = 0; i < sim_block.threads; i++) {
        struct sim_lane *lane = &sim_block.lane[i];
        lane->thread = t;
        lane->number = i;
        lane->level = cudasim_level;
        lane->state = READY;
        lane->left = 0;
        lane->cluster_arrived = false;
        memset(&lane->products, 0, sizeof lane->products);
        if (++t.x == shape.x) {
            t.x = 0;
            if (++t.y == shape.y) {
                t.y = 0;
                t.z++;
            }
        }
    }
    for (unsigned w = 0; w * WARP < sim_block.threads; w++) {
        unsigned lanes = sim_block.threads - w * WARP;
        unsigned all = lanes >= WARP ? ~0u : (1u << lanes) - 1u;
        sim_block.warp[w] = (struct sim_warp){.ready = all, .alive = all};
    }
    sim_order_threads();
    sim_shared_block();
    sim_watch_block();
}

static void run_warp(unsigned w)
{
    struct sim_warp *warp = &sim_block.warp[w];

    do
        while (warp->ready != 0) {
            struct sim_lane *lane = &sim_block.lane[w * WARP + sim_order_next(w, warp->ready)];
            if (lane->rank < sim_block.begun)
                resume(lane);
            else
                begin(lane);
        }
    while (sim_watch_stopped(w));
}

static bool run_warps(void)
{
    bool moved = false;

    for (unsigned k = 0; k * WARP < sim_block.threads; k++) {
        unsigned w = sim_block.warp_order[k];
        if ((sim_block.warp[w].ready | sim_block.warp[w].paused) != 0) {
            run_warp(w);
            moved = true;
        }
    }
    return moved;
}

bool sim_block_over(void)
{
    return sim_block.returned == sim_block.threads;
}

bool sim_block_advance(void)
{
    bool ever = false;

    while (!sim_block_over() && (run_warps() || met_without_the_returned() || release_barrier() ||
                                 sim_copies_arrive()))
        ever = true;
    return ever;
}

void sim_block_end(void)
{
    sim_forget_copies();
    sim_copies_end();
    for (unsigned w = 0; w * WARP < sim_block.threads; w++)
        sim_watch_stopped(w);
    sim_watch_block_end();
}

void sim_run(struct cudasim_launch *launch, int device)
{
    const struct cudasim_shape g = launch->grid, c = launch->cluster;
    const unsigned x = g.x / c.x, y = g.y / c.y, z = g.z / c.z, watching = sim_watching;
    const uint64_t clusters = (uint64_t)x * y * z;

    sim_block.launch = launch;
    sim_block.device = device;
    sim_block.threads = launch->block.x * launch->block.y * launch->block.z;
    if (c.x * c.y * c.z > 1)
        sim_watching = 0; /* the second pass follows one block at a time */
    sim_hooks_launch();
    sim_shared_launch();
    sim_watch_launch(launch);
    sim_order_launch(clusters);
    for (uint64_t i = 0; i < clusters; i++) {
        uint64_t n = sim_order_block(clusters);
        sim_cluster_run((struct cudasim_shape){(unsigned)(n % x) * c.x,
                                               (unsigned)(n / x % y) * c.y,
                                               (unsigned)(n / x / y) * c.z});
    }
    sim_watching = watching;
    if ((sim_watching & WATCH_WRITES) != 0)
        sim_writes_end();
    if ((sim_watching & WATCH_READS) != 0)
        sim_reads_end();
    if ((sim_watching & WATCH_USES) != 0)
        sim_uses_end();
    if ((sim_watching & WATCH_BRANCHES) != 0)
        sim_branches_end();
    if ((sim_watching & WATCH_ADDS) != 0)
        sim_adds_end();
}
