/*
 * knn / cuda_tensor
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "cuda_halves.h"

#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

enum { THREADS = 256, ROWS = 16, OWN = ROWS * ROUNDS, BLOCK = OWN * THREADS / WARP, STAGES = 2 };

static float4 *d_unit;
static uint4 *d_rows;
static unsigned *d_found, *d_doubts;
static unsigned chunks;

/* 16 observations by 8 references */
__device__ static void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%10,%10,%10};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(0.0f));
}

__device__ static void load(unsigned (&b)[4], const uint4 *pieces)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"((unsigned)__cvta_generic_to_shared(pieces + threadIdx.x % WARP)));
}

__device__ static void fetch(uint4 *stage, const uint4 *rows, unsigned chunk, unsigned chunks)
{
    if (chunk < chunks)
        for (unsigned r = threadIdx.x; r < CHUNK * 2; r += THREADS)
            __pipeline_memcpy_async(&stage[r], &rows[(size_t)chunk * CHUNK * 2 + r], sizeof *rows);
    __pipeline_commit();
}

__global__ static void __launch_bounds__(THREADS, BLOCKS)
    knn_tensor(size_t m, unsigned chunks, const float *lat, const float *lon, const uint4 *rows,
               unsigned *found)
{
    __shared__ uint4 own[THREADS / WARP][OWN * 2];
    __shared__ uint4 stage[STAGES][CHUNK * 2];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const size_t first = (size_t)blockIdx.x * BLOCK + warp * OWN;
    nearest best[ROUNDS][2];
    unsigned a[ROUNDS][4];

    for (unsigned r = lane; r < OWN; r += WARP) {
        const size_t i = first + r < m ? first + r : m - 1;

        put_observation(own[warp], r, unit_vector(lat[i], lon[i]));
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const unsigned *piece = (const unsigned *)&own[warp][r * ROWS * 2] + lane;

        a[r][0] = piece[0];
        a[r][1] = piece[64];
        a[r][2] = piece[32];
        a[r][3] = piece[96];
        best[r][0] = best[r][1] = {0x7fffffff, 0x7fffffff, 0};
    }
    for (unsigned s = 0; s < STAGES - 1; s++)
        fetch(stage[s], rows, s, chunks);
    for (unsigned chunk = 0; chunk < chunks; chunk++) {
        int least[ROUNDS][2];

        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* this stage is complete, and the one before it done with */
        fetch(stage[(chunk + STAGES - 1) % STAGES], rows, chunk + STAGES - 1, chunks);
#pragma unroll
        for (int r = 0; r < ROUNDS; r++)
            least[r][0] = least[r][1] = 0x7fffffff;
#pragma unroll 4
        for (int p = 0; p < CHUNK / 16; p++) {
            unsigned b[4];

            load(b, &stage[chunk % STAGES][p * 32]);
#pragma unroll
            for (int h = 0; h < 4; h += 2)
#pragma unroll
                for (int r = 0; r < ROUNDS; r++) {
                    float sum[4];

                    multiply(sum, a[r], b[h], b[h + 1]);
                    least[r][0] = __vimin3_s32(least[r][0], __float_as_int(sum[0]), __float_as_int(sum[1]));
                    least[r][1] = __vimin3_s32(least[r][1], __float_as_int(sum[2]), __float_as_int(sum[3]));
                }
        }
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            note(&best[r][0], least[r][0], chunk * QUARTERS + lane % QUARTERS);
            note(&best[r][1], least[r][1], chunk * QUARTERS + lane % QUARTERS);
        }
    }
#pragma unroll
    for (int r = 0; r < ROUNDS * 2; r++) {
        const size_t i = first + r / 2 * ROWS + r % 2 * 8 + lane / 4;
        const unsigned where = verdict(best[r / 2][r % 2]);

        if (i < m)
            found[i * QUARTERS + lane % QUARTERS] = where;
    }
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    int major;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major < 8)
        return "needs tensor cores of compute capability 8.0";
    return p->k > 1 ? "finds one neighbour" : NULL;
}

static void prepare_rows(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    chunks = (unsigned)((p->n + CHUNK - 1) / CHUNK);
    CUDA(cudaMalloc(&d_unit, chunks * CHUNK * sizeof *d_unit));
    CUDA(cudaMalloc(&d_rows, chunks * CHUNK * 2 * sizeof *d_rows));
    CUDA(cudaMalloc(&d_found, p->m * QUARTERS * sizeof *d_found));
    CUDA(cudaMalloc(&d_doubts, (p->m + 1) * sizeof *d_doubts));
}

static unsigned blocks_of(size_t points, size_t of_a_block)
{
    return (unsigned)((points + of_a_block - 1) / of_a_block);
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const struct references ref = {d_ref_lat, d_ref_lon, d_unit};
    const doubts doubt = {d_doubts, d_doubts + 1};

    if (p->m == 0)
        return;
    knn_references<<<chunks, CHUNK>>>(p->n, ref.lat, ref.lon, d_unit, d_rows, doubt);
    CUDA(cudaGetLastError());
    knn_tensor<<<blocks_of(p->m, BLOCK), THREADS>>>(p->m, chunks, d_obs_lat, d_obs_lon, d_rows,
                                                   d_found);
    CUDA(cudaGetLastError());
    knn_answer<<<blocks_of(p->m, ANSWER), ANSWER>>>(p->m, ref, d_obs_lat, d_obs_lon,
                                                    (const uint4 *)d_found, doubt, d_index,
                                                    d_distance);
    CUDA(cudaGetLastError());
    knn_settle<<<SETTLE, ANSWER>>>(chunks, ref, d_obs_lat, d_obs_lon, (uint4 *)d_found, doubt,
                                   d_index, d_distance);
    CUDA(cudaGetLastError());
    knn_decide<<<SETTLE, ANSWER>>>(ref, d_obs_lat, d_obs_lon, (const uint4 *)d_found, doubt, d_index,
                                   d_distance);
    CUDA(cudaGetLastError());
}

static void release_rows(void)
{
    CUDA(cudaFree(d_unit));
    CUDA(cudaFree(d_rows));
    CUDA(cudaFree(d_found));
    CUDA(cudaFree(d_doubts));
    release();
}

VARIANT(.idea = "scores on tensor cores, float64 decides",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_rows,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_rows)
