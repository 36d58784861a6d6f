#include "harness/machine/device_driver.h"

#include "harness/base/clock.h"
#include "harness/machine/cuda_driver.h"

static double stamps[DEVICE_MARKS];

static void mark(int i)
{
    cuda_driver_wait();
    stamps[i] = clock_now();
}

static double seconds(int i, int j)
{
    return stamps[j] - stamps[i];
}

const struct device device_driver = {
    .name = "gpu", .missing = cuda_driver_missing, .facts = cuda_driver_facts, .mark = mark, .seconds = seconds,
    .sync = cuda_driver_wait,
};
