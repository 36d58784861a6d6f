/*
 * Kernels for a panel of rows, with a block each: up, A = Q R by reflections; down, the same reflections backwards.
 *
 *     up      The panel comes to shared memory, so that loads are coalesced.  Warp w takes columns w, w + 8, ... to registers: its
 *             lane l has rows l, l + 32, ...  For each column k its warp makes a reflector and puts it in the column's place in
 *             shared memory.  Then all warps read it, and reflect their columns to the right of k.  R is what is left.
 *     down    n rows come from the level above, and zeros stand below them.  All columns meet all reflectors, the last first.
 *
 * A reflector v of column k begins with a 1 in row k.  tau, the factor of its reflection, has that place, and above it lies R.
 */
#ifndef RUNGS_QR_CUDA_PANEL_H
#define RUNGS_QR_CUDA_PANEL_H

#include <stddef.h>

/* STRIPS: numbers of a column that a lane has. */
enum { WARP = 32, WARPS = 8, BLOCK = WARPS * WARP, STRIPS = 9, TALLEST = STRIPS * WARP, WIDEST = TALLEST / 2 };

/* The panels of a level, cut so that their heights differ by one at most; and the first of this launch. */
struct panels {
    size_t rows, panels, first;
    unsigned n, pitch; /* a column's numbers in shared memory, odd: neighbours of a row are then in different banks */
};

__host__ __device__ static inline size_t first_row(struct panels l, size_t panel)
{
    return l.rows * panel / l.panels;
}

/* Rows in global memory, columns in shared memory.  A warp moves a row. */
__device__ static void load_rows(struct panels l, unsigned rows, const float *from, float *panel)
{
#pragma unroll 4
    for (unsigned i = threadIdx.x / WARP; i < rows; i += WARPS)
        for (unsigned j = threadIdx.x % WARP; j < l.n; j += WARP)
            panel[j * l.pitch + i] = from[(size_t)i * l.n + j];
    __syncthreads();
}

__device__ static void store_rows(struct panels l, unsigned rows, const float *panel, float *to)
{
    __syncthreads();
    for (unsigned i = threadIdx.x / WARP; i < rows; i += WARPS)
        for (unsigned j = threadIdx.x % WARP; j < l.n; j += WARP)
            to[(size_t)i * l.n + j] = panel[j * l.pitch + i];
}

/* A warp's OWN columns, from shared memory to registers; zeros where there is nothing. */
template <int OWN>
__device__ static void take_columns(struct panels l, unsigned rows, const float *panel, float (&own)[OWN][STRIPS])
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

#pragma unroll
    for (int c = 0; c < OWN; c++)
#pragma unroll
        for (int t = 0; t < STRIPS; t++) {
            const unsigned i = t * WARP + lane, j = c * WARPS + warp;
            own[c][t] = i < rows && j < l.n ? panel[j * l.pitch + i] : 0;
        }
}

template <int OWN>
__device__ static void put_columns(struct panels l, unsigned rows, float *panel, const float (&own)[OWN][STRIPS])
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

#pragma unroll
    for (int c = 0; c < OWN; c++)
#pragma unroll
        for (int t = 0; t < STRIPS; t++) {
            const unsigned i = t * WARP + lane, j = c * WARPS + warp;
            if (i < rows && j < l.n)
                panel[j * l.pitch + i] = own[c][t];
        }
}

/* Column k's warp: x, the column from row k on, is mapped onto the diagonal.  v is x minus its image, over its first number, so
   none is larger than 1.  Of the image's two signs we take that which cancels nothing. */
__device__ static void make_reflector(struct panels l, unsigned rows, unsigned k, const float (&x)[STRIPS], float *panel,
                                      float *diagonal)
{
    const unsigned lane = threadIdx.x % WARP;
    double squares = 0; /* of numbers whose squares float32 may not hold */
    float head = 0;

#pragma unroll
    for (int t = 0; t < STRIPS; t++) {
        const unsigned i = t * WARP + lane;
        squares += i >= k ? (double)x[t] * x[t] : 0;
        head = i == k ? x[t] : head;
    }
#pragma unroll
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffff, squares, step);
    head = __shfl_sync(0xffffffff, head, k % WARP);

    const double length = sqrt(squares), image = head > 0 ? -length : length;
    const float over = length > 0 ? (float)(1 / (head - image)) : 0, tau = length > 0 ? (float)((image - head) / image) : 0;

#pragma unroll
    for (int t = 0; t < STRIPS; t++) {
        const unsigned i = t * WARP + lane;
        if (i < rows)
            panel[k * l.pitch + i] = i > k ? x[t] * over : i == k ? tau : x[t];
    }
    if (lane == 0)
        diagonal[k] = (float)image;
}

/* Returns tau. */
__device__ static float read_reflector(struct panels l, unsigned rows, unsigned k, const float *panel, float (&v)[STRIPS])
{
    const unsigned lane = threadIdx.x % WARP;
    const float *column = panel + k * l.pitch;

#pragma unroll
    for (int t = 0; t < STRIPS; t++) {
        const unsigned i = t * WARP + lane;
        v[t] = i > k && i < rows ? column[i] : i == k ? 1 : 0;
    }
    return column[k];
}

/* Two sums over a warp, in all lanes: even lanes add up the first, odd lanes the second. */
__device__ static void sum_both(float &first, float &second)
{
    const bool odd = threadIdx.x % 2 == 1;
    float mine = (odd ? second : first) + __shfl_xor_sync(0xffffffff, odd ? first : second, 1);

#pragma unroll
    for (unsigned step = 2; step < WARP; step *= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, step);

    const float other = __shfl_xor_sync(0xffffffff, mine, 1);

    first = odd ? other : mine;
    second = odd ? mine : other;
}

/* A warp's columns from FROM on, an even number: each less tau v (v . column).  The first may be done already. */
template <int FROM, int OWN>
__device__ static void reflect(const float (&v)[STRIPS], float tau, bool first_too, float (&own)[OWN][STRIPS])
{
    float dot[OWN] = {};

#pragma unroll
    for (int c = FROM; c < OWN; c++)
#pragma unroll
        for (int t = 0; t < STRIPS; t++)
            dot[c] += v[t] * own[c][t];
#pragma unroll
    for (int c = FROM / 2 * 2; c < OWN; c += 2)
        sum_both(dot[c], dot[c + 1]);
#pragma unroll
    for (int c = FROM; c < OWN; c++) {
        const float factor = c > FROM || first_too ? tau * dot[c] : 0;
#pragma unroll
        for (int t = 0; t < STRIPS; t++)
            own[c][t] -= factor * v[t];
    }
}

/* Columns 8 FROM to n.  A step of the recursion has eight of them, one of each warp. */
template <int FROM, int OWN>
__device__ static void factor_from(struct panels l, unsigned rows, float *panel, float *diagonal,
                                   float (&own)[OWN][STRIPS])
{
    const unsigned warp = threadIdx.x / WARP;

    for (unsigned w = 0, k = FROM * WARPS; w < WARPS && k < l.n; w++, k++) {
        float v[STRIPS];

        if (warp == w)
            make_reflector(l, rows, k, own[FROM], panel, diagonal);
        __syncthreads(); /* the reflector is there; nobody changes it any more */

        const float tau = read_reflector(l, rows, k, panel, v);
        reflect<FROM>(v, tau, warp > w, own);
    }
    if constexpr (FROM + 1 < OWN)
        factor_from<FROM + 1>(l, rows, panel, diagonal, own);
}

/* `from`: the level's rows; v: reflectors in their place; r: the panels' R below each other, n x n each. */
template <int OWN>
__global__ static void __launch_bounds__(BLOCK) panels_up(struct panels l, const float *from, float *v, float *r)
{
    extern __shared__ float panel[];
    __shared__ float diagonal[WIDEST]; /* of R */
    const size_t p = l.first + blockIdx.x, begin = first_row(l, p);
    const unsigned rows = (unsigned)(first_row(l, p + 1) - begin);
    float own[OWN][STRIPS];

    load_rows(l, rows, from + begin * l.n, panel);
    take_columns(l, rows, panel, own);
    factor_from<0>(l, rows, panel, diagonal, own);
    store_rows(l, rows, panel, v + begin * l.n);
    for (unsigned i = threadIdx.x / WARP; i < l.n; i += WARPS)
        for (unsigned j = threadIdx.x % WARP; j < l.n; j += WARP)
            r[(p * l.n + i) * l.n + j] = j < i ? 0 : j == i ? diagonal[i] : panel[j * l.pitch + i];
}

/* top: n rows of Q of the level above for each panel; q: the level's reflectors, and then its rows of Q. */
template <int OWN>
__global__ static void __launch_bounds__(BLOCK) panels_down(struct panels l, const float *top, float *q)
{
    extern __shared__ float panel[];
    const size_t p = l.first + blockIdx.x, begin = first_row(l, p);
    const unsigned rows = (unsigned)(first_row(l, p + 1) - begin);
    float own[OWN][STRIPS];

    load_rows(l, l.n, top + p * l.n * l.n, panel);
    take_columns(l, l.n, panel, own);
    __syncthreads();
    load_rows(l, rows, q + begin * l.n, panel);
    for (unsigned k = l.n; k-- > 0;) {
        float v[STRIPS];
        const float tau = read_reflector(l, rows, k, panel, v);

        reflect<0>(v, tau, true, own);
    }
    __syncthreads(); /* all reflectors have been read */
    put_columns(l, rows, panel, own);
    store_rows(l, rows, panel, q + begin * l.n);
}

/* The end of the tree, a block a row: rows of R are turned where the diagonal is negative, and Q begins with their signs. */
__global__ static void turn(unsigned n, float *top, float *r)
{
    const unsigned i = blockIdx.x;
    const float sign = top[(size_t)i * n + i] < 0 ? -1 : 1;

    __syncthreads(); /* all threads have the sign */
    for (unsigned j = threadIdx.x; j < n; j += blockDim.x) {
        r[(size_t)i * n + j] = j < i ? 0 : sign * top[(size_t)i * n + j];
        top[(size_t)i * n + j] = j == i ? sign : 0;
    }
}

#endif
