/*
 * map / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernel gets the problem's own arrays.  Elsewhere they
 *          are managed memory.  Either way, a page moves when a thread touches it, and the thread waits.
 * Against  cuda_managed, where pages are prefetched.
 * Expect   The shortest code and the slowest: pages come one fault after another.
 * Try      cudaMemPrefetchAsync(m_x, ...) before the launch.  What is one line of hint worth?
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_shared_pages.h
 */
#include "common/variant.h"
#include "cuda_shared_pages.h"
#include "cuda_sine.h" /* trig, windows_upload */
#include "cuda_tile.h" /* map_tile */

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

template <class F> __global__ static void map_unified(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f, const struct arrays &a)
{
    if (n == 0)
        return;
    map_unified<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, a.x, a.y, a.z);
    CUDA(cudaGetLastError());
}

static const char *refuse(const void *problem)
{
    return any_memory() ? NULL : pages_missing((const struct map *)problem);
}

static void prepare(const void *problem)
{
    windows_upload();
    m_x = m_y = m_z = NULL;
    if (!any_memory())
        pages_allocate((const struct map *)problem);
}

static void reset(const void *problem)
{
    if (m_x != NULL)
        pages_fill((const struct map *)problem);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    const struct arrays own = arrays_of(p), managed = {m_x, m_y, m_z, own.element}, of = m_x == NULL ? own : managed;

    for_function(p, trig(), [=](auto f) { launch(p->n, f, of); });
    CUDA(cudaDeviceSynchronize()); /* before that, the host must not read z */
    if (m_x != NULL)
        pages_answer(p);
}

static void release(void)
{
    pages_free();
}

VARIANT(.idea = "one pointer, no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
