/*
 * qr / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  A GPU has a part of the rows and a tree of its own, which ends in one R.  GPU 0 has a
 *          tree for these R below each other.  What it finds goes back to the GPUs, each of which makes its rows of Q.
 * Against  cuda_shared, the same kernels on one GPU.
 * Expect   Compare end to end: all of it is in `run`.  Each GPU has a bus of its own for A and Q.  Between the GPUs only n x n numbers
 *          go, one way and back, at the price of one more level.
 * Try      --devices 1,2,4.
 * Level    3
 * Read     cuda_panel.h, cuda_tree.h
 */
#include <omp.h>

#include "common/variant.h"
#include "cuda_tree.h" /* tree_refuse, tree_prepare, tree_up_some and the other parts of tree_run, tree_top, tree_release */

static struct gpu {
    float *d_a, *d_q;
    size_t first, m; /* its rows */
    struct tree tree;
} *gpu; /* [gpus] */
static int gpus; /* in use: each has n rows at least */

/* On GPU 0: the GPUs' R below each other, and then n rows of Q for each of them. */
static float *d_joined, *d_r;
static struct tree joined;

static void prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const size_t n = p->n, square = n * n * sizeof(float);

    CUDA(cudaGetDeviceCount(&gpus));
    while (gpus > 1 && p->m / (size_t)gpus < n)
        gpus--;
    gpu = (struct gpu *)calloc((size_t)gpus, sizeof *gpu);
    for (int g = 0; g < gpus; g++) {
        gpu[g].first = p->m * (size_t)g / (size_t)gpus;
        gpu[g].m = p->m * (size_t)(g + 1) / (size_t)gpus - gpu[g].first;
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpu[g].d_a, gpu[g].m * n * sizeof(float)));
        CUDA(cudaMalloc(&gpu[g].d_q, gpu[g].m * n * sizeof(float)));
        tree_prepare(&gpu[g].tree, gpu[g].m, n);
    }
    CUDA(cudaSetDevice(0)); /* the harness uses device 0 */
    CUDA(cudaMalloc(&d_joined, (size_t)gpus * square));
    CUDA(cudaMalloc(&d_r, square));
    tree_prepare(&joined, (size_t)gpus * n, n);
}

/* From a GPU's rows to its R, which goes to GPU 0. */
static void up(const struct qr *p, int g)
{
    const struct gpu *mine = &gpu[g];

    CUDA(cudaMemcpy(mine->d_a, p->a + mine->first * p->n, mine->m * p->n * sizeof(float), cudaMemcpyHostToDevice));
    tree_up_some(&mine->tree, 0, mine->tree.level[0].panels, mine->d_a, mine->d_q, 0);
    tree_up_rest(&mine->tree, 0);
    CUDA(cudaMemcpyPeerAsync(d_joined + (size_t)g * p->n * p->n, 0, tree_top(&mine->tree), g, p->n * p->n * sizeof(float), 0));
    CUDA(cudaDeviceSynchronize());
}

static void down(const struct qr *p, int g)
{
    const struct gpu *mine = &gpu[g];

    CUDA(cudaMemcpyPeerAsync(tree_top(&mine->tree), g, d_joined + (size_t)g * p->n * p->n, 0, p->n * p->n * sizeof(float), 0));
    tree_down_rest(&mine->tree, 0);
    tree_down_some(&mine->tree, 0, mine->tree.level[0].panels, mine->d_q, 0);
    CUDA(cudaMemcpy(p->q + mine->first * p->n, mine->d_q, mine->m * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    if (p->n == 0)
        return;
#pragma omp parallel num_threads(gpus)
    {
        const int g = omp_get_thread_num();

        CUDA(cudaSetDevice(g)); /* per thread; thread 0 is the harness's */
        up(p, g);
#pragma omp barrier
        if (g == 0) {
            tree_run(&joined, d_joined, d_joined, d_r);
            CUDA(cudaMemcpy(p->r, d_r, p->n * p->n * sizeof(float), cudaMemcpyDeviceToHost));
        }
#pragma omp barrier
        down(p, g);
    }
}

static void release(void)
{
    for (int g = 0; g < gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpu[g].d_a));
        CUDA(cudaFree(gpu[g].d_q));
        tree_release(&gpu[g].tree);
    }
    CUDA(cudaSetDevice(0));
    CUDA(cudaFree(d_joined));
    CUDA(cudaFree(d_r));
    tree_release(&joined);
    free(gpu);
}

VARIANT(.idea = "rows stay on their GPU, whose R are joined on one",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = tree_refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
