/*
 * axxat / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Y is cut into bands of rows, and each idle GPU takes the next one.  A band
 *          needs its rows of A and X, and all of X and A besides, so both matrices go to every GPU.
 * Against  cuda_shared, the same kernel on one GPU.
 * Expect   Compare end to end: all of it is in `run`.  The GPUs share the products and Y's way back.  Both matrices
 *          cross the bus once for each GPU, where matmul's cuda_multi sends only one of them to all.
 * Try      BAND = 128 and 2048: what do many small bands lose, and what a few large ones?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <omp.h>

#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* both_sums, tiles_in, TILE, STEP */

/* Rows of a band: so few that each GPU gets several, yet enough tiles to fill a GPU; a multiple of TILE. */
enum { BAND = 512 };

static struct gpu {
    float *d_a, *d_x, *d_y; /* all of each */
} *gpu; /* [gpus] */
static int gpus;

__global__ static void axxat_multi(size_t n, size_t first, const float *a, const float *x, float *y)
{
    both_sums(n, first + blockIdx.y * TILE, blockIdx.x * TILE, a, x, y);
}

static void prepare(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t bytes = p->n * p->n * sizeof(float);

    CUDA(cudaGetDeviceCount(&gpus));
    gpu = (struct gpu *)malloc(gpus * sizeof *gpu);
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpu[g].d_a, bytes));
        CUDA(cudaMalloc(&gpu[g].d_x, bytes));
        CUDA(cudaMalloc(&gpu[g].d_y, bytes));
    }
    CUDA(cudaSetDevice(0)); /* the harness uses device 0 */
}

/* Computes `rows` rows of Y from `first` on; returns when they are in host memory. */
static void multiply_band(const struct gpu *g, const struct axxat *p, size_t first, size_t rows)
{
    axxat_multi<<<dim3(tiles_in(p->n), tiles_in(rows)), dim3(TILE, STEP)>>>(p->n, first, g->d_a, g->d_x, g->d_y);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->y + first * p->n, g->d_y + first * p->n, rows * p->n * sizeof(float),
                    cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t bytes = p->n * p->n * sizeof(float);

#pragma omp parallel num_threads(gpus)
    {
        const struct gpu *mine = &gpu[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* per thread; thread 0 is the harness's */
        CUDA(cudaMemcpy(mine->d_a, p->a, bytes, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(mine->d_x, p->x, bytes, cudaMemcpyHostToDevice));
        /* Dynamic: each idle GPU takes the next band. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->n; i += BAND)
            multiply_band(mine, p, i, p->n - i < BAND ? p->n - i : (size_t)BAND);
    }
}

static void release(void)
{
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpu[g].d_a));
        CUDA(cudaFree(gpu[g].d_x));
        CUDA(cudaFree(gpu[g].d_y));
    }
    CUDA(cudaSetDevice(0));
    free(gpu);
}

VARIANT(.idea = "all GPUs take bands of rows from a queue",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare,
        .run = run,
        .release = release)
