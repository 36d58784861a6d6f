/*
 * logreg / cuda_onchip
 *
 * Idea     The table stays in the shared memory of all multiprocessors, and the whole of Newton's method is one cooperative
 *          launch: blocks meet at barriers of the grid, and each solves the same system of equations by itself.
 * Against  cuda_newton, which reads the table from memory for each step, and whose host solves the system.
 * Expect   The table is read once.  At M a step is a pass over 64 KB of shared memory, 2 us, 594 sums that each block adds to
 *          those of all, 1 us, one barrier of the grid, 1.2 us, and the system of 33 equations, 2 us: with the rest 8 us by
 *          calculation, five times, and 8 us to launch and to fetch the table.
 * Try      A block of 128 threads, and two blocks per multiprocessor: what do the barriers cost?
 * Level    3
 * Read     cuda_buffers.h, cuda_hessian.h, cuda_lanes.h, cuda_rows.h, cuda_system.h, lbfgs.h, newton.h, solve.h,
 *          trace.h
 */
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#define ROW_THREADS 512 /* one block has the multiprocessor to itself */
#include "cuda_hessian.h" /* curved, take_rows, join_warps, place_of */
#include "cuda_system.h"  /* solve_by_warp, warp_sum, warp_largest */

struct newton;
__device__ static inline void solve_system(struct newton *t, const double *g, double *h);

/* Newton's method by one warp. */
#define NEWTON_FUNCTION __device__ static inline
#define NEWTON_LANE (threadIdx.x % 32)
#define NEWTON_LANES 32
#define NEWTON_SUM(x) warp_sum(x)
#define NEWTON_LARGEST(x) warp_largest(x)
#define NEWTON_MEET __syncwarp()
#define NEWTON_SOLVE(t, g, h) solve_system(t, g, h)
#include "newton.h" /* newton_start, newton_next */

enum {
    WIDEST = MOST_CURVED + 1,
    MOST_HELD = 32, /* tiles of a block: a lane has two rows of each, and keeps their labels as bits of 64 */
    COPIES = 4,     /* of the totals, so that not all blocks wait for the same addresses */
    SETS = 3        /* of the totals: one is added to, one is read, one becomes zero */
};

/* What a block keeps beside its rows. */
template <int K>
struct __align__(16) work {
    enum { WIDTH = 32 * K + 1 };
    union {
        float4 part[WARPS / 2][curved<K>::ALL][32];
        double h[WIDTH * WIDTH];
    };
    double g[WIDTH], vectors[3 * WIDTH];
    float2 ones[WARPS][TEAMS];
    float weights[WIDTH];
    int more;
};

/* The totals of all blocks: pieces, then the gradient's and the Hessian's last row's features, then those of the intercept. */
template <int K>
struct totals {
    enum { PIECES = 128 * curved<K>::PIECES, FEATURES = 32 * K };
    double piece[PIECES], feature[2][FEATURES], one[2];
};

/* What the launch leaves: evaluations, their largest components, and the answer. */
struct outcome {
    unsigned evaluations;
    float size[EVALUATIONS_KEPT], w[WIDEST];
};

static struct outcome *d_outcome, *h_outcome;
static void *d_totals;   /* [SETS][COPIES] totals */
static unsigned *d_turn; /* the set that is to be added to first */

__host__ __device__ static inline size_t tiles_of(size_t m)
{
    return (m + TILE - 1) / TILE;
}

/* The direction -H^-1 g.  Columns that nearly repeat each other need float64. */
__device__ static inline void solve_system(struct newton *t, const double *g, double *h)
{
    if (t->n > SYSTEM + 1 || !solve_by_warp(t->n - 1, g, h, t->way))
        newton_solve(t, g, h);
}

/* Where a lane's features are: K times four of its row u of the block's tile number `held`. */
template <int K>
__device__ static inline float4 *place_in(float4 *rows, size_t held, unsigned u)
{
    return rows + (2 * held + u) * K * THREADS + threadIdx.x;
}

/* The lane's row u of tile k. */
__device__ static inline size_t row_of(size_t k, unsigned u)
{
    return k * TILE + threadIdx.x / 32 * EIGHT + u * TEAMS + threadIdx.x % TEAMS;
}

/* Fetches this block's rows, all at once.  Each thread has its own numbers, and no other's.  Returns its labels. */
template <int K>
__device__ static inline uint64_t fetch_rows(size_t m, size_t n, const float *x, const uint8_t *y, float4 *rows)
{
    const unsigned lane = threadIdx.x % 32 / TEAMS;
    uint64_t labels = 0;
    size_t held = 0;

    for (size_t k = blockIdx.x; k < tiles_of(m); k += gridDim.x, held++)
#pragma unroll
        for (unsigned u = 0; u < 2; u++) {
            const size_t i = row_of(k, u);
#pragma unroll
            for (unsigned e = 0; e < K; e++) {
                const size_t j = 4 * (lane + TEAM * (size_t)e);
                float4 *to = place_in<K>(rows, held, u) + e * THREADS;
                *to = float4{0.0f, 0.0f, 0.0f, 0.0f};
                if (i < m && n % 4 == 0 && j < n)
                    __pipeline_memcpy_async(to, x + i * n + j, sizeof *to);
                else
                    for (size_t c = 0; c < 4 && i < m && j + c < n; c++)
                        ((float *)to)[c] = x[i * n + j + c];
            }
            if (i < m && y[i] != 0)
                labels |= (uint64_t)1 << (2 * held + u);
        }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    return labels;
}

/* Evaluates on this block's rows. */
template <int K>
__device__ static inline void evaluate_rows(size_t m, size_t n, uint64_t labels, const struct work<K> *by, float4 *rows,
                                            struct curved<K> *c)
{
    const unsigned lane = threadIdx.x % 32 / TEAMS;
    const float intercept = by->weights[n];
    size_t held = 0;
    float w[4 * K];

#pragma unroll
    for (unsigned e = 0; e < 4 * K; e++) {
        const size_t j = 4 * (lane + TEAM * (size_t)(e / 4)) + e % 4;
        w[e] = j < n ? by->weights[j] : 0.0f;
    }
    start_curved<K>(c);
    for (size_t k = blockIdx.x; k < tiles_of(m); k += gridDim.x, held++) {
        float v[2][4 * K];
        unsigned label[2];
        bool there[2];
#pragma unroll
        for (unsigned u = 0; u < 2; u++) {
#pragma unroll
            for (unsigned e = 0; e < K; e++) {
                const float4 four = place_in<K>(rows, held, u)[e * THREADS];
                v[u][4 * e] = four.x;
                v[u][4 * e + 1] = four.y;
                v[u][4 * e + 2] = four.z;
                v[u][4 * e + 3] = four.w;
            }
            there[u] = row_of(k, u) < m;
            label[u] = (unsigned)(labels >> (2 * held + u)) & 1u;
        }
        take_rows<K>(v, w, intercept, label, there, c);
    }
}

/* Adds what this block has found to the totals.  Block sums are float32, so float64 adds them without rounding, in any order,
   unless they differ by more than 2^20. */
template <int K>
__device__ static inline void add_block(size_t n, const struct curved<K> *c, struct work<K> *by, struct totals<K> *to)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, from_end = THREADS - 1 - threadIdx.x;

    if (lane < TEAMS)
        by->ones[warp][lane] = float2{c->one, c->weight};
    join_warps<curved<K>::ALL>(c->sum, by->part);
    for (unsigned at = threadIdx.x; at < totals<K>::PIECES; at += THREADS) {
        size_t a, b;
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k < WARPS / 2; k++)
            sum += ((const float *)by->part[k])[at];
        if (place_of(at, n, &a, &b))
            atomicAdd(&to->piece[at], (double)sum);
    }
    if (from_end < 2 * totals<K>::FEATURES) {
        const unsigned last = from_end / totals<K>::FEATURES, j = from_end % totals<K>::FEATURES;
        const unsigned group = curved<K>::PIECES + last * K + j / 32;
        float sum = 0.0f;
#pragma unroll
        for (unsigned k = 0; k < WARPS / 2 * TEAMS; k++)
            sum += ((const float *)by->part[k / TEAMS][group])[j % 32 / 4 * 16 + k % TEAMS * 4 + j % 4];
        if (j < n)
            atomicAdd(&to->feature[last][j], (double)sum);
    }
    if (threadIdx.x < 2) {
        float sum = 0.0f;
        for (unsigned k = 0; k < WARPS * TEAMS; k++) {
            const float2 two = by->ones[k / TEAMS][k % TEAMS];
            sum += threadIdx.x == 0 ? two.x : two.y;
        }
        atomicAdd(&to->one[threadIdx.x], (double)sum);
    }
}

/* The sum of the copies of a total, from where all blocks see it. */
__device__ static inline double total_of(const double *first, size_t apart)
{
    double sum = 0.0;

#pragma unroll
    for (unsigned k = 0; k < COPIES; k++)
        sum += __ldcg(first + k * apart);
    return sum;
}

/* Gradient and Hessian from the totals, with the penalty. */
template <int K>
__device__ static inline void finish_totals(size_t n, double each, double lambda, const struct totals<K> *of,
                                            struct work<K> *by)
{
    const size_t width = n + 1, apart = sizeof *of / sizeof(double);
    const unsigned from_end = THREADS - 1 - threadIdx.x;

    for (unsigned at = threadIdx.x; at < totals<K>::PIECES; at += THREADS) {
        size_t a, b;
        if (!place_of(at, n, &a, &b))
            continue;
        const double sum = total_of(&of->piece[at], apart) * each + (a == b ? lambda : 0.0);
        by->h[a * width + b] = sum;
        by->h[b * width + a] = sum;
    }
    if (from_end < 2 * totals<K>::FEATURES && from_end % totals<K>::FEATURES < n) {
        const unsigned last = from_end / totals<K>::FEATURES, j = from_end % totals<K>::FEATURES;
        const double sum = total_of(&of->feature[last][j], apart) * each;
        if (last)
            by->h[n * width + j] = by->h[j * width + n] = sum;
        else
            by->g[j] = sum + lambda * (double)by->weights[j];
    }
    if (threadIdx.x < 2) {
        const double sum = total_of(&of->one[threadIdx.x], apart) * each;
        if (threadIdx.x == 0)
            by->g[n] = sum;
        else
            by->h[n * width + n] = sum;
    }
}

template <int K>
__global__ static void __launch_bounds__(THREADS, 1) solve_all(size_t m, size_t n, float lambda, float tau, const float *x,
                                                               const uint8_t *y, struct totals<K> *totals, unsigned *turn,
                                                               struct outcome *out)
{
    extern __shared__ __align__(16) unsigned char room[];
    struct work<K> *by = (struct work<K> *)room;
    float4 *rows = (float4 *)(by + 1);
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const bool by_method = threadIdx.x < 32; /* the first warp of each block: all find the same */
    const double each = 1.0 / (double)m;
    unsigned set = *turn;
    struct newton t;

    const uint64_t labels = fetch_rows<K>(m, n, x, y, rows);
    if (by_method)
        newton_start(&t, n + 1, (double)tau, by->vectors);
    for (size_t j = threadIdx.x; j <= n; j += THREADS)
        by->weights[j] = 0.0f;
    do {
        struct curved<K> c;
        __syncthreads();
        evaluate_rows<K>(m, n, labels, by, rows, &c);
        add_block<K>(n, &c, by, &totals[set * COPIES + blockIdx.x % COPIES]);
        grid.sync();
        finish_totals<K>(n, each, (double)lambda, &totals[set * COPIES], by);
        if (blockIdx.x == 0) { /* all have read this set before the barrier */
            double *old = (double *)&totals[(set + 2) % SETS * COPIES];
            for (size_t k = threadIdx.x; k < COPIES * sizeof *totals / sizeof *old; k += THREADS)
                old[k] = 0.0;
        }
        set = (set + 1) % SETS;
        __syncthreads();
        if (by_method) {
            const int more = newton_next(&t, by->g, by->h);
            for (size_t j = threadIdx.x; j <= n; j += 32)
                by->weights[j] = t.trial[j];
            if (threadIdx.x == 0)
                by->more = more;
            if (blockIdx.x == 0 && threadIdx.x == 0 && t.evaluations <= EVALUATIONS_KEPT)
                out->size[t.evaluations - 1] = (float)t.size;
        }
        __syncthreads();
    } while (by->more);
    if (blockIdx.x > 0 || !by_method)
        return;
    for (size_t j = threadIdx.x; j <= n; j += 32)
        out->w[j] = t.best[j];
    if (threadIdx.x == 0) {
        out->evaluations = (unsigned)t.evaluations;
        *turn = set; /* the next launch finds zeros there */
    }
}

/* --- the host's side ---------------------------------------------------------------------------- */

static unsigned blocks_of(const struct logreg *p)
{
    const size_t tiles = tiles_of(p->m);

    return (unsigned)(tiles < (size_t)processors ? tiles : (size_t)processors);
}

/* Tiles that a block holds. */
static size_t held_by(const struct logreg *p, int on)
{
    const size_t tiles = tiles_of(p->m), blocks = tiles < (size_t)on ? tiles : (size_t)on;

    return (tiles + blocks - 1) / blocks;
}

/* Bytes of shared memory of a block. */
static size_t room_of(const struct logreg *p, int on)
{
    const size_t k = p->n <= 32 ? 1 : 2, row = 32 * k * sizeof(float);

    return (k == 1 ? sizeof(struct work<1>) : sizeof(struct work<2>)) + held_by(p, on) * TILE * row;
}

static size_t totals_bytes(const struct logreg *p)
{
    return (size_t)SETS * COPIES * (p->n <= 32 ? sizeof(struct totals<1>) : sizeof(struct totals<2>));
}

static const char *refuse_large(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t besides = 1024; /* the runtime's own */
    int together, most, on;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, 0));
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CUDA(cudaDeviceGetAttribute(&on, cudaDevAttrMultiProcessorCount, 0));
    if (!together)
        return "the device has no cooperative launches";
    if (p->n > MOST_CURVED)
        return too_wide;
    return held_by(p, on) > MOST_HELD || room_of(p, on) + besides > (size_t)most ? "the table does not fit in the shared memory of all multiprocessors"
                                                   : NULL;
}

static const void *kernel_of(const struct logreg *p)
{
    return p->n <= 32 ? (const void *)solve_all<1> : (const void *)solve_all<2>;
}

static void prepare_onchip(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_totals, totals_bytes(p)));
    CUDA(cudaMemset(d_totals, 0, totals_bytes(p)));
    CUDA(cudaMalloc(&d_turn, sizeof *d_turn));
    CUDA(cudaMemset(d_turn, 0, sizeof *d_turn));
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
    void *arguments[] = {&m, &n, &lambda, &tau, &d_x, &d_y, &d_totals, &d_turn, &d_outcome};

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
    CUDA(cudaFree(d_totals));
    CUDA(cudaFree(d_turn));
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
