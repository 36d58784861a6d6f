/*
 * qr / cuda_guarded
 *
 * Idea     Cholesky once, where the guard allows it: where columns are far from parallel, Q'Q of the first pass is off by less
 *          than the tolerance.  The guard computes R^-1 beside R, which says how far rounding errors of the Gram matrix go.
 * Against  cuda_cholesky, which does everything twice at least.
 * Expect   L: two readings and one writing, 186 us; 4.6 G multiply-adds, 137 us at the peak; so 0.25 ms.  The data of bench
 *          sizes pass the guard.  Those that are nearly parallel cost what they cost cuda_cholesky.
 * Try      A limit of infinity in limit_of: which check sizes notice?
 * Level    2
 * Read     cuda_cholesky.h, cuda_factor.h, cuda_matrices.h, cuda_narrow.h, cuda_panels.h, cuda_solve.h, cuda_wide.h
 */
#include "common/variant.h"

enum { LEAST = 1 };        /* passes */
#include "cuda_cholesky.h" /* prepare_factors, run, release_factors; upload, download */

VARIANT(.idea = "Cholesky as often as a guard says, once if it may be",
        .base = "cuda_cholesky",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_factors,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_factors)
