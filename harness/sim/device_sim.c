/*
 * The simulated GPU, as a device of the harness: without a clock.
 *
 * In a simulated build this replaces harness/machine/device_gpu.cu.
 */
#include <stdio.h>

#include "common/device.h"
#include "harness/sim/traffic.h"

/* The first call of the runtime starts the simulator. */
static const char *missing(void)
{
    int count;

    cudaGetDeviceCount(&count);
    return NULL;
}

static int facts(struct device_facts list[], int room)
{
    int count = 0;

    cudaGetDeviceCount(&count);
    for (int i = 0; i < count && i < room; i++) {
        snprintf(list[i].name, sizeof list[i].name, "simulated device %d", i);
        if (sim_seed != 0)
            snprintf(list[i].name, sizeof list[i].name, "simulated device %d, RUNGS_SIM_SEED=%lu",
                     i, sim_seed);
    }
    return count < room ? count : room;
}

static void sync(void)
{
    cudaDeviceSynchronize();
}

/* The harness calls this for each phase of a variant. */
static void enter(const char *phase)
{
    sim_phase(phase);
    if ((sim_watching & WATCH_USES) != 0)
        sim_uses_phase(phase);
}

static void leave(void)
{
    struct sim_traffic *t = &sim_traffic[sim_phase_now()];

    sim_left_streams(&t->unfinished);
    t->device = sim_device();
    sim_phase("");
}

/* Called after a variant's release, so that everything it does has been counted. */
static const char *left(void)
{
    sim_counters_report();
    return sim_left();
}

const struct device device_gpu = {
    .name = "sim", .missing = missing, .facts = facts, .sync = sync, .left = left,
    .enter = enter, .leave = leave,
};
