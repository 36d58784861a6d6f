/*
 * cg / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  A GPU gets a band of rows of A and keeps it.  In each iteration p goes to
 *          all of them and parts of A p come back; the host has the vectors and does the rest.
 * Against  cuda_fused, one GPU.
 * Expect   Compare end to end: all of it is in `run`.  A's way is shared by the GPUs, and so is a product.  An iteration costs
 *          two copies of n numbers and the host's vectors: some 20 us, too much for n = 2048, little for 65536.
 * Try      --devices 1,2,4 at n = 16384.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h, iterate.h
 */
#include <omp.h>

#include "common/variant.h"
#include "cuda_rows.h" /* lane_sums, BLOCK_ROWS, THREADS, blocks_for */
#include "iterate.h"   /* iterate, iterate_prepare, iterate_release */

static struct gpu {
    float *d_a, *d_p, *d_q;
    size_t first, rows; /* of the band; all of A's columns */
} *gpu; /* [gpus] */
static int gpus;

/* q = A p for the rows of a band, at which a and q begin. */
__global__ static void cg_band(size_t n, size_t rows, const float *a, const float *p, float *q)
{
    const size_t i = (size_t)blockIdx.x * BLOCK_ROWS + threadIdx.x / WARP * ROWS;
    float sum[ROWS];

    if (i >= rows)
        return;
    lane_sums(n, rows, i, a, p, sum);
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned step = WARP / 2; step > 0; step /= 2)
            sum[r] += __shfl_xor_sync(all_lanes, sum[r], step);
        if (threadIdx.x % WARP == 0 && i + r < rows)
            q[i + r] = sum[r];
    }
}

static void prepare_multi(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    iterate_prepare(problem);
    CUDA(cudaGetDeviceCount(&gpus));
    gpu = (struct gpu *)malloc(gpus * sizeof *gpu);
    for (int g = 0; g < gpus; g++) {
        gpu[g].first = n * g / gpus;
        gpu[g].rows = n * (g + 1) / gpus - gpu[g].first;
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpu[g].d_a, gpu[g].rows * n * sizeof(float)));
        CUDA(cudaMalloc(&gpu[g].d_p, n * sizeof(float)));
        CUDA(cudaMalloc(&gpu[g].d_q, gpu[g].rows * sizeof(float)));
    }
    CUDA(cudaSetDevice(0)); /* the harness uses device 0 */
}

/* The product of iterate(): each GPU its band. */
static void multiply(const struct cg *s, const float *p, float *q)
{
#pragma omp parallel num_threads(gpus)
    {
        const struct gpu *mine = &gpu[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* per thread; thread 0 is the harness's */
        CUDA(cudaMemcpy(mine->d_p, p, s->n * sizeof(float), cudaMemcpyHostToDevice));
        if (mine->rows > 0)
            cg_band<<<blocks_for(mine->rows, BLOCK_ROWS), THREADS>>>(s->n, mine->rows, mine->d_a, mine->d_p, mine->d_q);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(q + mine->first, mine->d_q, mine->rows * sizeof(float), cudaMemcpyDeviceToHost));
    }
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

#pragma omp parallel num_threads(gpus)
    {
        const struct gpu *mine = &gpu[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num()));
        CUDA(cudaMemcpy(mine->d_a, s->a + mine->first * s->n, mine->rows * s->n * sizeof(float), cudaMemcpyHostToDevice));
    }
    iterate(s, multiply);
}

static void release_multi(void)
{
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpu[g].d_a));
        CUDA(cudaFree(gpu[g].d_p));
        CUDA(cudaFree(gpu[g].d_q));
    }
    CUDA(cudaSetDevice(0));
    free(gpu);
    iterate_release();
}

VARIANT(.idea = "all GPUs, a band of A each; the vectors on the host",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare_multi,
        .run = run,
        .release = release_multi)
