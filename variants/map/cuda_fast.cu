/*
 * map / cuda_fast
 *
 * Idea     The special-function unit: __cosf, __sinf and __fdividef, one instruction each and some for the argument.
 * Against  cuda_vector, whose functions are accurate.
 * Expect   Nothing at L, where memory is the limit.  In the cache up to half as fast again.  The answers are right to 2^-21, and no
 *          better than the argument's own rounding to a part of a turn: at 10^6 nothing is left.
 * Try      math = MATH_F32: how many of the values does the judge reject?
 * Level    2
 * Read     cuda_functions.h, cuda_tile.h, cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */
#include "cuda_tile.h"    /* map_tile */

struct fast_trig : trig_of_cuda {
    __device__ float operator()(float x, float y) const { return __cosf(x) + __sinf(y); }
};

/* The reciprocal of a denominator below 2^-128 is no float32, so both sides are made larger there. */
struct fast_reldiff : reldiff {
    __device__ float operator()(float x, float y) const
    {
        const float above = 2.0f * (x - y), below = x + y, up = fabsf(below) < 0x1p-100f ? 0x1p60f : 1.0f;

        return __fdividef(above * up, below * up);
    }
};

template <class F> __global__ static void map_fast(size_t n, F f, const void *x, const void *y, void *z)
{
    map_tile(n, f, x, y, z);
}

template <class F> static void launch(size_t n, F f)
{
    if (n == 0)
        return;
    map_fast<<<tile_blocks(f, n), TILE_THREADS>>>(n, f, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    if (p->f == MAP_TRIG)
        launch(p->n, fast_trig());
    else if (p->f == MAP_RELDIFF)
        launch(p->n, fast_reldiff());
    else
        launch(p->n, suppress{p->threshold});
}

VARIANT(.idea = "the special-function unit: __cosf, __sinf, __fdividef",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_FAST,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
