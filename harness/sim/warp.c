/*
 * Shuffles, votes and other operations of the lanes of a warp.
 *
 * Each lane stores its value and waits; the last one of the mask computes the results of all.  As on a
 * GPU, returned lanes are not waited for, but no value can be taken from them.
 */
#include <stdio.h>

#include "harness/sim/sim.h"

static struct sim_lane *lane_at(unsigned i)
{
    return &sim_block.lane[sim_lane->number / WARP * WARP + i];
}

/* Returns the lane that lane `i` takes its value from. */
static unsigned source_of(const struct sim_lane *lane, unsigned i)
{
    unsigned width = (unsigned)lane->width, base = i / width * width;
    unsigned n = (unsigned)lane->argument, from;

    switch (lane->operation) {
    case CUDASIM_SHFL: return base + n % width;
    case CUDASIM_SHFL_UP: return n > i - base ? i : i - n;
    case CUDASIM_SHFL_DOWN: return n >= width - (i - base) ? i : i + n;
    default: from = i ^ n; return from < base + width ? from : i;
    }
}

/* The lane that has come last waits, too: before a report, all lanes that wait are marked so. */
static void mark_waiting(const struct sim_lane *lane)
{
    for (unsigned j = 0; j < WARP; j++)
        if ((sim_block.warp[lane->number / WARP].waiting & 1u << j) != 0)
            lane_at(j)->state = IN_WARP;
}

/* Says which lanes of the warp have returned, and where: they do not call what the others call. */
static const char *who_is_missing(const struct sim_lane *lane)
{
    static char text[240];
    char here[80], gone[80], where[80];
    const struct sim_lane *first = lane_at(0);
    const unsigned left = sim_block.threads - lane->number / WARP * WARP, lanes = left < WARP ? left : WARP;

    mark_waiting(lane);
    if (lanes < WARP)
        snprintf(text, sizeof text, " or never was; the last warp of the block has %u lanes only", lanes);
    else
        snprintf(text, sizeof text, "; lanes that call it: %s; lanes that do not: %s. These have left%s",
                 sim_threads_in(first, lanes, IN_WARP, lane->place, here), sim_threads_in(first, lanes, RETURNED, NULL, gone),
                 sim_where_left(first, lanes, where));
    return text;
}

static uint64_t shuffled(const struct sim_lane *lane, unsigned i)
{
    unsigned from = source_of(lane, i);

    if (from >= WARP || (lane->mask & 1u << from) == 0)
        sim_fail(NULL, "missing lane: in %s lane %u takes its value from lane %u, which is not in "
                       "the mask 0x%x", lane->place->operation, i, from, lane->mask);
    if ((sim_block.warp[lane->number / WARP].alive & 1u << from) == 0)
        sim_fail(NULL, "missing lane: in %s lane %u takes its value from lane %u, which has returned%s",
                 lane->place->operation, i, from, who_is_missing(lane));
    return lane_at(from)->value;
}

static unsigned combine(enum cudasim_operation operation, unsigned a, unsigned b)
{
    switch (operation) {
    case CUDASIM_ADD: return a + b;
    case CUDASIM_MIN: return (int)b < (int)a ? b : a;
    case CUDASIM_MAX: return (int)b > (int)a ? b : a;
    case CUDASIM_UMIN: return b < a ? b : a;
    case CUDASIM_UMAX: return b > a ? b : a;
    case CUDASIM_AND: return a & b;
    case CUDASIM_OR: return a | b;
    default: return a ^ b;
    }
}

/* Returns the result of lane i, among those in `lanes`. */
static uint64_t result_of(const struct sim_lane *lane, unsigned i, unsigned lanes)
{
    unsigned found = 0, total = (unsigned)lane->value;

    switch (lane->operation) {
    case CUDASIM_SYNC: return 0;
    case CUDASIM_SHFL:
    case CUDASIM_SHFL_UP:
    case CUDASIM_SHFL_DOWN:
    case CUDASIM_SHFL_XOR: return shuffled(lane, i);
    case CUDASIM_BALLOT:
    case CUDASIM_MATCH:
        for (unsigned j = 0; j < WARP; j++)
            if ((lanes & 1u << j) != 0 &&
                (lane->operation == CUDASIM_BALLOT ? lane_at(j)->value != 0
                                                   : lane_at(j)->value == lane->value))
                found |= 1u << j;
        return found;
    default:
        for (unsigned j = 0; j < WARP; j++)
            if ((lanes & 1u << j) != 0 && j != i)
                total = combine(lane->operation, total, (unsigned)lane_at(j)->value);
        return total;
    }
}

/* Returns whether all lanes of the mask have arrived.  Lanes with another mask are on their way to
   another meeting. */
static bool complete(const struct sim_lane *lane, unsigned lanes)
{
    char here[80], there[80];

    for (unsigned j = 0; j < WARP; j++) {
        const struct sim_lane *other = lane_at(j);
        if ((lanes & 1u << j) == 0)
            continue;
        if (other->mask != lane->mask)
            return false;
        if (other->place == lane->place)
            continue;
        mark_waiting(lane);
        sim_fail(NULL, "missing lane: lanes of one mask meet in different places: %s here and %s (%s:%d); lanes here: %s, lanes there: %s",
                 lane->place->operation, other->place->operation, other->place->file, other->place->line,
                 sim_threads_in(lane_at(0), WARP, IN_WARP, lane->place, here), sim_threads_in(lane_at(0), WARP, IN_WARP, other->place, there));
    }
    return true;
}

bool sim_try_meet(struct sim_lane *lane)
{
    struct sim_warp *warp = &sim_block.warp[lane->number / WARP];
    struct sim_lane *running = sim_lane;
    unsigned lanes = lane->mask & warp->alive;

    sim_lane = lane; /* so that a report names it */
    if ((warp->waiting & lanes) != lanes || !complete(lane, lanes)) {
        sim_lane = running;
        return false;
    }
    for (unsigned j = 0; j < WARP; j++)
        if ((lanes & 1u << j) != 0) {
            sim_lane = lane_at(j);
            sim_lane->result = result_of(sim_lane, j, lanes);
        }
    if (lane->operation == CUDASIM_SYNC) /* CUDA says that the others do not order memory */
        sim_watch_met(lane->number / WARP, lanes);
    warp->waiting &= ~lanes;
    for (unsigned j = 0; j < WARP; j++)
        if ((lanes & 1u << j) != 0)
            sim_make_ready(lane_at(j));
    sim_lane = running;
    return true;
}

uint64_t cudasim_meet(const struct cudasim_place *here, enum cudasim_operation operation,
                      unsigned mask, uint64_t value, int argument, int width)
{
    struct sim_lane *lane = sim_lane;

    if (lane == NULL)
        sim_fail(CALLER, "%s outside a kernel", here->operation);
    struct sim_warp *warp = &sim_block.warp[lane->number / WARP];
    unsigned me = lane->number % WARP;

    lane->place = here;
    lane->operation = operation;
    lane->mask = mask;
    lane->value = value;
    lane->argument = argument;
    lane->width = width;
    if ((mask & 1u << me) == 0)
        sim_fail(NULL, "missing lane: lane %u calls %s with a mask 0x%x that does not name it", me,
                 here->operation, mask);
    if (width < 1 || width > WARP || (width & (width - 1)) != 0)
        sim_fail(NULL, "%s: a width of %d; 1, 2, 4, 8, 16 and 32 are possible", here->operation,
                 width);

    if (sim_watching != 0)
        sim_watch_meeting(mask);
    warp->waiting |= 1u << me;
    if (!sim_try_meet(lane))
        sim_wait(IN_WARP);
    return sim_lane->result;
}

unsigned cudasim_no_activemask(void)
{
    sim_fail(CALLER, "__activemask() depends on how the hardware groups lanes: use "
                     "__ballot_sync()");
}

void cudasim_trap(void)
{
    sim_fail(CALLER, "__trap()");
}
