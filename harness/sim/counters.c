/* Counts the memory requests of kernels, for each phase of the program. */
#include <stdlib.h>
#include <string.h>

#include "harness/sim/trace.h"

static const char *phases[MAX_PHASES] = {""};
static int phase_count = 1, phase;

struct sim_kernel *sim_kernels;
static struct sim_kernel **last = &sim_kernels, *running;
static bool first_block; /* of this launch, still runs */

/* --- phases ----------------------------------------------------------------------------------- */

static void forget(struct sim_kernel *k)
{
    const struct sim_kernel kept = *k;

    *k = (struct sim_kernel){.next = kept.next, .name = kept.name, .kernel = kept.kernel,
                             .phase = kept.phase, .tally = kept.tally, .room = kept.room,
                             .story = kept.story};
    sim_story_forget(k);
    if (k->room > 0)
        memset(k->tally, 0, k->room * sizeof *k->tally);
}

void sim_forget_phases(int first)
{
    for (struct sim_kernel *k = sim_kernels; k != NULL; k = k->next)
        if (k->phase >= first)
            forget(k);
    sim_traffic_forget(first);
}

void sim_phase(const char *name)
{
    int i = 0;

    while (i < phase_count && strcmp(phases[i], name) != 0)
        i++;
    if (i == MAX_PHASES)
        return;
    if (i == phase_count)
        phases[phase_count++] = name;
    phase = i;
    if (i > 0)
        sim_forget_phases(i);
}

int sim_phase_now(void)
{
    return phase;
}

const char *sim_phase_name(int i)
{
    return phases[i];
}

/* --- kernels ---------------------------------------------------------------------------------- */

static struct sim_kernel *find(const struct cudasim_launch *launch, int of_phase)
{
    struct sim_kernel *k = sim_kernels;

    while (k != NULL && (k->phase != of_phase || k->kernel != launch->kernel ||
                         strcmp(k->name, launch->name) != 0))
        k = k->next;
    if (k != NULL)
        return k;
    k = calloc(1, sizeof *k);
    if (k == NULL)
        sim_fail(NULL, "no memory for counters");
    k->name = launch->name;
    k->kernel = launch->kernel;
    k->phase = of_phase;
    *last = k;
    last = &k->next;
    return k;
}

void sim_count_launch(const struct cudasim_launch *launch)
{
    const uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    const unsigned threads = launch->block.x * launch->block.y * launch->block.z;

    running = find(launch, sim_acting_phase);
    running->launches++;
    running->blocks += blocks;
    running->threads += blocks * threads;
    running->block = threads > running->block ? threads : running->block;
    first_block = true;
}

struct sim_kernel *sim_counted_kernel(void)
{
    return running;
}

int sim_kernel_length(const struct sim_kernel *k)
{
    return (int)strlen(k->name) - 2; /* without the parentheses */
}

/* The blocks of a launch have the same shared memory, so one is enough. */
void sim_count_block(void)
{
    const size_t shared = first_block ? sim_shared_used() : 0;

    first_block = false;
    running->shared = shared > running->shared ? shared : running->shared;
}

void sim_count_barrier(unsigned warps)
{
    running->barriers += warps;
}

struct sim_tally *sim_tally(unsigned site)
{
    if (site >= running->room) {
        size_t room = site + 64;
        struct sim_tally *t = realloc(running->tally, room * sizeof *t);
        if (t == NULL)
            sim_fail(NULL, "no memory for counters");
        memset(t + running->room, 0, (room - running->room) * sizeof *t);
        running->tally = t;
        running->room = room;
    }
    return &running->tally[site];
}
