/*
 * saxpy / cuda_cublas
 *
 * Idea     The library: cublasSaxpy.  It computes y = a*x + y in place, so y is first copied to z
 *          on the device, and z takes the sum.
 * Against  cuda_naive: own kernel, out of place.
 * Expect   run: 20 bytes an element instead of 12, as the copy reads y and writes z, and the
 *          library reads z once more.  That is not the library's fault: where y may be lost, it
 *          moves 12 like everyone.
 * Try      Leave the copy out (the judge will say no): what is cublasSaxpy alone?
 */
#include <cublas_v2.h>

#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static cublasHandle_t handle;
static float *d_x, *d_y, *d_z;

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUBLAS(cublasCreate(&handle)); /* takes long: once, not at each call */
    CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST)); /* where `a` is */
    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_y, bytes));
    CUDA(cudaMalloc(&d_z, bytes));
}

static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = p->n * sizeof(float);

    CUDA(cudaMemcpy(d_x, p->x, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, bytes, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    CUDA(cudaMemcpyAsync(d_z, d_y, p->n * sizeof(float), cudaMemcpyDeviceToDevice));
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
        .run = run,
        .download = download,
        .release = release)
