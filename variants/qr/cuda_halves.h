/*
 * The two products of Cholesky's QR on tensor cores, of operands in two halves each (../matmul/split.h):
 *
 *     G = X'X    the tiles on and above the diagonal; sums over `chunk` rows, joined in float64
 *     Q = X S    S is upper triangular, so a tile sums only over the rows of S down to its own last column
 *
 * A cluster of two blocks has a tile of 256 x 192, as in ../matmul/split_product.h, with which this shares ring and layout.
 * In G both operands lie with the sum's index along rows; wgmma transposes either of them on the way.
 */
#ifndef RUNGS_QR_CUDA_HALVES_H
#define RUNGS_QR_CUDA_HALVES_H

#include "../matmul/hopper.h" /* tensor_map, fetch, products_begin, ... */
#include "../matmul/ring.h"   /* how fetching and multiplying threads meet; BLOCKS, THREADS */
#include "../matmul/split.h"  /* HIGH, LOW; split_rows, split_columns; exponent, TOP */
#include "cuda_panels.h"      /* finished, good_at_once */

enum {
    TILE_M = 128,
    TILE_N = 192,
    SLICE = ROW / 2,        /* of the sum: a row of a box */
    BOXES = TILE_N / SLICE, /* of the right operand, side by side */
    STAGES = 2,
    BAND = 8, /* rows of tiles that are done column by column */
    UNITY = 0x3f800000 /* 1.0f, as the largest element of a column of Q */
};

struct slices {
    __half a[2][TILE_M][SLICE], b[2][BOXES][SLICE][SLICE];
};

typedef ring_of<slices, STAGES> slice_ring;

struct maps {
    CUtensorMap a[2], b[2];
};

/* sum (+)= 64 rows of A, 16 columns, times 16 rows of B.  TURNED: A's columns lie where its rows would. */
template <bool TURNED, bool ADD> __device__ static void multiply(float sum[96], uint64_t a, uint64_t b)
{
    asm volatile("{.reg .pred add; setp.ne.u32 add, %98, 0; "
                 "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 " PLACES96
                 "}, %96, %97, add, 1, 1, %99, 1;}"
                 : SUMS32(sum, 0), SUMS32(sum, 32), SUMS32(sum, 64)
                 : "l"(a), "l"(b), "n"(ADD), "n"(TURNED));
}

/* The group's part of the left operand, from the l-th of the sum on.  Of a turned one, a box of 64 columns. */
template <bool TURNED> __device__ static uint64_t left_of(const __half (*a)[SLICE], unsigned group, unsigned l)
{
    return TURNED ? descriptor(&a[group * 64 + l][0]) : descriptor(&a[group * 64][l]);
}

/* sum = 64 rows of A times B, for one slice.  The small products come first, while the sum is small. */
template <bool TURNED> __device__ static void multiply_slice(float sum[96], const struct slices *from, unsigned group)
{
    products_begin();
#pragma unroll
    for (unsigned l = 0; l < SLICE; l += 16) {
        const uint64_t a_high = left_of<TURNED>(from->a[HIGH], group, l), a_low = left_of<TURNED>(from->a[LOW], group, l);
        const uint64_t b_high = descriptor(from->b[HIGH][0][l], sizeof from->b[HIGH][0]);
        const uint64_t b_low = descriptor(from->b[LOW][0][l], sizeof from->b[LOW][0]);

        if (l == 0)
            multiply<TURNED, false>(sum, a_high, b_low);
        else
            multiply<TURNED, true>(sum, a_high, b_low);
        multiply<TURNED, true>(sum, a_low, b_high);
    }
#pragma unroll
    for (unsigned l = 0; l < SLICE; l += 16)
        multiply<TURNED, true>(sum, left_of<TURNED>(from->a[HIGH], group, l),
                               descriptor(from->b[HIGH][0][l], sizeof from->b[HIGH][0]));
    products_end();
    products_wait<0>();
}

/* What a cluster computes: a tile, and of the sum `count` slices from `slice` on. */
struct job {
    size_t i0, j0, slice, count;
};

/* The tiles of G that have something above the diagonal, each so many times as there are chunks. */
struct gram_jobs {
    size_t m, n, chunk; /* of slices */

    __device__ bool take(size_t index, struct job *job) const
    {
        const size_t slices = (m + SLICE - 1) / SLICE, chunks = (slices + chunk - 1) / chunk;
        const size_t down = (n + BLOCKS * TILE_M - 1) / (BLOCKS * TILE_M), across = (n + TILE_N - 1) / TILE_N;
        size_t tile = index / chunks, y = 0;

        for (; y < down; y++) {
            const size_t first = y * BLOCKS * TILE_M / TILE_N; /* the first tile that reaches the diagonal */
            if (tile < across - first) {
                job->j0 = (first + tile) * TILE_N;
                break;
            }
            tile -= across - first;
        }
        job->i0 = (y * BLOCKS + cluster_rank()) * TILE_M;
        job->slice = index % chunks * chunk;
        job->count = min(chunk, slices - job->slice);
        return y < down;
    }
};

struct triangle_jobs {
    size_t m, n;

    __device__ bool take(size_t index, struct job *job) const
    {
        const tiles_of<TILE_M, TILE_N, BAND> tiles(m, n);

        if (index >= tiles.down * tiles.across)
            return false;
        tiles.place(index, &job->i0, &job->j0);
        job->slice = 0;
        job->count = (min(n, job->j0 + TILE_N) + SLICE - 1) / SLICE;
        return true;
    }
};

/* The group that fetches: one thread. */
template <bool TURNED, class jobs_of>
__device__ static void fetch_jobs(slice_ring *ring, const jobs_of &jobs, const struct maps *maps)
{
    const unsigned rank = cluster_rank();
    struct turn turn = {};
    struct job job;

    for (size_t index = blockIdx.x / BLOCKS; jobs.take(index, &job); index += gridDim.x / BLOCKS)
        for (size_t slice = 0; slice < job.count; slice++) {
            struct slices *to = &ring->stage[turn.at];
            uint64_t *full = &ring->full[turn.at];
            const size_t l = (job.slice + slice) * SLICE;

            barrier_wait(&ring->empty[turn.at], ~turn.round & 1);
            barrier_expect(full, sizeof *to);
            for (int piece = HIGH; piece <= LOW; piece++)
                if (TURNED) {
                    fetch(to->a[piece], &maps->a[piece], l, job.i0, full);
                    fetch(to->a[piece][SLICE], &maps->a[piece], l, job.i0 + SLICE, full);
                } else {
                    fetch(to->a[piece], &maps->a[piece], job.i0, l, full);
                }
            for (unsigned box = 0; box < BOXES; box++)
                fetch_for((1 << BLOCKS) - 1, to->b[rank][box], &maps->b[rank], l, job.j0 + box * SLICE, full);
            next(ring, &turn);
        }
}

/* The groups that multiply.  done(job, row, sum): puts a thread's sums of a tile; of row `row` it has columns t % 4 * 2 and
   the next one of every eight, sum[4 q] and sum[4 q + 1]. */
template <bool TURNED, class jobs_of, class function>
__device__ static void multiply_jobs(slice_ring *ring, const jobs_of &jobs, function done)
{
    const unsigned group = threadIdx.x / GROUP - 1, t = threadIdx.x % GROUP;
    struct turn turn = {};
    struct job job;

    for (size_t index = blockIdx.x / BLOCKS; jobs.take(index, &job); index += gridDim.x / BLOCKS) {
        float sum[96] = {}, part[96];

        for (size_t slice = 0; slice < job.count; slice++) {
            multiply_slice<TURNED>(part, ring_take(ring, turn), group);
            ring_release(ring, turn.at, t);
#pragma unroll
            for (unsigned q = 0; q < 96; q++)
                sum[q] += part[q];
            next(ring, &turn);
        }
        done(job, job.i0 + group * 64 + t / 32 * 16 + t % 32 / 4, sum);
    }
}

/* gram += X'X.  largest: of each column of X, as bits, by which its pieces are scaled */
__global__ static void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(THREADS, 1)
    qr_gram_halves(struct gram_jobs jobs, const __grid_constant__ struct maps maps, const unsigned *largest, double *gram,
                   const struct guard *guard, int pass)
{
    extern __shared__ __align__(UNIT) unsigned char memory[];
    slice_ring *ring = (slice_ring *)memory;

    if (finished(guard, pass))
        return;
    ring_init(ring);
    if (threadIdx.x / GROUP == 0) {
        registers_down<40>();
        if (threadIdx.x == 0)
            fetch_jobs<true>(ring, jobs, &maps);
    } else {
        registers_up<232>();
        multiply_jobs<true>(ring, jobs, [&](const struct job &job, size_t row, const float *sum) {
#pragma unroll
            for (unsigned half = 0; half < 2; half++) {
                const size_t i = row + half * 8;
#pragma unroll
                for (unsigned q = 0; q < TILE_N / 4; q++) {
                    const size_t j = job.j0 + q / 2 * 8 + threadIdx.x % 4 * 2 + q % 2;
                    if (i <= j && j < jobs.n)
                        atomicAdd(&gram[i * jobs.n + j], ldexp((double)sum[q / 2 * 4 + half * 2 + q % 2],
                                                               exponent(largest[i]) + exponent(largest[j]) - 2 * TOP));
                }
            }
        });
    }
    cluster_wait(); /* the other block may still write here */
}

/* Q = X S.  The last pass writes Q, one before it Q's two pieces.  largest: of each column of S */
__global__ static void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(THREADS, 1)
    qr_solve_halves(struct triangle_jobs jobs, const __grid_constant__ struct maps maps, const unsigned *largest, float *q,
                    __half *pieces, size_t stride, const struct guard *guard, int pass)
{
    extern __shared__ __align__(UNIT) unsigned char memory[];
    slice_ring *ring = (slice_ring *)memory;
    const size_t m = jobs.m, n = jobs.n;

    if (pass > 0 && finished(guard, pass))
        return;
    const bool last = pass > 0 ? guard->off[pass] <= 0.25 || pass == MOST_WIDE - 1 : good_at_once(guard);
    ring_init(ring);
    if (threadIdx.x / GROUP == 0) {
        registers_down<40>();
        if (threadIdx.x == 0)
            fetch_jobs<false>(ring, jobs, &maps);
    } else {
        registers_up<232>();
        multiply_jobs<false>(ring, jobs, [&](const struct job &job, size_t row, const float *sum) {
#pragma unroll
            for (unsigned half = 0; half < 2; half++) {
                const size_t i = row + half * 8;
                if (i >= m)
                    continue;
#pragma unroll
                for (unsigned of = 0; of < TILE_N / 8; of++) {
                    const size_t j = job.j0 + of * 8 + threadIdx.x % 4 * 2;
                    if (j >= n)
                        continue;
                    const float x = ldexpf(sum[of * 4 + half * 2], exponent(largest[j]) - 2 * TOP);
                    const float y = j + 1 < n ? ldexpf(sum[of * 4 + half * 2 + 1], exponent(largest[j + 1]) - 2 * TOP) : 0.0f;
                    if (last) {
                        put(q + i * n, j, n, x, y);
                    } else {
                        __half2 high, low;
                        split(x * power(TOP), &high.x, &low.x);
                        split(y * power(TOP), &high.y, &low.y);
                        *(__half2 *)&pieces[i * stride + j] = high;
                        *(__half2 *)&pieces[(m + i) * stride + j] = low;
                    }
                }
            }
        });
    }
    cluster_wait();
}

#endif
