/*
 * stencil / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  A GPU has a band of rows, and a halo above and
 *          below it: the nearest row of the neighbour's band, fetched again before each sweep.
 * Against  cuda_naive: the same kernel, on one GPU, for the whole image.
 * Expect   Kernels: a GPU's share of the time.  A halo is two rows, far less than the band, so a
 *          sweep mostly adds the time for which GPUs wait for each other.  End to end: the rate at
 *          which one host core can copy ordinary memory to a GPU, times the number of GPUs.
 * Try      sweeps = 1, 10, 100: from how many sweeps on do the copies no longer matter?
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

/* Of a GPU: rows [first, last) of the image are its own; with halos it holds [top, bottom). */
static struct band {
    size_t first, last, top, bottom;
    float *d_image[2]; /* sweeps alternate between the two */
} *bands;

static int count; /* of bands: of GPUs, or fewer where there are fewer rows */

__global__ static void stencil_multi(size_t rows, size_t cols, const float *in, float *out)
{
    smooth(rows, cols, in, out);
}

static const char *refuse(const void *problem)
{
    return ((const struct stencil *)problem)->bytes ? "bytes: this variant is for float32" : NULL;
}

/* Where this machine lets one GPU read another's memory, copies between them go straight; elsewhere
   the same calls go through the host. */
static void link_neighbours(bool on)
{
    for (int g = 0; g < count; g++)
        for (int other = g - 1; other <= g + 1; other += 2) {
            int able = 0;

            CUDA(cudaSetDevice(g));
            if (other >= 0 && other < count)
                CUDA(cudaDeviceCanAccessPeer(&able, g, other));
            if (able && on)
                CUDA(cudaDeviceEnablePeerAccess(other, 0));
            else if (able)
                CUDA(cudaDeviceDisablePeerAccess(other));
        }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    bands = (struct band *)malloc((size_t)gpus * sizeof *bands);
    count = 0;
    size_t share = (p->rows + (size_t)gpus - 1) / (size_t)gpus;
    for (size_t first = 0; first < p->rows; first += share) {
        struct band *b = &bands[count];

        b->first = first;
        b->last = p->rows - first < share ? p->rows : first + share;
        b->top = b->first > 0 ? b->first - 1 : 0;
        b->bottom = b->last < p->rows ? b->last + 1 : p->rows;
        CUDA(cudaSetDevice(count++));
        CUDA(cudaMalloc(&b->d_image[0], (b->bottom - b->top) * p->cols * sizeof(float)));
        CUDA(cudaMalloc(&b->d_image[1], (b->bottom - b->top) * p->cols * sizeof(float)));
    }
    link_neighbours(true);
}

/* Returns where GPU g has row r of the image, in image `now` of its two. */
static float *row_at(const struct stencil *p, int g, size_t now, size_t r)
{
    return bands[g].d_image[now] + (r - bands[g].top) * p->cols;
}

/* One sweep of a band, from d_image[now] to the other.  The kernel treats the halos as border and keeps them.  They are
   out of date then, and are fetched again before the next sweep reads them. */
static void sweep(size_t cols, const struct band *b, size_t now)
{
    size_t rows = b->bottom - b->top;
    dim3 block(32, 8), grid = blocks_for(rows, cols);

    stencil_multi<<<grid, block>>>(rows, cols, b->d_image[now], b->d_image[1 - now]);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t row = p->cols * sizeof(float), last = p->sweeps % 2;

    if (count == 0 || p->cols == 0)
        return;
#pragma omp parallel for num_threads(count) schedule(static, 1)
    for (int g = 0; g < count; g++) {
        const struct band *b = &bands[g];

        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(b->d_image[0], p->in + b->top * p->cols, (b->bottom - b->top) * row,
                        cudaMemcpyHostToDevice));
    }
    for (size_t s = 0; s < p->sweeps; s++) {
        /* The loop ends when all bands are done, so that no neighbour is a sweep ahead or behind. */
#pragma omp parallel for num_threads(count) schedule(static, 1)
        for (int g = 0; g < count; g++) {
            size_t now = s % 2, up = bands[g].top, down = bands[g].last; /* the halos' rows */

            CUDA(cudaSetDevice(g));
            if (s > 0 && g > 0)
                CUDA(cudaMemcpyPeerAsync(row_at(p, g, now, up), g, row_at(p, g - 1, now, up), g - 1,
                                         row));
            if (s > 0 && g < count - 1)
                CUDA(cudaMemcpyPeerAsync(row_at(p, g, now, down), g, row_at(p, g + 1, now, down),
                                         g + 1, row));
            sweep(p->cols, &bands[g], now);
        }
    }
#pragma omp parallel for num_threads(count) schedule(static, 1)
    for (int g = 0; g < count; g++) {
        const struct band *b = &bands[g];

        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->out + b->first * p->cols, row_at(p, g, last, b->first),
                        (b->last - b->first) * row, cudaMemcpyDeviceToHost));
    }
    CUDA(cudaSetDevice(0));
}

static void release(void)
{
    link_neighbours(false);
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(bands[g].d_image[0]));
        CUDA(cudaFree(bands[g].d_image[1]));
    }
    CUDA(cudaSetDevice(0));
    free(bands);
}

VARIANT(.idea = "one band per GPU, halos exchanged before each sweep",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
