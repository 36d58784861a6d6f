/*
 * map / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and hints to the runtime.  The inputs are prefetched to the
 *          device before the kernel.  z stays in host memory, and the device writes it there across the bus, once.
 * Against  cuda_vector, which has two copies of each array and copies between them.
 * Expect   End to end: the inputs over the bus, prefetched at its full rate, then z back at the rate at which the kernel writes.
 * Try      Leave out the prefetches, then the advice as well: what are the hints worth?
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_shared_pages.h
 */
#include "common/variant.h"
#include "cuda_shared_pages.h"
#include "cuda_sine.h" /* trig, windows_upload */
#include "cuda_tile.h" /* map_tile */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host_memory = {cudaMemLocationTypeHost, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0, host_memory = cudaCpuDeviceId;
#define TO_DEVICE device
#endif

template <class F> __global__ static void map_managed(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f)
{
    if (n == 0)
        return;
    map_managed<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, m_x, m_y, m_z);
    CUDA(cudaGetLastError());
}

static const char *refuse(const void *problem)
{
    int together;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    return together ? pages_missing((const struct map *)problem) : "the device cannot share managed memory while it works";
}

static void prepare(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const size_t bytes = (p->n + 1) * arrays_of(p).element;

    windows_upload();
    pages_allocate(p);
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetPreferredLocation, host_memory));
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetAccessedBy, device)); /* mapped: no faults */
}

static void reset(const void *problem)
{
    pages_fill((const struct map *)problem);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const size_t bytes = p->n * arrays_of(p).element;

    if (p->n == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_x, bytes, TO_DEVICE, 0));
    if (m_y != NULL)
        CUDA(cudaMemPrefetchAsync(m_y, bytes, TO_DEVICE, 0));
    for_function(p, trig(), [=](auto f) { launch(p->n, f); });
    CUDA(cudaDeviceSynchronize()); /* no copy follows that would wait for the kernel */
    pages_answer(p);
}

static void release(void)
{
    pages_free();
}

VARIANT(.idea = "one pointer, with hints: prefetch and advice",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
