/*
 * map / cuda_mapped
 *
 * Idea     No copy: the kernel reads and writes the host's own memory across the bus, page-locked and mapped for the device.  Each
 *          element is used once, so bringing it to the device first gains nothing.
 * Against  cuda_vector, whose copies come one after another: in, compute, out.
 * Expect   End to end the bus in both directions at once: 8 bytes per element in while 4 go out, in place of one after the other.
 * Try      TILE_LOADS = 4: the bus is slower to answer than memory, so more must be in flight.
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_locked.h
 */
#include "common/variant.h"
#include "cuda_locked.h"
#include "cuda_sine.h" /* trig, windows_upload */
#include "cuda_tile.h" /* map_tile */

static void *mapped[3]; /* the device's addresses of what is locked */

template <class F> __global__ static void map_mapped(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f)
{
    if (n == 0)
        return;
    map_mapped<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, mapped[0], mapped[1], mapped[2]);
    CUDA(cudaGetLastError());
}

static void prepare(const void *problem)
{
    windows_upload();
    lock_arrays((const struct map *)problem, cudaHostRegisterMapped);
    for (int i = 0; i < 3; i++)
        if (locked[i] != NULL)
            CUDA(cudaHostGetDevicePointer(&mapped[i], locked[i], 0));
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig(), [=](auto f) { launch(p->n, f); });
    CUDA(cudaDeviceSynchronize()); /* no copy follows that would wait for the kernel */
}

static void release(void)
{
    unlock_arrays();
}

VARIANT(.idea = "the kernel reads and writes page-locked host memory itself",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
