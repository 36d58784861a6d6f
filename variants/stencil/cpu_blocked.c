/*
 * stencil / cpu_blocked
 *
 * Idea     Several sweeps in one pass over memory: a tile of the image goes through eight sweeps
 *          while it is in cache (fused.h draws it), and only then is the next one read.
 * Against  cpu_simd_openmp, which moves the whole image once a sweep.  The same code for a row.
 * Expect   Memory moves an eighth as much, so now the additions are the limit, and what tiles do
 *          twice along their edges.  A single sweep has nothing to fuse and takes as long as before.
 * Try      DEPTH = 2, 4, 16 with 16 sweeps: from where on does memory no longer matter?  And
 *          RING_BYTES = 2^20, beyond the first-level cache?
 */
#include "common/variant.h"
#include "fused.h"          /* prepare, smooth_all, release: the tiles */
#include "smooth_row_f32.h" /* smooth_row_f32: the vector code */

static const char *refuse(const void *problem)
{
    const struct stencil *p = problem;

    if (p->bytes)
        return "float32 only";
    return __builtin_cpu_supports("avx2") ? NULL : "needs AVX2";
}

static void run(const void *problem)
{
    smooth_all(problem, smooth_row_f32);
}

VARIANT(.idea = "eight sweeps a pass, in tiles that stay in cache",
        .base = "cpu_simd_openmp",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
