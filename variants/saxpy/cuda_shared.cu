/*
 * saxpy / cuda_shared
 *
 * Idea     Each block first copies its share of x and y to shared memory, then computes from there.
 *          Shared memory pays where several threads use what one has fetched.  Here nothing is used
 *          twice: this variant shows what the detour costs when it saves nothing.
 * Against  cuda_naive, which loads the same bytes straight into registers.
 * Expect   The same time at best: the device's memory is the bottleneck and still carries 12 bytes
 *          per element.  A little more at worst, because the barrier makes warps wait for each
 *          other although none needs another's numbers.
 * Try      Take the barrier out.  Why is the answer still right, and where would it not be?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum { THREADS = 256 }; /* of a block, and elements of a tile */

__global__ static void saxpy_shared(size_t n, float a, const float *x, const float *y, float *z)
{
    __shared__ float tile_x[THREADS], tile_y[THREADS];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        tile_x[threadIdx.x] = x[i];
        tile_y[threadIdx.x] = y[i];
    }
    __syncthreads(); /* outside the condition: all threads of a block must reach a barrier */
    if (i < n)
        z[i] = a * tile_x[threadIdx.x] + tile_y[threadIdx.x];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + THREADS - 1) / THREADS;

    if (blocks == 0)
        return;
    saxpy_shared<<<(unsigned)blocks, THREADS>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
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
