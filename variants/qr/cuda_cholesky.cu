/*
 * qr / cuda_cholesky
 *
 * Idea     R'R = A'A gives R by Cholesky, and Q = A R^-1.  Q'Q is off by the square of the condition, so the same is done with
 *          Q.  A guard on the device looks at each factor: if the second is not good either, there is a third, and so on.
 *          Factors of up to 64 columns are computed by each block itself, and Q is stored only when it is right.
 * Against  cpu_openblas, Householder's reflectors in blocks: there is no other variant for GPUs yet.
 * Expect   L: three readings of A and one writing, 250 us; 9.2 G multiply-adds, 275 us at the peak; so 0.45 ms.
 * Try      LEAST = 3: how much does a pass cost?
 * Level    2
 * Read     cuda_cholesky.h, cuda_factor.h, cuda_matrices.h, cuda_narrow.h, cuda_panels.h, cuda_solve.h, cuda_wide.h
 */
#include "common/variant.h"

enum { LEAST = 2 };        /* passes */
#include "cuda_cholesky.h" /* prepare_factors, run, release_factors; upload, download */

VARIANT(.idea = "Cholesky twice, and again where a guard says so",
        .base = "cpu_openblas",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_factors,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_factors)
