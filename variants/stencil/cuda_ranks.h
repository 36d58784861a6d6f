/*
 * For cuda_nccl and cuda_mpi: each rank has a band of rows on its GPU, and beside it a row of each neighbour, a halo, as in
 * bands.h.  The variant has included how ranks send, and defines exchange.
 *
 *     stream    the rows between the band's first and last     | the next sweep's, when these have ended
 *     edges     exchange: the image's edges go to neighbours,
 *               theirs come to the halos; then the first and
 *               the last row                                   | the next exchange, at once
 *
 * So messages travel while the inner rows are computed, which need no halo.
 */
#ifndef RUNGS_STENCIL_CUDA_RANKS_H
#define RUNGS_STENCIL_CUDA_RANKS_H

#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* mean */

enum { COLUMNS = 128, ROWS = 8 }; /* threads of a block, a column each, and rows of a thread */

static struct mpi_cut cut;
static int above, below;     /* the ranks with the neighbouring rows; MPI_PROC_NULL: none */
static size_t first, height; /* of the band's first row in its array, 0 or 1; rows of the array, halos among them */
static size_t row_bytes;
static char *d_in, *d_scratch[2]; /* [height][cols] */
static const char *d_now;         /* where the last sweep is */
static cudaStream_t edges;        /* before all other work, because neighbours wait for it */
static cudaEvent_t edges_done, inner_done[2]; /* of this sweep; of even sweeps and of odd ones */

/* Queues in `edges`: the band's first and last row in d_image to the neighbours, and theirs to its halos. */
static void exchange(char *d_image);

/* A thread's column of up to R rows, the first of them row top + blockIdx.y*apart of an array with so many rows.  The
   array's first and last row and its sides are kept.  The sum of three of a row is used in three rows. */
template <int R, class pixel>
__global__ static void stencil_band(size_t rows, size_t cols, size_t top, size_t bottom, size_t apart, const pixel *in,
                                    pixel *out)
{
    const size_t c = (size_t)blockIdx.x * COLUMNS + threadIdx.x;
    size_t r = top + ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * apart;

    if (c >= cols || r >= bottom)
        return;
    const size_t left = c > 0 ? c - 1 : c, right = c + 1 < cols ? c + 1 : c;
    auto sum = [&](size_t row) {
        const pixel *at = in + min(row, rows - 1) * cols;

        return at[left] + at[c] + at[right];
    };
    auto up = sum(r > 0 ? r - 1 : r), mid = sum(r);

#pragma unroll
    for (int i = 0; i < R; i++, r++) {
        if (r >= bottom)
            return;
        const auto down = sum(r + 1);
        const bool border = r == 0 || r + 1 == rows || c == 0 || c + 1 == cols;

        out[r * cols + c] = border ? in[r * cols + c] : mean(up + mid + down);
        up = mid;
        mid = down;
    }
}

template <int R, class pixel>
static void smooth(size_t cols, size_t top, size_t bottom, size_t apart, const char *from, char *to, cudaStream_t in)
{
    const size_t down = (bottom - top + apart - 1) / apart, laps = down / 65535 + 1;
    const dim3 blocks((unsigned)((cols + COLUMNS - 1) / COLUMNS), (unsigned)(laps > 1 ? 65535 : down), (unsigned)laps);

    stencil_band<R><<<blocks, COLUMNS, 0, in>>>(height, cols, top, bottom, apart, (const pixel *)from, (pixel *)to);
    CUDA(cudaGetLastError());
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const char *why = ranks_refuse();

    return why != NULL ? why : mpi_too_many(p->rows > p->cols ? p->rows : p->cols);
}

/* The nearest rank upwards (-1) or downwards (1) that has rows, if this one has any. */
static int neighbour(int step)
{
    int rank = mpi_rank() + step;

    if (cut.count == 0)
        return MPI_PROC_NULL;
    while (rank >= 0 && rank < mpi_ranks() && cut.counts[rank] == 0)
        rank += step;
    return rank >= 0 && rank < mpi_ranks() ? rank : MPI_PROC_NULL;
}

static void prepare_band(const struct stencil *p)
{
    int least, most;

    ranks_begin();
    cut = mpi_cut(p->rows);
    above = neighbour(-1);
    below = neighbour(1);
    first = above != MPI_PROC_NULL;
    height = first + cut.count + (below != MPI_PROC_NULL);
    row_bytes = p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
    CUDA(cudaMalloc(&d_in, height * row_bytes));
    CUDA(cudaMalloc(&d_scratch[0], height * row_bytes));
    CUDA(cudaMalloc(&d_scratch[1], height * row_bytes));
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &most));
    CUDA(cudaStreamCreateWithPriority(&edges, cudaStreamNonBlocking, most));
    CUDA(cudaEventCreateWithFlags(&edges_done, cudaEventDisableTiming));
    for (cudaEvent_t &done : inner_done)
        CUDA(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    ranks_scatter(&cut, row_bytes, p->bytes ? (const void *)p->in8 : p->in, d_in + first * row_bytes);
}

/* Starts sweep number s of this rank's rows.  `stream` has waited for the edges of the last one, and `edges` waits for its
   inner rows, but not before the halos come. */
template <class pixel>
static void sweep(size_t cols, size_t s, char *from, char *to)
{
    const size_t last = first + cut.count - 1;

    if (cut.count > 2)
        smooth<ROWS, pixel>(cols, first + 1, last, ROWS, from, to, stream);
    CUDA(cudaEventRecord(inner_done[s % 2], stream));
    exchange(from);
    if (s > 0)
        CUDA(cudaStreamWaitEvent(edges, inner_done[(s - 1) % 2], 0));
    smooth<1, pixel>(cols, first, last + 1, cut.count > 1 ? cut.count - 1 : 1, from, to, edges);
    CUDA(cudaEventRecord(edges_done, edges));
    CUDA(cudaStreamWaitEvent(stream, edges_done, 0));
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    char *from = d_in;

    for (size_t s = 0; s < p->sweeps && cut.count > 0 && p->cols > 0; s++) {
        char *to = d_scratch[s % 2];

        if (p->bytes)
            sweep<uint8_t>(p->cols, s, from, to);
        else
            sweep<float>(p->cols, s, from, to);
        from = to;
    }
    d_now = from;
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    ranks_gather(&cut, row_bytes, d_now + first * row_bytes, p->bytes ? (void *)p->out8 : p->out);
}

static void release_band(void)
{
    CUDA(cudaEventDestroy(edges_done));
    for (cudaEvent_t done : inner_done)
        CUDA(cudaEventDestroy(done));
    CUDA(cudaStreamDestroy(edges));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_scratch[0]));
    CUDA(cudaFree(d_scratch[1]));
    mpi_cut_free(&cut);
    ranks_end();
}

#endif
