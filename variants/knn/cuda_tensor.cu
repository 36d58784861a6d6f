/*
 * knn / cuda_tensor
 *
 * Idea     Tensor cores score the pairs: with coordinates split in two halves each, a dot product
 *          is one of 16 halves, as exact as one of float32 (cuda_halves.h).  One instruction of a
 *          warp makes 16 x 8 scores, and all that is left to do is find the least of each row.
 *          If k neighbours are asked for, the same of every tile: what that tells, cuda_minima.h
 *          says.
 * Against  cuda_dpx, which spends six multiply-adds on two pairs; the minimum is the same.
 * Expect   Bound by the tensor cores as far as mma.sync, the instruction of 2020, can use them: on
 *          compute capability 9.0, it and its minima came to 51 pairs a clock of 128.  For k = 8
 *          half as long again: the sweep takes no longer, but ten references an observation are
 *          looked for again, and get float64.
 * Try      ROUNDS = 2, 8: how often is a piece of the references loaded, how many registers remain?
 * Level    3
 * Read     cuda_buffers.h, cuda_halves.h, cuda_several.h, cuda_crowded.h, cuda_minima.h,
 *          cuda_settle.h, cuda_decide.h, cuda_sweep.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "cuda_halves.h"  /* knn_halves, put_observation, note, keep, finish, settle_halves */

enum {
    THREADS = 256,
    ROWS = 16,   /* observations of a product */
    ROUNDS = 4,  /* products with the same references */
    OWN = ROWS * ROUNDS,
    BLOCK = OWN * THREADS / WARP
};

static sweep d_sweep;
static uint4 *d_rows; /* [chunks][CHUNK][2] */

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

/* The pieces of 16 references, as the product wants them: each lane says where 16 bytes are. */
__device__ static void load(unsigned (&b)[4], const uint4 *pieces)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"((unsigned)__cvta_generic_to_shared(pieces + threadIdx.x % WARP)));
}

/* What each row's scores are KEPT as: the nearest, or the recent. */
template <class KEPT>
__global__ static void __launch_bounds__(THREADS, 2)
    knn_tensor(sweep s, const uint4 *rows, points obs)
{
    __shared__ uint4 own[THREADS / WARP][OWN * 2], chunk[CHUNK * 2];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t first = (size_t)blockIdx.x * BLOCK + warp * OWN;
    KEPT best[2 * ROUNDS];
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
        int least[ROUNDS][2];

        __syncthreads(); /* nobody needs the chunk before */
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
            note(&best[r], least[r / 2][r % 2], c * QUARTERS + lane % QUARTERS);
        keep<ROWS>(s, first + lane / QUARTERS, c, best);
    }
    finish<ROWS>(s, obs, first + lane / QUARTERS, best);
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    int major;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major < 8)
        return "this product is of compute capability 8.0 and up";
    return p->k > MOST ? "keeps 32 neighbours at most" : NULL;
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = sweep_new(p->m, p->n, p->k);
    CUDA(cudaMalloc(&d_rows, d_sweep.chunks * CHUNK * 2 * sizeof *d_rows));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points all = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    for (size_t i = 0; i < p->m; i += d_sweep.pass) {
        const points obs = pass_of(d_sweep, all, i);
        const unsigned blocks = blocks_of(obs.count, BLOCK);

        knn_halves<<<d_sweep.chunks, CHUNK>>>(d_sweep, d_rows);
        CUDA(cudaGetLastError());
        if (p->k == 1)
            knn_tensor<nearest><<<blocks, THREADS>>>(d_sweep, d_rows, obs);
        else
            knn_tensor<recent><<<blocks, THREADS>>>(d_sweep, d_rows, obs);
        CUDA(cudaGetLastError());
        if (p->k == 1)
            settle(d_sweep, obs, 0);
        else
            settle_halves(d_sweep, obs, 0);
    }
}

static void release_sweep(void)
{
    CUDA(cudaFree(d_rows));
    sweep_free(d_sweep);
    release();
}

VARIANT(.idea = "tensor cores score, in halves; float64 decides",
        .base = "cuda_dpx",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
