/*
 * saxpy / cuda_cublas
 *
 * Idea     The library: cublasSaxpy.  It computes y = a*x + y in place.  So y is copied to z on the
 *          device first, by the upload, and again, untimed, before each further run.
 * Against  cuda_naive: a kernel of our own, out of place.
 * Expect   12 bytes per element, like every variant: z is read and written in place.
 * Try      Leave `reset` out and let `run` copy y itself: 20 bytes.  What does the row say?
 * Level    1
 * Read     nothing else
 */
#include <cublas_v2.h>

#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static cublasHandle_t handle;
static float *d_x, *d_y, *d_z; /* d_z holds y before the run, z after it; d_y keeps y */

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUBLAS(cublasCreate(&handle)); /* slow, so once and not in each call */
    CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST)); /* where `a` is */
    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_y, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
}

static void reset(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cudaMemcpyAsync(d_z, d_y, p->n * sizeof(float), cudaMemcpyDeviceToDevice));
}

static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, bytes, cudaMemcpyHostToDevice));
    reset(problem);
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    /* _64: sizes beyond those of an int. */
    CUBLAS(cublasSaxpy_64(handle, (int64_t)p->n, &p->a, d_x, 1, d_z, 1));
}

static void download(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cudaMemcpy(p->z, d_z, p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
    CUBLAS(cublasDestroy(handle));
}

VARIANT(.idea = "cublasSaxpy, in place on a copy of y",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .reset = reset,
        .run = run,
        .download = download,
        .release = release)
