/*
 * The kernels of cuda_fused.h for all lengths that there are, and their launches:
 *
 *     refuse_lengths    why there are no kernels for a problem's rows and cols
 *     job_make          allocates what some pairs need besides images and answers
 *     job_launch        the three kernels
 */
#ifndef RUNGS_ALIGN_CUDA_FUSED_HOST_H
#define RUNGS_ALIGN_CUDA_FUSED_HOST_H

#include "cuda_fused.h" /* the three kernels */

struct length {
    unsigned n, block, shared, column_block, column_shared;
    unsigned (*rows_blocks)(const job &), (*columns_blocks)(const job &), (*back_blocks)(const job &);
    void (*rows)(job), (*columns)(job), (*back)(job);
};

template <int... RADICES>
static length length_of()
{
    typedef radices<RADICES...> L;
    typedef shape_of<L> S;

    return {L::N,          S::BLOCK,          S::SHARED,      S::COLUMN_BLOCK, S::COLUMN_SHARED, rows_blocks<L>,
            columns_blocks<L>, back_blocks<L>, align_rows<L>, align_columns<L>, align_back<L>};
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
    j.pitch = j.rows + 8; /* whole lines, and not a power of two apart */
    j.of_rows = roots_on_device(p->rows);
    j.of_cols = roots_on_device(p->cols);
    CUDA(cudaMalloc(&j.AB, pairs * j.half * j.pitch * sizeof *j.AB));
    CUDA(cudaMalloc(&j.best, pairs * sizeof *j.best));
    CUDA(cudaMalloc(&j.done, pairs * sizeof *j.done));
    CUDA(cudaFuncSetAttribute((const void *)cols->rows, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)cols->shared));
    CUDA(cudaFuncSetAttribute((const void *)rows->columns, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)rows->column_shared));
    CUDA(cudaFuncSetAttribute((const void *)cols->back, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)cols->shared));
    return j;
}

static void job_free(job *j)
{
    CUDA(cudaFree((void *)j->of_rows));
    CUDA(cudaFree((void *)j->of_cols));
    CUDA(cudaFree(j->AB));
    CUDA(cudaFree(j->best));
    CUDA(cudaFree(j->done));
}

static inline void launch(const job &j, void (*kernel)(job), unsigned blocks, unsigned block, unsigned shared, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {blocks, block, shared, stream, &early, j.early ? 1u : 0u};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    CUDA(cudaLaunchKernelEx(&how, kernel, j));
}

static inline void job_launch(const job &j, cudaStream_t stream)
{
    const length *rows = find_length(j.rows), *cols = find_length(j.cols);

    if (j.pairs == 0)
        return;
    launch(j, cols->rows, cols->rows_blocks(j), cols->block, cols->shared, stream);
    launch(j, rows->columns, rows->columns_blocks(j), rows->column_block, rows->column_shared, stream);
    launch(j, cols->back, cols->back_blocks(j), cols->block, cols->shared, stream);
}

#endif
