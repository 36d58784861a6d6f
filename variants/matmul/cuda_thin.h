/*
 * Products with one short side, for cuda_any_shape.  The short side lives in registers, and the largest of the three
 * matrices passes by once:
 *
 *     few rows              few columns             short sums
 *     C = A * B             C   = A   * B           C = A * B
 *     -   -   ###           |     ###   |           ###   |   -
 *             ###           |     ###   |           ###   |
 *     B is read             A is read               C is written
 *
 * All accesses to the large matrix are of four bytes a lane, 128 a warp.  So it does not matter at which address a row
 * begins.  They suffice: the memory of an H200 delivers 19 bytes per cycle to a multiprocessor.
 *
 * The first two share k among blocks where there are too few blocks otherwise.  Block y of a grid writes its sums to
 * to[y][m][n].  All sums are added in an order that depends on the shape alone.
 */
#ifndef RUNGS_MATMUL_CUDA_THIN_H
#define RUNGS_MATMUL_CUDA_THIN_H

#include <cuda_pipeline.h>

enum {
    THIN = 16,          /* the longest short side */
    THIN_THREADS = 256, /* of a block */
    WARPS = THIN_THREADS / 32
};

/* Returns how many blocks a multiprocessor holds at once. */
__host__ __device__ static constexpr unsigned few_rows_blocks(unsigned rows)
{
    return rows <= 4 ? 4 : rows <= 8 ? 3 : 2;
}

enum { FEW_COLUMNS_BLOCKS = 2 };

/* --- few rows --------------------------------------------------------------------------------- */

enum { ROW_COLUMNS = 64 }; /* of C, per block */

/*
 * Up to ROWS rows of C.  A lane has columns j and j + 32.  Each warp takes 32 of the sum's products at a time: A's
 * factors go through shared memory, where all lanes read the same ones, and B's come straight from global memory.
 */
template <unsigned ROWS>
__global__ static void __launch_bounds__(THIN_THREADS, few_rows_blocks(ROWS))
    matmul_few_rows(size_t m, size_t n, size_t k, const float *a, const float *b, size_t share,
                    float *to)
{
    enum { PITCH = ROWS < 4 ? ROWS : ROWS + 4 }; /* lanes that write at once meet different banks */
    enum { FACTORS = 32 * PITCH, SUMS = ROWS * ROW_COLUMNS, FLOATS = FACTORS > SUMS ? FACTORS : SUMS };
    __shared__ __align__(16) float memory[WARPS][FLOATS];
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t j0 = (size_t)blockIdx.x * ROW_COLUMNS;
    const size_t first = blockIdx.y * share, end = min(first + share, k);
    const float *b0 = b + min(j0 + lane, n - 1), *b1 = b + min(j0 + 32 + lane, n - 1);
    float *const factors = memory[warp];
    float sum[ROWS][2] = {}, next[ROWS];

    /* The next factors are under way while the present ones are used. */
#pragma unroll
    for (unsigned i = 0; i < ROWS; i++)
        next[i] = i < m && first + 32 * warp + lane < end ? a[i * k + first + 32 * warp + lane] : 0;
    for (size_t l = first + 32 * warp; l < end; l += THIN_THREADS) {
        const size_t ahead = l + THIN_THREADS + lane;
        const unsigned depth = (unsigned)min((size_t)32, end - l);

        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < ROWS; i++)
            factors[lane * PITCH + i] = next[i];
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < ROWS; i++)
            next[i] = i < m && ahead < end ? a[i * k + ahead] : 0;

        const float *row0 = b0 + l * n, *row1 = b1 + l * n;
#pragma unroll 8
        for (unsigned u = 0; u < depth; u++) {
            const float v0 = row0[u * n], v1 = row1[u * n];

#pragma unroll
            for (unsigned i = 0; i < ROWS; i++) {
                sum[i][0] += factors[u * PITCH + i] * v0;
                sum[i][1] += factors[u * PITCH + i] * v1;
            }
        }
    }

    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < ROWS; i++) {
        memory[warp][i * ROW_COLUMNS + lane] = sum[i][0];
        memory[warp][i * ROW_COLUMNS + 32 + lane] = sum[i][1];
    }
    __syncthreads();
    for (unsigned e = threadIdx.x; e < SUMS; e += THIN_THREADS) {
        const size_t i = e / ROW_COLUMNS, j = j0 + e % ROW_COLUMNS;
        float total = 0;

        for (unsigned w = 0; w < WARPS; w++)
            total += memory[w][e];
        if (i < m && j < n)
            to[(blockIdx.y * m + i) * n + j] = total;
    }
}

/* --- few columns ------------------------------------------------------------------------------ */

enum {
    COLUMN_ROWS = 4, /* of C, per warp */
    STEPS = 8,       /* of 32 products, of which A's factors are under way */
    CHUNK = 32 * STEPS
};

/*
 * Adds up COUNT sums over the lanes of a warp.  At each step a lane keeps half of its sums, and gives the other half
 * to the lane that keeps those.  Afterwards sum[0] is number `lane * COUNT / 32` (if COUNT < 32, in several lanes), and
 * those that follow are sum[1], ...
 */
template <unsigned COUNT> __device__ static void add_lanes(float sum[COUNT], unsigned lane)
{
    unsigned count = COUNT;

#pragma unroll
    for (unsigned other = 16; other > 0; other /= 2) {
        const bool upper = lane & other;

        if (count == 1) {
            sum[0] += __shfl_xor_sync(0xffffffff, sum[0], other);
            continue;
        }
        count /= 2;
#pragma unroll
        for (unsigned q = 0; q < COUNT / 2; q++)
            if (q < count) {
                const float give = upper ? sum[q] : sum[q + count];
                const float keep = upper ? sum[q + count] : sum[q];

                sum[q] = keep + __shfl_xor_sync(0xffffffff, give, other);
            }
    }
}

/* Up to N columns of C.  The lanes of a warp lie along k, each with products for COLUMN_ROWS rows.  B's factors go
   through shared memory, a chunk in use and one being copied. */
template <unsigned N>
__global__ static void __launch_bounds__(THIN_THREADS, FEW_COLUMNS_BLOCKS)
    matmul_few_columns(size_t m, size_t n, size_t k, const float *a, const float *b, size_t share,
                       float *to)
{
    enum { PITCH = N < 4 ? N : N + 4, COUNT = COLUMN_ROWS * N };
    __shared__ __align__(16) float factors[2][CHUNK][PITCH];
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    const size_t i0 = ((size_t)blockIdx.x * WARPS + warp) * COLUMN_ROWS;
    const size_t first = blockIdx.y * share, end = min(first + share, k);
    const float *row[COLUMN_ROWS];
    float sum[COLUMN_ROWS * N] = {}, next[STEPS][COLUMN_ROWS];

    /* Copies the chunk that begins at l, with zeros beyond the last product.  Columns beyond C are never stored, so any
       column of B will do for them. */
    const float *from = b + (first + t / N) * n + min(t % N, (unsigned)n - 1);
    const auto copy_chunk = [&](size_t l, unsigned at) {
        float *copy_to = &factors[at][t / N][t % N];

        if (l + CHUNK <= end) {
#pragma unroll
            for (unsigned r = 0; r < CHUNK; r += THIN_THREADS / N)
                if (CHUNK % (THIN_THREADS / N) == 0 || r + t / N < CHUNK)
                    __pipeline_memcpy_async(copy_to + r * PITCH, from + r * n, sizeof(float));
        } else {
            for (unsigned r = 0; r + t / N < CHUNK; r += THIN_THREADS / N) {
                const bool there = l + r + t / N < end;

                __pipeline_memcpy_async(copy_to + r * PITCH, there ? from + r * n : b, sizeof(float),
                                        there ? 0 : sizeof(float));
            }
        }
        __pipeline_commit();
        from += CHUNK * n;
    };
    /* Step s of the chunk that begins at l; row[] points to it.  Sums of rows below C are never stored. */
    const auto fetch = [&](unsigned s, size_t l) {
        const bool there = l + 32 * s + lane < end;

#pragma unroll
        for (unsigned r = 0; r < COLUMN_ROWS; r++)
            next[s][r] = there ? row[r][32 * s] : 0;
    };

    copy_chunk(first, 0);
#pragma unroll
    for (unsigned r = 0; r < COLUMN_ROWS; r++)
        row[r] = a + min(i0 + r, m - 1) * k + first + lane;
#pragma unroll
    for (unsigned s = 0; s < STEPS; s++)
        fetch(s, first);
    unsigned now = 0;
    for (size_t l = first; l < end; l += CHUNK) {
        __pipeline_wait_prior(0);
        __syncthreads(); /* the chunk is there, and nothing reads the other one any more */
        copy_chunk(l + CHUNK, 1 - now);
#pragma unroll
        for (unsigned r = 0; r < COLUMN_ROWS; r++)
            row[r] += CHUNK;
#pragma unroll
        for (unsigned s = 0; s < STEPS; s++) {
            float mine[N];

#pragma unroll
            for (unsigned q = 0; q < N; q++)
                mine[q] = factors[now][32 * s + lane][q];
#pragma unroll
            for (unsigned q = 0; q < N; q++)
#pragma unroll
                for (unsigned i = 0; i < COLUMN_ROWS; i++) { /* back and forth, as in async.h */
                    const unsigned r = q % 2 == 0 ? i : COLUMN_ROWS - 1 - i;

                    sum[r * N + q] += next[s][r] * mine[q];
                }
            fetch(s, l + CHUNK);
        }
        now = 1 - now;
    }
    __pipeline_wait_prior(0);

    add_lanes<COUNT>(sum, lane);
    const unsigned kept = COUNT > 32 ? COUNT / 32 : 1;
#pragma unroll
    for (unsigned q = 0; q < kept; q++) {
        const unsigned e = lane * COUNT / 32 + q;
        const size_t i = i0 + e / N, j = e % N;

        if ((COUNT >= 32 || lane % (32 / COUNT < 1 ? 1 : 32 / COUNT) == 0) && i < m && j < n)
            to[(blockIdx.y * m + i) * n + j] = sum[q];
    }
}

/* --- short sums ------------------------------------------------------------------------------- */

enum { SHORT_ROWS = 128, SHORT_SIDE = 4 }; /* of C: rows per block; rows and columns per thread, at a time */

/* Sums of up to K products.  ACROSS threads of a block lie side by side.  Each keeps its four columns of B, ACROSS
   apart, and goes down the rows by fours. */
template <unsigned K, unsigned ACROSS>
__global__ static void __launch_bounds__(THIN_THREADS, 2)
    matmul_short_sums(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) float factors[K][SHORT_ROWS + 4];
    const size_t blocks = (n + ACROSS * SHORT_SIDE - 1) / (ACROSS * SHORT_SIDE); /* side by side */
    const size_t i0 = blockIdx.x / blocks * SHORT_ROWS;
    const size_t j = blockIdx.x % blocks * (ACROSS * SHORT_SIDE) + threadIdx.x % ACROSS;
    const unsigned high = (unsigned)min((size_t)SHORT_ROWS, m - i0);
    float column[K][SHORT_SIDE];

    for (unsigned e = threadIdx.x; e < SHORT_ROWS * K; e += THIN_THREADS)
        factors[e % K][e / K] = e % K < k && e / K < high ? a[(i0 + e / K) * k + e % K] : 0;
#pragma unroll
    for (unsigned l = 0; l < K; l++)
#pragma unroll
        for (unsigned q = 0; q < SHORT_SIDE; q++)
            column[l][q] = l < k && j + q * ACROSS < n ? b[l * n + j + q * ACROSS] : 0;
    __syncthreads();

    const unsigned first = threadIdx.x / ACROSS * SHORT_SIDE, step = THIN_THREADS / ACROSS * SHORT_SIDE;
    float *to = c + (i0 + first) * n + j;

#pragma unroll 1
    for (unsigned i = first; i < high; i += step, to += step * n) {
        float sum[SHORT_SIDE][SHORT_SIDE] = {};

#pragma unroll
        for (unsigned l = 0; l < K; l++) {
            const float4 four = *(const float4 *)&factors[l][i];
            const float row[] = {four.x, four.y, four.z, four.w};

#pragma unroll
            for (unsigned r = 0; r < SHORT_SIDE; r++)
#pragma unroll
                for (unsigned s = 0; s < SHORT_SIDE; s++) {
                    const unsigned q = r % 2 == 0 ? s : SHORT_SIDE - 1 - s;

                    sum[r][q] += row[r] * column[l][q];
                }
        }
        if (i + SHORT_SIDE <= high && j + (SHORT_SIDE - 1) * ACROSS < n) {
#pragma unroll
            for (unsigned r = 0; r < SHORT_SIDE; r++)
#pragma unroll
                for (unsigned q = 0; q < SHORT_SIDE; q++)
                    __stcs(to + r * n + q * ACROSS, sum[r][q]);
        } else { /* at an edge of C */
#pragma unroll
            for (unsigned r = 0; r < SHORT_SIDE; r++)
#pragma unroll
                for (unsigned q = 0; q < SHORT_SIDE; q++)
                    if (i + r < high && j + q * ACROSS < n)
                        to[r * n + q * ACROSS] = sum[r][q];
        }
    }
}

/* --- parts ------------------------------------------------------------------------------------ */

enum { ADD_THREADS = 256, MOST_ADDERS = 32 };

/* c[e] = from[0][e] + from[1][e] + ... + from[count - 1][e].  `adders` threads have the same element: each adds some
   consecutive parts, and the first one adds these sums. */
__global__ static void __launch_bounds__(ADD_THREADS)
    matmul_add_thin(size_t elements, unsigned count, unsigned adders, const float *from, float *c)
{
    __shared__ float sums[ADD_THREADS];
    const unsigned width = ADD_THREADS / adders, adder = threadIdx.x / width;
    const size_t e = (size_t)blockIdx.x * width + threadIdx.x % width;
    const unsigned begin = count * adder / adders, end = count * (adder + 1) / adders;
    float sum = 0;

#pragma unroll 4
    for (unsigned q = begin; q < end; q++)
        sum += e < elements ? from[q * elements + e] : 0;
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned g = 1; g < adders && adder == 0; g++)
        sum += sums[g * width + threadIdx.x];
    if (adder == 0 && e < elements)
        c[e] = sum;
}

#endif
