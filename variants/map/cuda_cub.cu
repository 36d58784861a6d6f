/*
 * map / cuda_cub
 *
 * Idea     The library: CUB's DeviceTransform, with each formula as a function object.  CUB knows how many bytes each generation of devices
 *          needs in flight, and the fastest way to load them.
 * Against  cuda_vector: a kernel of our own, with the same functions.
 * Expect   The same from memory.  suppress an element at a time: twice the instructions of pairs, which memory hides.
 * Try      trig_of_cuda() in place of trig().
 * Level    2
 * Read     sine.h, payne_hanek.h, cuda_functions.h, cuda_sine.h, cuda_buffers.h
 */
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */
#include "cuda_sine.h"    /* trig, windows_upload */

/* LARGE: more elements than fit in a block.  At the first call with a type of formula, CUB 3.0 chooses how many elements a block
   takes, and keeps that number for all later calls with the type (corrected in github.com/NVIDIA/cccl/pull/5112).  So large arrays
   get a type of their own. */
template <bool LARGE, class F> struct formula {
    F f;
    __device__ typename F::element operator()(typename F::element x, typename F::element y) const { return f(x, y); }
    __device__ typename F::element operator()(typename F::element x) const { return f(x, x); }
};

static const size_t LARGEST_BLOCK = 8192; /* 32 elements for each of 256 threads */

template <bool LARGE, class F> static void transform(size_t n, F f)
{
    typedef typename F::element T;
    const T *x = (const T *)d_x, *y = (const T *)d_y;

    if constexpr (F::ARGUMENTS == 2)
        CUDA(cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), (T *)d_z, n, formula<LARGE, F>{f}));
    else
        CUDA(cub::DeviceTransform::Transform(x, (T *)d_z, n, formula<LARGE, F>{f}));
}

template <class F> static void launch(size_t n, F f)
{
    if (n > LARGEST_BLOCK)
        transform<true>(n, f);
    else
        transform<false>(n, f);
}

static void prepare_windows(const void *problem)
{
    windows_upload();
    prepare(problem);
}

static void run(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    for_function(p, trig(), [=](auto f) { launch(p->n, f); });
}

VARIANT(.idea = "the library: cub::DeviceTransform",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_windows,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
