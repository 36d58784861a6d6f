/*
 * qr / cuda_warp
 *
 * Idea     A warp a panel of 32 rows, in registers alone.  Lane l has column l % 16: the upper half of the lanes its rows 0 to 15,
 *          the lower half its rows 16 to 31.  So each lane adds up an inner product of its own, and one shuffle joins the halves.
 *          The lanes of column k pass the reflector to all others.
 * Against  cuda_shared, where a column's rows are spread over a warp: an inner product is five additions with shuffles, and a
 *          reflector passes through shared memory with a barrier.
 * Expect   17 shuffles for a reflection of all columns, no barrier.  Good for many rows and up to 16 columns: bound by memory and
 *          shuffles.  Panels of 32 rows make a deep tree, where a level is two launches, and the last ones have few warps.
 * Try      n = 4 and n = 16 at the same number of rows: how many levels are there?
 * Level    3
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_q, d_r */

enum { WARP = 32, BLOCK = 256, COLUMNS = 16, ROWS = WARP / 2 /* of a lane */, TALLEST = 2 * ROWS, LEVELS = 64 };

static const unsigned all_lanes = 0xffffffff;

/* A matrix of `rows` rows below each other: the problem's, then the panels' R, and so on. */
static struct level {
    size_t rows, panels;
    float *w; /* [rows][n] reflectors, then Q; of the first level, d_q */
} level[LEVELS + 1];
static int levels; /* level[levels].w is the top, n x n */

/* A warp's panel, and what its lane has of it. */
struct place {
    size_t panel, begin;
    unsigned rows, first, column; /* rows of the panel; the lane's first row of them */
};

__device__ static struct place place_of(size_t rows, size_t panels)
{
    const unsigned lane = threadIdx.x % WARP;
    struct place at = {((size_t)blockIdx.x * BLOCK + threadIdx.x) / WARP, 0, 0, lane / COLUMNS * ROWS, lane % COLUMNS};

    at.begin = rows * at.panel / panels;
    at.rows = (unsigned)(rows * (at.panel + 1) / panels - at.begin);
    return at;
}

__device__ static void load(const struct place &at, unsigned rows, unsigned n, const float *from, float (&x)[ROWS])
{
#pragma unroll
    for (unsigned t = 0; t < ROWS; t++)
        x[t] = at.first + t < rows && at.column < n ? from[(at.first + t) * n + at.column] : 0;
}

__device__ static void store(const struct place &at, unsigned n, const float (&x)[ROWS], float *to)
{
#pragma unroll
    for (unsigned t = 0; t < ROWS; t++)
        if (at.first + t < at.rows && at.column < n)
            to[(at.first + t) * n + at.column] = x[t];
}

/* From column k of y, of which the diagonal and what is above are other numbers: v begins with a 1. */
__device__ static void pass(const struct place &at, unsigned k, const float (&y)[ROWS], float (&v)[ROWS])
{
#pragma unroll
    for (unsigned t = 0; t < ROWS; t++) {
        const float below = __shfl_sync(all_lanes, y[t], at.first / ROWS * COLUMNS + k);
        v[t] = at.first + t > k ? below : at.first + t == k ? 1 : 0;
    }
}

/* The inner product of v and the lane's column, in both its lanes. */
__device__ static float product(const float (&v)[ROWS], const float (&x)[ROWS])
{
    float sum = 0;

#pragma unroll
    for (unsigned t = 0; t < ROWS; t++)
        sum += v[t] * x[t];
    return sum + __shfl_xor_sync(all_lanes, sum, COLUMNS);
}

/* The square of each column from row k on, in float64, because float32 may not hold it. */
__device__ static double square(const struct place &at, unsigned k, const float (&x)[ROWS])
{
    double sum = 0;

#pragma unroll
    for (unsigned t = 0; t < ROWS; t++)
        sum += at.first + t >= k ? (double)x[t] * x[t] : 0;
    return sum + __shfl_xor_sync(all_lanes, sum, COLUMNS);
}

__global__ static void panels_up(size_t rows, size_t panels, unsigned n, const float *from, float *reflectors, float *r)
{
    const struct place at = place_of(rows, panels);
    float x[ROWS], v[ROWS], my_tau = 0;

    if (at.panel >= panels)
        return; /* the whole warp */
    load(at, at.rows, n, from + at.begin * n, x);
#pragma unroll
    for (unsigned k = 0; k < COLUMNS; k++)
        if (k < n) {
            /* The reflector is column k less its image, over its first number.  Of the image's signs we take the one that
               cancels nothing. */
            const double length = sqrt(__shfl_sync(all_lanes, square(at, k, x), k));
            const float head = __shfl_sync(all_lanes, x[k], k);
            const double image = head > 0 ? -length : length;
            const float over = length > 0 ? (float)(1 / (head - image)) : 0;
            const float tau = length > 0 ? (float)((image - head) / image) : 0; /* 0: nothing to reflect */

            if (at.column == k) {
#pragma unroll
                for (unsigned t = 0; t < ROWS; t++)
                    x[t] = at.first + t > k ? x[t] * over : at.first + t == k ? (float)image : x[t];
                my_tau = tau;
            }
            pass(at, k, x, v);
            const float dot = product(v, x), factor = at.column > k ? tau * dot : 0; /* those before are done */
#pragma unroll
            for (unsigned t = 0; t < ROWS; t++)
                x[t] -= factor * v[t];
        }
    /* R, and then the reflectors with tau on the diagonal. */
#pragma unroll
    for (unsigned t = 0; t < ROWS; t++) {
        if (at.first == 0 && t < n && at.column < n)
            r[(at.panel * n + t) * n + at.column] = at.column >= t ? x[t] : 0;
        x[t] = at.first + t == at.column ? my_tau : x[t];
    }
    store(at, n, x, reflectors + at.begin * n);
}

/* top: n rows of Q of the level above for each panel, below which zeros stand; q: reflectors, and then rows of Q. */
__global__ static void panels_down(size_t rows, size_t panels, unsigned n, const float *top, float *q)
{
    const struct place at = place_of(rows, panels);
    float x[ROWS], y[ROWS], v[ROWS];

    if (at.panel >= panels)
        return;
    load(at, n, n, top + at.panel * n * n, x);
    load(at, at.rows, n, q + at.begin * n, y);
#pragma unroll
    for (unsigned k = COLUMNS; k-- > 0;)
        if (k < n) {
            pass(at, k, y, v);
            const float factor = __shfl_sync(all_lanes, y[k], k) * product(v, x);
#pragma unroll
            for (unsigned t = 0; t < ROWS; t++)
                x[t] -= factor * v[t];
        }
    store(at, n, x, q + at.begin * n);
}

/* Rows of R are turned where the diagonal is negative, and Q begins with the signs; one warp. */
__global__ static void turn(unsigned n, float *top, float *r)
{
    for (unsigned i = 0; i < n; i++) {
        const unsigned j = threadIdx.x;
        const float sign = top[i * n + i] < 0 ? -1 : 1;

        __syncwarp(); /* all lanes have the sign */
        if (j >= n)
            continue;
        r[i * n + j] = j < i ? 0 : sign * top[i * n + j];
        top[i * n + j] = j == i ? sign : 0;
    }
}

static const char *refuse(const void *problem)
{
    return ((const struct qr *)problem)->n > COLUMNS ? "n must be at most 16: a lane has a column, and two triangles are 32 rows"
                                                     : NULL;
}

static void prepare_levels(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    size_t rows = p->m;

    prepare(problem);
    levels = 0;
    level[0].w = d_q;
    if (p->n == 0)
        return;
    do {
        level[levels].rows = rows;
        level[levels].panels = (rows + TALLEST - 1) / TALLEST; /* their heights differ by one at most, so all have n rows */
        rows = level[levels++].panels * p->n;
        CUDA(cudaMalloc(&level[levels].w, rows * p->n * sizeof(float)));
    } while (rows > p->n);
}

static unsigned blocks_for(size_t panels)
{
    return (unsigned)((panels * WARP + BLOCK - 1) / BLOCK);
}

static void run(const void *problem)
{
    const unsigned n = (unsigned)((const struct qr *)problem)->n;

    if (n == 0)
        return;
    for (int i = 0; i < levels; i++)
        panels_up<<<blocks_for(level[i].panels), BLOCK>>>(level[i].rows, level[i].panels, n, i == 0 ? d_a : level[i].w,
                                                          level[i].w, level[i + 1].w);
    turn<<<1, WARP>>>(n, level[levels].w, d_r);
    for (int i = levels; i-- > 0;)
        panels_down<<<blocks_for(level[i].panels), BLOCK>>>(level[i].rows, level[i].panels, n, level[i + 1].w, level[i].w);
    CUDA(cudaGetLastError());
}

static void release_levels(void)
{
    for (int i = 1; i <= levels; i++)
        CUDA(cudaFree(level[i].w));
    release();
}

VARIANT(.idea = "a warp a panel of 32 rows, in registers; up to 16 columns",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_levels,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_levels)
