/*
 * align / cuda_registers
 *
 * Idea     A thread holds 8 or 16 numbers of a row or column in registers, and a pass is one butterfly of all of them.  Numbers go
 *          through shared memory between passes only, so once or twice a transform.
 * Against  cuda_shared: the same two visits of memory, but each of its passes reads and writes shared memory.
 * Expect   The same bytes from memory, so the same time where memory is the limit.  Where the images fit in the cache, the transforms
 *          are shorter by what shared memory took.
 * Try      Print the registers of a thread (-Xptxas -v): what would a radix of 32 leave for other blocks?
 * Level    2
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_chain.h, peak.h
 */
#include "../fft/passes.h" /* radices, passes */
#include "common/variant.h"
#include "cuda_chain.h" /* the other kernels, and the host side */

/* The threads of a block, and how many lines of L::N numbers they hold: neighbours, so that a block reads whole sectors. */
template <class L>
struct shape_of {
    static constexpr unsigned BLOCK = L::THREADS > 64 ? 512 : 256, LINES = BLOCK / L::THREADS,
                              SHARED = LINES * L::place(L::N) * sizeof(float2);
};

/* Transforms lines of numbers that are `stride` apart, in place.  Neighbouring threads have neighbouring numbers: of one row, or
   of several columns. */
template <class L>
__global__ static void __launch_bounds__(shape_of<L>::BLOCK)
transform_lines(size_t lines, size_t stride, const float2 *w, float2 *x)
{
    constexpr unsigned T = L::THREADS, LINES = shape_of<L>::LINES;
    extern __shared__ float2 shared[];
    const bool rows = stride == 1;
    const unsigned j = rows ? threadIdx.x % T : threadIdx.x / LINES, y = rows ? threadIdx.x / T : threadIdx.x % LINES;
    const size_t line = (size_t)blockIdx.x * LINES + y, first = line / stride * L::N * stride + line % stride;
    float2 v[L::E];

#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        v[k] = line < lines ? x[first + (j + k * T) * stride] : make_float2(0, 0);
    passes<L>(v, j, w, shared + (rows ? y * L::place(L::N) : y), rows ? 1 : LINES);
#pragma unroll
    for (unsigned k = 0; k < L::E; k++)
        if (line < lines)
            x[first + (j + k * T) * stride] = v[k];
}

struct length {
    unsigned n, block, lines, shared;
    void (*kernel)(size_t, size_t, const float2 *, float2 *);
};

template <int... RADICES>
static length length_of()
{
    typedef radices<RADICES...> L;

    return {L::N, shape_of<L>::BLOCK, shape_of<L>::LINES, shape_of<L>::SHARED, transform_lines<L>};
}

static const length lengths[] = {
    length_of<8, 4>(),   length_of<8, 8>(),     length_of<16, 8>(),     length_of<16, 16>(),
    length_of<8, 8, 8>(), length_of<16, 16, 4>(), length_of<16, 16, 8>(), length_of<16, 16, 16>(),
};

static const length *find_length(size_t n)
{
    for (const length &l : lengths)
        if (l.n == n)
            return &l;
    return NULL;
}

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    return find_length(p->rows) == NULL || find_length(p->cols) == NULL
               ? "rows and cols must be powers of two from 32 to 4096"
               : NULL;
}

static void prepare_registers(const void *problem)
{
    prepare(problem);
    for (const length &l : lengths)
        CUDA(cudaFuncSetAttribute((const void *)l.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)l.shared));
}

static void along(size_t lines, size_t n, size_t stride, const float2 *w, float2 *x)
{
    const length *l = find_length(n);

    l->kernel<<<(unsigned)((lines + l->lines - 1) / l->lines), l->block, l->shared>>>(lines, stride, w, x);
    CUDA(cudaGetLastError());
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

VARIANT(.idea = "butterflies of 8 or 16 numbers in registers",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_registers,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
