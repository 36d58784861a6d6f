/*
 * The GPU: events on the default stream stamp the phases.  That stream waits for all ordinary streams of
 * the device, so a stamp comes after all work that the variant has started on them.
 *
 * Only the variants' `.device` refers to this file.  A build without nvcc has neither the file nor the
 * variants.  Only workers call it; the parent never starts CUDA.
 */
#include <cuda_profiler_api.h>

#define NVTX_EXPORT_API /* this file compiles NVTX's functions for all others: common/cuda.h */
#include "common/cuda.h"
#include "common/device.h"

static cudaEvent_t marks[DEVICE_MARKS];

/* cudaGetDeviceCount reports every cause: no driver, a driver that is too old, no device, or none
   available. */
static const char *missing(void)
{
    int count = 0, driver = 0;
    cudaError_t status = cudaGetDeviceCount(&count);

    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no CUDA driver";
    if (status == cudaSuccess && count > 0)
        status = cudaFree(0); /* creates the context, which fails if another process holds an exclusive
                                 device */
    if (status != cudaSuccess)
        return cudaGetErrorString(status);
    return count > 0 ? NULL : "no CUDA device";
}

static int facts(struct device_facts list[], int room)
{
    cudaDeviceProp device;
    int count = 0, driver = 0, runtime = 0;

    CUDA(cudaGetDeviceCount(&count));
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    for (int i = 0; i < count && i < room; i++) {
        struct device_facts *f = &list[i];
        CUDA(cudaGetDeviceProperties(&device, i));
        snprintf(f->name, sizeof f->name, "%.*s", (int)sizeof f->name - 1, device.name);
        snprintf(f->software, sizeof f->software, "CUDA %d.%d, driver for %d.%d", runtime / 1000,
                 runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
        snprintf(f->kind, sizeof f->kind, "sm_%d%d", device.major, device.minor);
        CUDA(cudaDeviceGetPCIBusId(f->bus, sizeof f->bus, i));
        f->units = device.multiProcessorCount;
        f->memory = device.totalGlobalMem;
        f->cache = (size_t)device.l2CacheSize;
    }
    return count < room ? count : room;
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

static void wait_for_all(void)
{
    CUDA(cudaDeviceSynchronize());
}

__device__ static unsigned long long nanoseconds(void)
{
    unsigned long long now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* The kernel ends by itself after a time.  If it waited for a signal from the host, any call that
   waits for the kernel would hang. */
__global__ static void spin(unsigned long long duration)
{
    unsigned long long start = nanoseconds();

    while (nanoseconds() - start < duration)
        ;
}

static void lead(double duration)
{
    spin<<<1, 1>>>((unsigned long long)(duration * 1e9));
    CUDA(cudaGetLastError());
}

__global__ static void read_all(const uint4 *buffer, size_t count, unsigned *sum)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned all = 0;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        all += buffer[i].x ^ buffer[i].w;
    if (all == 1) /* never true, since the buffer holds zeros, but the compiler cannot know that */
        *sum = all;
}

/* Evicts by reading.  What a memset leaves in the cache must still be written to memory, and the
   variant would wait for that. */
static void evict(void)
{
    static uint4 *buffer;
    static size_t count;
    int cache;

    if (buffer == NULL) {
        CUDA(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
        count = 2 * (size_t)cache / sizeof *buffer + 1;
        CUDA(cudaMalloc(&buffer, count * sizeof *buffer));
        CUDA(cudaMemset(buffer, 0, count * sizeof *buffer));
    }
    read_all<<<1024, 256>>>(buffer, count, (unsigned *)buffer);
    CUDA(cudaGetLastError());
}

static void enter(const char *range)
{
    cuda_enter(range);
}

static void leave(void)
{
    cuda_leave();
}

static void capture(int on)
{
    CUDA(on ? cudaProfilerStart() : cudaProfilerStop());
}

extern "C" const struct device device_gpu = {
    "gpu", missing, facts, mark, seconds, wait_for_all, NULL, lead, evict, enter, leave, capture,
};
