/*
 * cg / cuda_cublas
 *
 * Idea     Each line of the textbook is a call of the library: gemv, dot, axpy, scal.  The inner products come to the host,
 *          which divides them.  So solvers look that are put together from a library.
 * Against  cuda_naive, the same lines as kernels, with scalars that stay on the device.  And cuda_fused.
 * Expect   The library's product at the rate of memory, and two round trips of 8 us an iteration: at n = 512 and 2048 they
 *          are most of the time.
 * Try      CUBLAS_POINTER_MODE_DEVICE: what else has to change?
 * Level    2
 * Read     cuda_buffers.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_x, d_r, d_p, d_q */

static cublasHandle_t cublas;
static size_t iterations; /* of the last call */

static const char *refuse(const void *problem)
{
    return ((const struct cg *)problem)->n > INT_MAX ? "cuBLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare_with_handle(const void *problem)
{
    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
}

static double inner(int n, const float *u, const float *v)
{
    float sum;

    CUBLAS(cublasSdot(cublas, n, u, 1, v, 1, &sum)); /* waits for the device */
    return sum;
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;
    const int n = (int)s->n;
    const float one = 1, zero = 0;

    if (n == 0)
        return;
    CUDA(cudaMemsetAsync(d_x, 0, s->n * sizeof(float)));
    CUDA(cudaMemcpyAsync(d_r, d_b, s->n * sizeof(float), cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpyAsync(d_p, d_b, s->n * sizeof(float), cudaMemcpyDeviceToDevice));

    double rr = inner(n, d_r, d_r);
    const double enough = (double)s->tol * s->tol * rr;

    for (iterations = 0; rr > enough && iterations < 2 * s->n + 50; iterations++) {
        /* Our rows are the library's columns: A's transpose, whose inner products run along memory. */
        CUBLAS(cublasSgemv(cublas, CUBLAS_OP_T, n, n, &one, d_a, n, d_p, 1, &zero, d_q, 1));

        const double before = rr;
        const float alpha = (float)(rr / inner(n, d_p, d_q)), back = -alpha;

        CUBLAS(cublasSaxpy(cublas, n, &alpha, d_p, 1, d_x, 1));
        CUBLAS(cublasSaxpy(cublas, n, &back, d_q, 1, d_r, 1));
        rr = inner(n, d_r, d_r);

        const float beta = (float)(rr / before);

        CUBLAS(cublasSscal(cublas, n, &beta, d_p, 1));
        CUBLAS(cublasSaxpy(cublas, n, &one, d_r, 1, d_p, 1));
    }
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    release();
}

VARIANT(.idea = "each line a call of the library, scalars on the host",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
