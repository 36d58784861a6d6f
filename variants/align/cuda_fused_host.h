/*
 * The kernels of cuda_fused.h, one per step, for all lengths that there are, and their launches:
 *
 *     refuse_lengths    why there are no kernels for a problem's rows and cols
 *     job_make          allocates what some pairs need besides images and answers
 *     job_launch        the three kernels
 */
#ifndef RUNGS_ALIGN_CUDA_FUSED_HOST_H
#define RUNGS_ALIGN_CUDA_FUSED_HOST_H

#include "cuda_fused.h" /* the items of the three steps */

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK) align_rows(const job p)
{
    extern __shared__ float2 shared[];

    rows_item<L>(p, blockIdx.x, shared);
}

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK) align_columns(const job p)
{
    extern __shared__ float2 shared[];

    columns_item<L>(p, blockIdx.x, shared);
}

template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK) align_back(const job p)
{
    extern __shared__ float2 shared[];
    __shared__ bool last;
    const unsigned blocks = back_blocks<L>(p), pair = blockIdx.x / blocks;

    back_item<L>(p, blockIdx.x, shared);
    if (threadIdx.x == 0) {
        __threadfence(); /* the word is raised before the ticket is taken */
        last = atomicInc(&p.done[pair], blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    answer_item<L>(p, pair, shared);
}

struct length {
    unsigned n, block, lines, shared;
    unsigned (*rows_items)(const job &), (*columns_items)(const job &), (*back_items)(const job &);
    void (*rows)(job), (*columns)(job), (*back)(job);
};

template <int... RADICES>
static length length_of()
{
    typedef radices<RADICES...> L;

    return {L::N,
            shape_of<L>::BLOCK,
            shape_of<L>::LINES,
            shape_of<L>::SHARED,
            rows_items<L>,
            columns_items<L>,
            back_items<L>,
            align_rows<L>,
            align_columns<L>,
            align_back<L>};
}

static const length lengths[] = {
    length_of<8, 4>(),   length_of<8, 8>(),     length_of<16, 8>(),     length_of<16, 16>(),
    length_of<8, 8, 8>(), length_of<16, 16, 4>(), length_of<16, 16, 8>(), length_of<16, 16, 16>(),
};

static const length *find_length(size_t n)
{
    for (const length &l : lengths)
        if (l.n == n)
            return &l;
    return NULL;
}

static inline const char *refuse_lengths(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    return find_length(p->rows) == NULL || find_length(p->cols) == NULL
               ? "rows and cols must be powers of two from 32 to 4096"
               : NULL;
}

static float2 *roots_on_device(size_t n)
{
    float2 *w = (float2 *)malloc(n * sizeof *w), *d_w;

    for (size_t k = 0; k < n; k++)
        w[k] = root(k, n);
    CUDA(cudaMalloc(&d_w, n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    return d_w;
}

/* Returns a job for so many pairs of a problem's size.  The caller sets images, eps and answers. */
static job job_make(const struct align *p, size_t pairs)
{
    const length *rows = find_length(p->rows), *cols = find_length(p->cols);
    job j = {};

    j.pairs = (unsigned)pairs;
    j.rows = (unsigned)p->rows;
    j.cols = (unsigned)p->cols;
    j.half = j.cols / 2 + 1;
    j.wide = rows->lines < 4 ? rows->lines : 4; /* four numbers are a sector of 32 bytes */
    j.groups = (j.half + j.wide - 1) / j.wide;
    j.of_rows = roots_on_device(p->rows);
    j.of_cols = roots_on_device(p->cols);
    CUDA(cudaMalloc(&j.A, pairs * j.groups * j.rows * j.wide * sizeof *j.A));
    CUDA(cudaMalloc(&j.B, pairs * j.groups * j.rows * j.wide * sizeof *j.B));
    CUDA(cudaMalloc(&j.best, pairs * sizeof *j.best));
    CUDA(cudaMalloc(&j.done, pairs * sizeof *j.done));
    CUDA(cudaFuncSetAttribute((const void *)cols->rows, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)cols->shared));
    CUDA(cudaFuncSetAttribute((const void *)rows->columns, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)rows->shared));
    CUDA(cudaFuncSetAttribute((const void *)cols->back, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)cols->shared));
    return j;
}

static void job_free(job *j)
{
    CUDA(cudaFree((void *)j->of_rows));
    CUDA(cudaFree((void *)j->of_cols));
    CUDA(cudaFree(j->A));
    CUDA(cudaFree(j->B));
    CUDA(cudaFree(j->best));
    CUDA(cudaFree(j->done));
}

static void job_launch(const job &j, cudaStream_t stream)
{
    const length *rows = find_length(j.rows), *cols = find_length(j.cols);

    if (j.pairs == 0)
        return;
    cols->rows<<<cols->rows_items(j), cols->block, cols->shared, stream>>>(j);
    CUDA(cudaGetLastError());
    rows->columns<<<rows->columns_items(j), rows->block, rows->shared, stream>>>(j);
    CUDA(cudaGetLastError());
    cols->back<<<cols->back_items(j), cols->block, cols->shared, stream>>>(j);
    CUDA(cudaGetLastError());
}

#endif
