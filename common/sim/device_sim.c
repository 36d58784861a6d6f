/*
 * The harness's GPU where there is none: simulated devices, without a clock.
 *
 * In a simulated build it takes the place of harness/device_gpu.cu.
 */
#include <stdio.h>

#include "common/device.h"
#include "sim.h"

/* The first call of the runtime starts the simulator. */
static const char *missing(void)
{
    int count;

    cudaGetDeviceCount(&count);
    return NULL;
}

static void describe(char *text, size_t bytes)
{
    int count;

    cudaGetDeviceCount(&count);
    snprintf(text, bytes, "%d simulated device%s, for right and wrong, not for time", count,
             count == 1 ? "" : "s");
}

static void sync(void)
{
    cudaDeviceSynchronize();
}

const struct device device_gpu = {
    .name = "sim", .missing = missing, .describe = describe, .sync = sync, .left = sim_left,
};
