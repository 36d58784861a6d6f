/*
 * The sweep of cuda_tensor, for it and for cuda_topk_tensor.  cuda_tensor explains it.
 *
 * A block has 8 warps.  Each warp has 64 observations, as the rows of four products, in registers; all
 * warps go through the same chunks of references, which lie in shared memory:
 *
 *                       chunk c, 256 references: 32 products of 8 columns
 *                      +--------+--------+--------+-- ... --+
 *     warp 0, 16 rows  |        |        |        |         |  least[0]: of each row, the best score
 *             16 rows  |        |        |        |         |  least[1]
 *             16 rows  |        |        |        |         |  least[2]
 *             16 rows  |        |        |        |         |  least[3]
 *     warp 1  ...      +--------+--------+--------+-- ... --+
 */
#ifndef RUNGS_KNN_MMA_H
#define RUNGS_KNN_MMA_H

#include "cuda_halves.h" /* knn_halves, put_observation, keep_best, after_chunk, after_sweep */

enum {
    THREADS = 256,
    ROWS = 16,   /* observations of a product */
    ROUNDS = 4,  /* products with the same references */
    OWN = ROWS * ROUNDS,
    BLOCK = OWN * THREADS / WARP
};

/* Scores of 16 observations by 8 references: (a) by (b), added to zeros */
__device__ static void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%10, %10, %10, %10};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(0.0f));
#endif
}

/* The columns of 16 references, as the product takes them.  Each lane gives the address of 16 bytes. */
__device__ static void load(unsigned (&b)[4], const uint4 *pieces)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"((unsigned)__cvta_generic_to_shared(pieces + threadIdx.x % WARP)));
}

/* SWEEP says what is kept of each row: for nearest_sweep, the best tile. */
template <class SWEEP>
__global__ static void __launch_bounds__(THREADS, 2)
    knn_tensor(SWEEP s, const uint4 *rows, points obs)
{
    __shared__ uint4 own[THREADS / WARP][OWN * 2], chunk[CHUNK * 2];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t first = (size_t)blockIdx.x * BLOCK + warp * OWN;
    typename SWEEP::kept best[2 * ROUNDS];
    unsigned a[ROUNDS][4];

    for (unsigned r = lane; r < OWN; r += WARP) {
        const size_t i = first + r < obs.count ? first + r : obs.count - 1;

        put_observation(own[warp], r, unit_vector(obs.lat[i], obs.lon[i]));
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) { /* of each of four pieces, 4 bytes a lane */
        const unsigned *piece = (const unsigned *)&own[warp][r * ROWS * 2] + lane;

        a[r][0] = piece[0];
        a[r][1] = piece[64];
        a[r][2] = piece[32];
        a[r][3] = piece[96];
    }
    for (unsigned c = 0; c < s.chunks; c++) {
        int least[ROUNDS][2]; /* of two rows: 8 apart */

        __syncthreads(); /* all warps are done with the chunk before */
#pragma unroll
        for (unsigned r = 0; r < CHUNK * 2; r += THREADS)
            chunk[r + threadIdx.x] = rows[(size_t)c * CHUNK * 2 + r + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int r = 0; r < ROUNDS; r++)
            least[r][0] = least[r][1] = farthest;
#pragma unroll 4
        for (int p = 0; p < CHUNK / 16; p++) {
            unsigned b[4];

            load(b, &chunk[p * 32]);
#pragma unroll
            for (int r = 0; r < 2 * ROUNDS; r++) {
                float sum[4];
                int(&of)[2] = least[r / 2];

                multiply(sum, a[r / 2], b[r % 2 * 2], b[r % 2 * 2 + 1]);
                of[0] = __vimin3_s32(of[0], __float_as_int(sum[0]), __float_as_int(sum[1]));
                of[1] = __vimin3_s32(of[1], __float_as_int(sum[2]), __float_as_int(sum[3]));
            }
        }
#pragma unroll
        for (int r = 0; r < 2 * ROUNDS; r++)
            keep_best(&best[r], least[r / 2][r % 2], c * QUARTERS + lane % QUARTERS);
        after_chunk<ROWS>(s, first + lane / QUARTERS, c, best);
    }
    after_sweep<ROWS>(s, obs, first + lane / QUARTERS, best);
}

/* Prepares the references and sweeps over them. */
template <class SWEEP> static void sweep_by_mma(SWEEP s, uint4 *rows, points obs)
{
    knn_halves<<<s.chunks, CHUNK>>>(s, rows);
    CUDA(cudaGetLastError());
    knn_tensor<<<blocks_of(obs.count, BLOCK), THREADS>>>(s, rows, obs);
    CUDA(cudaGetLastError());
}

static const char *mma_refuse(void)
{
    int major;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major < 8 ? "this product is of compute capability 8.0 and up" : NULL;
}

#endif
