/*
 * axxat / cuda_cublas
 *
 * Idea     Call the library twice on data that stay: cublasSgemm for A X, and again with beta = 1, which adds X A^T to it.
 *          Nothing travels between the calls.
 * Against  cuda_dropin, where each call brings its matrices and takes its answer back.
 * Expect   Bound by arithmetic: two products of matmul's.
 * Try      beta = 0 in the second call, or CUBLAS_OP_N in place of CUBLAS_OP_T: what does the judge say?
 * Level    1
 * Read     cublas.h, cuda_buffers.h
 */
#include "common/variant.h"
#include "cublas.h" /* refuse_size, prepare_with_handle, multiply_twice, release_with_handle */

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    if (p->n > 0) /* the library needs rows at least 1 apart */
        multiply_twice((int)p->n);
}

VARIANT(.idea = "the library's sgemm twice, on data that stay",
        .base = "cuda_dropin",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_size,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
