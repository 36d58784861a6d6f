/*
 * saxpy / cuda_shared
 *
 * Idea     Each block first stages its share of x and y in shared memory, then computes from there.
 *          Shared memory pays where what one thread has fetched is used by others as well.  Here
 *          nothing is used twice: this variant shows what the detour costs when it saves nothing.
 * Against  cuda_naive, which takes the same bytes from memory straight to registers.
 * Expect   The same time at best: the device's memory is the limit and still carries 12 bytes an
 *          element.  At worst a little more, since the barrier makes warps wait for each other
 *          that have nothing to say to each other.
 * Try      Take the barrier out.  Why is the answer still right, and where would it not be?
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
    __syncthreads(); /* outside the condition: all threads of a block must come here */
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

VARIANT(.idea = "tiles staged in shared memory, to no use",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
