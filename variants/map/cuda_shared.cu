/*
 * map / cuda_shared
 *
 * Idea     Each block first copies its share of x and y to shared memory, then computes from there.  No element is used twice, so
 *          there is nothing to share.
 * Against  cuda_naive, which loads the same bytes straight into registers.
 * Expect   The same time at best, as for saxpy.  For trig not even the barrier shows: threads wait longer for their sines.
 * Try      --f suppress: two bytes per thread.  What does the detour cost there?
 * Level    1
 * Read     cuda_functions.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum { THREADS = 256 }; /* of a block, and elements of a tile */

template <class F, class T> __global__ static void map_shared(size_t n, F f, const T *x, const T *y, T *z)
{
    __shared__ T tile_x[THREADS], tile_y[THREADS];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        tile_x[threadIdx.x] = x[i];
        tile_y[threadIdx.x] = second(f, y, i);
    }
    __syncthreads(); /* outside the condition: all threads of a block must reach a barrier */
    if (i < n)
        z[i] = f(tile_x[threadIdx.x], tile_y[threadIdx.x]);
}

template <class F> static void launch(size_t n, F f)
{
    typedef typename F::element T;
    const size_t blocks = (n + THREADS - 1) / THREADS;

    if (blocks == 0)
        return;
    map_shared<<<(unsigned)blocks, THREADS>>>(n, f, (const T *)d_x, (const T *)d_y, (T *)d_z);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig_of_cuda(), [=](auto f) { launch(p->n, f); });
}

VARIANT(.idea = "tiles staged in shared memory, which saves nothing here",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
