/*
 * The GPU: events on the default stream stamp the phases.  That stream waits for all ordinary
 * streams of the device, so a stamp stands behind whatever the rung has started on them.
 *
 * Nothing but the rungs' `.device` refers to this file: without nvcc it is not in the build, and
 * neither are they.  Only workers call it; the parent never starts CUDA.
 */
#include "common/cuda.h"
#include "common/device.h"

static cudaEvent_t marks[DEVICE_MARKS];

/* cudaGetDeviceCount says it all: no driver, one that is too old, no device, or none left for us. */
static const char *missing(void)
{
    int count = 0, driver = 0;
    cudaError_t status = cudaGetDeviceCount(&count);

    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no CUDA driver";
    if (status == cudaSuccess && count > 0)
        status = cudaFree(0); /* makes the context: an exclusive device may be taken */
    if (status != cudaSuccess)
        return cudaGetErrorString(status);
    return count > 0 ? NULL : "no CUDA device";
}

static void describe(char *text, size_t bytes)
{
    cudaDeviceProp device;
    int driver = 0, runtime = 0;

    CUDA(cudaGetDeviceProperties(&device, 0));
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    snprintf(text, bytes, "%s, %d SMs, %.0f GiB, CUDA %d.%d (driver: %d.%d)", device.name,
             device.multiProcessorCount, (double)device.totalGlobalMem / (1 << 30), runtime / 1000,
             runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

static void mark(int i)
{
    if (marks[i] == NULL)
        CUDA(cudaEventCreate(&marks[i]));
    CUDA(cudaEventRecord(marks[i], 0));
}

static double seconds(int i, int j)
{
    float milliseconds;

    CUDA(cudaEventElapsedTime(&milliseconds, marks[i], marks[j]));
    return milliseconds * 1e-3;
}

static void sync(void)
{
    CUDA(cudaDeviceSynchronize());
}

extern "C" const struct device device_gpu = {"gpu", missing, describe, mark, seconds, sync};
