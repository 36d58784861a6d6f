/*
 * logreg / cuda_multi
 *
 * Idea     A part of the rows for each GPU, where it stays.  An evaluation sends n + 1 weights to each and adds the n + 1
 *          sums that come back, in the GPUs' order, on the host.
 * Against  cuda_warp, on one GPU.
 * Expect   The upload gains the most: each GPU has a bus of its own.  An evaluation at L gains too, but starting the host's
 *          threads and two copies take some 30 us, as long as a reading on eight GPUs.
 * Try      --devices 1,2,4.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, lbfgs.h, solve.h, trace.h
 */
#include <omp.h>

#include "cuda_buffers.h" /* join_parts, JOINERS */
#include "cuda_rows.h"    /* launch_rows, blocks_for */

static const int each = 4; /* blocks per multiprocessor */

static struct gpu {
    float *d_x, *d_w, *h_w;
    uint8_t *d_y;
    double *d_parts, *d_sums, *h_sums;
    size_t first, m; /* its rows */
    int on;          /* multiprocessors */
} *gpus;

static int count;   /* of GPUs */
static double *joined; /* [n + 1] */

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    return p->n > MOST_FEATURES ? too_many_features : NULL;
}

static void prepare_all(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t n = p->n;

    CUDA(cudaGetDeviceCount(&count));
    gpus = (struct gpu *)calloc((size_t)count, sizeof *gpus);
    for (int g = 0; g < count; g++) {
        struct gpu *its = &gpus[g];
        its->first = p->m * (size_t)g / (size_t)count;
        its->m = p->m * (size_t)(g + 1) / (size_t)count - its->first;
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&its->d_x, (its->m * n + 1) * sizeof *its->d_x));
        CUDA(cudaMalloc(&its->d_y, its->m + 1));
        CUDA(cudaMalloc(&its->d_w, (n + 1) * sizeof *its->d_w));
        CUDA(cudaMalloc(&its->d_parts, MOST_PARTS * (n + 1) * sizeof *its->d_parts));
        CUDA(cudaMalloc(&its->d_sums, (n + 1) * sizeof *its->d_sums));
        CUDA(cudaMallocHost(&its->h_w, (n + 1) * sizeof *its->h_w));
        CUDA(cudaMallocHost(&its->h_sums, (n + 1) * sizeof *its->h_sums));
        CUDA(cudaDeviceGetAttribute(&its->on, cudaDevAttrMultiProcessorCount, g));
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
    gradient = (double *)malloc((n + 1) * sizeof *gradient);
    joined = (double *)malloc((n + 1) * sizeof *joined);
    memory = malloc(lbfgs_bytes(n + 1));
}

static void send(const struct logreg *p, int g)
{
    const struct gpu *its = &gpus[g];

    CUDA(cudaSetDevice(g));
    CUDA(cudaMemcpy(its->d_x, p->x + its->first * p->n, its->m * p->n * sizeof *p->x, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(its->d_y, p->y + its->first, its->m, cudaMemcpyHostToDevice));
}

/* A GPU without rows has no blocks: its sums are 0. */
static void add_part(const struct logreg *p, const float *w, int g)
{
    const size_t width = p->n + 1;
    const struct gpu *its = &gpus[g];
    const unsigned blocks = blocks_for(its->m, its->on, each);

    CUDA(cudaSetDevice(g));
    memcpy(its->h_w, w, width * sizeof *w);
    CUDA(cudaMemcpyAsync(its->d_w, its->h_w, width * sizeof *w, cudaMemcpyHostToDevice, 0));
    if (blocks > 0)
        launch_rows(blocks, 0, its->m, p->n, its->d_x, its->d_y, its->d_w, its->d_parts);
    join_parts<<<(unsigned)width, JOINERS>>>(width, blocks, its->d_parts, its->d_sums);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(its->h_sums, its->d_sums, width * sizeof *its->h_sums, cudaMemcpyDeviceToHost, 0));
    CUDA(cudaStreamSynchronize(0));
}

static void evaluate_all(const struct logreg *p, const float *w, double *g)
{
#pragma omp parallel num_threads(count)
    add_part(p, w, omp_get_thread_num()); /* thread 0 is the harness's, which uses GPU 0 */
    for (size_t j = 0; j <= p->n; j++) {
        joined[j] = 0.0;
        for (int k = 0; k < count; k++)
            joined[j] += gpus[k].h_sums[j];
    }
    finish_gradient(p, w, joined, g);
}

static void run_all(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

#pragma omp parallel num_threads(count)
    send(p, omp_get_thread_num());
    solve(p, evaluate_all, gradient, memory, p->w);
}

static void release_all(void)
{
    for (int g = 0; g < count; g++) {
        const struct gpu *its = &gpus[g];
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(its->d_x));
        CUDA(cudaFree(its->d_y));
        CUDA(cudaFree(its->d_w));
        CUDA(cudaFree(its->d_parts));
        CUDA(cudaFree(its->d_sums));
        CUDA(cudaFreeHost(its->h_w));
        CUDA(cudaFreeHost(its->h_sums));
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
    free(gradient);
    free(joined);
    free(memory);
}

/* One GPU's side of cuda_buffers.h is not used. */
static void add_up(const struct logreg *p)
{
    (void)p;
}

VARIANT(.idea = "rows stay on their GPU; n + 1 numbers are added on the host",
        .base = "cuda_warp",
        .device = &device_gpu,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare_all,
        .run = run_all,
        .release = release_all,
        .evaluations = evaluations)
