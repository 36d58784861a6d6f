/*
 * saxpy / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  The chunks form a queue: each idle GPU takes the
 *          next.  So a GPU on a slower bus does less, and the others do not wait for it.
 * Against  cuda_naive: the same copies and kernel, on one GPU, for all elements at once.
 * Expect   End to end: the rate at which one host core can copy ordinary memory to a GPU, times the
 *          number of GPUs, until the host's memory is the bottleneck.  With one GPU as cuda_naive,
 *          a little slower for the many copies' starts.
 * Try      CHUNK = 2^16: too many starts; 2^26: too few chunks to share.
 * Level    2
 * Read     nothing else
 */
#include <omp.h>

#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

enum { CHUNK = 1 << 20 }; /* elements */

static struct gpu {
    float *d_x, *d_y, *d_z; /* [CHUNK] */
} *gpus;

static int count; /* of GPUs */

__global__ static void saxpy_multi(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static void prepare(const void *problem)
{
    const size_t bytes = CHUNK * sizeof(float);

    (void)problem; /* a chunk's size does not depend on the problem's */
    CUDA(cudaGetDeviceCount(&count));
    gpus = (struct gpu *)malloc((size_t)count * sizeof *gpus);
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpus[g].d_x, bytes));
        CUDA(cudaMalloc(&gpus[g].d_y, bytes));
        CUDA(cudaMalloc(&gpus[g].d_z, bytes));
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

static void saxpy_chunk(const struct saxpy *p, size_t first, const struct gpu *on)
{
    size_t left = p->n - first, n = left < CHUNK ? left : (size_t)CHUNK, bytes = n * sizeof(float);

    CUDA(cudaMemcpy(on->d_x, p->x + first, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(on->d_y, p->y + first, bytes, cudaMemcpyHostToDevice));
    saxpy_multi<<<(unsigned)((n + threads - 1) / threads), threads>>>(n, p->a, on->d_x, on->d_y,
                                                                      on->d_z);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->z + first, on->d_z, bytes, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#pragma omp parallel num_threads(count)
    {
        const struct gpu *mine = &gpus[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* thread 0 is the harness's, which uses GPU 0 */
        /* Dynamic: each idle GPU takes the next chunk. */
#pragma omp for schedule(dynamic)
        for (size_t first = 0; first < p->n; first += CHUNK)
            saxpy_chunk(p, first, mine);
    }
}

static void release(void)
{
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpus[g].d_x));
        CUDA(cudaFree(gpus[g].d_y));
        CUDA(cudaFree(gpus[g].d_z));
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
}

VARIANT(.idea = "one host thread per GPU, chunks from a queue",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare,
        .run = run,
        .release = release)
