/*
 * qr / cuda_cublas
 *
 * Idea     The library's products: a batch of cublasSgemm for A'A, a product for each chunk of rows, and cublasStrsm for
 *          A R^-1.  It has no Cholesky; that of cuda_panels.h is between them.
 * Against  cuda_cholesky, whose products are ours.
 * Expect   The chunks give all multiprocessors work, and their sums are short, so they are rounded little; we add them up in
 *          float64.  XL: 3 T multiply-adds in float32 a pass.
 * Try      cublasSsyrk for all rows at once: half the arithmetic, one long sum.  At 65536 rows it is too inexact for the
 *          judge, and slow where n is small.
 * Level    2
 * Read     cuda_buffers.h, cuda_factor.h, cuda_panels.h
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_q, d_r */
#include "cuda_panels.h"   /* prepare_panels, factor_gram, join_factor, is_near_one, release_panels; d_gram, d_factor; MOST_WIDE */

static cublasHandle_t cublas;
static float *d_product; /* [chunks + 1][n][n] of each chunk of rows, the last of which may be short */
static size_t chunk;     /* rows */

__global__ static void __launch_bounds__(TEAM) qr_add_up(size_t count, size_t products, const float *product, double *gram)
{
    const size_t i = (size_t)blockIdx.x * TEAM + threadIdx.x;
    double sum = 0;

    if (i >= count)
        return;
    for (size_t c = 0; c < products; c++)
        sum += product[c * count + i];
    gram[i] = sum;
}

/* The products of `batch` chunks of `rows` rows each, from this chunk on. */
static void multiply(size_t from, size_t rows, size_t batch, size_t n)
{
    const float one = 1.0f, zero = 0.0f, *q = d_q + from * chunk * n;

    /* The library stores matrices by columns: it takes our Q for Q'. */
    if (rows > 0 && batch > 0)
        CUBLAS(cublasSgemmStridedBatched(cublas, CUBLAS_OP_N, CUBLAS_OP_T, (int)n, (int)n, (int)rows, &one, q, (int)n,
                                         (long long)(chunk * n), q, (int)n, (long long)(chunk * n), &zero,
                                         d_product + from * n * n, (int)n, (long long)(n * n), (int)batch));
}

/* d_gram = Q'Q */
static void gram_of(size_t m, size_t n)
{
    const size_t count = n * n, chunks = m / chunk, rest = m % chunk;

    multiply(0, chunk, chunks, n);
    multiply(chunks, rest, 1, n);
    qr_add_up<<<(unsigned)((count + TEAM - 1) / TEAM), TEAM>>>(count, chunks + (rest > 0), d_product, d_gram);
}

static const char *refuse(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    return p->m > INT_MAX ? "cuBLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare_with_handle(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const size_t n = p->n, least = 1024;

    prepare(problem);
    CUBLAS(cublasCreate(&cublas));
    chunk = 4 * n > least ? 4 * n : least; /* so that the products take no more room than a quarter of A, or little */
    CUDA(cudaMalloc(&d_product, (p->m / chunk + 1) * n * n * sizeof *d_product));
    prepare_panels(n);
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const int m = (int)p->m, n = (int)p->n;
    const float one = 1.0f;
    bool last = false;

    if (n == 0)
        return;
    CUDA(cudaMemcpyAsync(d_q, d_a, p->m * p->n * sizeof *d_q, cudaMemcpyDeviceToDevice, 0));
    for (int pass = 0; pass < MOST_WIDE && !last; pass++) {
        gram_of(p->m, p->n);
        last = pass > 0 && is_near_one(p->n);
        factor_gram(p->n, last ? 0.0f : shift_of(p->n));
        join_factor(p->n, pass == 0, d_r);
        /* It takes our upper triangles for lower ones. */
        CUBLAS(cublasStrsm(cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, m, &one,
                           d_factor, n, d_q, n));
    }
}

static void release_with_handle(void)
{
    CUBLAS(cublasDestroy(cublas));
    CUDA(cudaFree(d_product));
    release_panels();
    release();
}

VARIANT(.idea = "the library's sgemm and strsm",
        .base = "cuda_cholesky",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
