/*
 * logreg / cuda_onchip
 *
 * Idea     The table stays in the shared memory of all multiprocessors, and the whole of Newton's method is one cooperative
 *          launch: blocks meet at barriers of the grid, and each solves the same system of equations by itself.
 * Against  cuda_newton, which reads the table from memory for each step, and whose host solves the system.
 * Expect   The table is read once.  At M a step is two barriers, a pass over 64 KB of shared memory and the system of 33
 *          equations: some 11 us by calculation, five times.
 * Try      A block of 128 threads, and two blocks per multiprocessor: what do the barriers cost?
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_rows.h, lbfgs.h, newton.h, solve.h, trace.h
 */
#include <cooperative_groups.h>

#include "cuda_hessian.h" /* tile, take_row, add_pieces, write_curved, sums_of */

__device__ static inline double warp_sum(double x)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, apart);
    return x;
}

__device__ static inline double warp_largest(double x)
{
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        x = fmax(x, __shfl_xor_sync(0xffffffffu, x, apart));
    return x;
}

/* Newton's method by one warp. */
#define NEWTON_FUNCTION __device__ static inline
#define NEWTON_LANE (threadIdx.x % 32)
#define NEWTON_LANES 32
#define NEWTON_SUM(x) warp_sum(x)
#define NEWTON_LARGEST(x) warp_largest(x)
#define NEWTON_MEET __syncwarp()
#include "newton.h" /* newton_start, newton_next */

enum { WIDEST = MOST_CURVED + 1 };

/* What a block keeps beside its tiles. */
struct method {
    double h[WIDEST * WIDEST], g[WIDEST], vectors[3 * WIDEST];
    float weights[WIDEST];
    int more;
};

/* What the launch leaves: evaluations, their largest components, and the answer. */
struct outcome {
    unsigned evaluations;
    float size[EVALUATIONS_KEPT], w[WIDEST];
};

static struct outcome *d_outcome, *h_outcome;
static double *d_curved, *d_totals; /* [blocks][sums_of(n)]; [sums_of(n)] */

__host__ __device__ static inline size_t tiles_of(size_t m)
{
    return (m + TILE - 1) / TILE;
}

/* Evaluates on this block's tiles.  The first time rows come from memory, and stay in the tiles. */
template <int K>
__device__ static inline void evaluate_tiles(size_t m, size_t n, const float *x, const uint8_t *y, bool first,
                                             const struct method *by, struct tile<K> *tiles, double *to)
{
    const unsigned lane = threadIdx.x % TEAM, team = threadIdx.x / TEAM;
    struct both<K> all;
    struct pieces<K> of;
    float w[4 * K], g[4 * K], h[4 * K], one = 0.0f, curved = 0.0f;

#pragma unroll
    for (int e = 0; e < 4 * K; e++) {
        const size_t j = 4 * (lane + TEAM * (size_t)(e / 4)) + e % 4;
        w[e] = j < n ? by->weights[j] : 0.0f;
        g[e] = h[e] = 0.0f;
    }
#pragma unroll
    for (int e = 0; e < pieces<K>::EACH; e++)
        of.sum[e][0] = of.sum[e][1] = of.sum[e][2] = of.sum[e][3] = 0.0f;
    size_t held = 0;
    for (size_t k = blockIdx.x; k < tiles_of(m); k += gridDim.x, held++)
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++) {
            const unsigned place = team + u * (THREADS / TEAM);
            const size_t i = k * TILE + place;
            float v[4 * K];
            if (first)
                load_row<K>(n, x + i * n, lane, i < m, v);
            else
                load_row<K>(32 * K, tiles[held].x[place], lane, true, v);
            take_row<K>(v, w, by->weights[n], i < m ? y[i] : 0, i < m, lane, place, &tiles[held], g, h, &one, &curved);
        }
    __syncthreads();
    for (size_t k = 0; k < held; k++)
        add_pieces<K>(&tiles[k], &of);
#pragma unroll
    for (int e = 0; e < 4 * K; e++) {
        all.gradient.x[e] = (double)g[e]; /* of at most some hundred rows */
        all.last.x[e] = (double)h[e];
    }
    all.gradient.one = (double)one;
    all.last.one = (double)curved;
    write_curved<K>(n, &all, &of, to);
}

/* Adds up what the blocks have found: a warp a column, columns in turn. */
__device__ static inline void join_by_warps(size_t width, const double *of_block, double *sums)
{
    const unsigned lane = threadIdx.x % 32;

    for (size_t c = blockIdx.x + (size_t)gridDim.x * (threadIdx.x / 32); c < width; c += (size_t)gridDim.x * (THREADS / 32)) {
        double sum = 0.0;
        for (unsigned part = lane; part < gridDim.x; part += 32)
            sum += of_block[part * width + c];
        sum = warp_sum(sum);
        if (lane == 0)
            sums[c] = sum;
    }
}

/* Gradient and Hessian from the sums, with the penalty. */
__device__ static inline void finish_sums(size_t m, size_t n, float lambda, const double *sums, struct method *by)
{
    const size_t width = n + 1;

    for (size_t j = threadIdx.x; j < width; j += THREADS)
        by->g[j] = sums[j] / (double)m + (j < n ? (double)lambda * (double)by->weights[j] : 0.0);
    for (size_t k = threadIdx.x; k < width * width; k += THREADS) {
        const size_t i = k / width, j = k % width;
        if (j <= i)
            by->h[k] = sums[width + i * (i + 1) / 2 + j] / (double)m + (i == j && i < n ? (double)lambda : 0.0);
    }
}

template <int K>
__global__ static void __launch_bounds__(THREADS) solve_all(size_t m, size_t n, float lambda, float tau, const float *x,
                                                            const uint8_t *y, double *of_block, double *sums,
                                                            struct outcome *out)
{
    extern __shared__ __align__(16) unsigned char room[];
    struct tile<K> *tiles = (struct tile<K> *)room;
    __shared__ struct method by;
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const bool by_method = threadIdx.x < 32; /* the first warp of each block: all find the same */
    struct newton t;
    bool first = true;

    if (by_method)
        newton_start(&t, n + 1, (double)tau, by.vectors);
    for (size_t j = threadIdx.x; j <= n; j += THREADS)
        by.weights[j] = 0.0f;
    do {
        __syncthreads();
        evaluate_tiles<K>(m, n, x, y, first, &by, tiles, of_block + blockIdx.x * sums_of(n));
        first = false;
        grid.sync();
        join_by_warps(sums_of(n), of_block, sums);
        grid.sync();
        finish_sums(m, n, lambda, sums, &by);
        __syncthreads();
        if (by_method) {
            const int more = newton_next(&t, by.g, by.h);
            for (size_t j = threadIdx.x; j <= n; j += 32)
                by.weights[j] = t.trial[j];
            if (threadIdx.x == 0)
                by.more = more;
            if (blockIdx.x == 0 && threadIdx.x == 0 && t.evaluations <= EVALUATIONS_KEPT)
                out->size[t.evaluations - 1] = (float)t.size;
        }
        __syncthreads();
    } while (by.more);
    if (blockIdx.x > 0 || !by_method)
        return;
    for (size_t j = threadIdx.x; j <= n; j += 32)
        out->w[j] = t.best[j];
    if (threadIdx.x == 0)
        out->evaluations = (unsigned)t.evaluations;
}

/* --- the host's side ---------------------------------------------------------------------------- */

static unsigned blocks_of(const struct logreg *p)
{
    const size_t tiles = tiles_of(p->m);

    return (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);
}

/* Bytes of shared memory that the tiles of a block take. */
static size_t room_of(const struct logreg *p, int on)
{
    const size_t tiles = tiles_of(p->m), blocks = tiles < (size_t)on ? tiles : (size_t)on;
    const size_t each = p->n <= 32 ? sizeof(struct tile<1>) : sizeof(struct tile<2>);

    return (tiles + blocks - 1) / blocks * each;
}

static const char *refuse_large(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t besides = sizeof(struct method) + 8192; /* write_block's, and the runtime's own */
    int together, most, on;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, 0));
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CUDA(cudaDeviceGetAttribute(&on, cudaDevAttrMultiProcessorCount, 0));
    if (!together)
        return "the device has no cooperative launches";
    if (p->n > MOST_CURVED)
        return too_wide;
    return room_of(p, on) + besides > (size_t)most ? "the table does not fit in the shared memory of all multiprocessors"
                                                   : NULL;
}

static const void *kernel_of(const struct logreg *p)
{
    return p->n <= 32 ? (const void *)solve_all<1> : (const void *)solve_all<2>;
}

static void prepare_onchip(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t length = sums_of(p->n);

    prepare(problem);
    CUDA(cudaMalloc(&d_curved, blocks_of(p) * length * sizeof *d_curved));
    CUDA(cudaMalloc(&d_totals, length * sizeof *d_totals));
    CUDA(cudaMalloc(&d_outcome, sizeof *d_outcome));
    CUDA(cudaMemset(d_outcome, 0, sizeof *d_outcome)); /* download fetches all of it */
    CUDA(cudaMallocHost(&h_outcome, sizeof *h_outcome));
    CUDA(cudaFuncSetAttribute(kernel_of(p), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room_of(p, processors)));
}

static void run_onchip(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    size_t m = p->m, n = p->n;
    float lambda = p->lambda, tau = p->tau;
    void *arguments[] = {&m, &n, &lambda, &tau, &d_x, &d_y, &d_curved, &d_totals, &d_outcome};

    CUDA(cudaLaunchCooperativeKernel(kernel_of(p), dim3(blocks_of(p)), dim3(THREADS), arguments, room_of(p, processors),
                                     (cudaStream_t)0));
}

static void download_onchip(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    CUDA(cudaMemcpy(h_outcome, d_outcome, sizeof *h_outcome, cudaMemcpyDeviceToHost));
    memcpy(p->w, h_outcome->w, (p->n + 1) * sizeof *p->w);
    traced = 0;
    for (unsigned k = 0; k < h_outcome->evaluations; k++)
        trace_add(1.0, k < EVALUATIONS_KEPT ? (double)h_outcome->size[k] : 0.0);
}

static void release_onchip(void)
{
    CUDA(cudaFree(d_curved));
    CUDA(cudaFree(d_totals));
    CUDA(cudaFree(d_outcome));
    CUDA(cudaFreeHost(h_outcome));
    release();
}

/* There is no word from the host between evaluations. */
static void add_up(const struct logreg *p)
{
    (void)p;
}

VARIANT(.idea = "the table in all shared memories, one cooperative launch",
        .base = "cuda_newton",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse_large,
        .prepare = prepare_onchip,
        .upload = upload,
        .run = run_onchip,
        .download = download_onchip,
        .release = release_onchip,
        .evaluations = evaluations)
