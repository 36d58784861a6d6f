/*
 * For cuda_nccl and cuda_mpi: each rank has a band of rows of A and of C on its GPU, and a band of rows of B.  Bands of B go
 * around a ring of ranks, and each rank multiplies the one that it has by the same columns of A:
 *
 *     step 0    rank 0 has B0    rank 1 has B1    rank 2 has B2
 *     step 1             B1               B2               B0        each from the next rank
 *     step 2             B2               B0               B1
 *
 * The next band arrives while this one is multiplied.  So no GPU holds all of B, nor all of anything.  The variant has
 * included how ranks send, and defines ring_open, ring_close, pass_before and pass_after.
 */
#ifndef RUNGS_MATMUL_CUDA_RANKS_H
#define RUNGS_MATMUL_CUDA_RANKS_H

#include "common/matmul.h"
#include "common/variant.h"
#include "async.h" /* multiply_tile, place_of, tiles_in, slices_of; product, square, SLICE */

static struct mpi_cut rows, slices, b_rows; /* of C; of k; the rows of B that these slices are */
static float *d_a, *d_own, *d_c;            /* [rows.count][k], [b_rows.count][n], [rows.count][n] */
static float *d_ring[2];                    /* [the largest band of B][n], of other ranks */
static cudaStream_t messages;               /* before all other work */
static cudaEvent_t passed, multiplied;

/* A band of B that a rank passes on, and the one that it gets meanwhile. */
struct pass {
    const float *d_sent;
    float *d_received;
    size_t send_bytes, receive_bytes;
    int to, from; /* ranks */
    int step;
};

/* The messages of a step, in the stream `messages`, or by the host: before the product is queued, and after it. */
static void ring_open(size_t largest);
static void ring_close(void);
static void pass_before(const struct pass *p);
static void pass_after(const struct pass *p);

/* Adds to C the products of so many slices of A from the first on, and their rows of B.  p.b is where row 0 of B would be. */
template <unsigned BYTES>
__global__ static void __launch_bounds__(square::threads, square::per_processor)
    matmul_slices(struct product p, unsigned first, unsigned count, float zero)
{
    multiply_tile<square, B_FIRST, BYTES>(p, place_of<square>(p, blockIdx.x), first, count, zero,
                                          [](unsigned, float *row, size_t at, size_t length, float4 v) {
                                              const float sums[] = {v.x, v.y, v.z, v.w};

#pragma unroll
                                              for (unsigned i = 0; i < 4; i++)
                                                  if (at + i < length)
                                                      row[at + i] += sums[i];
                                          });
}

static const char *refuse(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const char *why = ranks_refuse();

    why = why != NULL ? why : mpi_too_many(p->m);
    return why != NULL ? why : mpi_too_many(p->k);
}

/* Slices of k to rows of B.  The first slice of multiply_tile is the one that may be partial. */
static struct mpi_cut rows_of(struct mpi_cut s, size_t k)
{
    const int missing = (int)((size_t)slices_of(k) * SLICE - k);
    struct mpi_cut cut = mpi_cut(k);

    for (int r = 0; r < mpi_ranks(); r++) {
        const int begin = s.offsets[r] * SLICE - missing, end = begin + s.counts[r] * SLICE;

        cut.offsets[r] = begin > 0 ? begin : 0;
        cut.counts[r] = s.counts[r] > 0 ? end - cut.offsets[r] : 0;
    }
    cut.begin = (size_t)cut.offsets[mpi_rank()];
    cut.count = (size_t)cut.counts[mpi_rank()];
    return cut;
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t largest = 0;
    int least, most;

    ranks_begin();
    rows = mpi_cut(p->m);
    slices = mpi_cut(slices_of(p->k));
    b_rows = rows_of(slices, p->k);
    for (int r = 0; r < mpi_ranks(); r++)
        largest = (size_t)b_rows.counts[r] > largest ? (size_t)b_rows.counts[r] : largest;
    CUDA(cudaMalloc(&d_a, rows.count * p->k * sizeof(float)));
    CUDA(cudaMalloc(&d_own, b_rows.count * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_c, rows.count * p->n * sizeof(float)));
    for (float *&d : d_ring)
        CUDA(cudaMalloc(&d, mpi_ranks() > 1 ? largest * p->n * sizeof(float) : 0));
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &most));
    CUDA(cudaStreamCreateWithPriority(&messages, cudaStreamNonBlocking, most));
    CUDA(cudaEventCreateWithFlags(&passed, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&multiplied, cudaEventDisableTiming));
    ring_open(largest * p->n * sizeof(float));
}

static void upload(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    ranks_scatter(&rows, p->k * sizeof(float), p->a, d_a);
    ranks_scatter(&b_rows, p->n * sizeof(float), p->b, d_own);
}

static void multiply(const struct matmul *p, const float *d_b, int owner)
{
    const unsigned tiles = tiles_in<square>(rows.count, p->n), count = (unsigned)slices.counts[owner];
    const float *d_row_0 = d_b - (size_t)b_rows.offsets[owner] * p->n;
    const struct product product = {rows.count, p->n, p->k, d_a, d_row_0, (unsigned)(p->n / 4), d_c};

    if (tiles == 0 || count == 0)
        return;
    if (p->n % 4 == 0)
        matmul_slices<sizeof(float4)><<<tiles, square::threads, 0, stream>>>(product, (unsigned)slices.offsets[owner], count, -0.0f);
    else
        matmul_slices<sizeof(float)><<<tiles, square::threads, 0, stream>>>(product, (unsigned)slices.offsets[owner], count, -0.0f);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const int me = mpi_rank(), ranks = mpi_ranks();
    const float *d_b = d_own;

    CUDA(cudaMemsetAsync(d_c, 0, rows.count * p->n * sizeof(float), stream));
    for (int step = 0; step < ranks; step++) {
        const int owner = (me + step) % ranks, next = (owner + 1) % ranks;
        const struct pass pass = {d_b, d_ring[step % 2], b_rows.counts[owner] * p->n * sizeof(float),
                                  b_rows.counts[next] * p->n * sizeof(float), (me + ranks - 1) % ranks, (me + 1) % ranks,
                                  step};
        const bool last = step + 1 == ranks;

        if (!last)
            pass_before(&pass);
        multiply(p, d_b, owner);
        CUDA(cudaEventRecord(multiplied, stream));
        if (last)
            break;
        pass_after(&pass);
        CUDA(cudaEventRecord(passed, messages));
        CUDA(cudaStreamWaitEvent(stream, passed, 0));
        CUDA(cudaStreamWaitEvent(messages, multiplied, 0)); /* the band before is received where this one was read */
        d_b = pass.d_received;
    }
    CUDA(cudaStreamWaitEvent(messages, multiplied, 0));
}

static void download(const void *problem)
{
    ranks_gather(&rows, ((const struct matmul *)problem)->n * sizeof(float), d_c, ((const struct matmul *)problem)->c);
}

static void release(void)
{
    ring_close();
    CUDA(cudaEventDestroy(passed));
    CUDA(cudaEventDestroy(multiplied));
    CUDA(cudaStreamDestroy(messages));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_own));
    CUDA(cudaFree(d_c));
    CUDA(cudaFree(d_ring[0]));
    CUDA(cudaFree(d_ring[1]));
    mpi_cut_free(&rows);
    mpi_cut_free(&slices);
    mpi_cut_free(&b_rows);
    ranks_end();
}

#endif
