/*
 * align / cuda_shared
 *
 * Idea     All passes of a row, or of some neighbouring columns, in a block's shared memory: each transform goes through the
 *          device's memory once along each axis.
 * Against  cuda_naive, once per factor.
 * Expect   Bound by the device's memory: three transforms of two visits, 16 bytes a pixel each, and as much again for the
 *          kernels between them.
 * Try      side_by_side() returning 1: columns are then read 8 bytes at a time, of sectors of 32.
 * Level    2
 * Read     ../fft/cuda_pass.h, cuda_buffers.h, cuda_chain.h, peak.h
 */
#include "common/variant.h"
#include "cuda_chain.h" /* the other kernels, and the host side; root, next_radix, butterfly */

/* Two buffers of 4096 numbers are 64 KiB, which a block can have on any GPU since 2018. */
enum { LONGEST = 4096, THREADS = 256, SHARED_BYTES = 2 * LONGEST * sizeof(float2) };

/*
 * Transforms lines of n numbers, `stride` apart, in place: blockDim.x of them, which are neighbours.  All threads of a block
 * read and write in the order of memory, and the threads with one threadIdx.x transform one line.  In shared memory number
 * t of a line is at t * pitch; an odd pitch keeps both kinds of access free of bank conflicts.
 */
__global__ static void __launch_bounds__(THREADS)
transform_lines(size_t lines, unsigned n, size_t stride, const float2 *w, float2 *x)
{
    extern __shared__ float2 shared[];
    const unsigned side = blockDim.x, pitch = side | 1, thread = threadIdx.y * side + threadIdx.x;
    const size_t first = (size_t)blockIdx.x * side;
    const bool any = first + threadIdx.x < lines;
    float2 *a = shared + threadIdx.x, *b = a + n * pitch;

    for (unsigned i = thread; i < side * n; i += THREADS) {
        const unsigned line = stride == 1 ? i / n : i % side, t = stride == 1 ? i % n : i / side;
        const size_t number = first + line;

        if (number < lines)
            shared[t * pitch + line] = x[number / stride * n * stride + number % stride + t * stride];
    }
    __syncthreads();
    for (unsigned s = 1, r; s < n; s *= r) {
        r = next_radix(n / s);
        for (unsigned i = threadIdx.y; any && i < n / r; i += blockDim.y) {
            const unsigned p = i / s, q = i % s; /* as in cuda_naive */

            butterfly(r, n, w, p * s, a + i * pitch, n / r * pitch, b + (q + r * s * p) * pitch, s * pitch);
        }
        __syncthreads();
        float2 *swap = a;
        a = b;
        b = swap;
    }
    const float2 *result = a - threadIdx.x;

    for (unsigned i = thread; i < side * n; i += THREADS) {
        const unsigned line = stride == 1 ? i / n : i % side, t = stride == 1 ? i % n : i / side;
        const size_t number = first + line;

        if (number < lines)
            x[number / stride * n * stride + number % stride + t * stride] = result[t * pitch + line];
    }
}

/* Returns how many lines of n numbers a block takes: a power of two.  16 numbers are 128 bytes, the largest access to
   memory; 4 are a sector of 32 bytes, the smallest. */
static unsigned side_by_side(size_t n)
{
    unsigned side = 16;

    while (side > 1 && (side | 1) * n > LONGEST)
        side /= 2;
    return side;
}

static void along(size_t lines, size_t n, size_t stride, const float2 *w, float2 *x)
{
    const unsigned side = side_by_side(n);

    transform_lines<<<(unsigned)((lines + side - 1) / side), dim3(side, THREADS / side),
                      2 * (side | 1) * n * sizeof(float2)>>>(lines, (unsigned)n, stride, w, x);
    CUDA(cudaGetLastError());
}

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    return p->rows > LONGEST || p->cols > LONGEST ? "an axis is longer than 4096: no room in shared memory" : NULL;
}

static void prepare_shared(const void *problem)
{
    prepare(problem);
    CUDA(cudaFuncSetAttribute(transform_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
}

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    chain_run(p, [=](float2 *x, float2 *) {
        along(p->pairs * p->rows, p->cols, 1, d_of_cols, x);
        along(p->pairs * p->cols, p->rows, p->cols, d_of_rows, x);
        return x;
    });
}

VARIANT(.idea = "all passes of a row or of some columns in shared memory",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_shared,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
