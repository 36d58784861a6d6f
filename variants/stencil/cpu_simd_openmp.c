/*
 * stencil / cpu_simd_openmp
 *
 * Idea     All cores: each computes an equal band of rows.  Of large images, each free core takes
 *          the next few rows.
 * Against  cpu_simd, the same loops on one core.  (cpu_openmp has all cores and no vector code.)
 * Expect   One sweep at the rate at which this machine copies an image.  Where one core nearly
 *          reaches that, the others add little.  n sweeps take n times as long.
 * Try      --threads 1,2,4: how few cores keep the memory busy?  Then equal bands for large images
 *          too, while something else runs on the machine.
 * Level    2
 * Read     share_out.h, smooth_four_f32.h, smooth_row_f32.h, smooth_row_u8.h, sweeps.h
 */
#include "share_out.h"       /* share_out: equal parts, or the next rows for each free core */
#include "smooth_four_f32.h" /* smooth_four_f32, smooth_rows_f32: the vector code */
#include "smooth_row_u8.h"   /* smooth_row_u8 */
#include "sweeps.h"          /* prepare, run, release: sweep after sweep through a scratch image */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL
                                                                           : "needs AVX2 and FMA";
}

static void smooth_f32(size_t rows, size_t cols, const float *in, float *out)
{
    size_t step = rows_at_once_f32(cols);
    bool stream = share_out(rows * cols * sizeof *out, step * cols * sizeof *out);

#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
        for (size_t r = 0; r < rows; r += step)
            smooth_rows_f32(rows, cols, in, out, r, r + step < rows ? r + step : rows, stream,
                            smooth_four_f32);
        _mm_sfence(); /* streaming stores are not ordered: each core waits for its own */
    }
}

static void smooth_u8(size_t rows, size_t cols, const uint8_t *in, uint8_t *out)
{
    size_t step = rows_at_once_u8(cols);
    bool stream = share_out(rows * cols, step * cols);

#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
        for (size_t r = 0; r < rows; r += step)
            smooth_rows_u8(rows, cols, in, out, r, r + step < rows ? r + step : rows, stream);
        _mm_sfence();
    }
}

VARIANT(.idea = "cpu_simd on all cores",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
