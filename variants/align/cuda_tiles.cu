/*
 * align / cuda_tiles
 *
 * Idea     Small images: a block takes a whole pair, and everything between the pixels and the answer stays in its shared memory.
 *          Both spectra of 128 x 128 pixels are 130 KB there, and g takes the place of the second one.
 * Against  cuda_fused: the same three steps as three kernels, with half of a spectrum in memory between them.
 * Expect   8 bytes a pixel in place of 24, and one launch in place of three.  At 128 x 128 a multiprocessor has room for one block,
 *          which computes nothing while it loads, so less than three times as fast; at 64 x 64 it has room for three.
 * Try      Start to load the next pair's first rows before the columns: how many registers does that take?
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, peak.h
 */
#include "../fft/passes.h" /* radices, passes */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_a, d_b, d_eps, d_answers; upload, download; peak_word, cross_power */

/*
 * Images of R::N rows and C::N columns; all columns are transformed at once.  A warp holds whole rows, then whole columns, so its
 * threads wait for each other only, and the block waits three times for all of it.  In shared memory, one behind another:
 *
 *     A, B      [R::N][PITCH] spectra; A becomes K
 *     g         [R::N][G_PITCH] in B's place
 *     scratch   what the transforms that are in work exchange
 *     of_rows, of_cols   [R::N], [C::N] roots of unity
 *
 * 16 lanes at a time access numbers of 8 bytes, and T lanes hold a row or a column.  PITCH is 16/T more than a multiple of 16, so
 * that 16/T neighbouring columns use all banks.
 */
template <class R, class C>
struct tile {
    static constexpr unsigned HALF = C::N / 2 + 1, BLOCK = (HALF * R::THREADS + 31) / 32 * 32;
    static constexpr unsigned COLUMNS = BLOCK / R::THREADS, ROWS = BLOCK / C::THREADS; /* that a block transforms at once */
    static constexpr unsigned PITCH = (HALF + 15 - 16 / R::THREADS) / 16 * 16 + 16 / R::THREADS;
    static constexpr unsigned G_PITCH = C::N + C::THREADS < 2 * PITCH ? C::N + C::THREADS : 2 * PITCH;
    static constexpr unsigned FOR_COLUMNS = COLUMNS * R::place(R::N), FOR_ROWS = ROWS * C::place(C::N);
    static constexpr unsigned SPECTRUM = R::N * PITCH, SCRATCH = FOR_COLUMNS > FOR_ROWS ? FOR_COLUMNS : FOR_ROWS;
    static constexpr unsigned SHARED = (2 * SPECTRUM + SCRATCH + R::N + C::N) * sizeof(float2);

    static_assert(32 % R::THREADS == 0 && 32 % C::THREADS == 0, "a warp holds whole rows and columns");
};

/* The row of line y.  Of eight threads each, the two lines of 16 lanes are four rows apart: eight banks. */
template <class C>
__device__ static inline unsigned row_of(unsigned y)
{
    return C::THREADS == 8 ? y / 8 * 8 + y % 2 * 4 + y % 8 / 2 : y;
}

__device__ static void make_roots(unsigned n, float2 *w)
{
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x)
        sincospif(-2.0f * (float)k / (float)n, &w[k].y, &w[k].x); /* n is a power of two: the angle is exact */
}

/* Rows of a + ib, taken apart into rows of A and B, as in cuda_fused.h. */
template <class R, class C>
__device__ static void rows_forward(const float *a, const float *b, const float2 *w, float2 *A, float2 *B, float2 *scratch)
{
    typedef tile<R, C> S;
    constexpr unsigned N = C::N, T = C::THREADS;
    const unsigned j = threadIdx.x % T, y = threadIdx.x / T;
    float2 v[C::E], next[C::E], *mine = scratch + y * C::place(N);
    const auto load = [=](unsigned row, float2 to[]) {
#pragma unroll
        for (unsigned k = 0; k < C::E; k++)
            to[k] = row < R::N ? make_float2(a[row * N + j + k * T], b[row * N + j + k * T]) : make_float2(0, 0);
    };

    load(row_of<C>(y), next);
#pragma unroll
    for (unsigned first = 0; first < R::N; first += S::ROWS) {
        const unsigned row = row_of<C>(first + y);
        const bool any = row < R::N;

#pragma unroll
        for (unsigned k = 0; k < C::E; k++)
            v[k] = next[k];
        if (first + S::ROWS < R::N)
            load(row_of<C>(first + S::ROWS + y), next); /* while these are transformed */
        passes<C, of_warp>(v, j, w, mine, 1);
        __syncwarp(); /* all have read the numbers of the last pass */
#pragma unroll
        for (unsigned k = 0; k < C::E; k++)
            mine[C::place(j + k * T)] = v[k];
        __syncwarp();
#pragma unroll
        for (unsigned k = 0; k <= C::E / 2; k++) {
            const unsigned f = j + k * T;

            if (any && f < S::HALF) {
                const float2 here = mine[C::place(f)], there = mine[C::place((N - f) % N)];

                A[row * S::PITCH + f] = make_float2(0.5f * (here.x + there.x), 0.5f * (here.y - there.y));
                B[row * S::PITCH + f] = make_float2(0.5f * (here.y + there.y), 0.5f * (there.x - here.x));
            }
        }
        __syncwarp(); /* before the next rows use scratch */
    }
    __syncthreads(); /* columns need all rows */
}

/* Columns of A and B, conj R, and forward again: A becomes K. */
template <class R, class C>
__device__ static void columns(float eps, const float2 *w, float2 *A, const float2 *B, float2 *scratch)
{
    typedef tile<R, C> S;
    constexpr unsigned T = R::THREADS;
    const unsigned j = threadIdx.x % T, column = threadIdx.x / T;
    const bool any = column < S::HALF;
    float2 a[R::E], b[R::E], *mine = scratch + column * R::place(R::N);

#pragma unroll
    for (unsigned k = 0; k < R::E; k++)
        a[k] = any ? A[(j + k * T) * S::PITCH + column] : make_float2(0, 0);
    passes<R, of_warp>(a, j, w, mine, 1);
#pragma unroll
    for (unsigned k = 0; k < R::E; k++)
        b[k] = any ? B[(j + k * T) * S::PITCH + column] : make_float2(0, 0);
    __syncwarp(); /* between passes that use the same scratch */
    passes<R, of_warp>(b, j, w, mine, 1);
#pragma unroll
    for (unsigned k = 0; k < R::E; k++)
        a[k] = cross_power(a[k], b[k], eps);
    __syncwarp();
    passes<R, of_warp>(a, j, w, mine, 1);
#pragma unroll
    for (unsigned k = 0; k < R::E; k++)
        if (any)
            A[(j + k * T) * S::PITCH + column] = a[k];
    __syncthreads(); /* rows need all columns */
}

/* Two rows of K, half an image apart, are a complex row of g.  Returns the highest that this thread has seen. */
template <class R, class C>
__device__ static peak_word rows_back(const float2 *w, const float2 *K, float *g, float2 *scratch)
{
    typedef tile<R, C> S;
    constexpr unsigned N = C::N, T = C::THREADS;
    const unsigned j = threadIdx.x % T, y = threadIdx.x / T;
    const float scale = 1.0f / (float)(R::N * N); /* a power of two */
    peak_word highest = 0;
    float2 v[C::E];

    for (unsigned first = 0; first < R::N / 2; first += S::ROWS) {
        const unsigned row = row_of<C>(first + y);
        const bool any = row < R::N / 2;
        const unsigned r = any ? row : 0, s = r + R::N / 2;

#pragma unroll
        for (unsigned k = 0; k < C::E; k++) {
            const unsigned f = j + k * T, column = f < S::HALF ? f : N - f;
            const float2 one = K[r * S::PITCH + column], two = K[s * S::PITCH + column];

            v[k] = f < S::HALF ? make_float2(one.x + two.y, one.y - two.x) : make_float2(one.x - two.y, -one.y - two.x);
        }
        passes<C, of_warp>(v, j, w, scratch + y * C::place(N), 1);
#pragma unroll
        for (unsigned k = 0; k < C::E && any; k++) {
            const unsigned c = j + k * T;
            const float upper = fabsf(v[k].x) * scale, lower = fabsf(v[k].y) * scale;
            const peak_word one = word_of(upper, r * N + c), two = word_of(lower, s * N + c);

            g[r * S::G_PITCH + c] = upper;
            g[s * S::G_PITCH + c] = lower;
            highest = one > highest ? one : highest;
            highest = two > highest ? two : highest;
        }
        __syncwarp(); /* before the next rows use scratch */
    }
    return highest;
}

template <class R, class C>
__global__ static void __launch_bounds__(tile<R, C>::BLOCK)
align_tile(const float *a, const float *b, const float *eps, answers to)
{
    typedef tile<R, C> S;
    extern __shared__ float2 A[];
    float2 *B = A + S::SPECTRUM, *scratch = B + S::SPECTRUM, *of_rows = scratch + S::SCRATCH, *of_cols = of_rows + R::N;
    float *g = (float *)B;
    const size_t pair = blockIdx.x, pixels = pair * R::N * C::N;
    __shared__ peak_word highest;

    make_roots(R::N, of_rows);
    make_roots(C::N, of_cols);
    if (threadIdx.x == 0)
        highest = 0;
    __syncthreads();
    rows_forward<R, C>(a + pixels, b + pixels, of_cols, A, B, scratch);
    columns<R, C>(eps[pair], of_rows, A, B, scratch);
    const peak_word mine = warp_highest(rows_back<R, C>(of_cols, A, g, scratch));

    if (threadIdx.x % 32 == 0)
        atomicMax(&highest, mine);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    const unsigned peak = place_of(highest), r = peak / C::N, c = peak % C::N;
    const float height = g_of(highest), above = g[(r + R::N - 1) % R::N * S::G_PITCH + c];
    const float below = g[(r + 1) % R::N * S::G_PITCH + c], *row = g + r * S::G_PITCH;

    to.peak[pair] = peak;
    to.height[pair] = height;
    to.shift[2 * pair] = shift_of(r, R::N, above, height, below);
    to.shift[2 * pair + 1] = shift_of(c, C::N, row[(c + C::N - 1) % C::N], height, row[(c + 1) % C::N]);
}

/* --- the host side --------------------------------------------------------------------------------- */

struct shape {
    unsigned rows, cols, block, shared;
    void (*kernel)(const float *, const float *, const float *, answers);
};

template <class R, class C>
static shape shape_of_pair()
{
    return {R::N, C::N, tile<R, C>::BLOCK, tile<R, C>::SHARED, align_tile<R, C>};
}

typedef radices<8, 4> of_32;
typedef radices<8, 8> of_64;
typedef radices<16, 8> of_128;

static const shape shapes[] = {
    shape_of_pair<of_32, of_32>(),  shape_of_pair<of_32, of_64>(),  shape_of_pair<of_32, of_128>(),
    shape_of_pair<of_64, of_32>(),  shape_of_pair<of_64, of_64>(),  shape_of_pair<of_64, of_128>(),
    shape_of_pair<of_128, of_32>(), shape_of_pair<of_128, of_64>(), shape_of_pair<of_128, of_128>(),
};

static const shape *find_shape(const struct align *p)
{
    for (const shape &s : shapes)
        if (s.rows == p->rows && s.cols == p->cols)
            return &s;
    return NULL;
}

static const char *refuse(const void *problem)
{
    const shape *s = find_shape((const struct align *)problem);
    int room;

    if (s == NULL)
        return "rows and cols must be 32, 64 or 128";
    CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return (unsigned)room < s->shared + sizeof(peak_word) ? "the device's shared memory has no room for two spectra" : NULL;
}

static void prepare(const void *problem)
{
    const shape *s = find_shape((const struct align *)problem);

    buffers_prepare(problem);
    CUDA(cudaFuncSetAttribute((const void *)s->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)s->shared));
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const shape *s = find_shape(p);

    if (p->pairs == 0)
        return;
    s->kernel<<<(unsigned)p->pairs, s->block, s->shared>>>(d_a, d_b, d_eps, d_answers);
    CUDA(cudaGetLastError());
}

static void release(void)
{
    buffers_release();
}

VARIANT(.idea = "small images: a pair per block, all in shared memory",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
