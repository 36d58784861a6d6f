/*
 * saxpy / cuda_cub
 *
 * Idea     The library: CUB's DeviceTransform, with the formula as a function.  It knows how many
 *          bytes each generation of devices wants in flight, and how they are best asked for.
 * Against  cuda_naive: own kernel.
 * Expect   The rate at which the device copies its own memory, on all devices, untuned.
 * Try      The same call with cuda::std::plus, or three arrays: nothing else changes.  Or Thrust.
 */
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

struct formula {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cub::DeviceTransform::Transform(cuda::std::make_tuple(d_x, d_y), d_z, p->n,
                                         formula{p->a}));
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
