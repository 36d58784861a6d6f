/*
 * For cuda_nccl and cuda_mpi.  Many signals: each rank has its own.  Fewer than ranks: all ranks transform each together, in
 * six steps.  A signal is a matrix of n1 rows and n2 columns, t = t1*n2 + t2, and its transform f = f1 + n1*f2:
 *
 *     exchange    rows t1 of all columns    ->  columns t2, as lines of n1 numbers
 *     transform   each line; times exp(-2 pi i f1 t2 / n), when it is packed
 *     exchange    lines t2 of all f1        ->  lines f1 of n2 numbers
 *     transform   each line
 *     exchange    lines f1 of all f2        ->  rows f2, which are consecutive parts of X
 *
 * An exchange packs what goes to each rank, so that it is one message, and puts what comes in its place:
 *
 *     pack                       all to all                       place
 *     [mine][all] -> [all][mine] ---- [its part of all][mine] --> [its part][all of mine, rank by rank]
 *
 * The variant has included how ranks send, and defines all_to_all.
 */
#ifndef RUNGS_FFT_CUDA_RANKS_H
#define RUNGS_FFT_CUDA_RANKS_H

#include <math.h>

#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root, mul */

/* The lines of cuda_bluestein; here each kernel waits for all of the one before. */
__device__ static void next_may_start(void)
{
}

__device__ static void previous_has_ended(void)
{
}

#include "lines.h"      /* fft_lines */
#include "lines_host.h" /* kernel_whole, line_make, roots_make; refuse_length, prepare_length, run_length, release_length */

enum { TILE = 32, HIGH = 8 }; /* of a transposition: TILE x TILE numbers by TILE x HIGH threads */

static bool many;                      /* each rank has its own signals */
static struct mpi_cut signals, n1s, n2s;
static size_t n1, n2;
static float2 *d_x, *d_X;              /* of this rank */
static float2 *d_lines, *d_transformed, *d_packed, *d_received;
static kernel columns, rows;           /* transforms of n1 and of n2 */
static kernel turned;                  /* has the roots of n */

/* Sends part r of d_packed to rank r, and receives its part, in the order of ranks.  In numbers. */
static void all_to_all(const int send_count[], const int send_at[], const int receive_count[], const int receive_at[]);

/* --- exchanges --------------------------------------------------------------------------------------- */

/* out[c][r] = in[r][c], for so many rows and columns; if there are roots, times the root of number (first + r)*c. */
__global__ static void fft_pack(size_t high, size_t wide, size_t first, const float2 *near, const float2 *far,
                                unsigned shift, const float2 *in, float2 *out)
{
    __shared__ float2 tile[TILE][TILE + 1];
    const size_t across = (wide + TILE - 1) / TILE;
    const size_t top = blockIdx.x / across * TILE, left = blockIdx.x % across * TILE;

    for (unsigned y = threadIdx.y; y < TILE; y += HIGH) {
        const size_t r = top + y, c = left + threadIdx.x;

        if (r >= high || c >= wide)
            continue;
        const size_t number = (first + r) * c;
        const float2 v = in[r * wide + c];

        tile[y][threadIdx.x] =
            near == NULL ? v : mul(v, mul(far[number >> shift], near[number & (((size_t)1 << shift) - 1)]));
    }
    __syncthreads();
    for (unsigned y = threadIdx.y; y < TILE; y += HIGH) {
        const size_t r = top + threadIdx.x, c = left + y;

        if (r < high && c < wide)
            out[c * high + r] = tile[threadIdx.x][y];
    }
}

/* From lines of `mine`, each as long as all of `its`, to lines of `its`, each as long as all of `mine`. */
static void exchange(struct mpi_cut mine, struct mpi_cut its, bool turn, const float2 *from, float2 *to)
{
    const size_t wide = (size_t)its.offsets[mpi_ranks() - 1] + its.counts[mpi_ranks() - 1];
    const size_t length = (size_t)mine.offsets[mpi_ranks() - 1] + mine.counts[mpi_ranks() - 1];
    const size_t blocks = (mine.count + TILE - 1) / TILE * ((wide + TILE - 1) / TILE);
    int *const counts = (int *)malloc(4 * (size_t)mpi_ranks() * sizeof *counts), *const at = counts + mpi_ranks();
    int *const its_counts = at + mpi_ranks(), *const its_at = its_counts + mpi_ranks();

    for (int r = 0; r < mpi_ranks(); r++) {
        counts[r] = its.counts[r] * (int)mine.count;
        at[r] = its.offsets[r] * (int)mine.count;
        its_counts[r] = mine.counts[r] * (int)its.count;
        its_at[r] = mine.offsets[r] * (int)its.count;
    }
    if (blocks > 0) {
        fft_pack<<<(unsigned)blocks, dim3(TILE, HIGH), 0, stream>>>(mine.count, wide, mine.begin,
                                                                    turn ? turned.s.near : NULL, turned.s.far,
                                                                    turned.s.far_shift, from, d_packed);
        CUDA(cudaGetLastError());
    }
    all_to_all(counts, at, its_counts, its_at);
    for (int r = 0; r < mpi_ranks(); r++)
        if (its_counts[r] > 0)
            CUDA(cudaMemcpy2DAsync(to + mine.offsets[r], length * sizeof *to, d_received + its_at[r],
                                   mine.counts[r] * sizeof *to, mine.counts[r] * sizeof *to, its.count,
                                   cudaMemcpyDeviceToDevice, stream));
    free(counts);
}

/* --- phases ------------------------------------------------------------------------------------------ */

/* Returns the factor of n next to its root, such that lines of both factors fit in a block; 0: there is none. */
static size_t factor_of(size_t n)
{
    for (size_t f = (size_t)sqrt((double)n) + 1; f > 0; f--)
        if (n % f == 0 && f <= n / f)
            return whole_fits(n / f) ? f : 0;
    return 0;
}

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const char *why = ranks_refuse();

    why = why != NULL ? why : mpi_too_many(p->batch * p->n);
    if (why != NULL || p->batch >= (size_t)mpi_ranks())
        return why != NULL ? why : refuse_length(problem);
    return p->batch == 0 || factor_of(p->n) > 0 ? NULL : "n has no two factors whose lines fit in a block";
}

static void prepare_shared(size_t n)
{
    n1 = factor_of(n);
    n2 = n / n1;
    n1s = mpi_cut(n1);
    n2s = mpi_cut(n2);
    columns = kernel_whole(line_make(n1), n2s.count);
    rows = kernel_whole(line_make(n2), n1s.count);
    turned.s.l.n = (unsigned)n1;
    turned.s.others = (unsigned)n2;
    turned.s.inner = 1;
    roots_make(&turned);

    const size_t as_rows = n1s.count * n2, as_columns = n2s.count * n1;
    const size_t room = (as_rows > as_columns ? as_rows : as_columns) * sizeof(float2);

    for (float2 **d : {&d_lines, &d_transformed, &d_packed, &d_received})
        CUDA(cudaMalloc(d, room));
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    ranks_begin();
    many = p->batch >= (size_t)mpi_ranks();
    signals = mpi_cut(p->batch);
    n1s = n2s = {};
    d_lines = d_transformed = d_packed = d_received = NULL;
    if (many) {
        const struct fft mine = {signals.count, p->n, NULL, NULL};

        prepare_length(&mine);
    } else if (p->batch > 0) {
        prepare_shared(p->n);
    }

    const size_t in = many ? signals.count * p->n : p->batch * n1s.count * n2;
    const size_t out = many ? in : p->batch * n2s.count * n1;

    CUDA(cudaMalloc(&d_x, in * sizeof *d_x));
    CUDA(cudaMalloc(&d_X, out * sizeof *d_X));
    CUDA(cudaDeviceSynchronize()); /* tables are made in the default stream */
}

static void upload(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (many)
        ranks_scatter(&signals, p->n * sizeof *d_x, p->x, d_x);
    for (size_t b = 0; !many && b < p->batch; b++)
        ranks_scatter(&n1s, n2 * sizeof *d_x, p->x != NULL ? p->x + b * p->n : NULL, d_x + b * n1s.count * n2);
}

static void transform(const kernel &k, const float2 *from, float2 *to)
{
    const auto function = kernels_of[k.from][k.to][k.chirp];
    const size_t shared = k.s.side * line_bytes(k.s.l);

    if (k.blocks == 0)
        return;
    if (shared > 48 << 10)
        CUDA(cudaFuncSetAttribute((const void *)function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    function<<<k.blocks, dim3(k.s.l.threads, k.s.side), shared, stream>>>(k.s, from, to);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (many && signals.count > 0)
        run_length(d_x, d_X);
    for (size_t b = 0; !many && b < p->batch; b++) {
        exchange(n1s, n2s, false, d_x + b * n1s.count * n2, d_lines);
        transform(columns, d_lines, d_transformed);
        exchange(n2s, n1s, true, d_transformed, d_lines);
        transform(rows, d_lines, d_transformed);
        exchange(n1s, n2s, false, d_transformed, d_X + b * n2s.count * n1);
    }
}

static void download(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (many)
        ranks_gather(&signals, p->n * sizeof *d_X, d_X, p->X);
    for (size_t b = 0; !many && b < p->batch; b++)
        ranks_gather(&n2s, n1 * sizeof *d_X, d_X + b * n2s.count * n1, p->X != NULL ? p->X + b * p->n : NULL);
}

static void release(void)
{
    release_length();
    for (float2 *d : {d_x, d_X, d_lines, d_transformed, d_packed, d_received})
        CUDA(cudaFree(d));
    mpi_cut_free(&signals);
    mpi_cut_free(&n1s);
    mpi_cut_free(&n2s);
    ranks_end();
}

#endif
