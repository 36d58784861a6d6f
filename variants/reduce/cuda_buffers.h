/*
 * reduce: the host side of the CUDA variants, and totals as their kernels keep them.
 *
 * Totals are of float64: a square is then exact and in range, and no order of additions costs accuracy.  This pays
 * where the memory is the limit.  GPUs for graphics have few units for float64 and may need runs in float32, as the
 * CPU's variants have them (avx2.h).
 */
#ifndef RUNGS_REDUCE_CUDA_BUFFERS_H
#define RUNGS_REDUCE_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/reduce.h"
#include "common/variant.h"

enum { MOST_BLOCKS = 4096 };

struct totals {
    double sum, squares;
};

static float *d_x, *d_answer;      /* d_: on the device; the answer is sum and norm */
static struct totals *d_totals;    /* [MOST_BLOCKS] of blocks, or one that all add to */
static unsigned *d_done;           /* how many blocks have finished; 0 between calls */
static int processors;             /* of the device */

static inline void prepare(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaMalloc(&d_x, p->n * sizeof *d_x));
    CUDA(cudaMalloc(&d_answer, 2 * sizeof *d_answer));
    CUDA(cudaMalloc(&d_totals, MOST_BLOCKS * sizeof *d_totals));
    CUDA(cudaMalloc(&d_done, sizeof *d_done));
    CUDA(cudaMemset(d_done, 0, sizeof *d_done));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
}

static inline void upload(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

static inline void download(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    float both[2];

    CUDA(cudaMemcpy(both, d_answer, sizeof both, cudaMemcpyDeviceToHost));
    *p->sum = both[0];
    *p->norm = both[1];
}

static inline void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_answer));
    CUDA(cudaFree(d_totals));
    CUDA(cudaFree(d_done));
}

/* How many blocks share n elements: `each` per multiprocessor, unless there is less work than that. */
static inline unsigned blocks_for(size_t n, size_t block, int each)
{
    const size_t needed = (n + block - 1) / block, most = (size_t)(processors * each);
    const size_t blocks = needed < most ? needed : most;

    return (unsigned)(blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

__device__ static inline void add(totals *to, float x)
{
    to->sum += x;
    to->squares += (double)x * x;
}

__device__ static inline void add(totals *to, const totals &more)
{
    to->sum += more.sum;
    to->squares += more.squares;
}

__device__ static inline void answer(const totals &t, float *sum_and_norm)
{
    sum_and_norm[0] = (float)t.sum;
    sum_and_norm[1] = (float)sqrt(t.squares);
}

#endif
