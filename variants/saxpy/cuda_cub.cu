/*
 * saxpy / cuda_cub
 *
 * Idea     The library: CUB's DeviceTransform, with the formula as a function object.  CUB knows
 *          how many bytes each generation of devices needs in flight, and the fastest way to load
 *          them.
 * Against  cuda_naive: a kernel of our own.
 * Expect   The rate at which the device copies its own memory, on every device, without tuning.
 * Try      One type of formula for all sizes (the comment below says why there are two).  After a
 *          call with few elements, large arrays take 1.14 ms instead of 0.73 (n = 2^28, H200,
 *          2026-11-21).  Or sum three arrays by the same call.
 * Level    2
 * Read     cuda_buffers.h
 */
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

/* LARGE: more elements than fit in a block.  At the first call with a type of formula, CUB 3.0 chooses how many
   elements a block takes: few, if the array is short.  It keeps that number for all later calls with the type, whatever
   their size (corrected in github.com/NVIDIA/cccl/pull/5112).  So large arrays get a type of their own. */
template <bool LARGE> struct formula {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};

static const size_t LARGEST_BLOCK = 8192; /* 32 elements for each of 256 threads */

template <bool LARGE> static void transform(const struct saxpy *p)
{
    CUDA(cub::DeviceTransform::Transform(cuda::std::make_tuple(d_x, d_y), d_z, p->n,
                                         formula<LARGE>{p->a}));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    if (p->n > LARGEST_BLOCK)
        transform<true>(p);
    else
        transform<false>(p);
}

VARIANT(.idea = "the library: cub::DeviceTransform",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
