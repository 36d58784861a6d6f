/*
 * fft / cuda_shared
 *
 * Idea     All passes of a short transform in a block's shared memory: it is read from and written
 *          to the device's memory once.  A long one is n = n1*n2: columns of n1 points, a turn of
 *          each number, rows of n2 points (fourstep.h, beside this file, has the formula).  It goes
 *          through memory twice, whatever its length.
 * Against  cuda_stockham, which goes through memory once per factor.
 * Expect   Bound by the device's memory, 16 bytes per number each time, if other blocks of the
 *          multiprocessor hide the waits of each block.  Else bound by shared memory, which carries
 *          the same 16 bytes once per factor.
 * Try      side_by_side() returning 1: columns are then read 8 bytes at a time, of sectors of 32.
 *          THREADS = 256; BLOCKS = 1, 2: fewer threads on a multiprocessor, with more registers
 *          each.
 * Level    2
 * Read     cuda_buffers.h, cuda_pass.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, roots; host functions, to which this file adds */
#include "cuda_pass.h"    /* butterfly, next_radix, mul, refuse_prime */

/* Two arrays of 4096 numbers are 64 KiB, which a block can have on any GPU since 2018.  Newer ones have room for three
   such blocks at a time: 1536 threads, if none uses more than 40 registers. */
enum { LONGEST = 4096, THREADS = 512, SHARED_BYTES = 2 * LONGEST * sizeof(float2) };

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
enum { BLOCKS = 1 };
#else
enum { BLOCKS = 3 };
#endif

static unsigned n1, n2;     /* n = n1*n2; n1 = 1: short enough for a block */
static float2 *d_w1, *d_w2; /* [n1] and [n2] roots of unity */
static float2 *d_turns;     /* [n1][n2] exp(-2 pi i f1 t2 / n) */
static float2 *d_a;         /* [batch][n1 and what fills up the last group][n2] in between */

/* One transform in shared memory, number t at a[t*pitch], by all threads of the block with the same threadIdx.x.
   Returns where the result is: a or b.  Threads without a transform (any = false) must call it as well, because of the
   barriers. */
__device__ static float2 *transform(bool any, unsigned n, unsigned pitch, const float2 *w,
                                    float2 *a, float2 *b)
{
    __syncthreads();
    for (unsigned s = 1, r; s < n; s *= r) {
        r = next_radix(n / s);
        for (unsigned i = threadIdx.y; any && i < n / r; i += blockDim.y) {
            unsigned p = i / s, q = i % s; /* as in cuda_stockham.cu */

            butterfly(r, n, w, p * s, a + i * pitch, n / r * pitch, b + (q + r * s * p) * pitch,
                      s * pitch);
        }
        __syncthreads();
        float2 *other = a;
        a = b;
        b = other;
    }
    return a;
}

/* Transforms whole signals, blockDim.x of them.  All threads read and write along the signals; the threads with one
   threadIdx.x transform one signal. */
__global__ static void __launch_bounds__(THREADS, BLOCKS)
fft_shared_whole(size_t batch, unsigned n, const float2 *w, const float2 *x, float2 *X)
{
    extern __shared__ float2 shared[];
    const size_t first = (size_t)blockIdx.x * blockDim.x;
    const unsigned signals = batch - first < blockDim.x ? batch - first : blockDim.x;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned pitch = blockDim.x | 1; /* odd, so that both kinds of access are free of bank conflicts */

    for (unsigned i = thread; i < signals * n; i += THREADS)
        shared[i % n * pitch + i / n] = x[first * n + i];

    float2 *mine = shared + threadIdx.x;
    mine = transform(threadIdx.x < signals, n, pitch, w, mine, mine + n * pitch);

    for (unsigned i = thread; i < signals * n; i += THREADS)
        X[first * n + i] = (mine - threadIdx.x)[i % n * pitch + i / n];
}

/* Returns how many of n numbers are this thread's, every blockDim.y-th.  The compiler can unroll a loop that counts
   them, but not one that steps until the end. */
__device__ static unsigned share(unsigned n)
{
    return (n + blockDim.y - 1 - threadIdx.y) / blockDim.y;
}

/* Transforms a column for each threadIdx.x, from x to a, and multiplies each result by its root of unity. */
__global__ static void __launch_bounds__(THREADS, BLOCKS)
fft_shared_columns(unsigned n1, unsigned n2, unsigned rows, const float2 *w1,
                   const float2 *__restrict__ turns, const float2 *x, float2 *__restrict__ a)
{
    extern __shared__ float2 shared[];
    const unsigned side = blockDim.x, groups = (n2 + side - 1) / side;
    const unsigned t2 = blockIdx.x % groups * side + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    float2 *mine = shared + threadIdx.x;

    x += signal * n1 * n2;
    if (t2 < n2)
#pragma unroll 8 /* so that many loads are in flight at once */
        for (unsigned k = 0, t1 = threadIdx.y; k < share(n1); k++, t1 += blockDim.y)
            mine[t1 * side] = x[t1 * n2 + t2];

    mine = transform(t2 < n2, n1, side, w1, mine, mine + n1 * side);

    /* Rows that will share a block lie side by side in a: f1 as number f1 % rows of its group,
       which is the same number all along, since blockDim.y is a multiple of rows. */
    const unsigned number = threadIdx.y % rows;

    a += signal * ((n1 + rows - 1) / rows * rows) * n2;
    if (t2 < n2)
#pragma unroll 8
        for (unsigned k = 0, f1 = threadIdx.y; k < share(n1); k++, f1 += blockDim.y)
            a[(f1 - number) * n2 + t2 * rows + number] = mul(mine[f1 * side], turns[f1 * n2 + t2]);
}

/* Transforms a row for each threadIdx.x, from a to X. */
__global__ static void __launch_bounds__(THREADS, BLOCKS)
fft_shared_rows(unsigned n1, unsigned n2, const float2 *w2, const float2 *a, float2 *X)
{
    extern __shared__ float2 shared[];
    const unsigned side = blockDim.x, groups = (n1 + side - 1) / side;
    const unsigned f1 = blockIdx.x % groups * side + threadIdx.x;
    const size_t signal = blockIdx.x / groups;
    float2 *mine = shared + threadIdx.x;

    a += (size_t)blockIdx.x * side * n2;
    if (f1 < n1)
#pragma unroll 8
        for (unsigned k = 0, t2 = threadIdx.y; k < share(n2); k++, t2 += blockDim.y)
            mine[t2 * side] = a[t2 * side + threadIdx.x];

    mine = transform(f1 < n1, n2, side, w2, mine, mine + n2 * side);

    X += signal * n1 * n2;
    if (f1 < n1)
#pragma unroll 8
        for (unsigned k = 0, f2 = threadIdx.y; k < share(n2); k++, f2 += blockDim.y)
            X[f2 * n1 + f1] = mine[f2 * side];
}

/* Returns how many transforms of n points a block takes: a power of two.  16 numbers are 128 bytes, the largest access
   to memory; 4 are a sector of 32 bytes, the smallest. */
static unsigned side_by_side(unsigned n)
{
    unsigned side = 16;

    while (side > 1 && side * n > LONGEST)
        side /= 2;
    return side;
}

/* Splits n at the largest divisor up to its square root. */
static void split(size_t n)
{
    n1 = n2 = 1;
    for (size_t k = 1; n > LONGEST && k * k <= n; k++)
        if (n % k == 0)
            n1 = (unsigned)k;
    n2 = (unsigned)(n / n1);
}

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    static char reason[80];

    if (refuse_prime(problem) != NULL)
        return refuse_prime(problem);
    split(p->n);
    if (n2 <= LONGEST)
        return NULL;
    snprintf(reason, sizeof reason, "n = %zu is not a product of two numbers up to %d", p->n,
             LONGEST);
    return reason;
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const size_t side = side_by_side(n2), filled = (n1 + side - 1) / side * side;

    buffers_prepare(problem);
    d_w1 = roots(n1);
    d_w2 = roots(n2);
    if (n1 > 1) {
        float2 *turns = (float2 *)malloc(p->n * sizeof *turns);

        for (size_t f1 = 0; f1 < n1; f1++)
            for (size_t t2 = 0; t2 < n2; t2++)
                turns[f1 * n2 + t2] = root(f1 * t2, p->n);
        CUDA(cudaMalloc(&d_turns, p->n * sizeof *d_turns));
        CUDA(cudaMemcpy(d_turns, turns, p->n * sizeof *d_turns, cudaMemcpyHostToDevice));
        CUDA(cudaMalloc(&d_a, p->batch * filled * n2 * sizeof *d_a));
        free(turns);
    }
    CUDA(cudaFuncSetAttribute(fft_shared_whole, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_BYTES));
    CUDA(cudaFuncSetAttribute(fft_shared_columns, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_BYTES));
    CUDA(cudaFuncSetAttribute(fft_shared_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              SHARED_BYTES));
}

static void run_whole(size_t batch, unsigned n)
{
    unsigned side = THREADS;

    while (side > 1 && side * n > LONGEST / 4) /* some thousand numbers keep a block busy */
        side /= 2;

    dim3 block(side, THREADS / side);
    size_t blocks = (batch + side - 1) / side, shared = 2 * n * (side | 1) * sizeof(float2);

    fft_shared_whole<<<(unsigned)blocks, block, shared>>>(batch, n, d_w2, d_x, d_X);
    CUDA(cudaGetLastError());
}

static void run_split(size_t batch)
{
    const unsigned columns = side_by_side(n1), rows = side_by_side(n2);
    dim3 block1(columns, THREADS / columns), block2(rows, THREADS / rows);
    size_t blocks1 = batch * ((n2 + columns - 1) / columns);
    size_t blocks2 = batch * ((n1 + rows - 1) / rows);
    size_t shared1 = 2 * n1 * columns * sizeof(float2), shared2 = 2 * n2 * rows * sizeof(float2);

    fft_shared_columns<<<(unsigned)blocks1, block1, shared1>>>(n1, n2, rows, d_w1, d_turns, d_x,
                                                               d_a);
    CUDA(cudaGetLastError());
    fft_shared_rows<<<(unsigned)blocks2, block2, shared2>>>(n1, n2, d_w2, d_a, d_X);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch > 0 && n1 == 1)
        run_whole(p->batch, n2);
    else if (p->batch > 0)
        run_split(p->batch);
}

static void release(void)
{
    buffers_release();
    CUDA(cudaFree(d_w1));
    CUDA(cudaFree(d_w2));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_turns));
    d_a = d_turns = NULL;
}

VARIANT(.idea = "all passes in shared memory; long signals as columns, then rows",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
