/*
 * knn / cuda_wgmma
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "cuda_halves.h"

#ifndef GROUPS
#define GROUPS 3
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif

/* A group of 128 threads scores 64 observations at a time, ROUNDS times a chunk. */
enum { THREADS = 128 * GROUPS, ROWS = 64, OWN = ROWS * ROUNDS, BLOCK = OWN * GROUPS };
enum { STAGES = 2, SUMS = ROWS * CHUNK / 128 };

static float4 *d_unit;
static uint4 *d_rows;
static unsigned *d_found, *d_doubts;
static unsigned chunks;

/* A matrix in shared memory, of pieces of 8 rows by 16 bytes, the two of a row side by side: the
   distances from piece to piece, along and down, all in units of 16 bytes. */
__device__ static unsigned long long descriptor(const uint4 *rows)
{
    const unsigned long long place = (unsigned long long)__cvta_generic_to_shared(rows) >> 4;

    return (place & 0x3fff) | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define SUMS64(i) SUMS16(i), SUMS16(i + 16), SUMS16(i + 32), SUMS16(i + 48)
#define PLACES                                                                                     \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"   \
    "%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"  \
    "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,"  \
    "%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,"  \
    "%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,"     \
    "%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}"

__device__ static void multiply(float (&sum)[SUMS], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{.reg .pred add; setp.ne.u32 add, 0, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
                 PLACES ", %128, %129, add, 1, 1, 0, 0;}"
                 : SUMS64(0), SUMS64(64) : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : SUMS64(0), SUMS64(64)::"memory");
}

/* The least of a row's scores that this thread has. */
__device__ static int least(const float (&sum)[SUMS], int row)
{
    int a = 0x7fffffff, b = a;

#pragma unroll
    for (int i = 2 * row; i < SUMS; i += 8) {
        a = __vimin3_s32(a, __float_as_int(sum[i]), __float_as_int(sum[i + 1]));
        b = __vimin3_s32(b, __float_as_int(sum[i + 4]), __float_as_int(sum[i + 5]));
    }
    return min(a, b);
}

__device__ static void fetch(uint4 *stage, const uint4 *rows, unsigned chunk, unsigned chunks)
{
    if (chunk < chunks)
        for (unsigned r = threadIdx.x; r < CHUNK * 2; r += THREADS)
            __pipeline_memcpy_async(&stage[r], &rows[(size_t)chunk * CHUNK * 2 + r], sizeof *rows);
    __pipeline_commit();
}

__global__ static void __launch_bounds__(THREADS, BLOCKS)
    knn_wgmma(size_t m, unsigned chunks, const float *lat, const float *lon, const uint4 *rows,
              unsigned *found)
{
    extern __shared__ uint4 shared[];
    uint4(*const own)[ROWS * 2] = (uint4(*)[ROWS * 2])shared + threadIdx.x / 128 * ROUNDS;
    uint4(*const stage)[CHUNK * 2] = (uint4(*)[CHUNK * 2])(shared + BLOCK * 2);
    const unsigned thread = threadIdx.x % 128;
    const size_t first = (size_t)blockIdx.x * BLOCK + threadIdx.x / 128 * OWN;
    nearest best[ROUNDS][2];
    float sum[SUMS];

    for (unsigned r = thread; r < OWN; r += 128) {
        const size_t i = first + r < m ? first + r : m - 1;

        put_observation(own[r / ROWS], r % ROWS, unit_vector(lat[i], lon[i]));
    }
#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
        best[r][0] = best[r][1] = {0x7fffffff, 0x7fffffff, 0};
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] = 0;
    for (unsigned s = 0; s < STAGES - 1; s++)
        fetch(stage[s], rows, s, chunks);
    for (unsigned chunk = 0; chunk < chunks; chunk++) {
        __pipeline_wait_prior(STAGES - 2);
        asm volatile("fence.proxy.async;" ::: "memory"); /* tensor cores read it their own way */
        __syncthreads(); /* this stage is complete, and the one before it done with */
        fetch(stage[(chunk + STAGES - 1) % STAGES], rows, chunk + STAGES - 1, chunks);
#pragma unroll
        for (int r = 0; r < ROUNDS; r++) {
            multiply(sum, descriptor(own[r]), descriptor(stage[chunk % STAGES]));
            note(&best[r][0], least(sum, 0), chunk * QUARTERS + threadIdx.x % QUARTERS);
            note(&best[r][1], least(sum, 1), chunk * QUARTERS + threadIdx.x % QUARTERS);
        }
    }
#pragma unroll
    for (int r = 0; r < ROUNDS * 2; r++) {
        const size_t i = first + r / 2 * ROWS + thread / WARP * 16 + r % 2 * 8 + thread % WARP / 4;
        const unsigned where = verdict(best[r / 2][r % 2]);

        if (i < m)
            found[i * QUARTERS + threadIdx.x % QUARTERS] = where;
    }
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    int major, minor;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (major != 9 || minor != 0)
        return "wgmma is an instruction of compute capability 9.0 alone";
    return p->k > 1 ? "finds one neighbour" : NULL;
}

enum { SHARED = (BLOCK * 2 + STAGES * CHUNK * 2) * sizeof(uint4) };

static void prepare_rows(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    chunks = (unsigned)((p->n + CHUNK - 1) / CHUNK);
    CUDA(cudaMalloc(&d_unit, chunks * CHUNK * sizeof *d_unit));
    CUDA(cudaMalloc(&d_rows, chunks * CHUNK * 2 * sizeof *d_rows));
    CUDA(cudaMalloc(&d_found, p->m * QUARTERS * sizeof *d_found));
    CUDA(cudaMalloc(&d_doubts, (p->m + 1) * sizeof *d_doubts));
    CUDA(cudaFuncSetAttribute(knn_wgmma, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED));
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
    knn_wgmma<<<blocks_of(p->m, BLOCK), THREADS, SHARED>>>(p->m, chunks, d_obs_lat, d_obs_lon, d_rows,
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

VARIANT(.idea = "scores on tensor cores, 64 x 256 at a time",
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
