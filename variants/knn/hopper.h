/*
 * The kernel of cuda_wgmma, for it and for cuda_multi_wgmma.  It is explained there.
 *
 * It is as long as it is for the operands: the instruction names each register of its sums.
 */
#ifndef RUNGS_KNN_HOPPER_H
#define RUNGS_KNN_HOPPER_H

#include <cuda_pipeline.h> /* __pipeline_memcpy_async and its kin: copies in the background */

#include "cuda_halves.h" /* knn_halves, put_observation, note, keep, finish, settle_halves */

enum {
    THREADS = 128,            /* who gives the instruction together */
    ROWS = 64, COLUMNS = 128, /* observations and references of a product */
    SUMS = ROWS * COLUMNS / THREADS,
    BLOCKS = 3,               /* on a multiprocessor: as many as there are registers for */
    PIECES = CHUNK / COLUMNS, /* of a chunk */
    LONG = 4, SHORT = 2,      /* rounds: products of a block with the same references */
    SETS = 2                  /* of sums: one to be made while the other one is looked at */
};

/* A matrix in shared memory, of pieces of 8 rows by 16 bytes, the two of a row side by side: the
   distances from piece to piece, along and down, all in units of 16 bytes. */
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

/* Begins a product: its sums may not be touched until it is awaited. */
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

/* Until all but so many of the products begun have ended, these sums among them */
template <int UNDER_WAY> __device__ static void await(float (&sum)[SUMS])
{
    asm volatile("wgmma.wait_group.sync.aligned %64;" : SUMS64 : "n"(UNDER_WAY) : "memory");
}

/* The least of a row's scores that this thread has.  The minima of two rows do not wait for each
   other, so one chain for each is enough. */
__device__ static void compare(int *least, const float (&sum)[SUMS], int row)
{
#pragma unroll
    for (int i = 0; i < SUMS / 4; i++)
        *least = __vimin3_s32(*least, __float_as_int(sum[4 * i + 2 * row]),
                              __float_as_int(sum[4 * i + 2 * row + 1]));
}

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

/* What this thread has copied has come, and now all of them see it, tensor cores too.  The fence is
   of shared memory alone: for all memory, each thread would wait for the whole device. */
__device__ static void arrived(void)
{
    __pipeline_wait_prior(0);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}

/* If the nearest is what is asked for, a block answers its own observations, while others' products
   are under way.  `room` is of their size. */
template <unsigned OWN>
__device__ static void answer_all(sweep s, points obs, size_t first, float4 *room, nearest)
{
    __syncthreads(); /* now all that is found of them is written */
    for (unsigned r = threadIdx.x; r < OWN; r += THREADS)
        answer(s, obs, first + r, room + r / WARP * WARP);
}

template <unsigned OWN>
__device__ static void answer_all(sweep, points, size_t, float4 *, recent)
{
}

/* What each row's scores are KEPT as: the nearest, or the recent. */
template <class KEPT, int ROUNDS>
__global__ static void __launch_bounds__(THREADS, BLOCKS)
    knn_wgmma(sweep s, const uint4 *rows, points obs)
{
    constexpr int OWN = ROWS * ROUNDS, STEPS = ROUNDS * PIECES; /* observations; products */
    __shared__ alignas(128) uint4 own[ROUNDS][ROWS * 2], stage[2][CHUNK * 2];
    const size_t first = (size_t)blockIdx.x * OWN;
    const unsigned lane = threadIdx.x % WARP, quarter = lane % QUARTERS;
    const size_t row = first + threadIdx.x / WARP * 16 + lane / QUARTERS; /* the first of ours */
    KEPT best[2 * ROUNDS];
    float sum[SETS][SUMS];

    for (unsigned r = threadIdx.x; r < OWN; r += THREADS) {
        const size_t i = first + r < obs.count ? first + r : obs.count - 1;

        put_observation(own[r / ROWS], r % ROWS, unit_vector(obs.lat[i], obs.lon[i]));
    }
#pragma unroll
    for (int i = 0; i < SETS * SUMS; i++)
        sum[i / SUMS][i % SUMS] = 0; /* never added to, but the instruction could */
    fetch(stage[0], rows, 0, s.chunks);
    arrived();

    const unsigned long long a = descriptor(own[0]);

    multiply(sum[0], a, descriptor(stage[0]));
    fetch(stage[1], rows, 1, s.chunks);
    await<0>(sum[0]); /* the compiler wants none to be under way as a loop begins */
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
            } else { /* on with the next chunk; after the last one with that again, for nobody */
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
                    note(&best[2 * round + half], least[half], c * QUARTERS + quarter);
            }
        }
        keep<ROWS>(s, row, c, best);
        await<0>(sum[0]);
    }
    finish<ROWS>(s, obs, row, best);
    answer_all<OWN>(s, obs, first, (float4 *)own, best[0]);
}

template <class KEPT, int ROUNDS>
static void sweep_by_wgmma(sweep s, const uint4 *rows, points obs, cudaStream_t stream)
{
    const unsigned blocks = blocks_of(obs.count, ROWS * ROUNDS);

    knn_wgmma<KEPT, ROUNDS><<<blocks, THREADS, 0, stream>>>(s, rows, obs);
    CUDA(cudaGetLastError());
}

/* Are there too few observations for BLOCKS of LONG rounds on each multiprocessor? */
static bool is_short(points obs)
{
    int device, processors;

    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return blocks_of(obs.count, ROWS * LONG) < (unsigned)(processors * BLOCKS);
}

static void answer_by_wgmma(sweep s, uint4 *rows, points obs, cudaStream_t stream)
{
    knn_halves<<<s.chunks, CHUNK, 0, stream>>>(s, rows);
    CUDA(cudaGetLastError());
    if (s.k > 1) {
        sweep_by_wgmma<recent, LONG>(s, rows, obs, stream);
        settle_halves(s, obs, stream);
        return;
    }
    if (is_short(obs))
        sweep_by_wgmma<nearest, SHORT>(s, rows, obs, stream);
    else
        sweep_by_wgmma<nearest, LONG>(s, rows, obs, stream);
    settle_doubts(s, obs, stream);
}

static const char *wgmma_refuse(size_t k)
{
    int major, minor;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (major != 9 || minor != 0)
        return "wgmma is an instruction of compute capability 9.0 alone";
    return k > MOST ? "keeps 32 neighbours at most" : NULL;
}

#endif
