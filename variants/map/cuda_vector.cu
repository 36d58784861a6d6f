/*
 * map / cuda_vector
 *
 * Idea     16 bytes per access, and all loads of a thread issued before the first is used: four floats, or eight int16 in pairs.
 *          Sine and cosine are our own.  A large argument takes a branch of a few operations; no array in local memory.
 * Against  cuda_naive: 4 or 2 bytes per access, and CUDA's functions.
 * Expect   The rate of a copy for all three functions, accurate sines included: their some 45 instructions per element fit into the
 *          time that memory takes.  suppress gains most, since two bytes per thread keep too few bytes in flight.
 * Try      TILE_LOADS = 1, 4.  Then trig_of_cuda() in place of trig(): watch the registers (-Xptxas -v).
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_tile.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */
#include "cuda_sine.h"    /* trig, windows_upload */
#include "cuda_tile.h"    /* map_tile */

template <class F> __global__ static void map_vector(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f)
{
    if (n == 0)
        return;
    map_vector<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void prepare_windows(const void *problem)
{
    windows_upload();
    prepare(problem);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig(), [=](auto f) { launch(p->n, f); });
}

VARIANT(.idea = "16 bytes per access, our own sine and cosine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_windows,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
