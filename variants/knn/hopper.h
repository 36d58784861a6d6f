/*
 * The sweep of cuda_wgmma, for it, for cuda_topk_wgmma and for cuda_multi_wgmma.  cuda_wgmma explains it.
 *
 * A block is four warps, the number that gives the instruction together.  It has ROUNDS x 64
 * observations; all blocks go through all chunks of references, with two chunks in shared memory.  A
 * chunk takes 2 products for each round:
 *
 *               columns 0 .. 127      128 .. 255  of the chunk
 *              +-------------------+-------------------+
 *     warp 0   |  16 rows          |  16 rows          |     a thread has two rows (8 apart) of its
 *     warp 1   |  16 rows          |  16 rows          |     warp's 16, and every fourth pair of
 *     warp 2   |  16 rows          |  16 rows          |     columns: 64 sums of a product, 32 a row
 *     warp 3   |  16 rows          |  16 rows          |     (cuda_halves.h has the lanes)
 *              +-------------------+-------------------+
 *               product: step 2r     step 2r + 1            of round r
 *
 *     tensor cores   | step 0 | step 1 | step 2 | step 3 | ...      sums go to set 0, 1, 0, 1, ...
 *     the warps               | minima | minima | minima | ...      of set 0, 1, 0, ...
 *                               of 0     of 1     of 2
 *
 * The code is long because the instruction names each of its 64 registers of sums.
 */
#ifndef RUNGS_KNN_HOPPER_H
#define RUNGS_KNN_HOPPER_H

#include <cuda_pipeline.h> /* __pipeline_memcpy_async and others: copies in the background */

#include "cuda_halves.h" /* knn_halves, put_observation, keep_best, after_chunk, after_sweep */
#include "cuda_refine.h" /* answer, refine_doubts */

enum {
    THREADS = 128,            /* those that give the instruction together */
    ROWS = 64, COLUMNS = 128, /* observations and references of a product */
    SUMS = ROWS * COLUMNS / THREADS,
    BLOCKS = 3,               /* on a multiprocessor: as many as there are registers for */
    PIECES = CHUNK / COLUMNS, /* of a chunk */
    LONG = 4, SHORT = 2,      /* rounds: products of a block with the same references */
    SETS = 2                  /* of sums: the tensor cores write one, the warps read the other */
};

/* Describes a matrix in shared memory to wgmma: its address, and the distances from one piece of 8 rows
   by 16 bytes to the next, along the row (128 bytes) and down (256), all in units of 16 bytes. */
__device__ static unsigned long long descriptor(const uint4 *rows)
{
    const unsigned long long place = (unsigned long long)__cvta_generic_to_shared(rows) >> 4;

    return (place & 0x3fff) | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define SUMS64 SUMS16(0), SUMS16(16), SUMS16(32), SUMS16(48)
#define PLACES                                                                                     \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
    "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, " \
    "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, " \
    "%56, %57, %58, %59, %60, %61, %62, %63}"

/* Starts a product.  Its sums must not be touched until await(). */
__device__ static void multiply(float (&sum)[SUMS], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{.reg .pred add; setp.ne.u32 add, 0, 0; "
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " PLACES
                 ", %64, %65, add, 1, 1, 0, 0;}"
                 : SUMS64
                 : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most UNDER_WAY of the products that were started are unfinished.  `sum` is an operand so
   that the compiler reads these sums after the wait. */
template <int UNDER_WAY> __device__ static void await(float (&sum)[SUMS])
{
    asm volatile("wgmma.wait_group.sync.aligned %64;" : SUMS64 : "n"(UNDER_WAY) : "memory");
}

/* Lowers *least to the least of this thread's scores of one of its two rows.  The minima of two rows do
   not depend on each other, so one chain for each is enough. */
__device__ static void compare(int *least, const float (&sum)[SUMS], int row)
{
#pragma unroll
    for (int i = 0; i < SUMS / 4; i++)
        *least = __vimin3_s32(*least, __float_as_int(sum[4 * i + 2 * row]),
                              __float_as_int(sum[4 * i + 2 * row + 1]));
}

/* Starts to copy a chunk, if there is one, to shared memory. */
__device__ static void fetch(uint4 *stage, const uint4 *rows, unsigned chunk, unsigned chunks)
{
    if (chunk < chunks) {
        rows += (size_t)chunk * CHUNK * 2 + threadIdx.x;
#pragma unroll
        for (int r = 0; r < CHUNK * 2; r += THREADS)
            __pipeline_memcpy_async(&stage[threadIdx.x + r], &rows[r], sizeof *rows);
    }
    __pipeline_commit();
}

/* Waits for this thread's copies, and makes those of all threads visible to all of them and to the tensor
   cores.  The fence is one of shared memory alone: one of all memory would wait for the device's. */
__device__ static void arrived(void)
{
    __pipeline_wait_prior(0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

/* A block answers its own observations, while other blocks' products are under way.  `room` has at least
   their size. */
template <unsigned OWN>
__device__ static void answer_all(nearest_sweep s, points obs, size_t first, float4 *room)
{
    __syncthreads(); /* all entries of found[] are written */
    for (unsigned r = threadIdx.x; r < OWN; r += THREADS)
        answer(s, obs, first + r, room + r / WARP * WARP);
}

/* SWEEP says what is kept of each row: for nearest_sweep, the best tile. */
template <int ROUNDS, class SWEEP>
__global__ static void __launch_bounds__(THREADS, BLOCKS)
    knn_wgmma(SWEEP s, const uint4 *rows, points obs)
{
    constexpr int OWN = ROWS * ROUNDS, STEPS = ROUNDS * PIECES; /* observations; products a chunk */
    __shared__ alignas(128) uint4 own[ROUNDS][ROWS * 2], stage[2][CHUNK * 2];
    const size_t first = (size_t)blockIdx.x * OWN;
    const unsigned lane = threadIdx.x % WARP, quarter = lane % QUARTERS;
    const size_t row = first + threadIdx.x / WARP * 16 + lane / QUARTERS; /* this thread's first */
    typename SWEEP::kept best[2 * ROUNDS];
    float sum[SETS][SUMS];

    for (unsigned r = threadIdx.x; r < OWN; r += THREADS) {
        const size_t i = first + r < obs.count ? first + r : obs.count - 1;

        put_observation(own[r / ROWS], r % ROWS, unit_vector(obs.lat[i], obs.lon[i]));
    }
#pragma unroll
    for (int i = 0; i < SETS * SUMS; i++)
        sum[i / SUMS][i % SUMS] = 0; /* the product does not add to them, but they are its operands */
    fetch(stage[0], rows, 0, s.chunks);
    arrived();

    const unsigned long long a = descriptor(own[0]);

    multiply(sum[0], a, descriptor(stage[0]));
    fetch(stage[1], rows, 1, s.chunks);
    await<0>(sum[0]); /* the compiler needs none to be under way where a loop begins */
    for (unsigned c = 0; c < s.chunks; c++) {
        const unsigned long long b = descriptor(stage[c % 2]);
        int least[2] = {};

#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            const int next = step + 1, round = step / PIECES;

            if (next < STEPS) {
                multiply(sum[next % SETS], a + next / PIECES * (ROWS * 2),
                         b + next % PIECES * (COLUMNS * 2));
                await<1>(sum[step % SETS]);
            } else { /* on to the next chunk; after the last, that one again, and nothing reads it */
                await<0>(sum[step % SETS]);
                arrived();
                multiply(sum[0], a, descriptor(stage[min(c + 1, s.chunks - 1) % 2]));
                fetch(stage[c % 2], rows, c + 2, s.chunks);
            }
#pragma unroll
            for (int half = 0; half < 2; half++) {
                if (step % PIECES == 0)
                    least[half] = farthest;
                compare(&least[half], sum[step % SETS], half);
                if (next % PIECES == 0)
                    keep_best(&best[2 * round + half], least[half], c * QUARTERS + quarter);
            }
        }
        after_chunk<ROWS>(s, row, c, best);
        await<0>(sum[0]);
    }
    after_sweep<ROWS>(s, obs, row, best);
    answer_all<OWN>(s, obs, first, (float4 *)own);
}

/* Prepares the references and sweeps over them. */
template <int ROUNDS, class SWEEP>
static void sweep_by_wgmma(SWEEP s, uint4 *rows, points obs, cudaStream_t stream)
{
    const unsigned blocks = blocks_of(obs.count, ROWS * ROUNDS);

    knn_halves<<<s.chunks, CHUNK, 0, stream>>>(s, rows);
    CUDA(cudaGetLastError());
    knn_wgmma<ROUNDS><<<blocks, THREADS, 0, stream>>>(s, rows, obs);
    CUDA(cudaGetLastError());
}

/* Are there too few observations for BLOCKS of LONG rounds on each multiprocessor? */
[[maybe_unused]] static bool is_short(points obs)
{
    int device, processors;

    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return blocks_of(obs.count, ROWS * LONG) < (unsigned)(processors * BLOCKS);
}

/* The nearest reference of each observation, k = 1 */
[[maybe_unused]] static void nearest_by_wgmma(nearest_sweep s, uint4 *rows, points obs,
                                              cudaStream_t stream, refined most = any_number)
{
    if (is_short(obs))
        sweep_by_wgmma<SHORT>(s, rows, obs, stream);
    else
        sweep_by_wgmma<LONG>(s, rows, obs, stream);
    refine_doubts(s, obs, stream, most);
}

static const char *wgmma_refuse(void)
{
    int major, minor;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    return major != 9 || minor != 0 ? "wgmma is an instruction of compute capability 9.0 alone" : NULL;
}

#endif
