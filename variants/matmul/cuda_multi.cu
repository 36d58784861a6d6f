/*
 * matmul / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Each GPU gets all of B.  C is cut into panels of
 *          rows, and each idle GPU takes the next panel, with its rows of A.
 * Against  cuda_shared, the same kernel on one GPU.
 * Expect   Compare end to end: all of it is in `run`.  The GPUs share the products, and A and C; B
 *          goes over the bus once for each GPU, which limits the gain where the matrices are small.
 * Try      PANEL = 128 and 2048: what do many small panels lose, and what a few large ones?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <omp.h>

#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

/* Rows of a panel: so few that each GPU gets several panels, yet enough tiles to fill a GPU. */
enum { PANEL = 512 };

static struct gpu {
    float *d_a, *d_b, *d_c; /* a panel of A, all of B, a panel of C */
} *gpu; /* [gpus] */
static int gpus;

__global__ static void matmul_multi(size_t m, size_t n, size_t k, const float *a, const float *b,
                                    float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t rows = p->m < PANEL ? p->m : PANEL;

    CUDA(cudaGetDeviceCount(&gpus));
    gpu = (struct gpu *)malloc(gpus * sizeof *gpu);
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpu[g].d_a, rows * p->k * sizeof(float)));
        CUDA(cudaMalloc(&gpu[g].d_b, p->k * p->n * sizeof(float)));
        CUDA(cudaMalloc(&gpu[g].d_c, rows * p->n * sizeof(float)));
    }
    CUDA(cudaSetDevice(0)); /* the harness uses device 0 */
}

/* Computes rows i to i + rows - 1 of C; returns when they are in host memory. */
static void multiply_panel(const struct gpu *g, const struct matmul *p, size_t i, size_t rows)
{
    size_t tiles = (rows + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    CUDA(cudaMemcpy(g->d_a, p->a + i * p->k, rows * p->k * sizeof(float),
                    cudaMemcpyHostToDevice));
    matmul_multi<<<(unsigned)tiles, dim3(TILE, STEP)>>>(rows, p->n, p->k, g->d_a, g->d_b, g->d_c);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->c + i * p->n, g->d_c, rows * p->n * sizeof(float),
                    cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

#pragma omp parallel num_threads(gpus)
    {
        const struct gpu *mine = &gpu[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* per thread; thread 0 is the harness's */
        CUDA(cudaMemcpy(mine->d_b, p->b, p->k * p->n * sizeof(float), cudaMemcpyHostToDevice));
        /* Dynamic: each idle GPU takes the next panel. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += PANEL)
            multiply_panel(mine, p, i, p->m - i < PANEL ? p->m - i : PANEL);
    }
}

static void release(void)
{
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpu[g].d_a));
        CUDA(cudaFree(gpu[g].d_b));
        CUDA(cudaFree(gpu[g].d_c));
    }
    CUDA(cudaSetDevice(0));
    free(gpu);
}

VARIANT(.idea = "all GPUs take panels of rows from a queue",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare,
        .run = run,
        .release = release)
