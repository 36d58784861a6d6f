/*
 * matmul / cuda_streams
 *
 * Idea     Copy and compute at the same time.  Four host threads have a stream and pinned memory
 *          each: they bring B over in pieces, then panels of rows of A, which are multiplied and
 *          come back while the next are on their way.
 * Against  cuda_shared, the same kernel, where everything waits for the whole copy before it.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the larger of kernel and bus, which
 *          carries both ways at once; B alone has nothing to hide behind.  Copies to pinned memory
 *          take the host's cores, but with them the bus is at its best.
 * Try      STREAMS = 1: nothing overlaps.  What is left of the gain is due to pinned memory alone.
 */
#include <omp.h>
#include <string.h>

#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

/* A piece is large enough that the bus is at its best, and small enough that there are several. */
enum { STREAMS = 4, PIECE = 1 << 20 }; /* floats */

static struct lane {
    cudaStream_t stream;
    float *in, *out;  /* pinned: a piece of B or a panel of A; a panel of C */
    float *d_a, *d_c; /* a panel each */
} lane[STREAMS];
static float *d_b;
static size_t panel; /* rows of one */

__global__ static void matmul_streams(size_t m, size_t n, size_t k, const float *a, const float *b,
                                      float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t longer = p->n > p->k ? p->n : p->k;

    /* At least a tile; beyond that, no more than a piece. */
    panel = TILE;
    while (panel < p->m && 2 * panel * longer <= PIECE)
        panel *= 2;
    CUDA(cudaMalloc(&d_b, p->k * p->n * sizeof(float)));
    for (struct lane *at = lane; at < lane + STREAMS; at++) {
        const size_t a_panel = panel * p->k, c_panel = panel * p->n;

        CUDA(cudaStreamCreate(&at->stream));
        CUDA(cudaMallocHost(&at->in, (a_panel > PIECE ? a_panel : PIECE) * sizeof(float)));
        CUDA(cudaMallocHost(&at->out, (c_panel + 1) * sizeof(float))); /* never no bytes at all */
        CUDA(cudaMalloc(&at->d_a, a_panel * sizeof(float)));
        CUDA(cudaMalloc(&at->d_c, c_panel * sizeof(float)));
    }
}

static void bring_b(const struct lane *at, const struct matmul *p, size_t first)
{
    const size_t left = p->k * p->n - first, bytes = (left < PIECE ? left : PIECE) * sizeof(float);

    memcpy(at->in, p->b + first, bytes);
    CUDA(cudaMemcpyAsync(d_b + first, at->in, bytes, cudaMemcpyHostToDevice, at->stream));
    CUDA(cudaStreamSynchronize(at->stream)); /* only then may `in` be filled again */
}

/* Rows i .. i+rows-1 of C.  This thread waits; meanwhile the others keep bus and device busy. */
static void multiply_panel(const struct lane *at, const struct matmul *p, size_t i, size_t rows)
{
    const size_t a_bytes = rows * p->k * sizeof(float), c_bytes = rows * p->n * sizeof(float);
    const size_t tiles = (rows + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    memcpy(at->in, p->a + i * p->k, a_bytes);
    CUDA(cudaMemcpyAsync(at->d_a, at->in, a_bytes, cudaMemcpyHostToDevice, at->stream));
    matmul_streams<<<(unsigned)tiles, dim3(TILE, STEP), 0, at->stream>>>(rows, p->n, p->k, at->d_a,
                                                                         d_b, at->d_c);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(at->out, at->d_c, c_bytes, cudaMemcpyDeviceToHost, at->stream));
    CUDA(cudaStreamSynchronize(at->stream));
    memcpy(p->c + i * p->n, at->out, c_bytes);
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

#pragma omp parallel num_threads(STREAMS)
    {
        const struct lane *mine = &lane[omp_get_thread_num()];

#pragma omp for schedule(dynamic)
        for (size_t first = 0; first < p->k * p->n; first += PIECE)
            bring_b(mine, p, first);
        /* Here the threads have waited for each other: all of B is there. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += panel)
            multiply_panel(mine, p, i, p->m - i < panel ? p->m - i : panel);
    }
}

static void release(void)
{
    for (struct lane *at = lane; at < lane + STREAMS; at++) {
        CUDA(cudaStreamDestroy(at->stream));
        CUDA(cudaFreeHost(at->in));
        CUDA(cudaFreeHost(at->out));
        CUDA(cudaFree(at->d_a));
        CUDA(cudaFree(at->d_c));
    }
    CUDA(cudaFree(d_b));
}

VARIANT(.idea = "panels through pinned memory, copies beside kernels",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
