/*
 * map / cuda_naive
 *
 * Idea     One thread for each element, and one kernel for the whole formula.  What is between its operations stays in registers.
 * Against  cuda_unfused, a kernel for each operation.
 * Expect   12 bytes per element where cuda_unfused moves 28 for trig and 44 for reldiff: 2.3 and 3.7 times as fast where memory is
 *          the limit.  cosf and sinf are CUDA's, accurate to 2 units in the last place.
 * Try      nvcc --use_fast_math: which check size does the judge name?
 * Level    1
 * Read     cuda_functions.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

static const int threads = 256;

template <class F, class T> __global__ static void map_naive(size_t n, F f, const T *x, const T *y, T *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = f(x[i], second(f, y, i));
}

template <class F> static void launch(size_t n, F f)
{
    typedef typename F::element T;
    const size_t blocks = (n + threads - 1) / threads;

    if (blocks == 0)
        return;
    map_naive<<<(unsigned)blocks, threads>>>(n, f, (const T *)d_x, (const T *)d_y, (T *)d_z);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig_of_cuda(), [=](auto f) { launch(p->n, f); });
}

VARIANT(.idea = "one thread per element, one kernel per formula",
        .base = "cuda_unfused",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
