/*
 * compact / cuda_thrust
 *
 * Idea     One line of Thrust: copy_if.
 * Against  cuda_cub, which copy_if calls.
 * Expect   The same kernel.  copy_if also allocates scratch memory in each call, and returns where the answer ends, so it
 *          waits for the device: some 20 us more, which is most of the time at S.
 * Try      thrust::cuda::par(allocator) with an allocator that keeps its memory.
 * Level    1
 * Read     cuda_buffers.h
 */
#include <thrust/copy.h>
#include <thrust/execution_policy.h>

#include "cuda_buffers.h" /* prepare, upload, release; d_x, d_kept, keeps */

static uint64_t count;

struct is_kept {
    __device__ bool operator()(float x) const { return keeps(x); }
};

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    count = (uint64_t)(thrust::copy_if(thrust::device, d_x, d_x + p->n, d_kept, is_kept()) - d_kept);
}

static void download_counted(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    *p->count = count;
    CUDA(cudaMemcpy(p->kept, d_kept, count * sizeof *d_kept, cudaMemcpyDeviceToHost));
}

VARIANT(.idea = "one line of Thrust: copy_if",
        .base = "cuda_cub",
        .device = &device_gpu,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download_counted,
        .release = release)
