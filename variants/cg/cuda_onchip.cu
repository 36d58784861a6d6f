/*
 * cg / cuda_onchip
 *
 * Idea     One launch that stays: a block on each multiprocessor keeps its rows of A in shared memory, as many as fit, for
 *          the whole solution.  Each block also keeps all of r, p and s = A p.  So it computes both inner products and all
 *          vectors by itself, the same bits as the others, and the blocks exchange only w = A r: one barrier across the
 *          grid an iteration (Chronopoulos and Gear, as cuda_single).
 * Against  cuda_single: two launches an iteration, and A from the cache each time.
 * Expect   Best where A fits: 132 x 227 KiB, n up to some 2600.  An iteration of n = 2048 is then a barrier, 16 rows from
 *          shared memory and a few thousand numbers of vectors.  What does not fit is read again, at the rate of one block
 *          a multiprocessor.
 * Try      n = 2048, 2560, 3072, 4096: where does it fall behind cuda_graph?
 * Level    3
 * Read     cuda_buffers.h, cuda_steps.h
 */
#include <cooperative_groups.h>

#include "common/variant.h"
#include "cuda_steps.h" /* block_sum, most_iterations; prepare, upload, download, release; d_a, d_b, d_x */

enum { BLOCK = 512, WARPS = BLOCK / WARP };

static const size_t spare = 2048; /* bytes of shared memory that the kernel has besides */

/* What a block keeps: `kept` rows of A, then r, p, s, each of `stride` floats.  Rows begin at multiples of 16 bytes. */
struct layout {
    size_t rows, kept, stride;
};

__device__ static float row_times(const float *row, const float *r, size_t quads)
{
    const unsigned lane = threadIdx.x % WARP;
    float sum = 0;

#pragma unroll 4
    for (size_t j = lane; j < quads; j += WARP) {
        const float4 u = ((const float4 *)row)[j], v = ((const float4 *)r)[j];

        sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    return sum;
}

/* The same of a row in memory, whose address need not be a multiple of 16 bytes. */
__device__ static float row_in_memory(const float *row, const float *r, size_t n)
{
    float sum = 0;

    if (n % 4 == 0)
        return row_times(row, r, n / 4);
#pragma unroll 4
    for (size_t j = threadIdx.x % WARP; j < n; j += WARP)
        sum += row[j] * r[j];
    return sum;
}

__global__ static void __launch_bounds__(BLOCK, 1)
    cg_onchip(size_t n, struct layout l, float tol, size_t most, const float *a, const float *b, float *x, float *w,
              struct state *state)
{
    extern __shared__ __align__(16) float memory[];
    float *const rows = memory, *const r = rows + l.kept * l.stride, *const p = r + l.stride, *const s = p + l.stride;
    const size_t first = blockIdx.x * l.rows, end = min(first + l.rows, n);
    const unsigned lane = threadIdx.x % WARP;
    double rr_before = 0, alpha = 0, mine = 0;
    size_t k = 0;

    for (size_t e = threadIdx.x; e < l.kept * l.stride; e += BLOCK) {
        const size_t i = first + e / l.stride, j = e % l.stride;
        rows[e] = i < end && j < n ? a[i * n + j] : 0;
    }
    for (size_t j = threadIdx.x; j < l.stride; j += BLOCK) {
        r[j] = j < n ? b[j] : 0;
        p[j] = s[j] = 0;
        mine += (double)r[j] * r[j];
    }
    for (size_t i = first + threadIdx.x; i < end; i += BLOCK)
        x[i] = 0;

    double rr = block_sum(mine);
    const double enough = (double)tol * tol * rr;

    for (; rr > enough && k < most; k++) {
        float *const w_now = w + k % 2 * n; /* a slow block may still read that of before */
        double wr = 0, next = 0;

        for (size_t i = first + threadIdx.x / WARP; i < end; i += WARPS) {
            float sum = i - first < l.kept ? row_times(rows + (i - first) * l.stride, r, l.stride / 4)
                                           : row_in_memory(a + i * n, r, n);
            for (unsigned far = WARP / 2; far > 0; far /= 2)
                sum += __shfl_xor_sync(all_lanes, sum, far);
            if (lane == 0)
                w_now[i] = sum;
        }
        cooperative_groups::this_grid().sync();

        for (size_t j = threadIdx.x; j < n; j += BLOCK)
            wr += (double)__ldcg(&w_now[j]) * r[j];
        wr = block_sum(wr);

        const double beta = k == 0 ? 0 : rr / rr_before;
        alpha = rr / (k == 0 ? wr : wr - beta * rr / alpha);
        for (size_t j = threadIdx.x; j < n; j += BLOCK) {
            p[j] = r[j] + (float)beta * p[j];
            s[j] = __ldcg(&w_now[j]) + (float)beta * s[j];
            r[j] -= (float)alpha * s[j];
            next += (double)r[j] * r[j];
            if (j >= first && j < end)
                x[j] += (float)alpha * p[j];
        }
        rr_before = rr;
        rr = block_sum(next); /* and all of r is there */
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *state = {rr_before, rr, enough, 1, (unsigned)k};
}

static float *d_w; /* [2][n] */
static int blocks;
static struct layout layout;
static size_t most_bytes;

static size_t floats_of(size_t n)
{
    return (n + 3) / 4 * 4;
}

static const char *refuse(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;
    int bytes, cooperative;
    static char why[96];

    CUDA(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    if (!cooperative)
        return "the device has no cooperative launches";
    CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    most_bytes = (size_t)bytes - spare;
    if (3 * floats_of(n) * sizeof(float) <= most_bytes)
        return NULL;
    snprintf(why, sizeof why, "three vectors must fit into %zu KiB of shared memory: n up to %zu", most_bytes >> 10,
             most_bytes / (3 * sizeof(float)));
    return why;
}

static void prepare_onchip(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n, stride = floats_of(n);

    prepare(problem);
    CUDA(cudaMalloc(&d_w, 2 * n * sizeof(float)));
    CUDA(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaFuncSetAttribute(cg_onchip, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most_bytes));
    if (n == 0)
        return;
    layout.stride = stride;
    layout.rows = (n + (size_t)blocks - 1) / (size_t)blocks;
    layout.kept = most_bytes / sizeof(float) / stride - 3;
    layout.kept = layout.kept < layout.rows ? layout.kept : layout.rows;
}

static void run(const void *problem)
{
    const struct cg *c = (const struct cg *)problem;
    size_t n = c->n, most = most_iterations(n), bytes = (layout.kept + 3) * layout.stride * sizeof(float);
    float tol = c->tol;
    void *arguments[] = {&n, &layout, &tol, &most, &d_a, &d_b, &d_x, &d_w, &d_state};

    if (n == 0)
        return;
    /* A cooperative launch: all blocks are on the device at once, so that they can wait for each other. */
    CUDA(cudaLaunchCooperativeKernel((const void *)cg_onchip, dim3(blocks), dim3(BLOCK), arguments, bytes, 0));
}

static void release_onchip(void)
{
    CUDA(cudaFree(d_w));
    release();
}

VARIANT(.idea = "one launch that stays: A in shared memory, one barrier an iteration",
        .base = "cuda_single",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_onchip,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_onchip)
