/*
 * map / cuda_pinned
 *
 * Idea     Page-locked arrays: the device copies from and to them by itself, without a buffer of the driver's in between.
 * Against  cuda_vector: the same kernel and copies, with ordinary host memory.
 * Expect   The same run; upload and download several times as fast, at the rate of the bus.  The locking is in prepare.
 * Try      --f suppress: a third of the bytes.  What is the ratio to cuda_vector there?
 * Level    1
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_locked.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */
#include "cuda_locked.h"  /* lock_arrays, unlock_arrays */
#include "cuda_sine.h"    /* trig, windows_upload */
#include "cuda_tile.h"    /* map_tile */

template <class F> __global__ static void map_pinned(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f)
{
    if (n == 0)
        return;
    map_pinned<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void prepare_locked(const void *problem)
{
    windows_upload();
    prepare(problem);
    lock_arrays((const struct map *)problem, cudaHostRegisterDefault);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig(), [=](auto f) { launch(p->n, f); });
}

static void release_locked(void)
{
    unlock_arrays();
    release();
}

VARIANT(.idea = "page-locked arrays: copies at the rate of the bus",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_locked,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_locked)
